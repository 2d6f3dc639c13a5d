"""N-gram drafting on the default target: a text that is copied, its speed, and that it stays the text."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from time import perf_counter

import pytest

from app.core.conversation import ChatMessage
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama
from app.engine.decoding import Decoder, Prompt
from app.engine.drafters.build import limits_for, make_ngram
from app.engine.handles import Context
from app.engine.sampling import Sampler
from app.engine.text import TextStream
from tests.engine.copying import NGRAM_KINDS, assert_same_text
from tests.engine.support import GREEDY, Reply, bare_decoder, collect, run

KINDS = pytest.mark.parametrize("kind", NGRAM_KINDS, ids=lambda kind: kind.to_str())
SOURCE = """\
def read_settings(path, defaults):
    settings = dict(defaults)
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, start=1):
            line = line.strip()
            if not line or line.startswith("#"):
                continue
            name, found, value = line.partition("=")
            if not found:
                raise ValueError(f"line {number} of {path} has no value")
            if name.strip() not in defaults:
                raise KeyError(f"line {number} of {path} names an unknown setting")
            settings[name.strip()] = value.strip()
    return settings


def write_settings(path, settings):
    with open(path, "w", encoding="utf-8") as file:
        for name in sorted(settings):
            file.write(f"{name} = {settings[name]}\\n")
"""
REQUEST = [ChatMessage("user", f"Repeat this program without any change:\n\n{SOURCE}")]


@pytest.fixture(scope="module")
def decoder(default_pair: tuple[Path, Path]) -> Iterator[Decoder]:
    decoder = bare_decoder(default_pair[0], n_max=64)
    yield decoder
    decoder.close()


@pytest.fixture(scope="module")
def prompt(default_pair: tuple[Path, Path]) -> list[int]:
    with Llama(str(default_pair[0]), n_ctx=256, verbose=False) as llm:
        return llm.chat_tokens(REQUEST)


@pytest.fixture(scope="module")
def ordinary(decoder: Decoder, prompt: list[int]) -> Reply:
    use(decoder, None)
    return run(decoder, prompt, 200)


class CopyingSampler(Sampler):
    """Chooses a given text whatever the logits say, and waits for them as any sampler does."""

    def __init__(self, decoder: Decoder, text: Sequence[int]) -> None:
        super().__init__(decoder.target.model, GREEDY, 1, decoder.target.context.n_ctx)
        self._text = list(text)

    def verify(self, context: Context, draft: Sequence[int], first: int = 0) -> list[int]:
        context.logits(len(draft) + 1)
        accepted = 0
        while accepted < len(draft) and draft[accepted] == self._text[accepted]:
            accepted += 1
        chosen, self._text = self._text[: accepted + 1], self._text[accepted + 1 :]
        return chosen


def copied(decoder: Decoder, prompt: Sequence[int], text: Sequence[int]) -> Reply:
    """The reply that is `text`."""
    # A token to spare: the limit ends the reply before the text does.
    sampler = CopyingSampler(decoder, [*text, *text[:70]])
    events = list(
        decoder.generate(Prompt("r", prompt, len(text), 1), sampler, TextStream(()), threading.Event())
    )
    return collect(events, decoder.rounds)


def use(decoder: Decoder, kind: SpeculativeType | None) -> None:
    decoder.drafter = make_ngram(kind, SpecConfig()) if kind is not None else None
    decoder.control.on = kind is not None
    if decoder.drafter is not None:
        decoder.control.limits = limits_for(decoder.drafter, 3)


@pytest.mark.real
@KINDS
def test_a_copy_prompt(decoder: Decoder, prompt: list[int], ordinary: Reply, kind: SpeculativeType) -> None:
    use(decoder, kind)
    decoder.target.cut(0)
    reply = run(decoder, prompt, 200)
    assert decoder.stats.drafted > 0
    assert decoder.stats.accepted > 0
    assert_same_text(decoder, prompt, ordinary, reply)


@pytest.mark.real
@pytest.mark.benchmark
@KINDS
def test_a_true_copy_is_faster(decoder: Decoder, prompt: list[int], kind: SpeculativeType) -> None:
    """At least three tokens a round and 0.85 of what the cost of the rounds' widths allows.

    Above 1.3x as well, where a verified row costs less than half of a step: where rows cost as much as steps,
    as those of formats without a kernel for several rows do, no text is copied faster than it is decoded.
    """
    text = decoder.target.model.tokenize(SOURCE, False, False)

    def seconds(kind: SpeculativeType | None) -> float:
        use(decoder, kind)
        reply = copied(decoder, prompt, text)
        assert reply.tokens == text
        return decoder.stats.generation_seconds

    # Taken in turn, so that both have the same share of a busy machine.
    ordinary, speculative = (
        min(times) for times in zip(*((seconds(None), seconds(kind)) for _ in range(3)), strict=True)
    )
    widths = [r.verified + 1 for r in decoder.rounds]
    use(decoder, None)
    cost = {width: verify_cost(decoder, prompt, width) for width in {1, *widths}}
    allowed = len(text) * cost[1] / sum(cost[width] for width in widths)
    speedup = ordinary / speculative
    widest = max(widths)
    row = cost[widest] / widest / cost[1]
    print(f"{kind.to_str()}: {speedup:.2f}x of {allowed:.2f}x allowed, a row {row:.2f} steps, {widths}")
    assert len(text) > 3 * len(widths)
    assert speedup > 0.85 * allowed
    assert row > 0.5 or speedup > 1.3


def verify_cost(decoder: Decoder, prompt: Sequence[int], width: int) -> float:
    """Seconds of one verification of `width` rows after the prompt."""
    target = decoder.target
    target.cut(len(prompt))
    times = []
    for _ in range(5):
        start_time = perf_counter()
        target.decode_rows(prompt[:width])
        target.context.synchronize()
        times.append(perf_counter() - start_time)
        target.roll_back(len(prompt))
    return median(times)
