"""What the settings dialog edits, and how typed text becomes settings or errors.

Text goes in, core dataclasses or one error per field come out: the dataclasses decide what is valid, this
module says it in the words of the window and names the field that has to change. It knows no widgets.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from PySide6.QtCore import QCoreApplication, QLocale

from app.core.pair_settings import PairSettings
from app.core.sampling import SamplingParams
from app.core.wording import reason_of
from app.ui.language import translated

# Beyond these nothing can be meant. Numbers of layers like 9999 are a habit for all of them.
LONGEST_CONTEXT = 1 << 24
LARGEST_BATCH = 1 << 20
LONGEST_DRAFT = 512
MOST_LAYERS = 99_999

_T = TypeVar("_T")
Texts = Mapping[str, str]
Errors = dict[str, str]


@dataclass(frozen=True, slots=True)
class SettingsValues:
    """Everything the dialog can change. `max_tokens` is the longest reply, in tokens.

    `notify`: say when a long reply ends while the window is in the background.
    """

    pair: PairSettings = PairSettings()
    sampling: SamplingParams = SamplingParams()
    max_tokens: int = 1024
    system_prompt: str = ""
    theme: str = "system"
    panel_visible: bool = True
    language: str = "system"
    zoom: float = 1.0
    notify: bool = True


@dataclass(frozen=True, slots=True)
class PairLimits:
    """What the loaded pair and the machine can do, to be said beside the fields; 0 where it is not known."""

    n_ctx_train: int = 0
    draft_n_max: int = 0
    cores: int = field(default_factory=lambda: os.cpu_count() or 0)


def _tr(text: str) -> str:
    return QCoreApplication.translate("SettingsValues", text)


def _shown(value: float) -> str:
    return f"{value:g}".replace(".", QLocale().decimalPoint())


def plain(value: float) -> str:
    """The shortest text that reads back as the same number."""
    return repr(float(value)).removesuffix(".0")


class Reader:
    """Reads texts one by one; every failure is kept under its field's name."""

    def __init__(self, texts: Texts) -> None:
        self._texts = texts
        self.errors: Errors = {}

    def integer(self, name: str, low: int, high: int) -> int | None:
        text = self._texts[name].strip()
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            self.errors[name] = _tr("Enter a whole number from {low} to {high}.").format(low=low, high=high)
            return None
        return value

    def number(self, name: str, low: float, high: float, *, above: bool = False) -> float | None:
        """A finite number in low..high; `above`: low itself is not allowed. A decimal comma is understood."""
        text = self._texts[name].strip().replace(",", ".")
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (low <= value <= high) or (above and value == low):
            pattern = (
                _tr("Enter a number above {low}, up to {high}.")
                if above
                else _tr("Enter a number from {low} to {high}.")
            )
            self.errors[name] = pattern.format(low=_shown(low), high=_shown(high))
            return None
        return value

    def layers(self, name: str) -> int | str | None:
        text = self._texts[name].strip().lower()
        if text in ("auto", "all"):
            return text
        try:
            value = int(text)
        except ValueError:
            value = -1
        if not 0 <= value <= MOST_LAYERS:
            self.errors[name] = _tr("Enter auto, all or a number of layers up to {high}.").format(
                high=MOST_LAYERS
            )
            return None
        return value

    def build(self, make: Callable[..., _T], values: Mapping[str, Any], name: str) -> _T | None:
        """The dataclass has the last word: what it refuses and nobody named yet is shown at `name`."""
        if self.errors:
            return None
        try:
            return make(**values)
        except ValueError as error:
            self.errors[name] = translated(reason_of(error))
            return None


def read_pair(texts: Texts) -> tuple[PairSettings | None, Errors]:
    """Settings of the pair from typed text, keyed by the names of `PairSettings`.

    Returns (settings, {}) or (None, errors by field). What only the files bound, such as the draft
    length, is not refused: the engine cuts it, and the same settings fit another sidecar.
    """
    reader = Reader(texts)
    values: dict[str, Any] = {
        "n_ctx": reader.integer("n_ctx", 64, LONGEST_CONTEXT),
        "n_batch": reader.integer("n_batch", 1, LARGEST_BATCH),
        "n_ubatch": reader.integer("n_ubatch", 1, LARGEST_BATCH),
        "n_gpu_layers": reader.layers("n_gpu_layers"),
        "draft_n_gpu_layers": reader.layers("draft_n_gpu_layers"),
        "n_threads": reader.integer("n_threads", 0, 512),
        "draft_n_max": reader.integer("draft_n_max", 1, LONGEST_DRAFT),
        "draft_n_min": reader.integer("draft_n_min", 0, LONGEST_DRAFT),
        "draft_p_min": reader.number("draft_p_min", 0.0, 1.0),
        "type_k": texts["type_k"],
        "type_v": texts["type_v"],
        "flash_attn": texts["flash_attn"],
        "algorithm": texts["algorithm"],
        "draft_backend_sampling": texts["draft_backend_sampling"] == "on",
        "backend_sampling": texts["backend_sampling"] == "on",
        "automatic_length": texts["automatic_length"] == "on",
    }
    n_batch, n_ubatch = values["n_batch"], values["n_ubatch"]
    n_max, n_min = values["draft_n_max"], values["draft_n_min"]
    if n_batch is not None and n_ubatch is not None and n_ubatch > n_batch:
        reader.errors["n_ubatch"] = _tr("Must not be larger than the batch size, {n_batch}.").format(
            n_batch=n_batch
        )
    if n_max is not None and n_min is not None and n_min > n_max:
        reader.errors["draft_n_min"] = _tr("Must not be larger than the draft length, {n_max}.").format(
            n_max=n_max
        )
    if n_batch is not None and n_max is not None and n_batch < 1 + n_max:
        reader.errors["n_batch"] = _tr(
            "Must be at least {low}: one token and a whole draft are verified in one batch."
        ).format(low=1 + n_max)
    return reader.build(PairSettings, values, "n_ctx"), reader.errors


def pair_texts(settings: PairSettings) -> dict[str, str]:
    """What the fields show for these settings; `read_pair` gives the same settings back."""
    return {
        "n_ctx": str(settings.n_ctx),
        "n_batch": str(settings.n_batch),
        "n_ubatch": str(settings.n_ubatch),
        "n_gpu_layers": str(settings.n_gpu_layers),
        "draft_n_gpu_layers": str(settings.draft_n_gpu_layers),
        "n_threads": str(settings.n_threads),
        "type_k": settings.type_k,
        "type_v": settings.type_v,
        "flash_attn": settings.flash_attn,
        "algorithm": settings.algorithm,
        "draft_backend_sampling": "on" if settings.draft_backend_sampling else "off",
        "backend_sampling": "on" if settings.backend_sampling else "off",
        "automatic_length": "on" if settings.automatic_length else "off",
        "draft_n_max": str(settings.draft_n_max),
        "draft_n_min": str(settings.draft_n_min),
        "draft_p_min": plain(settings.draft_p_min),
    }
