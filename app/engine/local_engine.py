"""The Engine port on this machine, in this process: `Llama` behind picklable commands and events.

A sidecar that cannot be used never costs the user the target: the pair is loaded without it, and the
status says why.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from app.core.context import PromptSize
from app.core.conversation import ChatMessage
from app.core.errors import Bug, EnvironmentProblem
from app.core.events import NO_MODEL, Event, LoadedPair, LoadProgress, SpeculationStatus
from app.core.pair_settings import PairSettings
from app.core.ports import GenerateRequest, LoadRequest
from app.core.speculation import SpecConfig, SpeculativeType
from app.core.templates import FROM_FILE, PromptPreview, TemplateChoice
from app.core.wording import say
from app.engine.algorithms import algorithms, asked_variant
from app.engine.chat_template import ChatTemplate
from app.engine.decoding import common_prefix
from app.engine.llm import Llama
from app.engine.prompt_preview import preview

# Saved states of a conversation, where memory cannot be cut back; each may take 100 MB in a large model.
_STATES = 4


class LocalEngine:
    """See `app.core.ports.Engine`."""

    def __init__(self, profile_cache: Path | None = None) -> None:
        """`profile_cache`: where measured draft costs are kept, if anywhere."""
        self._profile_cache = profile_cache
        self._llm: Llama | None = None

    def load(
        self, request: LoadRequest, report: Callable[[Event], None], cancel: threading.Event
    ) -> tuple[LoadedPair, SpeculationStatus]:
        self.close()
        settings = request.settings
        self._llm = llm = Llama(
            request.target_path,
            n_ctx=settings.n_ctx,
            n_batch=settings.n_batch,
            n_ubatch=settings.n_ubatch,
            n_gpu_layers=settings.n_gpu_layers,
            n_threads=settings.n_threads or None,
            type_k=settings.type_k,
            type_v=settings.type_v,
            flash_attn={"on": True, "off": False}.get(settings.flash_attn),
            ctx_checkpoints=_STATES,
            speculative=spec_config(settings, request.draft_path),
            algorithm=asked_variant(settings.algorithm),
            speculation_required=False,
            automatic_length=True,
            backend_sampling=settings.backend_sampling,
            profile_cache=self._profile_cache,
            verbose=False,
            report=lambda stage, fraction: report(LoadProgress(stage, fraction)),
            cancel=cancel,
        )
        llm.set_draft_limits(
            settings.draft_n_max, settings.draft_n_min, settings.draft_p_min, settings.automatic_length
        )
        llm.set_speculation(request.speculation_on)
        llm.set_template(settings.template)
        return llm.pair, llm.status()

    def generate(self, request: GenerateRequest, cancel: threading.Event) -> Iterator[Event]:
        llm = self.loaded()
        tokens = llm.chat_tokens(request.messages, request.continue_text, request.continue_tokens)
        begun = request.continue_tokens or llm.tokenize(request.continue_text, parse_special=False)
        yield from llm.generate(
            tokens,
            request.sampling,
            request.max_tokens,
            request.stop,
            request.ignore_eos,
            cancel,
            request.reply_id,
            llm.prompt_reasoning,
            begun,
        )

    def set_speculation(self, on: bool) -> None:
        llm = self._llm
        if llm is not None:
            llm.set_speculation(on)

    def set_draft_limits(self, n_max: int, n_min: int, p_min: float, automatic: bool = False) -> None:
        llm = self._llm
        if llm is not None:
            llm.set_draft_limits(n_max, n_min, p_min, automatic)

    def status(self) -> SpeculationStatus:
        llm = self._llm
        return llm.status() if llm is not None else SpeculationStatus(NO_MODEL)

    def set_template(self, choice: TemplateChoice) -> None:
        llm = self._llm
        if llm is not None:
            llm.set_template(choice)

    def preview_prompt(self, messages: Sequence[ChatMessage], choice: TemplateChoice) -> PromptPreview:
        if self._llm is not None:
            return self._llm.preview(messages, choice)
        if choice.name == FROM_FILE:
            raise EnvironmentProblem(
                say("No model is loaded."),
                say("The template is in the model's file."),
                say("Choose a model."),
                "no-model",
            )
        return preview(ChatTemplate(None, "", "", "", choice), messages)

    def count_prompt_tokens(self, messages: Sequence[ChatMessage]) -> int:
        return self.measure_prompt(messages).tokens

    def measure_prompt(self, messages: Sequence[ChatMessage]) -> PromptSize:
        llm = self.loaded()
        tokens = llm.chat_tokens(messages)
        return PromptSize(len(tokens), common_prefix(llm.decoder.target.cached, tokens[:-1]))

    def close(self) -> None:
        llm, self._llm = self._llm, None
        if llm is not None:
            llm.close()

    def loaded(self) -> Llama:
        """What is loaded, for a measurement in this thread; Bug when nothing is."""
        if self._llm is None:
            raise Bug("no model is loaded")
        return self._llm


def spec_config(settings: PairSettings, draft_path: str) -> SpecConfig:
    """The pair's settings in the family's names; none where there is nothing to speculate with."""
    try:
        kinds = algorithms(settings.algorithm, draft_path)
    except EnvironmentProblem:
        # No sidecar, or a damaged one: the load says what is wrong with it.
        kinds = (SpeculativeType.DRAFT_DFLASH,)
    if not draft_path:
        kinds = tuple(kind for kind in kinds if not kind.is_draft() or kind.is_mtp())
    if not kinds:
        return SpecConfig()
    return SpecConfig(
        spec_type=kinds[0] if len(kinds) == 1 else kinds,
        draft_model_path=draft_path or None,
        draft_n_max=settings.draft_n_max,
        draft_n_min=settings.draft_n_min,
        draft_p_min=settings.draft_p_min,
        draft_n_gpu_layers=settings.draft_n_gpu_layers,
        draft_backend_sampling=settings.draft_backend_sampling,
    )
