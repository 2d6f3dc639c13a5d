"""The one exception that people who build see."""

from __future__ import annotations


class BuildProblem(Exception):
    """The build cannot go on. `remedy` is what to do, ideally a command."""

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what, remedy)
        self.what = what
        self.remedy = remedy

    def __str__(self) -> str:
        return "\n".join(part for part in (self.what, self.remedy) if part)
