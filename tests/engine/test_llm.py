"""The public `Llama`: shape of its answers, statistics keys, limits, and a deterministic end."""

from __future__ import annotations

import logging
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from app.core.errors import Bug, Cancelled, EnvironmentProblem
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama
from tests.engine.support import GREEDY, collect

MESSAGES = [{"role": "user", "content": "abc abc"}]

KEYS = [
    "drafted", "verified", "accepted", "begin_calls", "draft_calls", "process_calls", "accept_calls",
    "generated_drafts", "accepted_drafts", "draft_batch_acceptance_rate", "accepted_draft_tokens",
    "draft_token_acceptance_rate", "mean_accepted_length", "acceptance_rate_per_position",
    "begin_seconds", "draft_seconds", "target_decode_seconds", "target_sync_seconds", "process_seconds",
    "accept_seconds", "checkpoint_captures", "checkpoint_restores", "checkpoint_verification_reuses",
    "checkpoint_native_captures", "checkpoint_native_restores", "checkpoint_device_captures",
    "checkpoint_device_restores", "checkpoint_native_verification_rollbacks", "checkpoint_buffer_bytes",
    "checkpoint_capture_seconds", "checkpoint_restore_seconds", "verification_steps", "rollbacks",
    "native_rollbacks", "checkpoint_rollbacks", "acceptance_rate", "generation_tokens",
    "generation_seconds", "generation_tokens_per_second", "time_to_first_token_seconds",
    "sustained_tokens", "sustained_seconds", "sustained_tokens_per_second", "decode_tokens",
    "decode_seconds", "decode_tokens_per_second", "prompt_tokens", "reused_tokens", "prompt_seconds",
    "request_ttft_seconds", "conditional_acceptance_per_position",
]  # fmt: skip


def dflash(sidecar: Path, n_max: int = 7, **options: object) -> SpecConfig:
    return SpecConfig(
        spec_type=SpeculativeType.DRAFT_DFLASH,
        draft_model_path=str(sidecar),
        draft_n_max=n_max,
        draft_n_gpu_layers="all",
        draft_backend_sampling=False,
        **options,  # type: ignore[arg-type]
    )


@pytest.fixture
def llm(tiny_pair: tuple[Path, Path]) -> Iterator[Llama]:
    target, sidecar = tiny_pair
    with Llama(
        model_path=str(target),
        n_ctx=1024,
        n_batch=512,
        n_ubatch=512,
        n_gpu_layers="all",
        n_threads=1,
        ctx_checkpoints=0,
        speculative=dflash(sidecar),
        verbose=False,
    ) as llm:
        yield llm


def test_a_chat_completion_has_the_usual_shape(llm: Llama) -> None:
    response = llm.create_chat_completion(messages=MESSAGES, temperature=0.0, max_tokens=24)
    assert response["object"] == "chat.completion"
    (choice,) = response["choices"]
    assert choice["message"]["role"] == "assistant"
    assert choice["message"]["content"]
    assert choice["finish_reason"] == "length"
    usage = response["usage"]
    assert usage["completion_tokens"] == 24
    assert usage["total_tokens"] == usage["prompt_tokens"] + 24
    assert llm.last_speculative_stats["draft_token_acceptance_rate"] > 0


def test_streaming_gives_the_same_text_in_chunks(llm: Llama) -> None:
    whole = llm.create_chat_completion(messages=MESSAGES, temperature=0.0, max_tokens=24)
    chunks = list(llm.create_chat_completion(messages=MESSAGES, temperature=0.0, max_tokens=24, stream=True))
    assert chunks[0]["choices"][0]["delta"] == {"role": "assistant"}
    text = "".join(c["choices"][0]["delta"].get("content", "") for c in chunks)
    assert text == whole["choices"][0]["message"]["content"]
    assert [c["choices"][0]["finish_reason"] for c in chunks][-1] == "length"
    assert all(c["object"] == "chat.completion.chunk" for c in chunks)


