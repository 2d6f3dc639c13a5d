"""What is said about the backend: the library is asked, and the file its CPU code came from."""

from __future__ import annotations

import pytest

from app.bench.environment import environment
from app.engine import devices, native


def test_the_file_with_the_cpu_code_is_found() -> None:
    name = devices._cpu_library()
    assert "ggml-cpu" in name
    assert [path for path in native.library_folder().iterdir() if path.name == name]


@pytest.mark.parametrize(
    ("name", "variant"),
    [
        ("libggml-cpu-haswell.so", "haswell"),
        ("ggml-cpu-sapphirerapids.dll", "sapphirerapids"),
        ("libggml-cpu-armv8.2_1.so", "armv8.2_1"),
        ("libggml-cpu-apple_m1.dylib", "apple_m1"),
        ("libggml-cpu.so.0", ""),
        ("libggml-cpu.so", ""),
        ("ggml-cpu.dll", ""),
        ("", ""),
    ],
)
def test_the_variant_is_in_its_name(monkeypatch: pytest.MonkeyPatch, name: str, variant: str) -> None:
    monkeypatch.setattr(devices, "_cpu_library", lambda: name)
    assert devices.cpu_variant() == variant
    assert devices.backend_summary().startswith(f"CPU ({variant}): " if variant else "CPU: ")


def test_reports_say_the_same() -> None:
    assert environment().backend == devices.backend_summary()
    assert "SSE3 = 1" in environment().backend or "NEON = 1" in environment().backend
