"""DRAFT_SIMPLE on tiny models: lossless with any draft, and its context follows the text whatever happens."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.core.events import Event, PrefillProgress, RoundDone
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine.decoding import Decoder
from app.engine.drafters import draft_model
from app.engine.drafters.base import DraftLimits
from app.engine.drafters.build import limits_for, load_draft_model
from app.engine.drafters.draft_model import DraftModel
from app.engine.handles import Batch, Context
from tests.engine.copying import assert_same_text
from tests.engine.support import GREEDY, Reply, bare_decoder, run
from tests.models import TargetSpec, make_target
from tests.models.added_tokens import AddedTokensSpec
from tests.models.hybrid import make_lfm2

PROMPT = [40 + (7 * i) % 90 for i in range(120)]
WARM = SamplingParams(temperature=0.8, seed=5)
SAMPLINGS = pytest.mark.parametrize("sampling", [GREEDY, WARM], ids=["greedy", "0.8"])
DRAFTS = pytest.mark.parametrize("draft", ["same", "smaller", "hybrid"])


@pytest.fixture(scope="module")
def drafts(tiny_target: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The target itself, one with half its layers and other weights in them, and a hybrid."""
    folder = tmp_path_factory.mktemp("drafts")
    return {
        "same": tiny_target,
        "smaller": make_target(folder / "smaller.gguf", TargetSpec(n_layer=2, drift=0.6)),
        "hybrid": make_lfm2(folder / "hybrid.gguf", TargetSpec(drift=0.6)),
    }


@pytest.fixture(scope="module")
def decoder(tiny_target: Path) -> Iterator[Decoder]:
    decoder = bare_decoder(tiny_target, n_max=15)
    yield decoder
    decoder.close()


@pytest.fixture(scope="module")
def ordinary_replies() -> dict[tuple[object, ...], Reply]:
    return {}


@pytest.fixture
def bench(decoder: Decoder, ordinary_replies: dict[tuple[object, ...], Reply]) -> Iterator[Bench]:
    bench = Bench(decoder, ordinary_replies)
    yield bench
    bench.put_away()


class Bench:
    """The decoder with a draft model put on and taken off, and ordinary replies computed once."""

    def __init__(self, decoder: Decoder, replies: dict[tuple[object, ...], Reply]) -> None:
        self.decoder = decoder
        self._replies = replies

    def put_away(self) -> None:
        drafter, self.decoder.drafter = self.decoder.drafter, None
        if drafter is not None:
            drafter.close()
        self.decoder.target.cut(0)

    def ordinary(self, prompt: list[int], n: int, sampling: SamplingParams = GREEDY) -> Reply:
        key = (tuple(prompt), n, sampling)
        if key not in self._replies:
            assert self.decoder.drafter is None
            self._replies[key] = run(self.decoder, prompt, n, sampling)
            self.decoder.target.cut(0)
        return self._replies[key]

    def use(self, path: Path, n_max: int = 7, **fields: object) -> DraftModel:
        self.put_away()
        spec = SpecConfig(
            SpeculativeType.DRAFT_SIMPLE,
            draft_model_path=str(path),
            draft_n_max=n_max,
            **fields,  # type: ignore[arg-type]
        )
        drafter = load_draft_model(spec, self.decoder.target, n_threads=1, n_threads_batch=1)
        self.decoder.drafter = drafter
        self.decoder.control.limits = limits_for(drafter, n_max, spec.draft_n_min, spec.draft_p_min)
        return drafter


def test_a_model_that_drafts_for_itself_is_always_accepted(bench: Bench, drafts: dict[str, Path]) -> None:
    expected = bench.ordinary(PROMPT, 96)
    drafter = bench.use(drafts["same"])
    reply = run(bench.decoder, PROMPT, 96)
    assert reply.tokens == expected.tokens
    stats = bench.decoder.stats
    assert stats.accepted == stats.verified == 84
    assert stats.verification_steps == 12
    assert {r.algorithm for r in reply.rounds} == {"Draft model"}
    # Nothing was taken back: all but the last draft of a block is in the draft's memory already.
    assert drafter.known == len(bench.decoder.target.cached) - 1


@SAMPLINGS
@pytest.mark.parametrize("length", [1, 3, 7, 15])
@DRAFTS
def test_lossless_at_every_length(
    bench: Bench, drafts: dict[str, Path], draft: str, length: int, sampling: SamplingParams
) -> None:
    expected = bench.ordinary(PROMPT, 512, sampling)
    bench.use(drafts[draft], length)
    reply = run(bench.decoder, PROMPT, 512, sampling)
    assert reply.tokens == expected.tokens
    assert reply.text == expected.text
    assert max(r.verified for r in reply.rounds) == length
    stats = bench.decoder.stats
    assert stats.accepted > 0.2 * stats.verification_steps
    if draft != "same":
        assert stats.accepted < stats.verified


