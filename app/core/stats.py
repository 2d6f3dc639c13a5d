"""Counters of one reply. The engine only counts; every rate is derived here, when somebody asks."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.core.rounds import CHECKPOINT, NATIVE, SPECULATIVE, Round


@dataclass(slots=True)
class SpeculativeStats:
    """Raw counts and seconds of one reply; `as_dict()` adds the derived figures.

    Definitions (tokens unless said otherwise):
    `drafted` proposed; `verified` submitted in verification batches; `accepted` drafts committed to
    the reply, so of a block that a stop string, the end or a limit cut only what was delivered.
    `drafting_steps` verification steps that submitted at least one draft;
    `accepted_at[i]` steps that committed draft i; `reached_at[i]` steps in which draft i was
    submitted and every draft before it was committed.
    Generation time runs from the end of prefill to the last token's delivery, without the time the
    consumer takes between two rounds. `backend_sampling_*` say whether the target's backend was asked to
    sample this reply, whether it did, and else why not.
    """

    drafted: int = 0
    verified: int = 0
    accepted: int = 0
    begin_calls: int = 0
    draft_calls: int = 0
    process_calls: int = 0
    accept_calls: int = 0
    generated_drafts: int = 0
    accepted_drafts: int = 0
    drafting_steps: int = 0
    accepted_at: tuple[int, ...] = ()
    reached_at: tuple[int, ...] = ()
    verification_steps: int = 0
    rollbacks: int = 0
    native_rollbacks: int = 0
    checkpoint_rollbacks: int = 0
    begin_seconds: float = 0.0
    draft_seconds: float = 0.0
    target_decode_seconds: float = 0.0
    target_sync_seconds: float = 0.0
    process_seconds: float = 0.0
    accept_seconds: float = 0.0
    rollback_seconds: float = 0.0
    checkpoint_captures: int = 0
    checkpoint_restores: int = 0
    checkpoint_verification_reuses: int = 0
    checkpoint_native_captures: int = 0
    checkpoint_native_restores: int = 0
    checkpoint_device_captures: int = 0
    checkpoint_device_restores: int = 0
    checkpoint_native_verification_rollbacks: int = 0
    checkpoint_buffer_bytes: int = 0
    checkpoint_capture_seconds: float = 0.0
    checkpoint_restore_seconds: float = 0.0
    prompt_tokens: int = 0
    reused_tokens: int = 0
    prompt_seconds: float = 0.0
    catch_up_tokens: int = 0
    catch_up_seconds: float = 0.0
    generation_tokens: int = 0
    generation_seconds: float = 0.0
    first_token_seconds: float = 0.0
    request_ttft_seconds: float = 0.0
    decode_tokens: int = 0
    decode_seconds: float = 0.0
    backend_sampling_requested: bool = False
    backend_sampling_active: bool = False
    backend_sampling_reason: str = ""

    def snapshot(self) -> SpeculativeStats:
        """A copy that later counting does not touch."""
        return replace(self)

    def count(self, r: Round) -> None:
        """Add one round. `generation_seconds` grows by the round's own time."""
        drafted, verified, accepted = len(r.drafted), r.verified, r.accepted
        t = r.timings
        self.verification_steps += 1
        self.drafted += drafted
        self.verified += verified
        self.accepted += accepted
        if drafted:
            self.generated_drafts += 1
        if verified:
            self.drafting_steps += 1
            self.accepted_drafts += accepted > 0
            self.accepted_at = _bump(self.accepted_at, accepted)
            # Draft i was reached when drafts 0..i-1 were committed.
            self.reached_at = _bump(self.reached_at, min(accepted + 1, verified))
        if r.rejected:
            self.rollbacks += 1
            self.native_rollbacks += r.rollback == NATIVE
            self.checkpoint_rollbacks += r.rollback == CHECKPOINT
        self.draft_seconds += t.draft
        self.target_decode_seconds += t.decode
        self.target_sync_seconds += t.sync
        self.process_seconds += t.process
        self.accept_seconds += t.accept
        self.rollback_seconds += t.rollback
        if self.generation_tokens == 0 and r.tokens:
            self.first_token_seconds = self.generation_seconds + r.seconds
        self.generation_seconds += r.seconds
        self.generation_tokens += len(r.tokens)
        if r.timed:
            self.decode_tokens += len(r.tokens)
            self.decode_seconds += r.seconds

    def as_dict(self) -> dict[str, object]:
        """Every counter and derived figure by its published name; a rate with nothing behind it is None."""
        steps = self.drafting_steps
        width = len(self.reached_at)
        accepted_at = self.accepted_at + (0,) * (width - len(self.accepted_at))
        # The tokens of the first round arrive together; "sustained" leaves out the first token alone.
        sustained_tokens = max(self.generation_tokens - 1, 0)
        sustained_seconds = max(self.generation_seconds - self.first_token_seconds, 0.0)
        return {
            "drafted": self.drafted,
            "verified": self.verified,
            "accepted": self.accepted,
            "begin_calls": self.begin_calls,
            "draft_calls": self.draft_calls,
            "process_calls": self.process_calls,
            "accept_calls": self.accept_calls,
            "generated_drafts": self.generated_drafts,
            "accepted_drafts": self.accepted_drafts,
            "draft_batch_acceptance_rate": ratio(self.accepted_drafts, self.generated_drafts),
            "accepted_draft_tokens": self.accepted,
            "draft_token_acceptance_rate": ratio(self.accepted, self.drafted),
            "mean_accepted_length": 1 + self.accepted / steps if steps else None,
            "acceptance_rate_per_position": [a / steps for a in accepted_at],
            "conditional_acceptance_per_position": [
                ratio(a, r) for a, r in zip(accepted_at, self.reached_at, strict=True)
            ],
            "begin_seconds": self.begin_seconds,
            "draft_seconds": self.draft_seconds,
            "target_decode_seconds": self.target_decode_seconds,
            "target_sync_seconds": self.target_sync_seconds,
            "process_seconds": self.process_seconds,
            "accept_seconds": self.accept_seconds,
            "rollback_seconds": self.rollback_seconds,
            "checkpoint_captures": self.checkpoint_captures,
            "checkpoint_restores": self.checkpoint_restores,
            "checkpoint_verification_reuses": self.checkpoint_verification_reuses,
            "checkpoint_native_captures": self.checkpoint_native_captures,
            "checkpoint_native_restores": self.checkpoint_native_restores,
            "checkpoint_device_captures": self.checkpoint_device_captures,
            "checkpoint_device_restores": self.checkpoint_device_restores,
            "checkpoint_native_verification_rollbacks": self.checkpoint_native_verification_rollbacks,
            "checkpoint_buffer_bytes": self.checkpoint_buffer_bytes,
            "checkpoint_capture_seconds": self.checkpoint_capture_seconds,
            "checkpoint_restore_seconds": self.checkpoint_restore_seconds,
            "verification_steps": self.verification_steps,
            "rollbacks": self.rollbacks,
            "native_rollbacks": self.native_rollbacks,
            "checkpoint_rollbacks": self.checkpoint_rollbacks,
            "acceptance_rate": ratio(self.accepted, self.verified),
            "prompt_tokens": self.prompt_tokens,
            "reused_tokens": self.reused_tokens,
            "prompt_seconds": self.prompt_seconds,
            "catch_up_tokens": self.catch_up_tokens,
            "catch_up_seconds": self.catch_up_seconds,
            "generation_tokens": self.generation_tokens,
            "generation_seconds": self.generation_seconds,
            "generation_tokens_per_second": ratio(self.generation_tokens, self.generation_seconds),
            "time_to_first_token_seconds": self.first_token_seconds,
            "request_ttft_seconds": self.request_ttft_seconds,
            "sustained_tokens": sustained_tokens,
            "sustained_seconds": sustained_seconds,
            "sustained_tokens_per_second": ratio(sustained_tokens, sustained_seconds),
            "decode_tokens": self.decode_tokens,
            "decode_seconds": self.decode_seconds,
            "decode_tokens_per_second": ratio(self.decode_tokens, self.decode_seconds),
            "backend_sampling_requested": self.backend_sampling_requested,
            "backend_sampling_active": self.backend_sampling_active,
            "backend_sampling_reason": self.backend_sampling_reason,
        }


