"""Real runs on tiny pairs: pairs and their order, the fair baseline, equal text, stopping, putting back."""

from __future__ import annotations

import hashlib
import pickle
import statistics
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.bench import runner
from app.bench.prompts import BenchPrompt
from app.bench.result import BenchResult
from app.bench.runner import run
from app.core.bench import BenchProgress
from app.core.errors import Cancelled, EnvironmentProblem
from app.core.rounds import ORDINARY, SPECULATIVE
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama
from app.engine.ties import explain
from tests.bench.support import PROMPTS, plan_for


@pytest.fixture
def llm(tiny_target: Path, tiny_sidecars: dict[str, Path]) -> Iterator[Llama]:
    spec = SpecConfig(
        spec_type=SpeculativeType.DRAFT_DFLASH,
        draft_model_path=str(tiny_sidecars["DFlash"]),
        draft_n_max=5,
    )
    with Llama(str(tiny_target), n_ctx=512, n_threads=1, speculative=spec, verbose=False) as llm:
        yield llm


def test_every_prompt_has_its_pairs(result: BenchResult) -> None:
    point = result.point
    assert point is not None
    assert [(p.prompt, p.number) for p in point.pairs] == [(i, n) for i in range(3) for n in range(2)]
    for pair in point.pairs:
        assert len(pair.ordinary.tokens) == len(pair.speculative.tokens) == 40
        assert pair.matches
        # The first round after a switch is not timed.
        assert [r.timed for r in pair.ordinary.rounds] == [False] + [True] * 39
    figures = point.figures
    assert (figures.pairs, figures.matching_pairs, figures.prompts) == (6, 6, 3)
    assert figures.ordinary.deterministic
    assert figures.speculative.deterministic
    assert point.divergences == ()
    assert figures.speedup is not None
    assert figures.speedup.low is not None
    assert set(point.categories) == {"letters", "digits"}
    assert (point.categories["letters"].pairs, point.categories["digits"].pairs) == (4, 2)


def test_the_baseline_pays_nothing_for_speculation(result: BenchResult) -> None:
    point = result.point
    assert point is not None
    for pair in point.pairs:
        for r in pair.ordinary.rounds:
            assert (r.mode, r.verified, r.drafted) == (ORDINARY, 0, ())
        # What is left is two readings of the clock.
        assert statistics.median(r.timings.process for r in pair.ordinary.rounds) < 2e-5
        assert statistics.median(r.timings.draft for r in pair.ordinary.rounds) < 2e-5
        assert {r.mode for r in pair.speculative.rounds} == {SPECULATIVE}
        assert max(r.verified for r in pair.speculative.rounds) == 7
        assert any(r.timings.process > 0 for r in pair.speculative.rounds)
    assert 0 < point.figures.draft.accepted < point.figures.draft.verified


def test_what_surrounds_the_runs(result: BenchResult, tiny_target: Path) -> None:
    assert [(f.role, f.name) for f in result.files] == [
        ("target", tiny_target.name),
        ("draft", "tiny-dflash2.gguf"),
    ]
    assert result.files[0].sha256 == hashlib.sha256(tiny_target.read_bytes()).hexdigest()
    assert result.files[0].size == tiny_target.stat().st_size
    assert [p.prompt for p in result.prefills] == [0, 1, 2]
    assert all(p.tokens > 5 and p.ordinary_seconds > 0 and p.speculative_seconds > 0 for p in result.prefills)
    assert 0 < result.target_load_seconds < result.load_seconds
    assert result.pair.algorithm == "DFlash2"
    assert result.environment.engine.startswith("llama-cpp-python 0.")
    assert result.environment.cores >= 1
    assert not result.cancelled
    assert result.errors == ()


def test_plan_and_result_can_be_sent_to_another_process(result: BenchResult) -> None:
    assert pickle.loads(pickle.dumps(result)) == result


