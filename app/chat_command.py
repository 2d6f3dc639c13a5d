"""`slipstream chat`: one prompt or a conversation in the terminal. Imports no Qt."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from app.core import locations
from app.core.conversation import ASSISTANT, SYSTEM, USER, ChatMessage
from app.core.errors import EnvironmentProblem
from app.core.events import CANCELLED, PrefillProgress, ReplyDone, RoundDone
from app.core.speculation import SpecConfig, SpeculativeType
from app.engine import Llama
from app.engine.algorithms import algorithms, asked_variant
from app.sampling_arguments import sampling_from

# Clamped to what the drafter can do; the automatic length stays below it.
LONGEST = 64


def run_chat(args: argparse.Namespace) -> int:
    """Exit codes: 0 done, 1 stopped by the user in a one-prompt run, 2 (raised) a problem."""
    if args.json and args.prompt is None:
        raise EnvironmentProblem("--json needs a prompt.", remedy="Give one with -p.")
    if args.prompt is not None and not args.prompt.strip():
        raise EnvironmentProblem("The prompt is empty.", remedy="Write something after -p.")
    args.sampling = sampling_from(args)
    model, draft = choose_pair(args.model, args.draft_model)
    spec = None if args.no_speculation else spec_from_arguments(args, draft)
    with _stop_on_interrupt() as cancel:
        llm = Llama(
            model,
            n_ctx=args.n_ctx,
            n_gpu_layers="all",
            n_threads=args.threads or None,
            ctx_checkpoints=4,
            speculative=spec,
            algorithm=asked_variant(args.algorithm),
            automatic_length=args.draft_tokens == "auto",
            backend_sampling=args.backend_sampling,
            verbose=args.verbose,
            cancel=cancel,
        )
    with llm:
        chat = [ChatMessage(SYSTEM, args.system)] if args.system.strip() else []
        if args.prompt is not None:
            result = _answer(llm, [*chat, ChatMessage(USER, args.prompt)], args, stream=not args.json)
            if args.json:
                print(json.dumps(result, ensure_ascii="utf" not in (sys.stdout.encoding or "").lower()))
            return 1 if result["finish_reason"] == CANCELLED else 0
        return _converse(llm, chat, args)


def choose_pair(model: str | None, draft: str | None) -> tuple[str, str]:
    """Paths of target and sidecar; the default pair's where none is given."""
    if model:
        return model, draft or ""
    target = locations.default_target()
    if target is None:
        raise EnvironmentProblem(
            "The default target is not installed.",
            remedy="Give one with --model, put the default pair into the models folder, "
            "or run packaging/bootstrap.py, which fetches it.",
            code="no-model",
        )
    if draft:
        return str(target), draft
    default = locations.default_draft()
    return str(target), str(default) if default is not None else ""


def spec_from_arguments(args: argparse.Namespace, draft: str) -> SpecConfig | None:
    """The speculation asked for; None for ordinary decoding (no sidecar, nothing asked)."""
    types = algorithms(args.algorithm, draft)
    if not types:
        return None
    if SpeculativeType.DRAFT_SIMPLE in types and not args.draft_model:
        raise EnvironmentProblem(
            "A draft model was asked for, but none was given.",
            remedy="Give a smaller model of the same vocabulary with --draft-model.",
            code="no-sidecar",
        )
    return SpecConfig(
        spec_type=types[0] if len(types) == 1 else types,
        draft_model_path=draft or None,
        draft_n_max=LONGEST if args.draft_tokens == "auto" else int(args.draft_tokens),
        draft_p_min=args.draft_p_min,
        draft_n_gpu_layers="all",
        draft_backend_sampling=args.backend_sampling,
    )


def _answer(llm: Llama, chat: list[ChatMessage], args: argparse.Namespace, stream: bool) -> dict[str, Any]:
    """Generate one reply, printing it as it comes with `stream`; Ctrl+C stops it."""
    prompt = llm.chat_tokens(chat)
    parts: list[str] = []
    finish = ""
    with _stop_on_interrupt() as cancel:
        for event in llm.generate(
            prompt, args.sampling, args.max_tokens, tuple(args.stop), args.ignore_eos, cancel
        ):
            if isinstance(event, PrefillProgress) and event.catch_up:
                continue
            if isinstance(event, (RoundDone, ReplyDone)):
                parts.append(event.text)
                if stream:
                    print(event.text, end="", flush=True)
            if isinstance(event, ReplyDone):
                finish = event.finish_reason
    if stream:
        print()
    return {
        "text": "".join(parts),
        "prompt_ids": prompt,
        "tokens": [t for r in llm.last_rounds for t in r.tokens],
        "finish_reason": finish,
        "stats": llm.last_speculative_stats,
        "algorithm": llm.pair.algorithm or "none",
        "effective_draft_n_max": llm.effective_draft_n_max,
        "model": llm.pair.target_path,
        "draft_model": llm.pair.draft_path,
        "load_seconds": llm.pair.load_seconds,
    }


def _converse(llm: Llama, chat: list[ChatMessage], args: argparse.Namespace) -> int:
    interactive = sys.stdin.isatty()
    while True:
        if interactive:
            print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            return 0
        if not line.strip():
            continue
        chat.append(ChatMessage(USER, line.strip()))
        try:
            result = _answer(llm, chat, args, stream=True)
        except EnvironmentProblem as problem:
            chat.pop()
            print(f"slipstream: {problem}", file=sys.stderr)
            continue
        chat.append(ChatMessage(ASSISTANT, result["text"]))
        if interactive:
            print(_summary(result["stats"]))


def _summary(stats: dict[str, Any]) -> str:
    speed = stats["generation_tokens_per_second"]
    rate = stats["acceptance_rate"]
    parts = [f"{speed:.1f} tok/s" if speed else "— tok/s"]
    if rate is not None:
        parts.append(f"accepted {rate:.0%} of {stats['verified']} drafts")
    return f"[{', '.join(parts)}]"


@contextmanager
def _stop_on_interrupt() -> Iterator[threading.Event]:
    """Within, Ctrl+C sets the event instead of raising in the middle of a native call."""
    cancel = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield cancel
        return
    previous = signal.signal(signal.SIGINT, lambda *_: cancel.set())
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, previous)
