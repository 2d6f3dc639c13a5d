"""How the next token is chosen, and how long a reply may become."""

from __future__ import annotations

from dataclasses import replace

from app.core.sampling import SamplingParams
from app.ui.dialogs.field import ChoiceField, NumberField, SeedField
from app.ui.dialogs.page import Page
from app.ui.dialogs.values import CUSTOM, PRESETS, SettingsValues, preset_of, read_sampling, sampling_texts

# What greedy decoding does not look at.
_UNUSED_WHEN_GREEDY = ("top_k", "top_p", "min_p", "seed")


class SamplingPage(Page):
    """`value()` is (sampling, longest reply in tokens), or None while a field is wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.set_title(self.tr("Sampling"))
        self.add_text(
            self.tr(
                "Changes take effect with the next reply. They are the same with and without speculation."
            )
        )
        self._add_preset()
        self._add_fields()
        self.add_end()
        self.edited.connect(self._follow)
        self.set_settings(SamplingParams(), SettingsValues().max_tokens)

    def set_settings(self, sampling: SamplingParams, max_tokens: int) -> None:
        self.set_texts(sampling_texts(sampling, max_tokens))
        self._follow()

    def value(self) -> tuple[SamplingParams, int] | None:
        return read_sampling(self.texts())[0]

    def check(self) -> dict[str, str]:
        return read_sampling(self.texts())[1]

    def reset(self) -> None:
        defaults = SettingsValues()
        self.set_settings(defaults.sampling, defaults.max_tokens)
        self.edited.emit()

    def choose_preset(self, name: str) -> None:
        """Fill in a preset; seed, penalty window and reply length stay."""
        value = self.value()
        sampling, max_tokens = value if value is not None else (SamplingParams(), SettingsValues().max_tokens)
        preset = replace(PRESETS[name], seed=sampling.seed, repeat_last_n=sampling.repeat_last_n)
        self.set_settings(preset, max_tokens)
        self.edited.emit()

    def _add_preset(self) -> None:
        names = {
            "greedy": self.tr("Greedy"),
            "precise": self.tr("Precise"),
            "balanced": self.tr("Balanced"),
            "creative": self.tr("Creative"),
        }
        choices = [(name, names[name]) for name in PRESETS] + [(CUSTOM, self.tr("Custom"))]
        about = self.tr("Greedy takes the likeliest token: one prompt, one reply.")
        self.preset = ChoiceField(self.tr("Preset"), about, choices)
        self.add_space()
        self.add_loose(self.preset)
        self.preset.finished.connect(self._on_preset)

    def _add_fields(self) -> None:
        tokens = self.tr("tokens")
        self.add_group(self.tr("Next token"))
        self.add_field(
            "temperature",
            NumberField(
                self.tr("Temperature"),
                self.tr("How freely tokens are chosen. 0 to 5; 0 is greedy."),
                step=0.1,
                decimals=1,
            ),
        )
        self.add_field(
            "top_k",
            NumberField(
                self.tr("Top-k"),
                self.tr("Only the k likeliest tokens stay in the draw. 0 to 100000; 0 switches it off."),
                unit=tokens,
            ),
        )
        self.add_field(
            "top_p",
            NumberField(
                self.tr("Top-p"),
                self.tr("The likeliest tokens that add up to this. Above 0 to 1; 1 is off."),
                step=0.05,
                decimals=2,
            ),
        )
        self.add_field(
            "min_p",
            NumberField(
                self.tr("Min-p"),
                self.tr("Tokens at least this probable, compared with the likeliest. 0 to 1; 0 is off."),
                step=0.01,
                decimals=2,
            ),
        )
        self.add_group(self.tr("Repetition"))
        self.add_field(
            "repeat_penalty",
            NumberField(
                self.tr("Repeat penalty"),
                self.tr("Makes tokens that were used lately less likely. Above 0 to 5; 1 is off."),
                step=0.05,
                decimals=2,
            ),
        )
        self.add_field(
            "repeat_last_n",
            NumberField(
                self.tr("Penalty window"),
                self.tr("How far back the penalty looks. 0 is off, -1 the whole context."),
                unit=tokens,
                step=16,
            ),
        )
        self.add_group(self.tr("Reply"))
        self.add_field(
            "seed",
            SeedField(
                self.tr("Seed"),
                self.tr(
                    "A fixed seed makes a reply repeatable. 0 to 4294967295. Each reply records its seed."
                ),
                self.tr("random"),
                self.tr("fixed"),
            ),
        )
        self.add_field(
            "max_tokens",
            NumberField(
                self.tr("Longest reply"),
                self.tr("A reply is cut here; it ends earlier at the end of the context."),
                unit=tokens,
                step=0,
            ),
        )

    def _on_preset(self) -> None:
        name = self.preset.text()
        if name != CUSTOM:
            self.choose_preset(name)
        self._follow()

    def _follow(self) -> None:
        """The preset that the fields are now, and which of them greedy decoding leaves unused."""
        value = self.value()
        self.preset.set_text(CUSTOM if value is None else preset_of(value[0]))
        greedy = value is not None and value[0].greedy
        for name in _UNUSED_WHEN_GREEDY:
            self.fields[name].control.setEnabled(not greedy)
