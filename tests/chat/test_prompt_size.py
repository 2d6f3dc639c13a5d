"""The real engine says how large a prompt is, how much of it is in the context, and how it thinks."""

from __future__ import annotations

import threading
from pathlib import Path

from app.core.conversation import ASSISTANT, USER, ChatMessage
from app.core.events import ReplyStarted, RoundDone
from app.core.pair_settings import PairSettings
from app.core.ports import GenerateRequest, LoadRequest
from app.core.sampling import SamplingParams
from app.engine import LocalEngine


def test_what_a_reply_has_read_and_written_need_not_be_read_again(tiny_target: Path) -> None:
    engine = LocalEngine()
    settings = PairSettings(n_ctx=512, n_threads=1, n_gpu_layers=0)
    engine.load(LoadRequest(str(tiny_target), settings=settings), lambda _: None, threading.Event())
    try:
        asked = (ChatMessage(USER, "Tell me something about drafts."),)
        before = engine.measure_prompt(asked)
        assert before.reusable == 0
        request = GenerateRequest("r", asked, SamplingParams(temperature=0.0), max_tokens=12)
        events = list(engine.generate(request, threading.Event()))
        started = next(e for e in events if isinstance(e, ReplyStarted))
        assert started.prompt_tokens == before.tokens
        assert (started.reasoning.opening, started.reasoning.inside) == ("<think>", False)
        text = "".join(e.text for e in events if isinstance(e, RoundDone))
        after = engine.measure_prompt((*asked, ChatMessage(ASSISTANT, text), ChatMessage(USER, "And more?")))
        assert after.tokens > before.tokens
        # The question at least; where the reply is tokenised as it was written, that as well.
        assert before.tokens - 4 <= after.reusable < after.tokens
        assert engine.count_prompt_tokens(asked) == before.tokens
    finally:
        engine.close()
