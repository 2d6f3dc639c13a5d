"""Where tokens are chosen, on the device or on the host, in the words of the chip's popover."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.core.events import LoadedPair
from app.core.stats import SpeculativeStats
from app.ui.language import translated


def _tr(text: str) -> str:
    return QCoreApplication.translate("SamplingPlace", text)


def sampling_place(pair: LoadedPair | None, stats: SpeculativeStats | None) -> str:
    """What was asked for and what is so; empty where nothing was asked for.

    `stats` are the last reply's: whether the target's device chooses depends on its settings.
    """
    parts = []
    if pair is not None and pair.target_backend_sampling:
        if stats is None or not stats.backend_sampling_requested:
            parts.append(_tr("The device is to choose the target's tokens, where it can."))
        elif stats.backend_sampling_active:
            parts.append(_tr("The device chooses the target's tokens."))
        else:
            reason = translated(stats.backend_sampling_reason)
            parts.append(_tr("The target's tokens are chosen on the host. {reason}").format(reason=reason))
    if pair is not None and pair.algorithm and pair.backend_sampling_requested:
        if pair.backend_sampling_active:
            parts.append(_tr("The device chooses the draft's tokens."))
        else:
            parts.append(
                _tr("Draft tokens are chosen on the host: {algorithm} leaves nothing to the device.").format(
                    algorithm=pair.algorithm
                )
            )
    return " ".join(parts)
