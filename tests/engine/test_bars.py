"""Performance bars of the engine on the default pair: medians of paired, interleaved runs."""

from __future__ import annotations

import statistics
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from app.core.conversation import ChatMessage
from app.core.events import Event, PrefillProgress, RoundDone
from app.core.speculation import SpecConfig
from app.engine import Llama, handles, sampling_chain
from app.engine.handles import Batch
from tests.engine.support import GREEDY

pytestmark = [pytest.mark.real, pytest.mark.benchmark]

QUESTION = [ChatMessage("user", "Explain how a steam engine works, step by step.")]
N = 128


@pytest.fixture(scope="module")
def llm(default_pair: tuple[Path, Path]) -> Iterator[Llama]:
    from app.gguf.kinds import sidecar_type

    target, draft = default_pair
    spec = SpecConfig(spec_type=sidecar_type(str(draft)), draft_model_path=str(draft), draft_n_max=7)
    with Llama(str(target), n_ctx=2048, speculative=spec, verbose=False) as llm:
        yield llm


def bare_loop(llm: Llama, prompt: list[int], n: int) -> float:
    """Seconds for `n` greedy tokens with nothing but `llama_decode` and an argmax, after the prompt."""
    llm.reset()
    target = llm.decoder.target
    target.set_taps(())
    target.decode_quiet(prompt[:-1])
    context, batch = target.context, Batch(1)
    decode, logits = handles._decode, handles._logits
    token, position = prompt[-1], len(prompt) - 1
    start = perf_counter()
    for _ in range(n):
        batch.set_tokens([token], position, outputs=True)
        assert decode(context.handle, batch.struct) == 0
        token = int(handles.float_view(logits(context.handle), 1, context.n_vocab)[0].argmax())
        position += 1
    seconds = perf_counter() - start
    context.clear()
    target.cached.clear()
    return seconds


def ordinary(llm: Llama, prompt: list[int], n: int) -> float:
    llm.set_speculation(False)
    for _ in llm.generate(prompt, GREEDY, n, ignore_eos=True):
        pass
    return float(llm.last_speculative_stats["generation_seconds"])


def test_ordinary_decoding_costs_no_more_than_a_bare_loop(llm: Llama) -> None:
    prompt = llm.chat_tokens(QUESTION)
    bare_loop(llm, prompt, N)
    ordinary(llm, prompt, N)
    ratios = []
    for _ in range(7):
        bare = bare_loop(llm, prompt, N)
        ratios.append(bare / ordinary(llm, prompt, N))
    ratio = statistics.median(ratios)
    print(f"ordinary / bare loop: median {ratio:.3f}, {min(ratios):.3f} to {max(ratios):.3f}")
    assert ratio >= 0.97


class Clock:
    """Adds up the time spent inside native functions."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def around(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any) -> Any:
            start = perf_counter()
            try:
                return call(*args)
            finally:
                self.seconds += perf_counter() - start

        return timed


def test_rounds_spend_little_in_python(llm: Llama, monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = llm.chat_tokens(QUESTION)
    llm.set_speculation(True)
    for _ in llm.generate(prompt, GREEDY, 32, ignore_eos=True):
        pass
    clock = Clock()
    for module, names in (
        (handles, ("_decode", "_synchronize", "_logits", "_logits_ready", "_seq_rm", "_is_eog", "_piece")),
        (sampling_chain, ("_sample",)),
    ):
        for name in names:
            monkeypatch.setattr(module, name, clock.around(getattr(module, name)))
    shares = []
    for _ in range(5):
        clock.seconds = 0.0
        before = 0.0
        started = False
        for event in llm.generate(prompt, GREEDY, N, ignore_eos=True):
            if not started and type(event).__name__ == "RoundDone":
                started = True
            if not started:
                before = clock.seconds
        total = float(llm.last_speculative_stats["generation_seconds"])
        # `before` ends with the last prefill slice, so the first round is in the native time as well.
        shares.append(1 - (clock.seconds - before) / total)
    share = statistics.median(shares)
    print(f"python outside native calls: median {share:.2%}, {min(shares):.2%} to {max(shares):.2%}")
    assert share < 0.03


def test_a_cancel_is_heard_within_200_ms(llm: Llama) -> None:
    """In the prompt, in catching up and between rounds: seconds from the cancel to the end of the reply."""
    text = "Summarise this report. " + " ".join(f"Sentence number {i} says nothing new." for i in range(120))
    long_prompt = llm.chat_tokens([ChatMessage("user", text)])
    waits: dict[str, list[float]] = {"prompt": [], "catching up": [], "rounds": []}

    def cancel_when(phase: str, heard: Callable[[Event], bool], delay: float) -> None:
        cancel = threading.Event()
        timer: threading.Timer | None = None
        at: list[float] = []

        def set_it() -> None:
            at.append(perf_counter())
            cancel.set()

        for event in llm.generate(long_prompt, GREEDY, 200, ignore_eos=True, cancel=cancel):
            if timer is None and heard(event):
                timer = threading.Timer(delay, set_it)
                timer.start()
        ended = perf_counter()
        assert timer is not None
        timer.cancel()
        if at:  # else it had ended before
            waits[phase].append(ended - at[0])

    for delay in (0.0, 0.03, 0.06, 0.09):
        llm.set_speculation(True)
        llm.reset()
        cancel_when("prompt", lambda event: isinstance(event, PrefillProgress), delay)
        cancel_when("rounds", lambda event: isinstance(event, RoundDone), delay)
        llm.set_speculation(False)
        llm.reset()
        for _ in llm.generate(long_prompt, GREEDY, 4, ignore_eos=True):
            pass
        llm.set_speculation(True)
        cancel_when("catching up", lambda event: isinstance(event, PrefillProgress), delay)
    for phase, seconds in waits.items():
        print(f"cancel in {phase}: longest {max(seconds) * 1000:.0f} ms of {len(seconds)}")
        assert max(seconds) <= 0.2
    # What was read is kept, and the next request works.
    for _ in llm.generate(long_prompt, GREEDY, 4, ignore_eos=True):
        pass
    assert llm.last_speculative_stats["reused_tokens"] > 0
