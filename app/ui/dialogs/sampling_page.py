"""How the next token is chosen, what a reply must look like, and how long it may become."""

from __future__ import annotations

from app.core.sampling import SamplingParams
from app.ui.dialogs.field import ChoiceField, NumberField, SeedField, TextField
from app.ui.dialogs.page import Page
from app.ui.dialogs.sampling_values import (
    ANY_TEXT,
    CUSTOM,
    GRAMMAR,
    JSON,
    PRESETS,
    SCHEMA,
    preset_of,
    read_sampling,
    sampling_texts,
    with_preset,
)
from app.ui.dialogs.values import SettingsValues

# What cuts the candidates or bends their chances: greedy decoding does not look at it, nor does mirostat.
_CUTS = ("top_k", "top_p", "min_p", "typical_p", "top_n_sigma", "xtc_probability", "xtc_threshold",
         "dynatemp_range", "dynatemp_exponent")  # fmt: skip
_MIROSTAT = ("mirostat_tau", "mirostat_eta")
_ADVANCED = (*_CUTS[3:], *_MIROSTAT, "mirostat_mode", "frequency_penalty", "presence_penalty",
             "dry_multiplier", "dry_base", "dry_allowed_length", "dry_penalty_last_n")  # fmt: skip

_SCHEMA_EXAMPLE = '{"type": "object", "properties": {"answer": {"type": "string"}}}'
_GRAMMAR_EXAMPLE = 'root ::= ("yes" | "no") "."'