def test_a_hybrid_draft_goes_back_by_checkpoints(bench: Bench, drafts: dict[str, Path]) -> None:
    drafter = bench.use(drafts["hybrid"])
    reply = run(bench.decoder, PROMPT, 200)
    assert drafter.checkpoint is not None
    counts = drafter.checkpoint.counts
    drafting = [r for r in reply.rounds if r.verified > 1]
    assert counts.captures == len(drafting)
    # A block that was accepted to its last draft needs no way back.
    wrong = [r for r in drafting if r.accepted < r.verified - 1]
    assert 0 < len(wrong) - 1 <= counts.restores <= len(wrong) + 1
    held = counts.buffer_bytes
    assert held > 0
    run(bench.decoder, [*PROMPT, 99], 200)
    assert counts.buffer_bytes == held


@DRAFTS
def test_drafts_do_not_depend_on_how_the_text_came(bench: Bench, drafts: dict[str, Path], draft: str) -> None:
    """After rejections, a second turn, an edit and a switch, the draft knows just the text."""
    drafter = bench.use(drafts[draft])
    decoder = bench.decoder
    first = run(decoder, PROMPT, 60)
    turn = [*PROMPT, *first.tokens, 50, 51, 52]
    edited = [*turn[:90], 44, *turn[100:170]]

    def off_and_on(event: Event) -> None:
        if isinstance(event, RoundDone):
            decoder.control.on = len(decoder.rounds) not in range(4, 9)

    for prompt, watch in ((turn, None), (edited, None), (turn, off_and_on)):
        came = run(decoder, prompt, 60, watch=watch)
        decoder.target.cut(0)
        drafter.truncate(0)
        fresh = run(decoder, prompt, 60)
        drafted = {r.position: r.drafted for r in fresh.rounds}
        same = [r for r in came.rounds if r.drafted and r.position in drafted]
        assert same
        assert [r.drafted for r in same] == [drafted[r.position] for r in same]
        assert_same_text(decoder, prompt, fresh, came)


@DRAFTS
def test_switched_off_and_on_in_the_middle(bench: Bench, drafts: dict[str, Path], draft: str) -> None:
    expected = bench.ordinary(PROMPT, 200)
    bench.use(drafts[draft])
    decoder = bench.decoder

    def switch(event: Event) -> None:
        if isinstance(event, RoundDone):
            decoder.control.on = not 10 <= len(decoder.rounds) < 50

    reply = run(decoder, PROMPT, 200, watch=switch)
    assert reply.tokens == expected.tokens
    assert {r.mode for r in reply.rounds[10:50]} == {"ordinary"}
    assert sum(r.accepted for r in reply.rounds[:10]) > 0
    assert sum(r.accepted for r in reply.rounds[50:]) > 0
    assert decoder.stats.catch_up_tokens == 0  # the target decodes nothing again


