"""Conversations being written: what each row feeds next, when it is over, what takes its place.

Prompt tokens are fed through the same steps as answers, so there is no separate prefill. In half of the rows
the model writes the user turn itself, after a few given words. No tensors here.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from chat import END, Tokenizer, Vocabulary
from loops import is_looping
from prompts import PromptFilter

LENGTH = 288  # longest conversation
MAX_PROMPT, MAX_USER, MAX_ANSWER, MIN_ANSWER = 192, 48, 192, 8
TEMPERATURES = (0.0, 0.0, 0.0, 0.0, 0.0, 0.7, 1.0)
LOOK_FOR_LOOPS = 8  # looked for every so many tokens
MODEL = "model"  # the category of prompts that the model wrote


class PromptSource(Protocol):
    """Where prompts come from. All lists are tokens."""

    prefix: list[int]  # of every conversation, up to the user's text
    answer_prefix: list[int]  # between the user's end token and the answer

    def ours(self) -> tuple[str, list[int]]:
        """Category and tokens of the next prompt of our own, from the first to the last before the answer."""
        ...

    def starter(self, r: random.Random) -> list[int]:
        """The first words of a user turn."""
        ...


class TextPrompts:
    """Prompts made and tokenised as they are needed."""

    def __init__(self, tokenizer: Tokenizer, made: Iterator[tuple[str, str]], accept: PromptFilter) -> None:
        from chat import ANSWER_PREFIX, USER_PREFIX
        from prompt_words import STARTERS

        self._tokenizer, self._made, self._accept = tokenizer, made, accept
        self.prefix = tokenizer.encode(USER_PREFIX)
        self.answer_prefix = tokenizer.encode(ANSWER_PREFIX)
        self.starters = [tokenizer.encode(s) for s in STARTERS]

    def ours(self) -> tuple[str, list[int]]:
        from chat import render

        while True:
            category, prompt = next(self._made)
            tokens = self._tokenizer.encode(render(prompt))
            if len(tokens) <= MAX_PROMPT and self._accept.accept(prompt):
                return category, tokens

    def starter(self, r: random.Random) -> list[int]:
        return r.choice(self.starters)


@dataclass
class Row:
    """One conversation, tokens fed so far."""

    category: str
    temperature: float
    forced: deque[int]
    by_model: bool  # the user turn is being written by the model
    tokens: list[int]
    prompt_len: int = 0

    @property
    def sampling(self) -> float:
        """Temperature of the next token."""
        return 1.0 if self.by_model else self.temperature


class Conversations:
    """A fixed number of rows; every finished one is followed by a new one."""

    def __init__(
        self, rows: int, seed: int, source: PromptSource, vocabulary: Vocabulary, accept: PromptFilter
    ) -> None:
        self._random = random.Random(seed)
        self._source, self._vocabulary, self._accept = source, vocabulary, accept
        self.dropped = 0
        self.rows = [self._new_row() for _ in range(rows)]

    def _new_row(self) -> Row:
        r, prefix = self._random, self._source.prefix
        temperature = r.choice(TEMPERATURES)
        if r.random() < 0.5:
            return Row(MODEL, temperature, deque(self._source.starter(r)), True, list(prefix))
        category, tokens = self._source.ours()
        return Row(category, temperature, deque(tokens[len(prefix) :]), False, list(prefix), len(tokens))

    def feed(self) -> tuple[list[int], list[int]]:
        """The next token of every row, and its position."""
        for row in self.rows:
            row.tokens.append(row.forced.popleft())
        return [row.tokens[-1] for row in self.rows], [len(row.tokens) - 1 for row in self.rows]

    def advance(self, chosen: list[int]) -> list[Row]:
        """Take the token chosen for each row (ignored while its tokens are given); rows that ended well."""
        finished = []
        for i, row in enumerate(self.rows):
            if row.forced or self._goes_on(row, chosen[i]):
                continue
            if row.prompt_len and len(row.tokens) - row.prompt_len >= MIN_ANSWER:
                finished.append(row)
            else:
                self.dropped += 1
            self.rows[i] = self._new_row()
        return finished

    def _goes_on(self, row: Row, token: int) -> bool:
        if row.by_model:
            if token != END:
                row.forced.append(token)
                return len(row.tokens) - len(self._source.prefix) < MAX_USER
            text = self._vocabulary.decode(row.tokens[len(self._source.prefix) :])
            if len(text) < 8 or not self._accept.accept(text):
                return False
            row.by_model = False
            row.forced.extend([END, *self._source.answer_prefix])
            row.prompt_len = len(row.tokens) + len(row.forced)
            return True
        answer = row.tokens[row.prompt_len :]
        if len(answer) >= MAX_ANSWER or len(row.tokens) >= LENGTH:
            return False
        if len(answer) % LOOK_FOR_LOOPS == 0 and is_looping(answer[-96:]):
            return False
        if token == END:
            row.tokens.append(END)  # to be predicted; nothing follows, so it is never fed
            return False
        row.forced.append(token)
        return True


def text_prompts(target: Path, seed: int, heldout: list[str]) -> tuple[TextPrompts, Tokenizer, PromptFilter]:
    """The usual source: our templates, tokenised here, kept away from the held-out prompts."""
    from prompts import make_prompts

    tokenizer, accept = Tokenizer(target), PromptFilter(heldout)
    return TextPrompts(tokenizer, make_prompts(seed), accept), tokenizer, accept