def test_every_published_statistic_is_there(llm: Llama) -> None:
    llm.create_chat_completion(messages=MESSAGES, temperature=0.0, max_tokens=24)
    assert set(KEYS) <= set(llm.last_speculative_stats)


def test_stop_strings_end_the_reply(llm: Llama) -> None:
    whole = llm.create_chat_completion(messages=MESSAGES, temperature=0.0, max_tokens=40)
    text = whole["choices"][0]["message"]["content"]
    stop = text[10:13]
    cut = llm.create_chat_completion(messages=MESSAGES, temperature=0.0, max_tokens=40, stop=stop)
    assert cut["choices"][0]["message"]["content"] == text[: text.index(stop)]
    assert cut["choices"][0]["finish_reason"] == "stop"


def test_the_draft_length_is_clamped_and_visible(tiny_pair: tuple[Path, Path]) -> None:
    target, sidecar = tiny_pair
    with Llama(str(target), n_ctx=512, n_threads=1, speculative=dflash(sidecar, 99), verbose=False) as llm:
        assert llm.effective_draft_n_max == 7
        assert llm.status().draft_n_max == 7
        assert any("clamped to 7" in w for w in llm.pair.warnings)
        llm.set_draft_limits(50)
        assert llm.effective_draft_n_max == 7
        llm.set_draft_limits(2)
        llm.create_chat_completion(messages=MESSAGES, temperature=0.0, max_tokens=16)
        assert {r.verified for r in llm.last_rounds} == {2}


def test_a_batch_too_small_for_the_draft_is_refused(tiny_pair: tuple[Path, Path]) -> None:
    target, sidecar = tiny_pair
    with pytest.raises(EnvironmentProblem, match="at least 8") as caught:
        Llama(str(target), n_ctx=512, n_batch=7, n_ubatch=7, speculative=dflash(sidecar), verbose=False)
    assert caught.value.code == "batch-too-small"


@pytest.mark.parametrize("kind", [SpeculativeType.DRAFT_EAGLE3, SpeculativeType.DRAFT_MTP])
def test_another_algorithm_than_the_sidecars_is_refused_by_name(
    tiny_pair: tuple[Path, Path], kind: SpeculativeType
) -> None:
    target, sidecar = tiny_pair
    with pytest.raises(EnvironmentProblem, match=kind.to_str()) as caught:
        Llama(
            str(target), speculative=SpecConfig(spec_type=kind, draft_model_path=str(sidecar)), verbose=False
        )
    assert caught.value.code == "algorithm-differs"


def test_what_cannot_be_combined_is_refused(tiny_pair: tuple[Path, Path]) -> None:
    target, sidecar = tiny_pair
    kinds = (SpeculativeType.DRAFT_DFLASH, SpeculativeType.DRAFT_SIMPLE)
    spec = SpecConfig(spec_type=kinds, draft_model_path=str(sidecar), draft_n_max=7)
    with pytest.raises(EnvironmentProblem, match="cannot be combined"):
        Llama(str(target), speculative=spec, verbose=False)
    own = SpecConfig(spec_type=SpeculativeType.DRAFT_SIMPLE, draft_model_path=str(target), draft_n_max=7)
    with pytest.raises(EnvironmentProblem, match="own draft") as caught:
        Llama(str(target), speculative=own, verbose=False)
    assert caught.value.code == "draft-is-target"


