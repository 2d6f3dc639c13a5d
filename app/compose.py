"""The composition root: the only module that imports every layer."""