class SamplingPage(Page):
    """`value()` is (sampling, longest reply in tokens), or None while a field is wrong."""

    def __init__(self) -> None:
        super().__init__()
        self._base = SamplingParams()
        self.set_title(self.tr("Sampling"))
        self.add_text(
            self.tr(
                "Changes take effect with the next reply. They are the same with and without speculation."
            )
        )
        self._add_preset()
        self._add_next_token()
        self._add_repetition()
        self._add_reply()
        self.advanced = self.begin_fold(self.tr("Advanced"))
        self._add_more_cuts()
        self._add_more_penalties()
        self._add_mirostat()
        self.end_fold()
        self.add_end()
        self.edited.connect(self._follow)
        self.set_settings(SamplingParams(), SettingsValues().max_tokens)

    def set_settings(self, sampling: SamplingParams, max_tokens: int) -> None:
        self._base = sampling
        self.set_texts(sampling_texts(sampling, max_tokens))
        neutral = SamplingParams()
        if any(getattr(sampling, name) != getattr(neutral, name) for name in _ADVANCED):
            self.advanced.set_open(True)
        self._follow()

    def value(self) -> tuple[SamplingParams, int] | None:
        return read_sampling(self.texts(), self._base)[0]

    def check(self) -> dict[str, str]:
        return read_sampling(self.texts(), self._base)[1]

    def reset(self) -> None:
        defaults = SettingsValues()
        self.set_settings(defaults.sampling, defaults.max_tokens)
        self.edited.emit()

    def choose_preset(self, name: str) -> None:
        """Fill in a preset; seed, penalty window, form and length of the reply stay."""
        value = self.value()
        sampling, max_tokens = value if value is not None else (self._base, SettingsValues().max_tokens)
        self.set_settings(with_preset(name, sampling), max_tokens)
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

    def _add_number(
        self, name: str, label: str, about: str, unit: str = "", step: float = 0.1, decimals: int = 2
    ) -> None:
        self.add_field(name, NumberField(label, about, unit=unit, step=step, decimals=decimals))

    def _add_next_token(self) -> None:
        self.add_group(self.tr("Next token"))
        self._add_number(
            "temperature",
            self.tr("Temperature"),
            self.tr("How freely tokens are chosen. 0 to 5; 0 is greedy."),
            decimals=1,
        )
        self._add_number(
            "top_k",
            self.tr("Top-k"),
            self.tr("Only the k likeliest tokens stay in the draw. 0 to 100000; 0 switches it off."),
            self.tr("tokens"),
            step=1,
            decimals=0,
        )
        self._add_number(
            "top_p",
            self.tr("Top-p"),
            self.tr("The likeliest tokens that add up to this. Above 0 to 1; 1 is off."),
            step=0.05,
        )
        self._add_number(
            "min_p",
            self.tr("Min-p"),
            self.tr("Tokens at least this probable, compared with the likeliest. 0 to 1; 0 is off."),
            step=0.01,
        )

    def _add_repetition(self) -> None:
        self.add_group(self.tr("Repetition"))
        self._add_number(
            "repeat_penalty",
            self.tr("Repeat penalty"),
            self.tr("Makes tokens that were used lately less likely. Above 0 to 5; 1 is off."),
            step=0.05,
        )
        self._add_number(
            "repeat_last_n",
            self.tr("Penalty window"),
            self.tr("How far back the penalty looks. 0 is off, -1 the whole context."),
            self.tr("tokens"),
            step=16,
            decimals=0,
        )

    def _add_reply(self) -> None:
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
        self._add_number(
            "max_tokens",
            self.tr("Longest reply"),
            self.tr("A reply is cut here; it ends earlier at the end of the context."),
            self.tr("tokens"),
            step=0,
            decimals=0,
        )
        self.add_field(
            "form",
            ChoiceField(
                self.tr("Form of the reply"),
                self.tr("What every reply must look like. The model cannot leave it."),
                [
                    (ANY_TEXT, self.tr("any text")),
                    (JSON, self.tr("JSON")),
                    (SCHEMA, self.tr("JSON schema")),
                    (GRAMMAR, self.tr("grammar")),
                ],
            ),
        )
        self._form_text = TextField(self.tr("Schema or grammar"), "")
        self.add_field("form_text", self._form_text)

    def _add_more_cuts(self) -> None:
        self.add_group(self.tr("More ways to choose"))
        self._add_number(
            "typical_p",
            self.tr("Typical-p"),
            self.tr("Tokens about as surprising as expected, up to this share. Above 0 to 1; 1 is off."),
            step=0.05,
        )
        self._add_number(
            "top_n_sigma",
            self.tr("Top-n-sigma"),
            self.tr("Tokens within so many standard deviations of the best. 0 to 10; 0 is off."),
        )
        self._add_number(
            "xtc_probability",
            self.tr("XTC probability"),
            self.tr("How often the likeliest of several good tokens are left out. 0 to 1; 0 is off."),
            step=0.05,
        )
        self._add_number(
            "xtc_threshold",
            self.tr("XTC threshold"),
            self.tr("A token this probable counts as good. 0 to 1."),
            step=0.05,
        )
        self._add_number(
            "dynatemp_range",
            self.tr("Dynamic temperature"),
            self.tr("The temperature moves so far up and down with the model's doubt. 0 to 5; 0 is off."),
        )
        self._add_number(
            "dynatemp_exponent",
            self.tr("Dynamic exponent"),
            self.tr("How the temperature follows the doubt. Above 0 to 10; 1 is even."),
        )

    def _add_more_penalties(self) -> None:
        self.add_group(self.tr("More against repetition"))
        self._add_number(
            "frequency_penalty",
            self.tr("Frequency penalty"),
            self.tr("Grows with every use of a token in the penalty window. -2 to 2; 0 is off."),
        )
        self._add_number(
            "presence_penalty",
            self.tr("Presence penalty"),
            self.tr("The same for every token that was used at all. -2 to 2; 0 is off."),
        )
        self._add_number(
            "dry_multiplier",
            self.tr("DRY strength"),
            self.tr("Against going on with a passage that was there before. 0 to 10; 0 is off."),
        )
        self._add_number(
            "dry_base", self.tr("DRY growth"), self.tr("How quickly it grows with the passage. 1 to 10.")
        )
        self._add_number(
            "dry_allowed_length",
            self.tr("DRY allowed length"),
            self.tr("Passages up to this length may be repeated. 0 to 1000."),
            self.tr("tokens"),
            step=1,
            decimals=0,
        )
        self._add_number(
            "dry_penalty_last_n",
            self.tr("DRY window"),
            self.tr("How far back passages count. 0 is off, -1 the whole context."),
            self.tr("tokens"),
            step=64,
            decimals=0,
        )

    def _add_mirostat(self) -> None:
        self.add_group(self.tr("Steady surprise"))
        self.add_field(
            "mirostat_mode",
            ChoiceField(
                self.tr("Mirostat"),
                self.tr("Keeps the reply equally surprising all along, in place of the cuts above."),
                [("0", self.tr("off")), ("1", "1"), ("2", "2")],
            ),
        )
        self._add_number(
            "mirostat_tau", self.tr("Surprise"), self.tr("The surprise wanted, in bits. Above 0 to 100.")
        )
        self._add_number(
            "mirostat_eta",
            self.tr("Steering"),
            self.tr("How quickly it is steered there. Above 0 to 10."),
            step=0.05,
        )

    def _on_preset(self) -> None:
        name = self.preset.text()
        if name != CUSTOM:
            self.choose_preset(name)
        self._follow()

    def _follow(self) -> None:
        """The preset that the fields are now, and which of them are of no use with the others."""
        value = self.value()
        self.preset.set_text(CUSTOM if value is None else preset_of(value[0]))
        greedy = value is not None and value[0].greedy
        steered = self.fields["mirostat_mode"].text() != "0"
        for name in _CUTS:
            self.fields[name].control.setEnabled(not greedy and not steered)
        for name in _MIROSTAT:
            self.fields[name].control.setEnabled(not greedy and steered)
        for name in ("seed", "mirostat_mode"):
            self.fields[name].control.setEnabled(not greedy)
        self._follow_form(self.fields["form"].text())

    def _follow_form(self, form: str) -> None:
        self._form_text.setVisible(form in (SCHEMA, GRAMMAR))
        if form == SCHEMA:
            self._form_text.set_about(self.tr("A JSON schema. What cannot be kept to is refused by name."))
            self._form_text.set_placeholder(_SCHEMA_EXAMPLE)
        else:
            self._form_text.set_about(self.tr("A grammar in GBNF; it begins with the rule named root."))
            self._form_text.set_placeholder(_GRAMMAR_EXAMPLE)
