"""Sidecars on targets that cannot be cut back: the rows they read are those of the committed text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.events import Event, RoundDone
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama, loading
from tests.engine.copying import assert_same_text
from tests.engine.support import GREEDY, Reply, collect
from tests.models import DFLASH, SidecarSpec, TargetSpec, make_sidecar
from tests.models.hybrid import make_lfm2
from tests.models.memories import make_memory

PROMPT = [40 + (7 * i) % 90 for i in range(50)]
TARGETS = ("lfm2", "qwen35", "qwen3next")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, Path]]:
    """By architecture: the target and a sidecar with its kind of positions."""
    folder = tmp_path_factory.mktemp("pairs")
    plain = make_sidecar(folder / "plain.gguf", SidecarSpec(DFLASH, reads_features=False))
    sections = make_sidecar(folder / "sections.gguf", SidecarSpec(DFLASH, reads_features=False, mrope=True))
    return {
        "lfm2": (make_lfm2(folder / "lfm2.gguf", TargetSpec()), plain),
        "qwen35": (make_memory(folder / "qwen35.gguf", "qwen35"), sections),
        "qwen3next": (make_memory(folder / "qwen3next.gguf", "qwen3next"), plain),
    }


def load(pair: tuple[Path, Path], n_max: int = 7, **options: object) -> Llama:
    spec = SpecConfig(
        spec_type=SpeculativeType.DRAFT_DFLASH, draft_model_path=str(pair[1]), draft_n_max=n_max
    )
    return Llama(str(pair[0]), n_ctx=1024, n_threads=1, speculative=spec, verbose=False, **options)  # type: ignore[arg-type]


@pytest.fixture(
    params=[("lfm2", True), ("lfm2", False), ("qwen35", True), ("qwen35", False), ("qwen3next", False)],
    ids=lambda param: f"{param[0]}-{'snapshots' if param[1] else 'checkpoints'}",
)
def llm(
    pairs: dict[str, tuple[Path, Path]], request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Llama]:
    architecture, snapshots = request.param
    if not snapshots:
        monkeypatch.setattr(loading, "MOST_SNAPSHOTS", 0)
    with load(pairs[architecture]) as llm:
        assert llm.pair.rollback == ("snapshots" if snapshots else "checkpoint")
        yield llm


def reply(
    llm: Llama, tokens: list[int], n: int, on: bool = True, switch: dict[int, bool] | None = None
) -> Reply:
    """A reply; after so many rounds, speculation is switched as `switch` says."""
    llm.set_speculation(on)
    events: list[Event] = []
    for event in llm.generate(tokens, GREEDY, n, ignore_eos=True):
        events.append(event)
        if isinstance(event, RoundDone) and switch is not None:
            llm.set_speculation(switch.get(len(llm.last_rounds), llm.control.on))
    return collect(events, llm.last_rounds)


def test_lossless(llm: Llama) -> None:
    ordinary = reply(llm, PROMPT, 120, on=False)
    llm.reset()
    speculative = reply(llm, PROMPT, 120)
    assert speculative.tokens == ordinary.tokens
    stats = llm.decoder.stats
    assert 0 < stats.accepted < stats.verified
    assert stats.rollbacks > 0
    native = llm.pair.rollback == "snapshots"
    assert (stats.native_rollbacks, stats.checkpoint_rollbacks) == (
        (stats.rollbacks, 0) if native else (0, stats.rollbacks)
    )


def test_drafts_do_not_depend_on_how_others_were_taken_back(
    pairs: dict[str, tuple[Path, Path]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This sidecar draws on the rows it reads: a wrong one would change most of its drafts."""
    reading = make_sidecar(tmp_path / "reading.gguf", SidecarSpec(DFLASH))
    drafts = []
    for most in (loading.MOST_SNAPSHOTS, 3, 0):
        monkeypatch.setattr(loading, "MOST_SNAPSHOTS", most)
        with load((pairs["lfm2"][0], reading)) as llm:
            drafts.append({r.position: r.drafted for r in reply(llm, PROMPT, 100).rounds})
    for others in drafts[1:]:
        both = [(drafts[0][at], others[at]) for at in drafts[0] if at in others]
        equal = sum(x == y for a, b in both for x, y in zip(a, b, strict=True))
        # Rows differ by rounding where they were decoded at another width.
        assert equal > 0.97 * sum(len(a) for a, _ in both) > 300


