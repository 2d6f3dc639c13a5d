"""Sampling on the backend: the same greedy text, the same distribution, and said when it is not so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama, backend_sampling
from app.engine.decoding import Decoder
from app.engine.drafters.top_tokens import TopTokens
from tests.engine.chains import CHAINS
from tests.engine.distribution import Pair, p_value
from tests.engine.support import EXACT, GREEDY, ReplayDrafter, bare_decoder, bare_target, collect, run
from tests.models import TargetSpec, make_target

PROMPT = [40 + (7 * i) % 90 for i in range(40)]
KINDS = {
    "DFlash": SpeculativeType.DRAFT_DFLASH,
    "DSpark": SpeculativeType.DRAFT_DSPARK,
    "DFlash2": SpeculativeType.DRAFT_DFLASH,
}
# Steps that the library can compute only on the host.
ON_HOST = {
    "typical-p": "typical-p", "top-n-sigma": "top-n-sigma", "XTC": "XTC", "mirostat 1": "mirostat",
    "mirostat 2": "mirostat 2", "DRY": "DRY", "penalties": "penalties", "greedy with penalties": "penalties",
    "grammar": "A grammar", "greedy with grammar": "A grammar", "grammar and mirostat": "A grammar",
    "all at once": "A grammar",
}  # fmt: skip


@pytest.fixture(scope="module")
def flat_target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_target(tmp_path_factory.mktemp("models") / "flat.gguf", TargetSpec(gain=1.2))


@pytest.fixture(scope="module")
def decoder(flat_target: Path) -> Iterator[Decoder]:
    decoder = bare_decoder(flat_target, n_max=7, n_outputs_max_per_seq=8, **EXACT)
    yield decoder
    decoder.close()


def test_greedy_text_is_the_host_s(decoder: Decoder) -> None:
    for params in (GREEDY, CHAINS["greedy with bias"]):
        for ignore_eos in (False, True):
            decoder.drafter = None
            host = run(decoder, PROMPT, 128, params, ignore_eos=ignore_eos)
            assert not decoder.stats.backend_sampling_requested
            for right in (None, 1.0, 0.6, 0.0):
                decoder.drafter = None
                if right is not None:
                    decoder.drafter = ReplayDrafter(host.tokens, len(PROMPT), right, 288)
                found = run(decoder, PROMPT, 128, params, ignore_eos=ignore_eos, on_backend=True)
                assert found.tokens == host.tokens
                assert decoder.stats.backend_sampling_active


@pytest.mark.parametrize("name", CHAINS)
def test_each_chain_runs_there_or_says_what_keeps_it(decoder: Decoder, name: str) -> None:
    params = CHAINS[name]
    decoder.drafter = None
    host = run(decoder, PROMPT, 48, params)
    found = run(decoder, PROMPT, 48, params, on_backend=True)
    stats = decoder.stats
    assert stats.backend_sampling_requested
    assert stats.backend_sampling_active is (name not in ON_HOST)
    if name in ON_HOST:
        assert ON_HOST[name] in stats.backend_sampling_reason
        assert found.tokens == host.tokens
    else:
        assert stats.backend_sampling_reason == ""
        decoder.drafter = ReplayDrafter(found.tokens, len(PROMPT), 0.6, 288)
        speculative = run(decoder, PROMPT, 48, params, on_backend=True)
        assert decoder.stats.accepted > 0
        assert speculative.tokens == found.tokens
    # Afterwards rows come to the host again.
    decoder.drafter = None
    assert run(decoder, PROMPT, 48, params).tokens == host.tokens


def test_penalties_run_there_while_one_row_is_sampled_at_a_time(flat_target: Path) -> None:
    decoder = bare_decoder(flat_target, n_max=0, **EXACT)
    try:
        params = CHAINS["greedy with penalties"]
        host = run(decoder, PROMPT, 64, params)
        assert run(decoder, PROMPT, 64, params, on_backend=True).tokens == host.tokens
        assert decoder.stats.backend_sampling_active
    finally:
        decoder.close()


def test_the_distribution_is_the_host_s(decoder: Decoder) -> None:
    params = SamplingParams(temperature=1.0, top_k=12, top_p=0.9, min_p=0.02)
    n = 400

    def sample(first_seed: int, on_backend: bool, right: float | None) -> Counter[Pair]:
        counts: Counter[Pair] = Counter()
        for seed in range(first_seed, first_seed + n):
            own = SamplingParams(params.temperature, params.top_k, params.top_p, params.min_p, seed=seed)
            decoder.drafter = None
            if right is not None:
                decoder.drafter = ReplayDrafter(likely, len(PROMPT), right, 288)
            tokens = run(decoder, PROMPT, 2, own, ignore_eos=True, on_backend=on_backend).tokens
            counts[tokens[0], tokens[1]] += 1
        return counts

    decoder.drafter = None
    likely = run(decoder, PROMPT, 2, GREEDY).tokens
    host = sample(0, False, None)
    for first_seed, right in ((10**6, None), (2 * 10**6, 1.0)):
        p, cells = p_value(host, sample(first_seed, True, right))
        assert cells > 5
        assert p > 1e-4 / 2


def load(target: Path, sidecar: Path, name: str, **options: Any) -> Llama:
    spec = SpecConfig(
        spec_type=KINDS[name], draft_model_path=str(sidecar), draft_n_max=5,
        draft_backend_sampling=options.pop("draft", False),
    )  # fmt: skip
    return Llama(str(target), n_ctx=1024, n_threads=1, speculative=spec, verbose=False, **options)


@pytest.mark.parametrize("name", KINDS)
def test_drafts_chosen_there_are_the_host_s(
    tiny_target: Path, tiny_sidecars: dict[str, Path], name: str
) -> None:
    replies = []
    for draft in (False, True):
        with load(tiny_target, tiny_sidecars[name], name, draft=draft, backend_sampling=draft) as llm:
            assert llm.pair.backend_sampling_requested is draft
            # DFlash2 chooses along its own scores; there are no rows of the vocabulary.
            assert llm.pair.backend_sampling_active is (draft and name != "DFlash2")
            assert llm.pair.target_backend_sampling is draft
            for p_min in (0.0, 0.5):
                llm.set_draft_limits(5, 0, p_min)
                events = list(llm.generate(PROMPT, GREEDY, 96, ignore_eos=True))
                replies.append(collect(events, llm.last_rounds))
                assert llm.last_speculative_stats["backend_sampling_active"] is draft
    for host, backend in ((replies[0], replies[2]), (replies[1], replies[3])):
        assert backend.tokens == host.tokens
        assert [r.drafted for r in backend.rounds] == [r.drafted for r in host.rounds]


def test_the_switch_may_move_in_the_middle_of_a_reply(
    tiny_target: Path, tiny_sidecars: dict[str, Path]
) -> None:
    with load(tiny_target, tiny_sidecars["DFlash"], "DFlash", draft=True, backend_sampling=True) as llm:
        llm.set_speculation(False)
        wanted = collect(list(llm.generate(PROMPT, GREEDY, 96, ignore_eos=True)), llm.last_rounds)
        llm.reset()
        events = []
        for event in llm.generate(PROMPT, GREEDY, 96, ignore_eos=True):
            events.append(event)
            llm.set_speculation(len(events) % 20 < 10)
        found = collect(events, llm.last_rounds)
        assert found.tokens == wanted.tokens
        assert len({r.mode for r in found.rounds}) == 2


def test_closing_in_the_middle_of_a_reply_is_survived(flat_target: Path) -> None:
    llm = Llama(str(flat_target), n_ctx=512, n_threads=1, backend_sampling=True, verbose=False)
    steps = iter(llm.generate(PROMPT, GREEDY, 64))
    for _ in range(4):
        next(steps)
    llm.close()
    steps.close()  # type: ignore[attr-defined]


def test_a_library_without_it_is_named(decoder: Decoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend_sampling, "has", lambda name: name != "llama_set_sampler")
    decoder.drafter = None
    run(decoder, PROMPT, 8, GREEDY, on_backend=True)
    assert not decoder.stats.backend_sampling_active
    assert decoder.stats.backend_sampling_reason == "This build of the engine lacks llama_set_sampler."


def test_top_tokens_are_those_of_whole_rows(flat_target: Path) -> None:
    target = bare_target(flat_target, rows_max=8, n_outputs_max_per_seq=8, **EXACT)
    found = {}
    try:
        for on_backend in (False, True):
            top = TopTokens(target.context, on_backend)
            assert top.active is on_backend
            target.cut(0)
            target.decode_quiet(PROMPT[:32])
            target.decode_rows(PROMPT[32:])
            tokens = top.read(8)
            found[on_backend] = tokens, [top.chance(i, token) for i, token in enumerate(tokens)]
            top.close()
    finally:
        target.close()
    assert found[True][0] == found[False][0]
    assert found[True][1] == pytest.approx(found[False][1], rel=1e-4)
    assert max(found[True][1]) < 1.0
