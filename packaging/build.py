"""Builds what people install: `python packaging/build.py bundle`; see README.md beside it."""

import sys

from slipstream_bundle.command_line import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
