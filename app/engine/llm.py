"""The public `Llama`: a pair behind the chat-completion shape of the llama.cpp family.

Text only, one sequence. It joins template, tokens, sampler and loop; the loop itself is in `decoding`.
"""

from __future__ import annotations

import os
import threading
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, overload

from app.core import checks
from app.core.conversation import ChatMessage, new_id
from app.core.errors import Bug, EnvironmentProblem
from app.core.events import Event, LoadedPair, ReplyDone, ReplyStarted, RoundDone, SpeculationStatus
from app.core.reasoning import DEFAULT, ReasoningFormat
from app.core.rounds import Round
from app.core.sampling import SamplingParams
from app.core.speculation import SpecConfig
from app.core.templates import PromptPreview, TemplateChoice
from app.engine.chat_template import ChatTemplate
from app.engine.completion_options import chat_of, sampling_of
from app.engine.decoding import Control, Decoder, Prompt
from app.engine.draft_length import AutomaticLength, FixedLength
from app.engine.drafters.build import limits_for
from app.engine.load_log import log_pair, show_log
from app.engine.load_options import LoadOptions
from app.engine.loading import load
from app.engine.prompt_preview import preview
from app.engine.reasoning_probe import ends_inside
from app.engine.sampling import Sampler
from app.engine.text import TextStream


