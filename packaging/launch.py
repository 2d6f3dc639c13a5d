"""Where the frozen program starts; the same command line as the installed `slipstream`."""

import os
import sys

# The starter points the loader at the bundle's own libraries. What the program opens for the user (a browser,
# a file manager) is another program and must find those of the system.
_before = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
if _before is not None:
    os.environ["LD_LIBRARY_PATH"] = _before
else:
    os.environ.pop("LD_LIBRARY_PATH", None)

from app.__main__ import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
