"""Where accepted and rejected drafts lie in a reply, from its recorded rounds alone. Knows no Qt.

Offsets count characters of the reply's text: `Round.chars` says how many each delivered token
completed. Text that no round accounts for was never drafted as far as anybody knows, and stays plain.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.core.rounds import Round

PLAIN = "plain"
ACCEPTED = "accepted"
REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Span:
    """`text[start:end]`. Accepted: draft `step` (0-based) of `steps` proposed in its round.

    Rejected: the target's own token where a draft was turned down; `steps` is how many were.
    """

    start: int
    end: int
    kind: str
    step: int = 0
    steps: int = 0
    algorithm: str = ""


class Shading:
    """Spans of rounds that come one by one."""

    def __init__(self) -> None:
        self._at = 0

    def feed(self, r: Round) -> list[Span]:
        """The spans of one round; empty ones are left out."""
        out: list[Span] = []
        for i, count in enumerate(r.chars):
            end = self._at + count
            if count:
                if i < r.accepted:
                    steps = max(r.verified, r.accepted)
                    out.append(Span(self._at, end, ACCEPTED, i, steps, r.algorithm))
                elif r.rejected:
                    out.append(Span(self._at, end, REJECTED, r.accepted, len(r.rejected), r.algorithm))
                else:
                    out.append(Span(self._at, end, PLAIN))
            self._at = end
        return out


def spans(rounds: Iterable[Round], length: int) -> list[Span]:
    """Spans in order that cover 0..length without gaps or overlaps."""
    shading = Shading()
    out: list[Span] = []
    at = 0
    for r in rounds:
        for span in shading.feed(r):
            if span.start < length:
                out.append(replace(span, end=min(span.end, length)))
                at = out[-1].end
    if at < length:
        out.append(Span(at, length, PLAIN))
    return _joined(out)


def counts(rounds: Iterable[Round]) -> tuple[int, int, int]:
    """Tokens of the reply: accepted drafts, drafts turned down, the target's own."""
    accepted = rejected = own = 0
    for r in rounds:
        accepted += r.accepted
        rejected += len(r.rejected)
        own += len(r.tokens) - r.accepted
    return accepted, rejected, own


def _joined(parts: list[Span]) -> list[Span]:
    """Neighbouring plain spans as one."""
    out: list[Span] = []
    for part in parts:
        if out and part.kind == PLAIN and out[-1].kind == PLAIN:
            out[-1] = Span(out[-1].start, part.end, PLAIN)
        else:
            out.append(part)
    return out
