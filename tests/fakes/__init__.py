"""Stand-ins for engine and store that implement app.core.ports, for timing and fault cases."""

from tests.fakes.fake_engine import FakeEngine, Script
from tests.fakes.memory_store import MemoryStore

__all__ = ["FakeEngine", "MemoryStore", "Script"]
