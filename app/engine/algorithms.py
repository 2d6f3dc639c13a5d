"""Which algorithms are meant by a name, or by a file: the one place where command line, window and
benchmark ask."""

from __future__ import annotations

from app.core.errors import EnvironmentProblem
from app.core.speculation import SpeculativeType
from app.core.wording import reason_of, sentence
from app.gguf.kinds import sidecar_type

AUTO = "auto"
DFLASH2 = "dflash2"


def algorithms(asked: str, draft_path: str) -> tuple[SpeculativeType, ...]:
    """The algorithms that `asked` names, in its order; for "auto", the one the sidecar's header names.

    Empty for "auto" without a sidecar. Raises EnvironmentProblem for an unknown name, and for a file that
    is no sidecar where the file decides.
    """
    found: list[SpeculativeType] = []
    for name in asked.lower().split(","):
        if name.strip() != AUTO:
            try:
                found.append(SpeculativeType.from_str(name))
            except ValueError as error:
                raise EnvironmentProblem(sentence(reason_of(error)), code="arguments") from None
        elif draft_path:
            found.append(sidecar_type(draft_path))
    return tuple(found)


def asked_variant(asked: str) -> str:
    """`dflash2` asks for more of a file than its type says; everything else is checked by type."""
    return DFLASH2 if asked.strip().lower() == DFLASH2 else AUTO
