"""Loads pairs and generates. Exports lazily: importing `SpecConfig` loads no native library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.core.speculation import SpecConfig, SpeculativeType

if TYPE_CHECKING:
    from app.engine.llm import Llama as Llama
    from app.engine.local_engine import LocalEngine as LocalEngine

__all__ = ["Llama", "LocalEngine", "SpecConfig", "SpeculativeType"]

_HOMES = {"Llama": "app.engine.llm", "LocalEngine": "app.engine.local_engine"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        from importlib import import_module

        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
