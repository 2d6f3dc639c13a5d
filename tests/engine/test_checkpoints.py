"""Checkpoints on a tiny hybrid model, whose memory refuses to forget a part."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import psutil
import pytest

from app.core.errors import Bug
from app.core.rounds import CHECKPOINT, NATIVE
from app.engine.checkpoints import Checkpoint, CheckpointCounts
from app.engine.handles import Batch, Context, Floats, Model
from app.engine.rollback import prove_context, prove_rollback
from tests.engine.support import bare_target
from tests.models import TargetSpec
from tests.models.hybrid import make_lfm2

TEXT = [40 + 3 * i % 100 for i in range(60)]
ON_DEVICE = pytest.mark.parametrize("on_device", [False, True], ids=["host", "device"])


@pytest.fixture(scope="module")
def hybrid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_lfm2(tmp_path_factory.mktemp("models") / "tiny-lfm2.gguf", TargetSpec())


@pytest.fixture
def context(hybrid: Path) -> Iterator[Context]:
    model = Model(str(hybrid))
    context = Context(model, n_ctx=512, n_batch=256, n_ubatch=256, n_threads=1, n_threads_batch=1)
    yield context
    context.close()
    model.close()


def read(context: Context, tokens: list[int], start: int) -> Floats:
    """Logits after the last of `tokens`."""
    context.decode(Batch(64).set_tokens(tokens, start, outputs=False).only_last())
    row: Floats = context.logits(1)[0]
    return row.copy()


def test_this_memory_does_not_forget_a_part(context: Context) -> None:
    read(context, TEXT, 0)
    assert not context.remove(30)


@ON_DEVICE
def test_going_back_and_on_is_like_never_having_been_there(context: Context, on_device: bool) -> None:
    read(context, TEXT, 0)
    wanted = read(context, [50, 51, 52], len(TEXT))
    context.clear()
    checkpoint = Checkpoint(context, on_device)
    read(context, TEXT, 0)
    checkpoint.capture()
    assert checkpoint.position == len(TEXT)
    for rejected in ([90], [91, 92, 93], [60] * 20):
        away = read(context, [*rejected, 50, 51, 52], len(TEXT))
        assert np.abs(away - wanted).max() > 0.5
        assert checkpoint.restore() == len(TEXT)
        assert context.last_position() == len(TEXT) - 1
        again = read(context, [50, 51, 52], len(TEXT))
        assert np.abs(again - wanted).max() < 1e-4 * float(np.ptp(wanted))
        checkpoint.restore()
    counts = checkpoint.counts
    assert (counts.captures, counts.restores) == (1, 6)
    assert (counts.device_captures, counts.device_restores) == ((1, 6) if on_device else (0, 0))
    assert counts.capture_seconds > 0 < counts.restore_seconds
    checkpoint.close()
    assert counts.buffer_bytes == 0


def test_states_on_the_device_need_little_of_the_host(context: Context) -> None:
    read(context, TEXT, 0)
    sizes = []
    for on_device in (False, True):
        checkpoint = Checkpoint(context, on_device)
        checkpoint.capture()
        sizes.append(checkpoint.counts.buffer_bytes)
        checkpoint.close()
    assert 0 < sizes[1] < sizes[0] / 10


def test_several_checkpoints_share_their_counts(context: Context) -> None:
    counts = CheckpointCounts()
    early, late = (Checkpoint(context, counts=counts) for _ in range(2))
    read(context, TEXT[:20], 0)
    early.capture()
    read(context, TEXT[20:], 20)
    late.capture()
    assert (early.position, late.position) == (20, 60)
    late.restore()
    early.restore()
    assert context.last_position() == 19
    assert (counts.captures, counts.restores) == (2, 2)
    early.close()
    late.close()


def test_without_a_state_there_is_no_way_back(context: Context) -> None:
    checkpoint = Checkpoint(context)
    with pytest.raises(Bug):
        checkpoint.restore()
    read(context, TEXT, 0)
    checkpoint.capture()
    checkpoint.drop()
    with pytest.raises(Bug):
        checkpoint.restore()


@ON_DEVICE
def test_ten_thousand_rounds_do_not_grow(context: Context, on_device: bool) -> None:
    read(context, TEXT, 0)
    checkpoint = Checkpoint(context, on_device)
    process = psutil.Process()

    def rounds(n: int) -> None:
        for _ in range(n):
            checkpoint.capture()
            checkpoint.restore()

    rounds(500)
    held, before = checkpoint.counts.buffer_bytes, process.memory_info().rss
    rounds(10_000)
    assert checkpoint.counts.buffer_bytes == held
    assert process.memory_info().rss - before < 4 * 2**20


def test_what_a_memory_allows_is_found_out(context: Context, hybrid: Path, tiny_target: Path) -> None:
    assert prove_context(context) == CHECKPOINT
    assert context.last_position() == -1
    target = bare_target(hybrid)
    assert prove_rollback(target) == CHECKPOINT
    assert target.cached == []
    target.close()
    target = bare_target(tiny_target)
    assert prove_rollback(target) == prove_context(target.context) == NATIVE
    assert target.cached == []
    target.close()
