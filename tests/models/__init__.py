"""Makers of tiny real GGUF files: targets and sidecars that the native library loads in milliseconds.

Use `make_target(path, TargetSpec(...))` and `make_sidecar(path, SidecarSpec(...))`. The weights are
random but shaped: the target mostly goes on along a fixed ring of tokens and context pushes it off
every few tokens, and a sidecar foretells the ring. So drafts of every kind are accepted often, not
always, and by position, as with a trained pair, and greedy text depends on the whole context.
"""

from tests.models.sidecar import DFLASH, DFLASH2, DSPARK, SidecarSpec, make_sidecar
from tests.models.target import TargetSpec, make_target

__all__ = ["DFLASH", "DFLASH2", "DSPARK", "SidecarSpec", "TargetSpec", "make_sidecar", "make_target"]
