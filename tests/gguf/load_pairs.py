"""Load pairs in the native library and draft with them: `python -m tests.gguf.load_pairs TARGET SIDECAR ...`.

A sidecar `-` stands for the heads inside the target. Prints the number of each pair before it is tried and
what came of it after, so that a caller can tell which one ended the process.
"""

from __future__ import annotations

import sys
from pathlib import Path

from app.core.errors import EnvironmentProblem
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama
from app.gguf.header import read_header
from app.gguf.kinds import sidecar_type
from app.gguf.pair import check_pair
from tests.models.native import DraftFacts, NativePair


def load(target: Path, sidecar: Path) -> str:
    if str(sidecar) == "-":
        return load_with_engine(target, None, SpeculativeType.DRAFT_MTP)
    report = check_pair(read_header(target), read_header(sidecar))
    assert report.problem is None, report.problem
    if report.algorithm in ("EAGLE-3", "MTP"):
        return load_with_engine(target, sidecar, sidecar_type(sidecar))
    first = 0 if report.algorithm == "DSpark" and report.sample_from_anchor else 1
    facts = DraftFacts(
        report.target_layers,
        min(report.block_size, 16),
        report.mask_token,
        first,
        report.causal,
        report.selector_top_k,
        report.mrope,
    )
    try:
        with NativePair(target, sidecar, facts) as pair:
            pair.generate([1, 70, 71, 72, 80, 75], 8)
    except AssertionError as error:
        return f"refused: {error}"
    return "loaded"


def load_with_engine(target: Path, sidecar: Path | None, kind: SpeculativeType) -> str:
    path = str(sidecar) if sidecar is not None else None
    try:
        with Llama(
            str(target),
            n_ctx=256,
            n_threads=1,
            speculative=SpecConfig(kind, draft_model_path=path),
            verbose=False,
        ) as llm:
            list(llm.generate([1, 70, 71, 72, 80, 75], SamplingParams(temperature=0.0), 8, ignore_eos=True))
    except EnvironmentProblem as problem:
        return f"refused: {problem}"
    return "loaded"


def main(paths: list[str]) -> None:
    for number in range(len(paths) // 2):
        print(number, "begins", flush=True)
        print(number, load(Path(paths[2 * number]), Path(paths[2 * number + 1])), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
