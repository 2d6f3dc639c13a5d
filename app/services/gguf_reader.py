"""What the library shows of a GGUF file, from its header."""

from __future__ import annotations

import os

from app.core.events import Problem
from app.gguf.header import GgufHeader, read_header
from app.gguf.kinds import FileKind, classify
from app.gguf.pair import check_pair, check_target
from app.services.model_files import OTHER, SIDECAR, TARGET, ModelFile


class GgufReader:
    """A `ModelReader`. Keeps the header of one target: its sidecars are compared one after another."""

    def __init__(self) -> None:
        self._target: GgufHeader | None = None
        self._stamp: tuple[str, int, int] | None = None

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
            reason = Problem(f"“{facts.label}” is no model to chat with.", facts.why_not, code="not-a-model")
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
        problem = check_pair(self._header_of_target(target_path), read_header(sidecar_path)).problem
        return Problem.of(problem) if problem is not None else None

    def _header_of_target(self, path: str) -> GgufHeader:
        try:
            status = os.stat(path)
        except OSError:
            return read_header(path)
        stamp = (path, status.st_mtime_ns, status.st_size)
        if self._target is None or stamp != self._stamp:
            self._target, self._stamp = read_header(path), stamp
        return self._target
