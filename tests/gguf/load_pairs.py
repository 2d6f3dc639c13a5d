"""Load pairs in the native library and draft with them: `python -m tests.gguf.load_pairs TARGET SIDECAR ...`.

Prints the number of each pair before it is tried and what came of it after, so that a caller can tell
which one ended the process.
"""

from __future__ import annotations

import sys
from pathlib import Path

from app.gguf.header import read_header
from app.gguf.pair import check_pair
from tests.models.native import DraftFacts, NativePair


def load(target: Path, sidecar: Path) -> str:
    report = check_pair(read_header(target), read_header(sidecar))
    assert report.problem is None, report.problem
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


def main(paths: list[str]) -> None:
    for number in range(len(paths) // 2):
        print(number, "begins", flush=True)
        print(number, load(Path(paths[2 * number]), Path(paths[2 * number + 1])), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
