"""Sets Slipstream up and starts it: `python3 packaging/bootstrap.py run`.

This file and `slipstream_setup/pythons.py` read on any Python 3.6 or newer, so that one that is too old
gets a sentence, or a newer Python beside it, instead of a syntax error. The work is in `slipstream_setup/`.
"""

import sys

from slipstream_setup import pythons


def main() -> int:
    if sys.version_info[:2] < pythons.OLDEST:
        return pythons.hand_over(sys.argv)
    from slipstream_setup.command_line import main as run_command

    return run_command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