def ratio(part: float, whole: float) -> float | None:
    """`part / whole`, or None when there is nothing to divide by."""
    return part / whole if whole else None


def recount(rounds: Iterable[Round]) -> SpeculativeStats:
    """Statistics rebuilt from recorded rounds, e.g. of a stored reply (without prompt figures)."""
    stats = SpeculativeStats()
    for r in rounds:
        stats.count(r)
    return stats


# What a request adds besides its rounds.
_REQUEST_FIELDS = (
    "begin_calls", "begin_seconds", "draft_calls", "process_calls", "accept_calls", "prompt_tokens",
    "reused_tokens", "prompt_seconds", "catch_up_tokens", "catch_up_seconds", "request_ttft_seconds",
    "checkpoint_captures", "checkpoint_restores", "checkpoint_verification_reuses",
    "checkpoint_native_captures", "checkpoint_native_restores", "checkpoint_device_captures",
    "checkpoint_device_restores", "checkpoint_native_verification_rollbacks", "checkpoint_buffer_bytes",
    "checkpoint_capture_seconds", "checkpoint_restore_seconds", "backend_sampling_requested",
    "backend_sampling_active", "backend_sampling_reason",
)  # fmt: skip


def recount_request(before: SpeculativeStats, rounds: Iterable[Round]) -> SpeculativeStats:
    """As `recount`, keeping of `before` what rounds do not tell."""
    return replace(recount(rounds), **{name: getattr(before, name) for name in _REQUEST_FIELDS})


def speculative_only(rounds: Iterable[Round]) -> list[Round]:
    """The rounds decoded in speculative mode."""
    return [r for r in rounds if r.mode == SPECULATIVE]


def _bump(counts: tuple[int, ...], upto: int) -> tuple[int, ...]:
    """`counts` with the first `upto` entries one higher, grown if need be."""
    if upto > len(counts):
        counts = counts + (0,) * (upto - len(counts))
    return tuple(c + 1 if i < upto else c for i, c in enumerate(counts))
