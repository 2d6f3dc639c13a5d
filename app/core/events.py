"""What an engine reports: picklable values, so that a helper process could host the engine one day."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field

from app.core.errors import EnvironmentProblem
from app.core.reasoning import DEFAULT, ReasoningFormat
from app.core.rounds import Round
from app.core.stats import SpeculativeStats
from app.core.wording import say

# States of speculation, as the chip shows them.
NO_MODEL = "no model"
LOADING = "loading"
SPECULATING = "speculating"
SUSPENDED = "suspended"
OFF = "off"
UNAVAILABLE = "unavailable"

# How a reply ended (`finish_reason`).
STOP = "stop"
LENGTH = "length"
CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Problem:
    """A failure as a value. `is_bug`: a fault of ours, with `details`; else the user's surroundings."""

    what: str
    why: str = ""
    remedy: str = ""
    code: str = "problem"
    is_bug: bool = False
    details: str = ""

    @classmethod
    def of(cls, error: BaseException) -> Problem:
        """An `EnvironmentProblem` word for word; anything else is a bug with its traceback."""
        if isinstance(error, EnvironmentProblem):
            return cls(error.what, error.why, error.remedy, error.code)
        details = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        return cls(
            say("Something went wrong inside Slipstream."),
            f"{type(error).__name__}: {error}",
            say("Nothing is lost. Copy the report and try again."),
            "bug",
            is_bug=True,
            details=details,
        )


@dataclass(frozen=True, slots=True)
class SpeculationStatus:
    """Whether speculation is active and, if not, why. `algorithm` is the display name, e.g. `DFlash2`."""

    state: str = NO_MODEL
    algorithm: str = ""
    draft_n_max: int = 0
    automatic: bool = False
    reason: Problem | None = None


@dataclass(frozen=True, slots=True)
class LoadedPair:
    """What was really loaded: the state shown is made from this, not from what was asked for.

    `backend_sampling_*` are the draft's. `target_backend_sampling`: asked for; whether the backend samples
    depends on each reply's settings, and its statistics say so.
    """

    target_path: str
    target_name: str
    target_architecture: str
    target_quantisation: str
    target_bytes: int
    n_ctx: int
    n_ctx_train: int
    n_vocab: int
    n_threads: int
    draft_path: str = ""
    draft_name: str = ""
    draft_bytes: int = 0
    algorithm: str = ""
    block_size: int = 0
    draft_n_max_limit: int = 0
    rollback: str = ""
    backend: str = ""
    chat_template: str = ""
    load_seconds: float = 0.0
    backend_sampling_requested: bool = False
    backend_sampling_active: bool = False
    target_backend_sampling: bool = False
    metadata: dict[str, object] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LoadProgress:
    """`stage` is what is being done, in the user's words; `fraction` runs from 0 to 1 over the whole load."""

    stage: str
    fraction: float


@dataclass(frozen=True, slots=True)
class Loaded:
    pair: LoadedPair
    status: SpeculationStatus


@dataclass(frozen=True, slots=True)
class LoadFailed:
    """`cancelled` when the user stopped it; nothing is loaded afterwards."""

    problem: Problem
    cancelled: bool = False


@dataclass(frozen=True, slots=True)
class Unloaded:
    pass


@dataclass(frozen=True, slots=True)
class StatusChanged:
    status: SpeculationStatus


@dataclass(frozen=True, slots=True)
class ReplyStarted:
    """`reasoning`: the tags around thoughts, and whether the prompt ends inside one."""

    reply_id: str
    prompt_tokens: int
    reused_tokens: int
    seed: int
    reasoning: ReasoningFormat = DEFAULT


@dataclass(frozen=True, slots=True)
class PrefillProgress:
    """`catch_up`: the draft reads what it missed while speculation was off; else the prompt itself."""

    reply_id: str
    done: int
    total: int
    seconds: float
    catch_up: bool = False


@dataclass(frozen=True, slots=True)
class RoundDone:
    """One round and the text that became final with it; `stats` is a snapshot nobody changes any more."""

    reply_id: str
    round: Round
    text: str
    stats: SpeculativeStats
    status: SpeculationStatus
    context_used: int


@dataclass(frozen=True, slots=True)
class ReplyDone:
    """`text` is the rest that was held back. `finish_reason` is stop, length or cancelled.

    `withdrawn` tokens of earlier rounds do not belong to the reply after all, because a stop string
    had begun there: whoever recorded the rounds applies `core.rounds.settle`.
    """

    reply_id: str
    finish_reason: str
    text: str
    stats: SpeculativeStats
    context_used: int
    withdrawn: int = 0


@dataclass(frozen=True, slots=True)
class ReplyFailed:
    """The reply ended by a failure; what had been delivered before is kept by whoever collected it."""

    reply_id: str
    problem: Problem


Event = (
    LoadProgress
    | Loaded
    | LoadFailed
    | Unloaded
    | StatusChanged
    | ReplyStarted
    | PrefillProgress
    | RoundDone
    | ReplyDone
    | ReplyFailed
)

TERMINAL = (Loaded, LoadFailed, Unloaded, ReplyDone, ReplyFailed)
