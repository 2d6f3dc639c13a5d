"""Several algorithms at once: who wins a round, who is told what, and what the rounds say of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.core.events import Event, RoundDone
from app.core.rounds import Round
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig, SpeculativeType
from app.core.stats import recount
from app.engine import Llama
from app.engine.decoding import Decoder
from app.engine.drafters.base import Drafter, DraftLimits
from app.engine.drafters.build import combine, in_order, limits_for, load_draft_model, make_ngram
from app.engine.drafters.combined import Combined
from tests.engine.copying import assert_same_text, ring_prompt, short_config
from tests.engine.support import GREEDY, ReplayDrafter, bare_decoder, collect, run
from tests.models import TargetSpec, make_target

T = SpeculativeType
WARM = SamplingParams(temperature=0.8, seed=5)


class Recorder(ReplayDrafter):
    """Proposes what it was given and writes down what it hears."""

    def __init__(self, name: str, proposals: list[list[int]], kind: SpeculativeType = T.NGRAM_SIMPLE) -> None:
        super().__init__([], 0, 1.0, 100)
        self.name = self.proposer = name
        self.kind = kind
        self.n_max_limit = 8
        self.chances = ()
        self.heard: list[tuple[object, ...]] = []
        self._proposals = proposals

    @property
    def known(self) -> int:
        return len(self.name)

    def attach(self, on: bool) -> None:
        self.heard.append(("attach", on))

    def begin(self, committed: object) -> None:
        self.heard.append(("begin", committed))

    def truncate(self, n: int) -> None:
        self.heard.append(("truncate", n))

    def process(self, tokens: object, start: int) -> None:
        self.heard.append(("process", tokens, start))

    def defer(self, tokens: object, start: int) -> None:
        self.heard.append(("defer", tokens, start))

    def draft(self, last: int, position: int, limits: DraftLimits) -> list[int]:
        self.heard.append(("draft", limits.n_max, limits.p_min))
        return self._proposals.pop(0)

    def close(self) -> None:
        self.heard.append(("close",))


def test_the_first_that_proposes_wins() -> None:
    first, second = Recorder("first", [[], [1], []]), Recorder("second", [[2, 3], []])
    both = Combined([first, second])
    assert both.name == "first + second"
    assert both.proposer == ""
    assert both.draft(5, 9, DraftLimits(4)) == [2, 3]
    assert both.proposer == "second"
    both.accept(1)
    assert (first.accepted, second.accepted) == ([], [1])
    assert both.draft(5, 9, DraftLimits(4)) == [1]
    assert both.proposer == "first"
    both.accept(0)
    assert (first.accepted, second.accepted) == ([0], [1])
    # Nobody proposes: nobody is told of an acceptance.
    assert both.draft(5, 9, DraftLimits(4)) == []
    both.accept(0)
    assert (first.accepted, second.accepted) == ([0], [1])


def test_all_are_told_the_text() -> None:
    members = Recorder("first", []), Recorder("second", [])
    both = Combined(members)
    both.attach(True)
    both.begin([1, 2])
    both.process([3], 2)
    both.defer([4], 3)
    both.truncate(2)
    both.close()
    wanted = [
        ("attach", True),
        ("begin", [1, 2]),
        ("process", [3], 2),
        ("defer", [4], 3),
        ("truncate", 2),
        ("close",),
    ]
    assert members[0].heard == members[1].heard == wanted


def test_known_is_that_of_the_one_that_reads_rows() -> None:
    ngram, block, model = Recorder("a", []), Recorder("block", []), Recorder("draft model", [])
    assert Combined([ngram, model]).known == 1
    assert not Combined([ngram, model]).needs_rows
    block.needs_rows = True
    both = Combined([ngram, block, model])
    assert both.needs_rows
    assert both.known == 5
    other = Recorder("other", [])
    other.needs_rows = True
    with pytest.raises(ValueError, match="only one"):
        Combined([block, other])
    with pytest.raises(ValueError, match="at least one"):
        Combined([])


def test_each_has_its_own_length() -> None:
    """As in the native library: `draft_n_max` is for models, n-gram kinds have lengths of their own."""
    ngram, model = Recorder("n", [[]]), Recorder("m", [[]], T.DRAFT_SIMPLE)
    ngram.n_max_limit, ngram.supports_p_min = 48, False
    both = combine([model, ngram])
    assert isinstance(both, Combined)
    assert both.members == (ngram, model)
    limits = limits_for(both, 3, n_min=1, p_min=0.5)
    assert limits == DraftLimits(48, 1, 0.5, 3)
    both.draft(5, 9, limits)
    assert ngram.heard == [("draft", 48, 0.0)]
    assert model.heard == [("draft", 3, 0.5)]
    assert limits_for(ngram, 3) == DraftLimits(48)
    assert limits_for(model, 3, 5) == DraftLimits(3, 3)
    assert limits_for(model, 30) == DraftLimits(8)
    assert combine([model]) is model


def test_ngrams_are_tried_first() -> None:
    asked = [T.DRAFT_DFLASH, T.NGRAM_MOD, T.NGRAM_SIMPLE, T.NGRAM_MOD]
    assert in_order(asked) == [T.NGRAM_MOD, T.NGRAM_SIMPLE, T.DRAFT_DFLASH]


@pytest.fixture(scope="module")
def decoder(tiny_target: Path) -> Iterator[Decoder]:
    decoder = bare_decoder(tiny_target, n_max=48)
    yield decoder
    decoder.close()


def by_algorithm(rounds: list[Round]) -> dict[str, list[Round]]:
    found: dict[str, list[Round]] = {}
    for r in rounds:
        found.setdefault(r.algorithm, []).append(r)
    return found


@pytest.mark.parametrize("sampling", [GREEDY, WARM], ids=["greedy", "0.8"])
def test_an_ngram_and_a_draft_model(decoder: Decoder, tmp_path: Path, sampling: SamplingParams) -> None:
    prompt = ring_prompt(1.5)
    decoder.target.cut(0)
    ordinary = run(decoder, prompt, 300, sampling)
    draft = make_target(tmp_path / "smaller.gguf", TargetSpec(n_layer=2, drift=0.6))
    spec = SpecConfig(T.DRAFT_SIMPLE, draft_model_path=str(draft), draft_n_max=5)
    members: list[Drafter] = [
        load_draft_model(spec, decoder.target, n_threads=1, n_threads_batch=1),
        make_ngram(T.NGRAM_SIMPLE, short_config(T.NGRAM_SIMPLE)),
    ]
    decoder.drafter = combine(members)
    decoder.control.limits = limits_for(decoder.drafter, 5)
    try:
        decoder.target.cut(0)

        def switch(event: Event) -> None:
            if isinstance(event, RoundDone):
                decoder.control.on = not 20 <= len(decoder.rounds) < 40

        reply = run(decoder, prompt, 300, sampling, watch=switch)
        assert reply.tokens == ordinary.tokens
        assert decoder.status().algorithm == "N-gram + Draft model"
        rounds = by_algorithm(reply.rounds)
        assert set(rounds) == {"", "N-gram", "Draft model"}
        for name, longest in (("N-gram", 12), ("Draft model", 5)):
            stats = recount(rounds[name])
            assert stats.accepted > 0
            assert max(r.verified for r in rounds[name]) == longest
        # Going on with another turn, both know the text.
        turn = [*prompt, *reply.tokens, 99, 98]
        second = run(decoder, turn, 100, sampling)
        assert decoder.stats.accepted > 0
        decoder.drafter.close()
        decoder.drafter = None
        decoder.target.cut(0)
        again = run(decoder, turn, 100, sampling)
        if sampling.greedy:
            assert_same_text(decoder, turn, again, second)
        else:
            assert second.tokens == again.tokens
    finally:
        if decoder.drafter is not None:
            decoder.drafter.close()
            decoder.drafter = None


@pytest.mark.parametrize("name", ["DFlash", "DSpark", "DFlash2"])
def test_an_ngram_and_a_drafter_that_reads_rows(
    tiny_target: Path, tiny_sidecars: dict[str, Path], name: str
) -> None:
    kind = T.DRAFT_DSPARK if name == "DSpark" else T.DRAFT_DFLASH
    spec = SpecConfig(kind, draft_model_path=str(tiny_sidecars[name]), draft_n_max=7)
    prompt = ring_prompt(1.5)
    with Llama(str(tiny_target), n_ctx=2048, n_threads=1, speculative=spec, verbose=False) as llm:
        decoder = llm.decoder

        def reply(n: int = 200, watch: dict[int, bool] | None = None) -> list[Event]:
            events = []
            for event in llm.generate(prompt, GREEDY, n, ignore_eos=True):
                events.append(event)
                if watch and isinstance(event, RoundDone) and len(llm.last_rounds) in watch:
                    llm.set_speculation(watch[len(llm.last_rounds)])
            return events

        llm.set_speculation(False)
        ordinary = collect(reply(), llm.last_rounds)
        assert decoder.drafter is not None
        decoder.drafter = combine([decoder.drafter, make_ngram(T.NGRAM_CACHE, spec)])
        decoder.control.limits = limits_for(decoder.drafter, 7)
        llm.reset()
        llm.set_speculation(True)
        both = collect(reply(watch={15: False, 30: True}), llm.last_rounds)
        assert_same_text(decoder, prompt, ordinary, both)
        rounds = by_algorithm(llm.last_rounds)
        assert {"N-gram cache", name} <= set(rounds)
        # The rows' reader was told everything although it lost rounds: it still drafts as well.
        assert recount(rounds[name]).accepted > 0
        assert decoder.drafter.known == len(decoder.target.cached)
        assert decoder.stats.catch_up_tokens > 0