@pytest.mark.parametrize(
    "kinds",
    [
        (SpeculativeType.NGRAM_SIMPLE,),
        (SpeculativeType.NGRAM_MAP_K,),
        (SpeculativeType.NGRAM_MAP_K4V,),
        (SpeculativeType.NGRAM_MOD,),
        (SpeculativeType.NGRAM_CACHE,),
        (SpeculativeType.DRAFT_SIMPLE,),
        (SpeculativeType.NGRAM_SIMPLE, SpeculativeType.DRAFT_DFLASH),
        (SpeculativeType.DRAFT_SIMPLE, SpeculativeType.NGRAM_CACHE),
    ],
    ids=lambda kinds: "+".join(k.to_str() for k in kinds),
)
def test_every_other_drafter_loads_and_changes_nothing(
    tiny_pair: tuple[Path, Path], tmp_path: Path, kinds: tuple[SpeculativeType, ...]
) -> None:
    target, sidecar = tiny_pair
    path = str(sidecar)
    if SpeculativeType.DRAFT_SIMPLE in kinds:
        # The same weights under another name draft almost always right.
        path = shutil.copy(target, tmp_path / "draft.gguf")
    spec = SpecConfig(
        spec_type=kinds if len(kinds) > 1 else kinds[0],
        draft_model_path=path,
        draft_n_max=5,
        ngram_size_n=2,
        ngram_size_m=6,
        ngram_mod_n_match=4,
        ngram_mod_n_min=2,
        ngram_mod_n_max=8,
    )
    prompt = [40 + i % 9 for i in range(120)]
    with Llama(str(target), n_ctx=1024, n_threads=1, speculative=spec, verbose=False) as llm:
        replies = []
        for on in (False, True):
            llm.set_speculation(on)
            events = list(llm.generate(prompt, GREEDY, 120, ignore_eos=True))
            replies.append(collect(events, llm.last_rounds))
        ordinary, speculative = replies
        assert speculative.tokens == ordinary.tokens
        assert llm.pair.algorithm == llm.status().algorithm != ""
        assert {r.algorithm for r in speculative.rounds if r.drafted}
        if SpeculativeType.DRAFT_SIMPLE in kinds or SpeculativeType.DRAFT_DFLASH in kinds:
            assert llm.decoder.stats.accepted > 0


def test_asking_for_another_algorithm_names_both(tiny_target: Path, tiny_sidecars: dict[str, Path]) -> None:
    spec = SpecConfig(
        spec_type=SpeculativeType.DRAFT_DFLASH, draft_model_path=str(tiny_sidecars["DSpark"]), draft_n_max=7
    )
    with pytest.raises(EnvironmentProblem) as caught:
        Llama(str(tiny_target), speculative=spec, verbose=False)
    assert "DSpark" in str(caught.value)
    assert "dflash" in str(caught.value).lower()


def test_verbose_says_what_was_resolved(
    tiny_pair: tuple[Path, Path], caplog: pytest.LogCaptureFixture
) -> None:
    target, sidecar = tiny_pair
    with (
        caplog.at_level(logging.INFO, "slipstream"),
        Llama(str(target), n_ctx=512, n_threads=1, speculative=dflash(sidecar), verbose=True),
    ):
        pass
    for wanted in ("DFlash", "block_size", "target_layers", "mask_token", "selector_top_k", "mrope",
                   "backend_sampling requested=False active=False"):  # fmt: skip
        assert wanted in caplog.text


def test_closing_twice_is_fine_and_using_it_then_is_a_bug(tiny_pair: tuple[Path, Path]) -> None:
    llm = Llama(str(tiny_pair[0]), n_ctx=512, n_threads=1, verbose=False)
    llm.close()
    llm.close()
    with pytest.raises(Bug):
        llm.tokenize("a")


def test_loading_is_cancelled(tiny_pair: tuple[Path, Path]) -> None:
    cancel = threading.Event()
    stages: list[str] = []

    def report(stage: str, fraction: float) -> None:
        assert 0.0 <= fraction <= 1.0
        stages.append(stage)
        if "sidecar" in stage:
            cancel.set()

    with pytest.raises(Cancelled):
        Llama(
            str(tiny_pair[0]), n_ctx=512, speculative=dflash(tiny_pair[1]), verbose=False,
            report=report, cancel=cancel,
        )  # fmt: skip
    assert stages[0] == "Reading headers"


def test_loading_and_closing_does_not_grow(tiny_pair: tuple[Path, Path]) -> None:
    target, sidecar = tiny_pair
    process = psutil.Process()

    def once() -> None:
        with Llama(str(target), n_ctx=512, n_threads=1, speculative=dflash(sidecar), verbose=False) as llm:
            llm.create_chat_completion(messages=MESSAGES, temperature=0.0, max_tokens=4)

    for _ in range(10):
        once()
    before = process.memory_info().rss
    for _ in range(50):
        once()
    grown = process.memory_info().rss - before
    # One such pair takes about 10 MB; a leak of one context would show as hundreds.
    assert grown < 8 * 2**20