def test_modes_alternate_and_taps_are_off_for_ordinary_runs(
    llm: Llama, tiny_target: Path, tiny_sidecars: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Looked at in the engine itself while each run goes on."""
    seen: list[tuple[bool, int, bool, int | None]] = []
    calls: list[tuple[bool, int, int, int | None]] = []
    original = Llama.generate

    def watched(self: Llama, tokens: Any, sampling: SamplingParams, n: int | None = None, *rest: Any) -> Any:
        drafter = self.decoder.drafter
        assert drafter is not None
        first = True
        for event in original(self, tokens, sampling, n, *rest):
            if first and type(event).__name__ == "RoundDone":
                first = False
                taps = bool(self.decoder.target._taps)
                seen.append((self.control.on, self.effective_draft_n_max, taps, n))
            yield event
        calls.append((self.control.on, self.decoder.stats.draft_calls, self.decoder.stats.process_calls, n))

    monkeypatch.setattr(Llama, "generate", watched)
    plan = plan_for(tiny_target, tiny_sidecars["DFlash"], runs=3, max_tokens=24, warmup_tokens=4)
    run(plan, llm=llm)
    warm_up, runs = [s for s in seen if s[3] == 4], [s for s in seen if s[3] == 24]
    assert [on for on, *_ in warm_up] == [False, True]
    assert [on for on, *_ in runs] == [False, True] * 3
    assert all(taps == on for on, _, taps, _ in seen)
    assert {length for _, length, _, _ in runs} == {7}
    for on, drafts, processed, n in calls:
        assert (drafts > 0, processed > 0) == (on and n != 0, on)


def test_a_pair_in_use_is_put_back_as_it_was(
    llm: Llama, tiny_target: Path, tiny_sidecars: dict[str, Path]
) -> None:
    llm.set_speculation(False)
    llm.set_draft_limits(4, 1, 0.25)
    before = (llm.control.on, llm.control.limits, llm.decoder.length)
    found = run(plan_for(tiny_target, tiny_sidecars["DFlash"], max_tokens=16), llm=llm)
    assert found.point is not None
    assert (llm.control.on, llm.control.limits, llm.decoder.length) == before


@pytest.mark.parametrize("kind", [kind for kind in SpeculativeType if kind.is_ngram()])
def test_no_run_profits_from_the_run_before(tiny_target: Path, kind: SpeculativeType) -> None:
    """Every pass of an n-gram drafter proposes the same, even where its table outlives a reply."""
    plan = plan_for(tiny_target, Path(), draft_path="", spec_types=(kind,), max_tokens=200, runs=3)
    point = run(plan).point
    assert point is not None
    proposals = [[r.drafted for r in pair.speculative.rounds] for pair in point.pairs]
    assert proposals[0] == proposals[1] == proposals[2]
    assert point.figures.matching_pairs == 3
    assert point.figures.draft.drafted > 0


def test_progress_runs_from_start_to_end(tiny_target: Path, tiny_sidecars: dict[str, Path]) -> None:
    seen: list[BenchProgress] = []
    run(plan_for(tiny_target, tiny_sidecars["DFlash"]), seen.append)
    fractions = [p.fraction for p in seen]
    assert fractions == sorted(fractions)
    assert fractions[-1] == 1.0
    assert sum(p.finished is not None for p in seen) == 2
    assert any(p.tokens_per_second > 0 and p.mode == SPECULATIVE for p in seen)


def test_stopping_keeps_the_finished_pairs(tiny_target: Path, tiny_sidecars: dict[str, Path]) -> None:
    cancel = threading.Event()
    finished = []

    def stop_in_the_middle(progress: BenchProgress) -> None:
        if progress.finished is not None:
            finished.append(progress.finished)
        if len(finished) == 4 and progress.finished is None:
            cancel.set()

    plan = plan_for(tiny_target, tiny_sidecars["DFlash"], prompts=PROMPTS, runs=3, max_tokens=60)
    found = run(plan, stop_in_the_middle, cancel)
    assert found.cancelled
    assert found.point is not None
    assert list(found.point.pairs) == finished
    # Prompt 2 has one pass of three, so the figures are those of prompt 1.
    assert found.point.figures.pairs == 3
    assert [p.prompt for p in found.prefills] == [0, 1]


def test_stopping_the_load_measures_nothing(tiny_target: Path, tiny_sidecars: dict[str, Path]) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        run(plan_for(tiny_target, tiny_sidecars["DFlash"]), None, cancel)


def test_a_prompt_that_does_not_fit_is_refused_by_number(
    tiny_target: Path, tiny_sidecars: dict[str, Path]
) -> None:
    prompts = (PROMPTS[0], BenchPrompt("word " * 600))
    with pytest.raises(EnvironmentProblem, match=r"Prompt 2 .* 512"):
        run(plan_for(tiny_target, tiny_sidecars["DFlash"], prompts=prompts))


def test_a_wrong_token_is_found_and_is_no_tie(
    tiny_target: Path, tiny_sidecars: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A speculative run whose token 12 is replaced: the comparison must say so."""
    original = runner.as_recorded

    def spoiled(rounds: list[Any]) -> tuple[Any, ...]:
        kept = list(original(rounds))
        if kept[-1].mode == SPECULATIVE:
            at = 0
            for i, r in enumerate(kept):
                if at + len(r.tokens) > 12:
                    tokens = list(r.tokens)
                    tokens[12 - at] = (tokens[12 - at] + 57) % 200
                    kept[i] = type(r)(**{**{f: getattr(r, f) for f in r.__slots__}, "tokens": tuple(tokens)})
                    break
                at += len(r.tokens)
        return tuple(kept)

    monkeypatch.setattr(runner, "as_recorded", spoiled)
    found = run(plan_for(tiny_target, tiny_sidecars["DFlash"]))
    assert found.point is not None
    assert found.point.figures.matching_pairs == 0
    (divergence,) = found.point.divergences
    assert (divergence.prompt, divergence.number, divergence.index) == (0, 0, 12)
    assert divergence.tie is False
    assert divergence.gap is not None
    assert divergence.noise is not None
    assert divergence.gap > 4 * divergence.noise


def test_sampled_text_is_not_judged_by_logits(
    llm: Llama, tiny_target: Path, tiny_sidecars: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = plan_for(tiny_target, tiny_sidecars["DFlash"], temperature=0.8, seed=7)
    found = run(plan, llm=llm)
    assert found.point is not None
    # The same seed gives the same text in both modes.
    assert found.point.figures.matching_pairs == 2
    assert found.point.figures.ordinary.deterministic


def test_a_text_that_ended_may_tie_with_its_end(llm: Llama) -> None:
    prompt = llm.chat_tokens([])
    for _ in llm.generate(prompt, SamplingParams(temperature=0.0), 20):
        pass
    tokens = [t for r in llm.last_rounds for t in r.tokens]
    target = llm.decoder.target
    cut = explain(target, prompt, tokens, tokens[:9], 8)
    assert cut is not None
    assert cut.gap == float("inf")
    ended = explain(target, prompt, tokens, tokens[:9], 8, may_end=True)
    assert ended is not None
    assert 0 < ended.gap < float("inf")
    assert explain(target, prompt, tokens, tokens, 8, may_end=True) is None
