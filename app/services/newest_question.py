"""Questions to the engine of which only the newest is worth an answer: one is asked at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

_Command = TypeVar("_Command")


class NewestQuestion(Generic[_Command]):
    """`send` asks the engine. A question that waits is forgotten when a newer one comes."""

    def __init__(self, send: Callable[[_Command], object]) -> None:
        self._send = send
        self._asked = False
        self._waiting: _Command | None = None

    def ask(self, command: _Command) -> None:
        self._waiting = command
        self._next()

    def answered(self) -> None:
        """The engine has answered, or failed to."""
        self._asked = False
        self._next()

    def forget(self) -> None:
        """Ask nothing more."""
        self._waiting = None

    def _next(self) -> None:
        if self._waiting is not None and not self._asked:
            command, self._waiting = self._waiting, None
            self._asked = True
            self._send(command)
