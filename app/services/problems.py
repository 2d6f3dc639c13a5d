"""Failures of loads and replies as problems that offer the way out which fits."""

from __future__ import annotations

from dataclasses import replace

from app.core.errors import EnvironmentProblem
from app.core.events import Problem
from app.core.wording import say

NO_MEMORY = "no-memory"
RETRY_WITHOUT_DRAFT = "retry-without-draft"


def problem_of(error: BaseException, with_draft: bool) -> Problem:
    """`Problem.of`, and where memory ran out with a sidecar, the offer to go on without it.

    The offer has the code `RETRY_WITHOUT_DRAFT`; asking for `EngineController.load_without_draft` takes it.
    """
    if isinstance(error, MemoryError):
        error = EnvironmentProblem(
            say("There is not enough memory."),
            str(error),
            say("Choose a smaller model or context."),
            NO_MEMORY,
        )
    problem = Problem.of(error)
    if with_draft and problem.code == NO_MEMORY:
        return replace(
            problem,
            remedy=say("Load the target without its sidecar: slower or faster, but it needs less memory."),
            code=RETRY_WITHOUT_DRAFT,
        )
    return problem