def test_importing_the_configuration_loads_no_native_library() -> None:
    code = (
        "import sys; from app.engine import SpecConfig, SpeculativeType; "
        "sys.exit(any(m.split('.')[0] in ('llama_cpp', 'numpy', 'PySide6') for m in sys.modules))"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_one_reply_at_a_time(llm: Llama) -> None:
    prompt = list(range(40, 60))
    alone = collect(list(llm.generate(prompt, GREEDY, 30)), llm.last_rounds)
    first = llm.generate(prompt, GREEDY, 30)
    for _ in range(4):
        next(first)
    second = collect(list(llm.generate(prompt, GREEDY, 30)), llm.last_rounds)
    assert second.tokens == alone.tokens
    with pytest.raises(Bug, match="another reply"):
        next(first)
    assert collect(list(llm.generate(prompt, GREEDY, 30)), llm.last_rounds).tokens == alone.tokens


def test_reading_on_after_closing_is_a_bug_not_a_crash(tiny_pair: tuple[Path, Path]) -> None:
    llm = Llama(str(tiny_pair[0]), n_ctx=512, n_threads=1, verbose=False)
    events = llm.generate([50, 51, 52], GREEDY, 30, ignore_eos=True)
    next(events)
    next(events)
    llm.close()
    with pytest.raises(Bug, match="closed"):
        next(events)


def test_closing_waits_for_another_threads_step(tiny_pair: tuple[Path, Path]) -> None:
    for _ in range(5):
        llm = Llama(str(tiny_pair[0]), n_ctx=2048, n_threads=1, verbose=False)
        ended: list[Bug] = []
        started = threading.Event()

        def read(llm: Llama = llm, started: threading.Event = started, ended: list[Bug] = ended) -> None:
            try:
                while True:  # one reply may be over before the model is closed
                    for _ in llm.generate([50, 51, 52], GREEDY, 1500, ignore_eos=True):
                        started.set()
            except Bug as error:
                ended.append(error)

        thread = threading.Thread(target=read, daemon=True)
        thread.start()
        assert started.wait(20)
        time.sleep(0.02)
        began = time.monotonic()
        llm.close()
        assert time.monotonic() - began < 10  # not as long as replies go on
        thread.join(20)
        assert len(ended) == 1


def test_a_dropped_model_frees_its_memory(tiny_pair: tuple[Path, Path]) -> None:
    process = psutil.Process()

    def drop() -> None:
        Llama(str(tiny_pair[0]), n_ctx=4096, n_threads=1, verbose=False)

    for _ in range(3):
        drop()
    before = process.memory_info().rss
    for _ in range(15):
        drop()
    assert process.memory_info().rss - before < 8 * 2**20


@pytest.mark.parametrize("n_ctx", [1, 64, 100, 256, 300])
def test_a_small_context_takes_a_long_prompt(tiny_pair: tuple[Path, Path], n_ctx: int) -> None:
    spec = dflash(tiny_pair[1])
    with Llama(str(tiny_pair[0]), n_ctx=n_ctx, n_threads=1, speculative=spec, verbose=False) as llm:
        room = llm.pair.n_ctx
        for _ in range(3):
            events = list(llm.generate([40 + i % 50 for i in range(room - 1)], GREEDY, 4, ignore_eos=True))
            assert collect(events, llm.last_rounds).finish == "length"
            llm.reset()


def test_a_huge_batch_takes_no_memory_of_its_own(tiny_target: Path) -> None:
    process = psutil.Process()
    before = process.memory_info().rss
    with Llama(str(tiny_target), n_ctx=256, n_batch=20_000_000, n_ubatch=512, n_threads=1, verbose=False):
        assert process.memory_info().rss - before < 100 * 2**20


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"type_k": "xx"}, "xx"),
        ({"flash_attn": "x"}, "flash_attn"),
        ({"n_batch": 4, "n_ubatch": 8}, "n_ubatch 8"),
    ],
)
def test_options_that_make_no_sense(tiny_target: Path, options: dict[str, object], said: str) -> None:
    with pytest.raises(EnvironmentProblem, match=said):
        Llama(str(tiny_target), verbose=False, **options)  # type: ignore[arg-type]


