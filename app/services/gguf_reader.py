"""What the library shows of a GGUF file, from its header."""

from __future__ import annotations

from app.core.events import Problem
from app.core.wording import say
from app.gguf.header import read_header
from app.gguf.kinds import FileKind, classify
from app.gguf.pair import check_pair, check_target
from app.services.model_files import OTHER, SIDECAR, TARGET, ModelFile


class GgufReader:
    """A `ModelReader`."""

    def read(self, path: str) -> ModelFile:
        header = read_header(path)
        facts = classify(header)
        kind, reason = OTHER, None
        if facts.kind is FileKind.TARGET:
            problem = check_target(header)
            if problem is None:
                kind = TARGET
            else:
                reason = Problem.of(problem)
        elif facts.kind.is_sidecar:
            kind = SIDECAR
        else:
            reason = Problem(
                say("“{label}” is no model to chat with.", label=facts.label),
                facts.why_not,
                code="not-a-model",
            )
        return ModelFile(
            path,
            kind,
            facts.label,
            architecture=facts.architecture,
            quantisation=facts.quantisation,
            n_ctx_train=facts.context_length,
            algorithm=facts.kind.value if kind == SIDECAR else "",
            block_size=facts.block_size,
            reason=reason,
        )

    def fit(self, target_path: str, sidecar_path: str) -> Problem | None:
        problem = check_pair(read_header(target_path), read_header(sidecar_path)).problem
        return Problem.of(problem) if problem is not None else None
