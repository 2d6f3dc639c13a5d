"""One generation, and the pair of one ordinary and one speculative generation that are compared."""

from __future__ import annotations

from app.core.rounds import Round, round_to_row, row_to_round


def as_recorded(rounds: list[Round]) -> tuple[Round, ...]:
    """The rounds as a file gives them back, so that figures and recount start from the same numbers."""
    return tuple(row_to_round(*round_to_row(r)) for r in rounds)  # type: ignore[arg-type]