def test_an_error_while_reporting_progress_is_not_lost(tiny_target: Path) -> None:
    def report(stage: str, fraction: float) -> None:
        if "Loading" in stage:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Llama(str(tiny_target), verbose=False, report=report)


@pytest.mark.parametrize(
    ("call", "error", "problem"),
    [
        (
            lambda llm: llm.generate("Hello", GREEDY),
            TypeError,
            "tokens must be a list of .* numbers, not str",
        ),
        (lambda llm: llm.generate([1, "2"], GREEDY), TypeError, "a token of tokens must be a whole number"),
        (lambda llm: llm.generate([1, 10**9], GREEDY), ValueError, "tokens must lie in 0.."),
        (
            lambda llm: llm.generate([1], {"top_k": 1}),
            TypeError,
            "sampling must be a SamplingParams",
        ),
        (lambda llm: llm.generate([1], GREEDY, "8"), TypeError, "max_tokens must be a whole number, not str"),
        (lambda llm: llm.generate([1], GREEDY, 8, 5), TypeError, "stop must be a list of texts, not int"),
        (lambda llm: llm.generate([1], GREEDY, 8, [b"a"]), TypeError, "stop must hold texts, but has bytes"),
        (lambda llm: llm.create_chat_completion("Hi"), TypeError, "messages must be a list of mappings"),
        (lambda llm: llm.create_chat_completion(["Hi"]), TypeError, r"messages\[0\] must be a mapping"),
        (
            lambda llm: ask(llm, content=[1]),
            TypeError,
            r"content of messages\[0\] must be a text, not list",
        ),
        (lambda llm: ask(llm, max_tokens=2.5), TypeError, "max_tokens must be a whole number, not float"),
        (lambda llm: ask(llm, temperature="hot"), TypeError, "temperature must be a number, not str"),
        (lambda llm: ask(llm, top_k="all"), TypeError, "top_k must be a number, not str"),
        (lambda llm: ask(llm, stop=[1], stream=True), TypeError, "stop must hold texts, but has int"),
        (lambda llm: llm.tokenize(b"Hi"), TypeError, "text must be a text, not bytes"),
        (lambda llm: llm.detokenize("12"), TypeError, "tokens must be a list of token numbers"),
        (lambda llm: llm.detokenize([-1]), ValueError, "tokens must lie in 0.."),
        (lambda llm: llm.set_draft_limits("3"), TypeError, "n_max must be a whole number, not str"),
        (lambda llm: Llama(None), TypeError, "model_path must be a path, not NoneType"),
        (lambda llm: Llama("x.gguf", n_ctx="4k"), TypeError, "n_ctx must be a whole number, not str"),
        (lambda llm: Llama("x.gguf", n_ctx=10**23), ValueError, "n_ctx must not be larger than"),
        (
            lambda llm: Llama("x.gguf", n_threads=2.0),
            TypeError,
            "n_threads must be a whole number",
        ),
        (lambda llm: Llama("x.gguf", type_k=1), TypeError, "type_k must be a text, not int"),
        (
            lambda llm: Llama("x.gguf", speculative={}),
            TypeError,
            "speculative must be a SpecConfig",
        ),
    ],
)
def test_wrong_arguments_are_named_at_once(
    llm: Llama, call: Callable[[Llama], object], error: type[Exception], problem: str
) -> None:
    with pytest.raises(error, match=problem):
        call(llm)
    assert ask(llm, max_tokens=2)["usage"]["completion_tokens"] == 2, "the model goes on working"


def ask(llm: Llama, content: Any = "Hi", **options: Any) -> Any:
    return llm.create_chat_completion([{"role": "user", "content": content}], **options)
