"""The commands of `packaging/bootstrap.py`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from slipstream_setup import program, stamp
from slipstream_setup.environment import Environment
from slipstream_setup.problem import SetupProblem
from slipstream_setup.system_packages import display_kind

USAGE = """\
usage: python3 packaging/bootstrap.py COMMAND

  run [ARGUMENTS...]    set up what is missing, then start Slipstream with these arguments
  test [ARGUMENTS...]   set up with the development tools, then run all checks; with arguments, only pytest
  setup [--dev] [--rebuild-engine]
                        set up and stop; --rebuild-engine compiles the native library again,
                        with the options in CMAKE_ARGS
  doctor                say what set-up sees on this machine; changes nothing
"""


def main(arguments: Sequence[str]) -> int:
    """Returns the exit status: 0, 1 for a problem, 2 for a wrong command, 130 when interrupted."""
    command, *rest = arguments or ["help"]
    env = Environment(Path(__file__).resolve().parents[2])
    try:
        if command == "run":
            return _run(env, rest)
        if command == "test":
            return _test(env, rest)
        if command == "setup" and set(rest) <= {"--dev", "--rebuild-engine"}:
            return _setup(env, rest)
        if command == "doctor" and not rest:
            from slipstream_setup import doctor

            return doctor.report(env)
    except SetupProblem as problem:
        print(f"\n{problem}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nStopped. Run the same command again: what was finished is kept.", file=sys.stderr)
        return 130
    wanted_help = command in ("help", "--help", "-h")
    print(USAGE, end="", file=sys.stdout if wanted_help else sys.stderr)
    return 0 if wanted_help else 2


def _ready(env: Environment, *, development: bool) -> None:
    if not stamp.is_current(env, development=development, display=display_kind()):
        from slipstream_setup.set_up import set_up

        set_up(env, development=development)


def _run(env: Environment, arguments: Sequence[str]) -> int:
    _ready(env, development=False)
    program.require_display(arguments)
    return program.start(env, arguments)


def _test(env: Environment, arguments: Sequence[str]) -> int:
    from slipstream_setup import checks

    _ready(env, development=True)
    return checks.run_pytest(env, arguments) if arguments else checks.run_all(env)


def _setup(env: Environment, options: Sequence[str]) -> int:
    rebuild = "--rebuild-engine" in options
    development = "--dev" in options
    if not rebuild and stamp.is_current(env, development=development, display=display_kind()):
        print("Slipstream is set up: nothing to do.")
        return 0
    from slipstream_setup.set_up import set_up

    set_up(env, development=development, rebuild_engine=rebuild)
    return 0
