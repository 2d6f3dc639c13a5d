"""The smoke run of the real program: window, default pair, both modes, panel, picture, clean end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.app.support import ROOT, environment


@pytest.mark.real
@pytest.mark.timeout(400)
def test_smoke(tmp_path: Path) -> None:
    picture = tmp_path / "картинка.png"
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-m", "app", "smoke", "--json", "--screenshot", str(picture)],
        env=environment(tmp_path / "home"),
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=380,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    seen = json.loads(done.stdout)
    assert seen["ok"] is True
    assert seen["ended"] is True
    assert seen["window"] == {"width": 1280, "height": 800, "visible": True}
    first, second = seen["replies"]
    assert first["mode"] == "speculative"
    assert second["mode"] == "ordinary"
    assert first["drafted"] > first["accepted"] > 0
    assert first["acceptance_rate"] == pytest.approx(first["accepted"] / first["drafted"], rel=0.05)
    assert second["drafted"] == 0
    assert all(r["tokens_per_second"] > 0 and r["text"].strip() for r in (first, second))
    assert {"Speedup", "Acceptance", "Time split"} <= set(seen["panel"])
    assert picture.stat().st_size > 10_000
    # Qt and Python have nothing to complain about.
    assert done.stderr == ""


def test_a_sidecar_that_does_not_fit_leaves_the_chat_usable(
    tiny_target: Path, default_pair: tuple[Path, Path]
) -> None:
    """The engine behind the window loads the target alone and says why."""
    import threading

    from app.core.conversation import ChatMessage
    from app.core.events import UNAVAILABLE, ReplyDone
    from app.core.pair_settings import PairSettings
    from app.core.ports import GenerateRequest, LoadRequest
    from app.core.sampling import SamplingParams
    from app.engine import LocalEngine

    engine = LocalEngine()
    try:
        settings = PairSettings(n_ctx=512, n_threads=1)
        request = LoadRequest(str(tiny_target), str(default_pair[1]), settings)
        pair, status = engine.load(request, lambda event: None, threading.Event())
        assert pair.draft_path == ""
        assert pair.algorithm == ""
        assert status.state == UNAVAILABLE
        assert status.reason is not None
        assert status.reason.what
        asked = GenerateRequest(
            "r", (ChatMessage("user", "abc"),), SamplingParams(temperature=0.0), max_tokens=5
        )
        events = list(engine.generate(asked, threading.Event()))
        assert isinstance(events[-1], ReplyDone)
    finally:
        engine.close()


@pytest.mark.parametrize("name", ["DFlash", "DSpark", "DFlash2"])
def test_the_window_s_engine_speculates_with_every_kind_of_sidecar(
    tiny_target: Path, tiny_sidecars: dict[str, Path], name: str
) -> None:
    import threading

    from app.core.events import SPECULATING
    from app.core.pair_settings import PairSettings
    from app.core.ports import LoadRequest
    from app.engine import LocalEngine

    engine = LocalEngine()
    try:
        request = LoadRequest(
            str(tiny_target), str(tiny_sidecars[name]), PairSettings(n_ctx=512, n_threads=1)
        )
        pair, status = engine.load(request, lambda event: None, threading.Event())
        assert (pair.algorithm, status.state, status.algorithm) == (name, SPECULATING, name)
    finally:
        engine.close()
