"""What `packaging/build.py` does: native library, one-folder bundle, installers, and the checks on them."""