def test_a_long_gap_is_read_in_slices_while_the_reply_goes_on(
    bench: Bench, drafts: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(draft_model, "_SLICE_SECONDS", 0.0)  # slices as short as they get
    long_prompt = (PROMPT * 8)[:900]
    expected = bench.ordinary(long_prompt, 200)
    drafter = bench.use(drafts["same"])
    decoder = bench.decoder
    known = []

    def switch_on(event: Event) -> None:
        if isinstance(event, RoundDone):
            decoder.control.on = True
            known.append(drafter.known)

    reply = run(decoder, long_prompt, 200, on=False, watch=switch_on)
    assert reply.tokens == expected.tokens
    drafting = [i for i, r in enumerate(reply.rounds) if r.drafted]
    # The first slice has 32 tokens, the others 8.
    assert 105 < drafting[0] < 125
    steps = [b - a for a, b in pairwise(known[: drafting[0]])]
    assert max(steps) <= 64  # the rest, when little is left
    assert set(steps[3:-1]) == {8}
    assert sum(r.accepted for r in reply.rounds[drafting[0] :]) > 20


def test_the_prompt_is_read_along_with_the_target(bench: Bench, drafts: dict[str, Path]) -> None:
    drafter = bench.use(drafts["smaller"])
    behind = []

    def watch(event: Event) -> None:
        if isinstance(event, PrefillProgress):
            behind.append(len(bench.decoder.target.cached) - drafter.known)

    reply = run(bench.decoder, (PROMPT * 8)[:700], 8, watch=watch)
    assert len(behind) > 1
    assert max(behind) <= 16
    assert reply.rounds[0].drafted


def test_a_text_longer_than_the_drafts_context(bench: Bench, drafts: dict[str, Path]) -> None:
    expected = bench.ordinary(PROMPT, 300)
    drafter = bench.use(drafts["same"], draft_model_kwargs={"n_ctx": 256})
    reply = run(bench.decoder, PROMPT, 300)
    assert reply.tokens == expected.tokens
    last = max(r.position + len(r.drafted) for r in reply.rounds if r.drafted)
    assert 250 <= last <= 256
    assert [r for r in reply.rounds if r.position > 256]
    # It comes back by itself when the text is short again.
    short = run(bench.decoder, PROMPT[:60], 40)
    assert bench.decoder.stats.accepted > 20
    assert drafter.known <= 256
    assert len(short.tokens) == 40


def test_improbable_drafts_end_a_proposal(bench: Bench, drafts: dict[str, Path]) -> None:
    bench.use(drafts["smaller"], 15)
    all_drafts = {r.position: r.drafted for r in run(bench.decoder, PROMPT, 150).rounds}
    lengths = []
    for p_min in (0.9, 0.99, 0.999):
        bench.use(drafts["smaller"], 15, draft_p_min=p_min)
        rounds = run(bench.decoder, PROMPT, 150).rounds
        for r in rounds:
            if r.position in all_drafts:
                assert r.drafted == all_drafts[r.position][: len(r.drafted)]
        lengths.append(sum(len(r.drafted) for r in rounds) / len(rounds))
    assert 15 > lengths[0] > lengths[1] > lengths[2]
    bench.use(drafts["smaller"], 15, draft_p_min=0.6, draft_n_min=4)
    drafted = [len(r.drafted) for r in run(bench.decoder, PROMPT, 150).rounds]
    assert 0 in drafted
    assert min(n for n in drafted if n) >= 4


@DRAFTS
def test_a_failing_draft_is_an_error_and_the_next_request_works(
    bench: Bench, drafts: dict[str, Path], draft: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = bench.ordinary(PROMPT, 60)
    bench.use(drafts[draft])
    target = bench.decoder.target.context
    calls = 0
    decode = Context.decode

    def fail_once(context: Context, batch: Batch) -> None:
        nonlocal calls
        calls += context is not target
        if calls == 20:
            raise EnvironmentProblem("The engine could not compute the next step.")
        decode(context, batch)

    monkeypatch.setattr(Context, "decode", fail_once)
    with pytest.raises(EnvironmentProblem):
        run(bench.decoder, PROMPT, 60)
    monkeypatch.undo()
    again = run(bench.decoder, PROMPT, 60)
    assert_same_text(bench.decoder, PROMPT, expected, again)
    assert sum(r.accepted for r in again.rounds) > 0


def test_added_tokens_are_translated(bench: Bench, tmp_path: Path) -> None:
    path = make_target(tmp_path / "added.gguf", AddedTokensSpec())
    unused = range(283, 288)
    prompt = [*PROMPT[:50], *unused, *PROMPT[50:]]
    expected = bench.ordinary(prompt, 96)
    bench.use(path)
    reply = run(bench.decoder, prompt, 96)
    assert reply.tokens == expected.tokens
    # The ring's weights are the same, so it is right as often as the target itself or nearly so.
    assert bench.decoder.stats.accepted > 40
    # A draft with the same names knows the tokens by their text: what it was told is what they are called.
    drafter = bench.decoder.drafter
    assert isinstance(drafter, DraftModel)
    assert drafter._own(list(unused)) == list(reversed(unused))


def test_a_vocabulary_that_does_not_fit_is_refused(bench: Bench, tmp_path: Path) -> None:
    path = make_target(tmp_path / "renamed.gguf", AddedTokensSpec(renamed=True))
    with pytest.raises(EnvironmentProblem, match="Token 100 is") as caught:
        bench.use(path)
    assert caught.value.code == "vocabulary-differs"
    with pytest.raises(EnvironmentProblem, match="488"):
        bench.use(make_target(tmp_path / "large.gguf", AddedTokensSpec(extra=200)))


def test_limits_can_change_between_rounds(bench: Bench, drafts: dict[str, Path]) -> None:
    bench.use(drafts["same"], 15)
    decoder = bench.decoder

    def shorten(event: Event) -> None:
        if isinstance(event, RoundDone):
            decoder.control.limits = DraftLimits(1 + len(decoder.rounds) % 5)

    reply = run(decoder, PROMPT, 80, watch=shorten)
    assert {len(r.drafted) for r in reply.rounds[1:-1]} == {1, 2, 3, 4, 5}
    assert decoder.stats.rollbacks == 0
