"""Two kinds of failure: something the user's surroundings cause and can mend, and a fault of ours."""

from __future__ import annotations


class EnvironmentProblem(Exception):
    """What happened, why, and what to do: a missing file, no memory, a pair that does not fit.

    `what` is one sentence; `why` and `remedy` may be empty. `code` is a stable name for tests and
    for the window's choice of button (see `Remedy`); it never shows.
    """

    def __init__(self, what: str, why: str = "", remedy: str = "", code: str = "problem") -> None:
        super().__init__(what, why, remedy, code)
        self.what = what
        self.why = why
        self.remedy = remedy
        self.code = code

    def __str__(self) -> str:
        return " ".join(part for part in (self.what, self.why, self.remedy) if part)


class Bug(Exception):
    """Something that cannot happen did; shown as a report that can be copied."""


class Cancelled(Exception):
    """The user stopped what was going on; nobody's fault."""