class Llama:
    """A target and, with `speculative`, its sidecar. Use as a context manager or call `close()`.

    `n_gpu_layers`: "all", "auto" or a number; `n_threads` None means one per core; `type_k`/`type_v`:
    names of KV types; `flash_attn`: True, False or None for automatic. Where memory cannot be cut back
    (recurrent, hybrid, windowed), up to `ctx_checkpoints` states of the text so far are kept, one every
    `checkpoint_interval` tokens and at the end of a prompt; `checkpoint_on_device` keeps the state before
    a verification in device memory. `report` gets (stage, fraction)
    while loading, `cancel` stops it. `automatic_length` lets each round draft as much as promises to pay,
    up to `draft_n_max`; the profile this needs is kept in the file `profile_cache`. `backend_sampling`
    chooses the target's tokens on the backend where all of a reply's sampler chain can run there; the
    statistics say whether it did. Raises EnvironmentProblem for everything the user can mend.
    """

    def __init__(
        self,
        model_path: str,
        *,
        n_ctx: int = 512,
        n_batch: int = 512,
        n_ubatch: int = 512,
        n_gpu_layers: int | str = "auto",
        n_threads: int | None = None,
        n_threads_batch: int | None = None,
        type_k: str = "f16",
        type_v: str = "f16",
        flash_attn: bool | None = None,
        ctx_checkpoints: int = 16,
        checkpoint_interval: int = 4096,
        checkpoint_on_device: bool = False,
        speculative: SpecConfig | None = None,
        algorithm: str = "auto",
        speculation_required: bool = True,
        automatic_length: bool = False,
        profile_cache: str | os.PathLike[str] | None = None,
        backend_sampling: bool = False,
        verbose: bool = True,
        report: Callable[[str, float], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> None:
        self._decoder: Decoder | None = None
        self._lock = threading.Lock()
        self._reply = 0
        if verbose:
            show_log()
        if not isinstance(model_path, (str, os.PathLike)):
            raise TypeError(f"model_path must be a path, not {type(model_path).__name__}")
        if speculative is not None:
            checks.one_of("speculative", speculative, SpecConfig)
        options = LoadOptions(
            model_path=os.fspath(model_path),
            n_ctx=n_ctx,
            n_batch=n_batch,
            n_ubatch=n_ubatch,
            n_gpu_layers=n_gpu_layers,
            n_threads=n_threads,
            n_threads_batch=n_threads_batch,
            type_k=type_k,
            type_v=type_v,
            flash_attn=flash_attn,
            ctx_checkpoints=ctx_checkpoints,
            checkpoint_interval=checkpoint_interval,
            checkpoint_on_device=checkpoint_on_device,
            algorithm=algorithm,
            profile=automatic_length,
            profile_cache=Path(profile_cache) if profile_cache is not None else None,
            backend_sampling=backend_sampling,
        )
        loaded = load(options, speculative or SpecConfig(), speculation_required, report, cancel)
        self._decoder = loaded.decoder
        # Also when the object is dropped without `close()`; never at the interpreter's exit.
        self._free = weakref.finalize(self, loaded.decoder.close)
        self._free.atexit = False
        self._template = loaded.template
        self._template_choice = loaded.template.choice
        self.pair: LoadedPair = loaded.pair
        self.prompt_reasoning: ReasoningFormat = self._template.reasoning
        """What the last chat prompt says about thinking."""
        self._costs = loaded.costs
        if automatic_length and loaded.costs is not None:
            loaded.decoder.length = AutomaticLength(loaded.costs)
        log_pair(loaded.pair)

    # --- state --------------------------------------------------------------------------------------

    @property
    def decoder(self) -> Decoder:
        """The loop; Bug after `close()`."""
        if self._decoder is None:
            raise Bug("the model is closed")
        return self._decoder

    @property
    def control(self) -> Control:
        return self.decoder.control

    @property
    def last_speculative_stats(self) -> dict[str, Any]:
        """Statistics of the last reply, by their published names."""
        return self.decoder.stats.as_dict()

    @property
    def last_rounds(self) -> list[Round]:
        """The recorded rounds of the last reply."""
        return self.decoder.rounds

    @property
    def effective_draft_n_max(self) -> int:
        """The draft length after clamping to the trained block; 0 without a drafter."""
        return self.control.limits.n_max if self.decoder.drafter is not None else 0

    def status(self) -> SpeculationStatus:
        return self.decoder.status()

    def set_speculation(self, on: bool) -> None:
        """Any thread; takes effect at the next round, also in the middle of a reply."""
        self.control.on = on

    def set_draft_limits(
        self, n_max: int, n_min: int = 0, p_min: float = 0.0, automatic: bool = False
    ) -> None:
        """Any thread; takes effect at the next round. `n_max` is clamped to the trained block.

        `automatic` chooses each round's length and needs the profile made at load with
        `automatic_length`; without one the length stays fixed.
        """
        checks.whole("n_max", n_max)
        checks.whole("n_min", n_min)
        checks.number("p_min", p_min)
        decoder = self.decoder
        drafter = decoder.drafter
        if drafter is not None:
            self.control.limits = limits_for(drafter, n_max, n_min, p_min)
        if not automatic or self._costs is None:
            decoder.length = FixedLength()
        elif not decoder.length.automatic:
            decoder.length = AutomaticLength(self._costs)

    def reset(self) -> None:
        """Forget every cached token."""
        self.decoder.target.cut(0)
        if self.decoder.drafter is not None:
            self.decoder.drafter.truncate(0)

    # --- text ---------------------------------------------------------------------------------------

    def tokenize(self, text: str, add_special: bool = False, parse_special: bool = True) -> list[int]:
        checks.text("text", text)
        return self.decoder.target.model.tokenize(text, add_special, parse_special)

    def detokenize(self, tokens: Sequence[int], special: bool = False) -> str:
        model = self.decoder.target.model
        tokens = checks.tokens("tokens", tokens, model.n_vocab)
        return b"".join(model.piece(t, special) for t in tokens).decode("utf-8", "replace")

    def set_template(self, choice: TemplateChoice) -> None:
        """Any thread; takes effect with the next prompt."""
        self._template_choice = choice

    def preview(self, messages: Sequence[ChatMessage], choice: TemplateChoice) -> PromptPreview:
        """The prompt as `choice` makes it; see `prompt_preview.preview`."""
        return preview(self._template.changed(choice), messages, self.decoder.target.model)

    def _chat_template(self) -> ChatTemplate:
        if self._template_choice != self._template.choice:
            self._template = self._template.changed(self._template_choice)
        return self._template

    def chat_tokens(
        self,
        messages: Sequence[ChatMessage],
        continue_text: str = "",
        continue_tokens: Sequence[int] = (),
    ) -> list[int]:
        """The prompt as the chat template makes it, generation prefix included.

        `continue_text`, or its tokens where they are known, is put behind that prefix as it is, where the
        model wrote it: a template would trim it, or close the turn.
        """
        template = self._chat_template()
        prompt = template.render(messages)
        inside = ends_inside(prompt, template.reasoning.opening)
        self.prompt_reasoning = replace(template.reasoning, inside=inside)
        text = prompt + ("" if continue_tokens else continue_text)
        model = self.decoder.target.model
        tokens = model.tokenize(text, model.adds_bos and not template.adds_bos, True)
        return [*tokens, *continue_tokens]

    # --- generation ---------------------------------------------------------------------------------

    def generate(
        self,
        tokens: Sequence[int],
        sampling: SamplingParams,
        max_tokens: int | None = None,
        stop: str | Sequence[str] = (),
        ignore_eos: bool = False,
        cancel: threading.Event | None = None,
        reply_id: str = "",
        reasoning: ReasoningFormat = DEFAULT,
        begun: Sequence[int] = (),
    ) -> Iterator[Event]:
        """Events of one reply to a prompt in tokens; see `Decoder.generate`.

        TypeError or ValueError name what was given wrong, at once. `reasoning` is what the prompt says about
        thinking (`prompt_reasoning`); it is handed on. `begun` are the tokens at the end of the prompt that
        a grammar has to count to the reply.

        One reply at a time: beginning another one ends this one with a Bug.
        """
        decoder = self.decoder
        n_vocab = decoder.target.model.n_vocab
        checks.one_of("sampling", sampling, SamplingParams)
        if max_tokens is not None:
            checks.whole("max_tokens", max_tokens)
        prompt = Prompt(reply_id or new_id(), checks.tokens("tokens", tokens, n_vocab), max_tokens, 0)
        begun = checks.tokens("begun", begun, n_vocab)
        stops = checks.texts("stop", stop)
        return self._events(decoder, prompt, sampling, stops, ignore_eos, cancel, reasoning, begun)

    def _events(
        self,
        decoder: Decoder,
        prompt: Prompt,
        sampling: SamplingParams,
        stops: Sequence[str],
        ignore_eos: bool,
        cancel: threading.Event | None,
        reasoning: ReasoningFormat,
        begun: Sequence[int],
    ) -> Iterator[Event]:
        seed = sampling.seed if sampling.seed is not None else int.from_bytes(os.urandom(4), "little")
        with self._lock:
            if self._decoder is not decoder:
                raise Bug("the model is closed")
            target = decoder.target
            self._reply += 1
            reply = self._reply
            on_backend = target.context if self.pair.target_backend_sampling else None
            sampler = Sampler(target.model, sampling, seed, target.context.n_ctx, ignore_eos, on_backend)
            try:
                sampler.resume(begun)
            except EnvironmentProblem:
                sampler.close()
                raise
        steps = decoder.generate(
            replace(prompt, seed=seed),
            sampler,
            TextStream((*stops, *self._template.stops)),
            cancel or threading.Event(),
        )
        try:
            while True:
                with self._lock:
                    if self._decoder is not decoder:
                        raise Bug("the model was closed while a reply was being read")
                    if self._reply != reply:
                        raise Bug("another reply was begun on this model; read one at a time")
                    event = next(steps, None)
                if event is None:
                    return
                if isinstance(event, ReplyStarted):
                    event = replace(event, reasoning=reasoning)
                yield event
        finally:
            steps.close()
            sampler.close()

    @overload
    def create_chat_completion(
        self, messages: Sequence[Mapping[str, str]], *, stream: Literal[False] = False, **options: Any
    ) -> dict[str, Any]: ...

    @overload
    def create_chat_completion(
        self, messages: Sequence[Mapping[str, str]], *, stream: Literal[True], **options: Any
    ) -> Iterator[dict[str, Any]]: ...

    def create_chat_completion(
        self, messages: Sequence[Mapping[str, str]], *, stream: bool = False, **options: Any
    ) -> dict[str, Any] | Iterator[dict[str, Any]]:
        """A reply in the chat-completion shape, or with `stream` an iterator of its chunks.

        Options: the fields of `SamplingParams` (`temperature` is 0.2 here), `max_tokens None, stop (),
        ignore_eos False, cancel None`, and `response_format`: `{"type": "json_object"}`, the same with a
        `schema`, or `{"type": "json_schema", "json_schema": {"schema": ...}}`. Raises EnvironmentProblem
        for a grammar or a schema that cannot be used.
        """
        chunks = self._chat_chunks(messages, **options)
        if stream:
            return chunks
        parts: list[str] = []
        last: dict[str, Any] = {}
        for last in chunks:
            parts.append(last["choices"][0]["delta"].get("content", ""))
        stats = self.decoder.stats
        return {
            "id": last["id"],
            "object": "chat.completion",
            "created": last["created"],
            "model": last["model"],
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": "".join(parts)},
                    "logprobs": None,
                    "finish_reason": last["choices"][0]["finish_reason"],
                }
            ],
            "usage": {
                "prompt_tokens": stats.prompt_tokens,
                "completion_tokens": stats.generation_tokens,
                "total_tokens": stats.prompt_tokens + stats.generation_tokens,
            },
        }

    def _chat_chunks(
        self,
        messages: Sequence[Mapping[str, str]],
        max_tokens: int | None = None,
        stop: str | Sequence[str] | None = None,
        ignore_eos: bool = False,
        cancel: threading.Event | None = None,
        **options: Any,
    ) -> Iterator[dict[str, Any]]:
        chat = chat_of(messages)
        if max_tokens is not None:
            checks.whole("max_tokens", max_tokens)
            if max_tokens <= 0:
                max_tokens = None  # as the family means it: to the end of the context
        sampling, stops = sampling_of(options), checks.texts("stop", stop)
        return self._chunks(chat, sampling, max_tokens, stops, ignore_eos, cancel)

    def _chunks(
        self,
        chat: Sequence[ChatMessage],
        sampling: SamplingParams,
        max_tokens: int | None,
        stops: Sequence[str],
        ignore_eos: bool,
        cancel: threading.Event | None,
    ) -> Iterator[dict[str, Any]]:
        head = {
            "id": f"chatcmpl-{new_id()}",
            "object": "chat.completion.chunk",
            "created": int(time.time()),
            "model": self.pair.target_path,
        }

        def chunk(delta: dict[str, str], finish_reason: str | None = None) -> dict[str, Any]:
            choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
            return {**head, "choices": [choice]}

        yield chunk({"role": "assistant"})
        events = self.generate(
            self.chat_tokens(chat),
            sampling,
            max_tokens,
            stops,
            ignore_eos,
            cancel,
        )
        for event in events:
            if isinstance(event, RoundDone) and event.text:
                yield chunk({"content": event.text})
            elif isinstance(event, ReplyDone):
                yield chunk({"content": event.text} if event.text else {}, event.finish_reason)

    # --- end ----------------------------------------------------------------------------------------

    def close(self) -> None:
        """Free everything, in order; may be called again. Waits for a step that another thread is in."""
        # Before the lock: who reads a reply takes it again at once, step after step, and would keep it.
        self._decoder = None
        with self._lock:
            self._free()

    def __enter__(self) -> Llama:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
