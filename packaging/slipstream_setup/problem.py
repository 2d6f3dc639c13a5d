"""The one exception of set-up that people see."""

from __future__ import annotations


class SetupProblem(Exception):
    """Set-up cannot go on for a reason the user can mend. `remedy` is what to do, ideally a command."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return "\n".join(part for part in (self.what, self.remedy) if part)
