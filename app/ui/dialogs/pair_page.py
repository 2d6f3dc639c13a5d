"""Settings of the pair: what it may use of the machine, and how it speculates."""

from __future__ import annotations

from app.core.pair_settings import FLASH_ATTENTION, KV_TYPES, PairSettings
from app.ui.dialogs.field import ChoiceField, NumberField, SwitchField
from app.ui.dialogs.page import Page
from app.ui.dialogs.values import PairLimits, pair_texts, read_pair


class PairPage(Page):
    """`value()` is the settings typed, or None while a field is wrong."""

    def __init__(self) -> None:
        super().__init__()
        self.set_title(self.tr("Pair"))
        self._settings = PairSettings()
        self._limits = PairLimits()
        self._intro = self.add_text("")
        self._add_memory()
        self._add_speed()
        self._add_speculation()
        self.add_end()
        for name, field in self.fields.items():
            field.set_needs_reload(name not in PairSettings.LIVE)
        self.set_settings(self._settings, self._limits, has_pair=False)

    def set_settings(self, settings: PairSettings, limits: PairLimits, *, has_pair: bool) -> None:
        """Show `settings`; `limits` come from the loaded pair and bound some fields."""
        self._settings, self._limits = settings, limits
        self._intro.setText(
            self.tr("These settings belong to the chosen pair. Fields marked with an arrow need a reload.")
            if has_pair
            else self.tr("No pair is chosen; these settings are used for the next one.")
        )
        self._describe_limits()
        self.set_texts(pair_texts(settings))

    def value(self) -> PairSettings | None:
        return read_pair(self.texts())[0]

    def check(self) -> dict[str, str]:
        return read_pair(self.texts())[1]

    def reset(self) -> None:
        self.set_texts(pair_texts(PairSettings()))
        self.edited.emit()

    def _describe_limits(self) -> None:
        trained, longest, cores = self._limits.n_ctx_train, self._limits.draft_n_max, self._limits.cores
        about = self.tr("How much of the conversation the model sees. Memory grows with it.")
        bounds = (
            self.tr("64 or more; it was trained for {n}.").format(n=trained)
            if trained
            else self.tr("64 or more.")
        )
        self.fields["n_ctx"].set_about(f"{about} {bounds}")
        about = self.tr("Most tokens drafted a step. Longer pays for code and lists, shorter for prose.")
        bounds = (
            self.tr("1 or more; this sidecar drafts {n} at most.").format(n=longest)
            if longest
            else self.tr("1 or more.")
        )
        self.fields["draft_n_max"].set_about(f"{about} {bounds}")
        about = self.tr("Processor threads for decoding; 0 uses one a core.")
        bounds = self.tr("This machine has {n} cores.").format(n=cores) if cores else self.tr("0 to 512.")
        self.fields["n_threads"].set_about(f"{about} {bounds}")

    def _add_memory(self) -> None:
        tokens = self.tr("tokens")
        self.add_group(self.tr("Context and memory"))
        self.add_field("n_ctx", NumberField(self.tr("Context length"), "", unit=tokens, step=0))
        types = [(name, name) for name in KV_TYPES]
        self.add_field(
            "type_k",
            ChoiceField(
                self.tr("Key cache type"),
                self.tr("How keys are stored. f16 is exact enough; q8_0 halves the memory."),
                types,
            ),
        )
        self.add_field(
            "type_v",
            ChoiceField(
                self.tr("Value cache type"),
                self.tr("How values are stored. Quantised ones need flash attention."),
                types,
            ),
        )
        words = {"auto": self.tr("auto"), "on": self.tr("on"), "off": self.tr("off")}
        self.add_field(
            "flash_attn",
            ChoiceField(
                self.tr("Flash attention"),
                self.tr("Faster attention with less memory, where the hardware can do it."),
                [(name, words[name]) for name in FLASH_ATTENTION],
            ),
        )

    def _add_speed(self) -> None:
        tokens, layers = self.tr("tokens"), self.tr("layers")
        everything = [("all", self.tr("all")), ("auto", self.tr("auto")), ("0", "0")]
        self.add_group(self.tr("Speed"))
        self.add_field("n_threads", NumberField(self.tr("Threads"), "", unit=self.tr("threads")))
        self.add_field(
            "n_gpu_layers",
            ChoiceField(
                self.tr("Target layers on the GPU"),
                self.tr("all, auto, or a number from 0. Without a GPU it changes nothing."),
                everything,
                unit=layers,
                editable=True,
            ),
        )
        self.add_field(
            "n_batch",
            NumberField(
                self.tr("Batch size"),
                self.tr("Tokens of the prompt handed over at once. At least the draft length and one more."),
                unit=tokens,
                step=0,
            ),
        )
        self.add_field(
            "n_ubatch",
            NumberField(
                self.tr("Physical batch size"),
                self.tr("Tokens computed at once: from 1 to the batch size. Larger needs more memory."),
                unit=tokens,
                step=0,
            ),
        )

        self.add_field(
            "backend_sampling",
            SwitchField(
                self.tr("Target sampling on the device"),
                self.tr(
                    "Choose the target's tokens on the device, where all steps of the sampling can run there."
                ),
            ),
        )

    def _add_speculation(self) -> None:
        tokens, layers = self.tr("tokens"), self.tr("layers")
        everything = [("all", self.tr("all")), ("auto", self.tr("auto")), ("0", "0")]
        self.add_group(self.tr("Speculation"))
        self.add_field(
            "algorithm",
            ChoiceField(
                self.tr("Algorithm"),
                self.tr("N-grams repeat what the text has said before and need no sidecar."),
                [
                    ("auto", self.tr("the sidecar's")),
                    ("ngram-simple", self.tr("n-grams, simple")),
                    ("ngram-map-k", self.tr("n-grams, map K")),
                    ("ngram-map-k4v", self.tr("n-grams, map K4V")),
                    ("ngram-mod", self.tr("n-grams, mod")),
                    ("ngram-cache", self.tr("n-grams, cache")),
                    ("ngram-map-k,auto", self.tr("n-grams, then the sidecar")),
                    ("draft-simple", self.tr("a smaller model as sidecar")),
                    ("draft-mtp", self.tr("heads inside the target")),
                ],
            ),
        )
        self.add_field(
            "automatic_length",
            SwitchField(
                self.tr("Automatic draft length"),
                self.tr("Drafts as much as pays and pauses when nothing does. Off: always the length below."),
            ),
        )
        self.add_field("draft_n_max", NumberField(self.tr("Draft length"), "", unit=tokens))
        self.add_field(
            "draft_n_min",
            NumberField(
                self.tr("Shortest draft"),
                self.tr("Shorter drafts are thrown away. 0 to the draft length; 0 keeps all."),
                unit=tokens,
            ),
        )
        self.add_field(
            "draft_p_min",
            NumberField(
                self.tr("Least probability"),
                self.tr("A draft ends at the first token less probable than this. 0 to 1; 0 never ends it."),
                step=0.05,
                decimals=2,
            ),
        )
        self.add_field(
            "draft_n_gpu_layers",
            ChoiceField(
                self.tr("Sidecar layers on the GPU"),
                self.tr("all, auto, or a number from 0. Best where the target's layers are."),
                everything,
                unit=layers,
                editable=True,
            ),
        )
        self.add_field(
            "draft_backend_sampling",
            SwitchField(
                self.tr("Draft sampling on the device"),
                self.tr(
                    "Choose draft tokens on the device, where that is supported. Saves copying on a GPU."
                ),
            ),
        )
