"""What a model thinks and what it answers: one text, told apart by the tags around the thinking.

A thought begins at the start of the reply or of a line, and ends at its closing tag. A closing tag that
nothing opened ends a thought which began with the reply, because many prompts already open one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from app.core.conversation import ASSISTANT, ChatMessage
from app.core.rounds import Round

THOUGHT = "thought"
ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class ReasoningFormat:
    """The tags of a model, as its chat template names them.

    `inside`: the prompt ends with the opening tag, so the reply begins in the middle of a thought.
    `forgotten`: past replies go into the prompt without their thoughts.
    """

    opening: str = "<think>"
    closing: str = "</think>"
    inside: bool = False
    forgotten: bool = False


DEFAULT = ReasoningFormat()


def format_of(meta: Mapping[str, Any]) -> ReasoningFormat:
    """The format under which a reply was made, as `Message.meta` keeps it; else the usual tags."""
    kept = meta.get("reasoning")
    if not isinstance(kept, Mapping):
        return DEFAULT
    opening, closing = kept.get("opening"), kept.get("closing")
    if not (isinstance(opening, str) and isinstance(closing, str) and opening and closing):
        return DEFAULT
    return ReasoningFormat(opening, closing, bool(kept.get("inside")), bool(kept.get("forgotten")))


def as_meta(form: ReasoningFormat) -> dict[str, Any]:
    """The format as `Message.meta["reasoning"]`."""
    return asdict(form)


# What families write around their thinking. The last one ends where the answer's channel begins.
KNOWN = (
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
)


def named_in(template: str) -> tuple[str, str] | None:
    """The known tags that the source of a chat template speaks of, or None."""
    for opening, closing in KNOWN:
        if opening in template or closing in template:
            return opening, closing
    if "<|channel|>" in template and "analysis" in template:
        return KNOWN[-1]
    return None


@dataclass(frozen=True, slots=True)
class Part:
    """`text[start:end]` of a reply, a thought or a part of the answer, without tags and edge spaces.

    `outer_start..outer_end` takes the tags with it. `closed`: a thought whose end has come.
    """

    kind: str
    start: int
    end: int
    outer_start: int
    outer_end: int
    closed: bool = True


@dataclass(frozen=True, slots=True)
class Piece:
    """More text of part number `part` (from 0); empty when a part only began or ended."""

    part: int
    kind: str
    text: str
    closed: bool = False


@dataclass(frozen=True, slots=True)
class Growth:
    """What new text brought. `again`: what was handed out before was a thought; begin from nothing."""

    pieces: tuple[Piece, ...]
    again: bool = False


class ReasoningStream:
    """Tells thoughts from answers while a reply grows. Text that may become a tag is held back."""

    _held: str
    _last: str

    def __init__(self, form: ReasoningFormat = DEFAULT) -> None:
        self._form = form
        self._pattern = re.compile(f"({re.escape(form.opening)})|({re.escape(form.closing)})")
        self._longest = max(len(form.opening), len(form.closing))
        self._restart(form.inside)
        self._text: list[str] = []  # all of it, for the one case in which it is read again
        self._may_restart = not form.inside

    @property
    def thinking(self) -> bool:
        """The text so far ends inside a thought."""
        return self._kind == THOUGHT

    @property
    def parts(self) -> Sequence[Part]:
        """What was told apart so far; empty parts of an answer are left out."""
        current = self._part(self._end, self._at, closed=False)
        return [*self._done, current] if self._kind == THOUGHT or current.end > current.start else self._done

    def feed(self, delta: str, final: bool = False) -> Growth:
        """Take in more text; `final`: no more comes, nothing is held back."""
        if self._may_restart:
            self._text.append(delta)
        pieces: list[Piece] = []
        pending = self._held + delta
        self._held = ""
        at = 0
        for found in self._pattern.finditer(pending):
            if found.start() < at:
                continue
            opens = found.group(1) is not None
            before = pending[at : found.start()]
            if opens and self._kind == ANSWER and self._blank_after(before):
                self._take(before, pieces)
                at = found.end()
                self._turn(THOUGHT, len(found.group()), pieces)
            elif not opens and self._kind == THOUGHT:
                self._take(before, pieces)
                at = found.end()
                self._turn(ANSWER, len(found.group()), pieces)
            elif not opens and self._may_restart and (before or self._last)[-1:] != "`":
                return self._read_again(final)
        rest = pending[at:]
        keep = len(rest) if final else self._settled(rest)
        self._take(rest[:keep], pieces)
        self._held = rest[keep:]
        return Growth(tuple(pieces))

    def _restart(self, inside: bool) -> None:
        self._kind = THOUGHT if inside else ANSWER
        self._done: list[Part] = []
        self._held = ""
        self._at = 0  # characters taken in
        self._start = self._end = self._outer = 0
        self._begun = False  # the current part has a visible character
        self._spaces = ""  # at its end, handed out with what follows
        self._blank = True  # the current line has no visible character yet
        self._last = ""  # character taken in
        if inside:
            self._may_restart = False

    def _read_again(self, final: bool) -> Growth:
        """A closing tag that nothing opened: the reply began with a thought."""
        text, self._text = "".join(self._text), []
        self._restart(inside=True)
        growth = self.feed(text, final)
        return Growth(growth.pieces, again=True)

    def _turn(self, kind: str, tag: int, pieces: list[Piece]) -> None:
        """End the current part at a tag of that many characters, and begin the next."""
        ending = self._kind
        after = self._at + tag
        if ending == THOUGHT:
            number = len(self._done)
            self._done.append(self._part(self._end, after, closed=True))
            pieces.append(Piece(number, THOUGHT, "", closed=True))
        elif self._begun:
            self._done.append(self._part(self._end, self._at, closed=True))
        self._outer = self._at if kind == THOUGHT else after
        self._at = self._start = self._end = after
        self._kind, self._begun, self._spaces = kind, False, ""
        self._blank, self._last = True, ""
        if kind == THOUGHT:
            # An opened thought is the reply's beginning; a stray closing tag later is only text.
            self._may_restart, self._text = False, []
            pieces.append(Piece(len(self._done), THOUGHT, ""))

    def _take(self, text: str, pieces: list[Piece]) -> None:
        if not text:
            return
        self._at += len(text)
        self._blank, self._last = self._blank_after(text), text[-1]
        text, self._spaces = self._spaces + text, ""
        if not self._begun:
            stripped = text.lstrip()
            if not stripped:
                self._spaces = text
                return
            self._begun = True
            # Blank lines before the first word say nothing; the indent of its own line may be Markdown.
            before = text[: len(text) - len(stripped)]
            own_line = "\n" in before or (self._kind == ANSWER and not self._outer)
            text = (before[before.rfind("\n") + 1 :] if own_line else "") + stripped
            self._start = self._at - len(text)
        kept = text.rstrip()
        self._spaces = text[len(kept) :]
        if kept:
            self._end = self._at - len(self._spaces)
            pieces.append(Piece(len(self._done), self._kind, kept))

    def _part(self, end: int, outer_end: int, closed: bool) -> Part:
        return Part(self._kind, self._start, max(end, self._start), self._outer, outer_end, closed)

    def _blank_after(self, text: str) -> bool:
        """Whether the line is blank so far, once `text` is taken in."""
        newline = text.rfind("\n")
        return not text[newline + 1 :].strip() and (newline >= 0 or self._blank)

    def _settled(self, rest: str) -> int:
        """How much of `rest` cannot be the beginning of a tag."""
        for size in range(min(self._longest - 1, len(rest)), 0, -1):
            tail = rest[-size:]
            if self._form.opening.startswith(tail) or self._form.closing.startswith(tail):
                return len(rest) - size
        return len(rest)


def split(text: str, form: ReasoningFormat = DEFAULT) -> list[Part]:
    """The parts of a whole reply, in order."""
    stream = ReasoningStream(form)
    stream.feed(text, final=True)
    return list(stream.parts)


def answer_of(text: str, form: ReasoningFormat = DEFAULT) -> str:
    """The reply without its thoughts; what stands between two thoughts is kept, each part a paragraph."""
    if form.opening not in text and form.closing not in text and not form.inside:
        return text
    return "\n\n".join(text[p.start : p.end] for p in split(text, form) if p.kind == ANSWER)


def without_thoughts(messages: Iterable[ChatMessage], form: ReasoningFormat) -> list[ChatMessage]:
    """A conversation as a template wants it: where it forgets thoughts, past replies go without theirs."""
    if not form.forgotten:
        return list(messages)
    # Whether the prompt of a past reply had opened its thought is not known any more; its closing tag tells.
    plain = ReasoningFormat(form.opening, form.closing)
    return [ChatMessage(m.role, answer_of(m.content, plain)) if m.role == ASSISTANT else m for m in messages]


@dataclass(frozen=True, slots=True)
class Effort:
    """Tokens of a thought, its tags included, and seconds of decoding."""

    tokens: int
    seconds: float


def effort(parts: Iterable[Part], rounds: Sequence[Round]) -> list[Effort]:
    """What each part cost, from the recorded rounds of its reply.

    A token belongs to the part in which its first character lies; the seconds of a round are shared
    evenly among its tokens.
    """
    edges = [(part.outer_start, part.outer_end) for part in parts]
    counts = [0] * len(edges)
    seconds = [0.0] * len(edges)
    at = index = 0
    for r in rounds:
        share = r.seconds / len(r.tokens) if r.tokens else 0.0
        for count in r.chars:
            while index < len(edges) and at >= edges[index][1]:
                index += 1
            if index < len(edges) and at >= edges[index][0]:
                counts[index] += 1
                seconds[index] += share
            at += count
    return [Effort(n, s) for n, s in zip(counts, seconds, strict=True)]
