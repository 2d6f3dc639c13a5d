"""Messages become the prompt text a model was trained on, by the template in its file.

Templates differ in what they accept: a system message, typed content, two messages of one side in a
row. What a template takes is found out once by rendering probes; what it does not take is reshaped,
and `note` says so. A file without a usable template gets a named fallback. It does not know tokens.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jinja2 import Template

from app.core.conversation import ASSISTANT, SYSTEM, USER, ChatMessage
from app.core.errors import EnvironmentProblem
from app.core.reasoning import without_thoughts
from app.core.templates import EDITED, FROM_FILE, NAMED, TemplateChoice, TemplateVariable
from app.core.wording import say, together
from app.engine.named_templates import TEMPLATES
from app.engine.reasoning_probe import reasoning_format
from app.engine.template_sandbox import SECONDS, TemplateSandbox, TemplateTooExpensive
from app.engine.template_variables import template_variables

_TITLES = {"gemma": "Gemma's"}

# Words that no template changes or contains.
_PROBE_USER = "slipstreamprobeuser"
_PROBE_SYSTEM = "slipstreamprobesystem"

_SYSTEM_MERGED = say(
    "The model's chat template has no place for a system prompt; it was put in front of the next message."
)
_TURNS_JOINED = say(
    "Messages of the same side in a row were joined, because the model's chat template asks for it."
)


class ChatTemplate:
    """A compiled template. Construction never fails; `render` fails with EnvironmentProblem.

    `reasoning` is what it says about thinking: past thoughts that it does not want stay out of the prompt.

    `name` is "file", "edited" or a named template's. `stops` are strings that end a reply under a named
    template, whose marks the vocabulary may not know as tokens; empty for any other. `source` is what
    is used.
    """

    def __init__(
        self,
        source: str | None,
        bos: str,
        eos: str,
        architecture: str,
        choice: TemplateChoice | None = None,
        *,
        seconds: float = SECONDS,
    ) -> None:
        """`source` is the file's own. `bos`, `eos`: the tokens' text, or empty.

        `choice` is used instead of the file's own template where it works, and brings variables.
        `architecture` chooses the fallback.
        """
        choice = choice or TemplateChoice()
        self.choice = choice
        self._made_of = (source, bos, eos, architecture, seconds)
        self._variables: dict[str, Any] = dict(choice.variables)
        self._bos = bos
        self._eos = eos
        self._sandbox = TemplateSandbox(seconds)
        self._typed_content = False
        self._takes_system = True
        self._render_notes: tuple[str, ...] = ()
        self._load_note = ""
        self._last_adds_bos = False
        self.name = FROM_FILE
        self.stops: tuple[str, ...] = ()

        if choice.name in NAMED:
            self._take_named(choice.name)
            return
        notes: list[str] = []
        if choice.name == EDITED:
            try:
                self._adopt(choice.source)
                self.name = EDITED
                return
            except Exception as error:
                notes.append(
                    say("The edited chat template cannot be used ({reason}).", reason=_reason(error))
                )
        reason = say("This model file has no chat template")
        if source and source.strip():
            try:
                self._adopt(source)
                self._load_note = together(*notes, say("The model's own is used instead.")) if notes else ""
                return
            except Exception as error:
                reason = say(
                    "The model file's chat template cannot be used ({reason})", reason=_reason(error)
                )
        fallback = "gemma" if architecture.startswith("gemma") else "chatml"
        title = _TITLES.get(fallback, NAMED[fallback])
        notes.append(say("{reason}; {title} template is used instead.", reason=reason, title=title))
        self._load_note = together(*notes)
        self._take_named(fallback)

    def changed(self, choice: TemplateChoice) -> ChatTemplate:
        """The same file's template under another choice."""
        source, bos, eos, architecture, seconds = self._made_of
        return ChatTemplate(source, bos, eos, architecture, choice, seconds=seconds)

    @property
    def refused(self) -> str:
        """Why the edited template is not the one in use; empty when it is, or when none was edited."""
        return self._load_note if self.choice.name == EDITED != self.name else ""

    @property
    def note(self) -> str:
        """Which fallbacks were used, for the file and for the last rendering; empty if none."""
        return together(*(part for part in (self._load_note, *self._render_notes) if part))

    @property
    def variables(self) -> tuple[TemplateVariable, ...]:
        """What the template asks for besides the conversation."""
        return template_variables(self._sandbox, self.source)

    @property
    def adds_bos(self) -> bool:
        """Whether the text rendered last begins with BOS, so that tokenising must not add another."""
        return self._last_adds_bos

    def render(
        self, messages: Sequence[ChatMessage], add_generation_prompt: bool = True, **variables: Any
    ) -> str:
        """The prompt. `variables` reach the template as they are.

        Raises EnvironmentProblem (code `chat-template`) when the template refuses this conversation
        in every shape.
        """
        first_error: Exception | None = None
        for notes, shape in self._shapes(without_thoughts(messages, self.reasoning)):
            try:
                text = self._render(shape, add_generation_prompt, variables)
            except TemplateTooExpensive as error:
                first_error = error
                break
            except Exception as error:
                first_error = first_error or error
                continue
            self._render_notes = notes
            self._last_adds_bos = bool(self._bos) and text.startswith(self._bos)
            return text
        raise EnvironmentProblem(
            say("The model's chat template refuses this conversation."),
            say("It says: {reason}.", reason=_reason(first_error)),
            say("Start a new chat, or choose another model file."),
            "chat-template",
        ) from first_error

    def _shapes(self, given: list[ChatMessage]) -> list[tuple[tuple[str, ...], list[ChatMessage]]]:
        """The conversation as it is and reshaped, with what to say about it, least changed first."""
        merged = _merge_system(given)
        shapes = [
            ((), given),
            ((_TURNS_JOINED,), _join_turns(given)),
            ((_SYSTEM_MERGED,), merged),
            ((_SYSTEM_MERGED, _TURNS_JOINED), _join_turns(merged)),
        ]
        if merged != given and not self._takes_system:
            del shapes[:2]
        return [entry for i, entry in enumerate(shapes) if entry[1] not in [shape for _, shape in shapes[:i]]]

    def _take_named(self, name: str) -> None:
        template = TEMPLATES[name]
        self.name, self.stops = name, (template.stop,)
        self._adopt(template.source)

    def _adopt(self, source: str) -> None:
        """Compile, and find out what the template takes; raises when it cannot render a single message."""
        self._template: Template = self._sandbox.from_string(source)
        self.source = source
        user = ChatMessage(USER, _PROBE_USER)
        plain_error: Exception | None = None
        for typed in (False, True):
            self._typed_content = typed
            try:
                if _PROBE_USER in self._render([user], True, {}):
                    break
            except TemplateTooExpensive:
                raise
            except Exception as error:
                plain_error = plain_error or error
        else:
            raise plain_error or ValueError("it leaves out what the user says")
        try:
            text = self._render([ChatMessage(SYSTEM, _PROBE_SYSTEM), user], True, {})
            self._takes_system = _PROBE_SYSTEM in text and _PROBE_USER in text
        except Exception:
            self._takes_system = False
        self.reasoning = reasoning_format(source, lambda chat: self._render(chat, True, {}))

    def _render(
        self, messages: Sequence[ChatMessage], add_generation_prompt: bool, variables: dict[str, Any]
    ) -> str:
        return self._sandbox.bounded_render(
            self._template,
            {
                # Templates ask "tools is not none", so an undefined name would count as tools.
                "tools": None,
                "documents": None,
                **self._variables,
                **variables,
                "messages": [{"role": m.role, "content": self._content(m.content)} for m in messages],
                "add_generation_prompt": add_generation_prompt,
                "bos_token": self._bos,
                "eos_token": self._eos,
            },
        )

    def _content(self, text: str) -> str | list[dict[str, str]]:
        return [{"type": "text", "text": text}] if self._typed_content else text


def _merge_system(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """System texts put in front of the user turn that follows them; at the end they become one."""
    out: list[ChatMessage] = []
    waiting: list[str] = []
    for message in messages:
        if message.role == SYSTEM:
            waiting.append(message.content)
        elif message.role == USER and waiting:
            out.append(ChatMessage(USER, "\n\n".join([*waiting, message.content])))
            waiting = []
        else:
            out.append(message)
    if waiting:
        out.append(ChatMessage(USER, "\n\n".join(waiting)))
    return out


def _join_turns(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Messages of one side in a row become one, so that user and assistant take turns."""
    out: list[ChatMessage] = []
    for message in messages:
        if out and out[-1].role == message.role and message.role in (USER, ASSISTANT):
            out[-1] = ChatMessage(message.role, f"{out[-1].content}\n\n{message.content}")
        else:
            out.append(message)
    return out


def _reason(error: BaseException | None) -> str:
    """The first line of an error, without its full stop."""
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__).rstrip(".")[:300]
