"""Pieces the engine's tests share: a bare decoder, drafters that know the answer, one way to run a reply."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from app.core.events import Event, ReplyDone, RoundDone
from app.core.rounds import Round
from app.core.sampling import SamplingParams
from app.core.speculation import SpeculativeType
from app.engine.decoding import Control, Decoder, Prompt
from app.engine.drafters.base import Drafter, DraftLimits
from app.engine.handles import Context, Model
from app.engine.sampling import Sampler
from app.engine.target import Target
from app.engine.text import TextStream

GREEDY = SamplingParams(temperature=0.0)


@dataclass
class Reply:
    """What one run gave: delivered tokens, their text, how it ended, every event and recorded round."""

    tokens: list[int] = field(default_factory=list)
    text: str = ""
    finish: str = ""
    events: list[Event] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)


def collect(events: Sequence[Event], rounds: Sequence[Round]) -> Reply:
    """Text from the events, tokens from the rounds as they were recorded in the end."""
    reply = Reply(events=list(events), rounds=list(rounds))
    for event in events:
        if isinstance(event, (RoundDone, ReplyDone)):
            reply.text += event.text
        if isinstance(event, ReplyDone):
            reply.finish = event.finish_reason
    reply.tokens = [t for r in rounds for t in r.tokens]
    return reply


def run(
    decoder: Decoder,
    tokens: Sequence[int],
    max_tokens: int | None,
    sampling: SamplingParams = GREEDY,
    stop: Sequence[str] = (),
    ignore_eos: bool = False,
    on: bool = True,
    cancel: threading.Event | None = None,
    watch: Callable[[Event], None] | None = None,
    on_backend: bool = False,
) -> Reply:
    """One reply of a bare decoder; `watch` sees each event as it comes."""
    decoder.control.on = on
    target = decoder.target
    seed = sampling.seed if sampling.seed is not None else 1
    context = target.context
    wanted = context if on_backend else None
    sampler = Sampler(target.model, sampling, seed, context.n_ctx, ignore_eos, wanted)
    events: list[Event] = []
    try:
        for event in decoder.generate(
            Prompt("r", tokens, max_tokens, seed), sampler, TextStream(stop), cancel or threading.Event()
        ):
            events.append(event)
            if watch is not None:
                watch(event)
    finally:
        sampler.close()
    return collect(events, decoder.rounds)


# Rows then hardly depend on how many of them are decoded at once, so draws do not, either.
EXACT = {"flash_attn_type": 0, "type_k": 0, "type_v": 0}


def bare_target(
    path: Path, rows_max: int = 16, n_ctx: int = 2048, threads: int = 1, **options: Any
) -> Target:
    model = Model(str(path))
    context = Context(
        model,
        n_ctx=n_ctx,
        n_batch=512,
        n_ubatch=512,
        n_outputs_max=rows_max,
        n_threads=threads,
        n_threads_batch=threads,
        **options,
    )
    return Target(model, context, rows_max)


def bare_decoder(
    path: Path,
    drafter: Drafter | None = None,
    n_max: int = 7,
    n_ctx: int = 2048,
    threads: int = 1,
    **options: Any,
) -> Decoder:
    """A decoder of the program's own parts, without sidecar file or header checks."""
    target = bare_target(path, n_max + 1, n_ctx, threads, **options)
    return Decoder(target, drafter, Control(drafter is not None, DraftLimits(n_max)))


class ReplayDrafter:
    """Knows the ordinary reply and proposes its next token rightly with probability `right`.

    `answer` follows a prompt of `prompt_length` tokens. Right 1 is an oracle, right 0 never is.
    """

    name = proposer = "Replay"
    kind = SpeculativeType.NGRAM_SIMPLE
    needs_rows = False
    supports_p_min = True
    n_max_limit = 64
    chances: Sequence[float] = ()

    def __init__(self, answer: Sequence[int], prompt_length: int, right: float, n_vocab: int) -> None:
        self._answer = list(answer)
        self._prompt_length = prompt_length
        self._right = right
        self._n_vocab = n_vocab
        self._random = np.random.default_rng(11)
        self.accepted: list[int] = []

    @property
    def known(self) -> int:
        return 1 << 30

    def attach(self, on: bool) -> None: ...

    def begin(self, committed: Sequence[int]) -> None: ...

    def truncate(self, n: int) -> None: ...

    def process(self, tokens: Sequence[int], start: int) -> None: ...

    def defer(self, tokens: Sequence[int], start: int) -> None: ...

    def draft(self, last: int, position: int, limits: DraftLimits) -> list[int]:
        # `last` stands at `position`; the reply's token 0 stands at the prompt's length.
        at = position + 1 - self._prompt_length
        wanted = self._answer[at : at + limits.n_max]
        return [t if self._random.random() < self._right else (t + 1) % self._n_vocab for t in wanted]

    def accept(self, n_accepted: int) -> None:
        self.accepted.append(n_accepted)

    def close(self) -> None: ...