def test_on_again_in_the_middle_of_a_reply(llm: Llama) -> None:
    ordinary = reply(llm, PROMPT, 120, on=False)
    llm.reset()
    mixed = reply(llm, PROMPT, 120, switch={10: False, 40: True})
    assert mixed.tokens == ordinary.tokens
    assert {r.mode for r in mixed.rounds[10:40]} == {"ordinary"}
    assert {r.mode for r in mixed.rounds[40:]} == {"speculative"}
    # The target cannot go back, so nothing is decoded again; the draft begins anew here.
    assert llm.decoder.stats.catch_up_tokens == 0
    assert sum(r.accepted for r in mixed.rounds[40:]) > 0


def test_turns(llm: Llama) -> None:
    first = reply(llm, PROMPT, 60)
    # Once the text goes on as it is, once the reply is not in the next prompt.
    for prompt, reused in (([*PROMPT, *first.tokens, 50, 51], None), ([*PROMPT, 52, 53, 54], 49)):
        held = len(llm.decoder.target.cached)
        assert held >= len(PROMPT) + 59
        second = reply(llm, prompt, 60)
        assert llm.decoder.stats.reused_tokens == (reused or held)
        assert llm.decoder.stats.accepted > 0
        llm.reset()
        assert_same_text(llm.decoder, prompt, reply(llm, prompt, 60, on=False), second)
        llm.reset()
        reply(llm, PROMPT, 60)


def test_a_turn_without_drafts_is_not_read_again(llm: Llama) -> None:
    first = reply(llm, PROMPT, 40, on=False)
    turn = [*PROMPT, *first.tokens, 50, 51, 52]
    second = reply(llm, turn, 80)
    assert llm.decoder.stats.reused_tokens == len(PROMPT) + 39
    assert llm.decoder.stats.accepted > 0
    llm.reset()
    assert_same_text(llm.decoder, turn, reply(llm, turn, 80, on=False), second)


@pytest.mark.parametrize("architecture", TARGETS)
def test_without_speculation_the_text_is_used_again_too(
    pairs: dict[str, tuple[Path, Path]], architecture: str
) -> None:
    with Llama(str(pairs[architecture][0]), n_ctx=1024, n_threads=1, verbose=False) as llm:
        reply(llm, PROMPT, 40, on=False)
        turn = [*PROMPT, 52, 53, 54]
        second = reply(llm, turn, 40, on=False)
        assert llm.decoder.stats.reused_tokens == len(PROMPT) - 1
        llm.reset()
        assert reply(llm, turn, 40, on=False).tokens == second.tokens


def test_without_states_the_next_turn_starts_from_the_beginning(pairs: dict[str, tuple[Path, Path]]) -> None:
    with load(pairs["lfm2"], ctx_checkpoints=0) as llm:
        reply(llm, PROMPT, 40)
        reply(llm, [*PROMPT, 52, 53, 54], 10)
        assert llm.decoder.stats.reused_tokens == 0


def test_checkpoints_on_the_device(
    pairs: dict[str, tuple[Path, Path]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "MOST_SNAPSHOTS", 0)
    replies = []
    for on_device in (False, True):
        with load(pairs["qwen35"], checkpoint_on_device=on_device) as llm:
            replies.append(reply(llm, PROMPT, 100).tokens)
            stats = llm.decoder.stats
            assert stats.checkpoint_rollbacks == stats.rollbacks > 0
            assert (stats.checkpoint_device_captures > 0) == on_device
            assert (stats.checkpoint_device_restores > 0) == on_device
    assert replies[0] == replies[1]
