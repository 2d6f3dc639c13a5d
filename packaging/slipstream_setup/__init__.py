"""Set-up of a source tree, with the standard library alone: what `packaging/bootstrap.py` is made of."""
