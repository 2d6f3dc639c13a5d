"""`python -m app.bench`: the benchmark without the rest of the program."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import NoReturn

from app.bench.command import DESCRIPTION, add_arguments, run_bench
from app.core.errors import EnvironmentProblem


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line and exits with 2."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"{self.prog}: {message}\n")


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark; returns the exit code."""
    parser = _Parser(prog="python -m app.bench", description=DESCRIPTION)
    add_arguments(parser)
    args = parser.parse_args(argv)
    try:
        return run_bench(args)
    except EnvironmentProblem as problem:
        print(f"bench: {problem}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # Whoever read the output is gone; nothing is left to say.
        return 0


if __name__ == "__main__":
    sys.exit(main())
