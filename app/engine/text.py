"""The text of a reply as it grows: bytes become characters, stop strings cut it, half characters wait.

Fed with one token's bytes at a time, in the order they are committed to the reply. It does not know
the vocabulary, blocks or rounds; a block is a few pushes, so a stop string is found wherever token
and block boundaries lie.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable

from app.core.errors import Bug

# A sequence of joined characters longer than this is shown as it comes.
_LONGEST_CLUSTER = 32

# Code points at which "a later character may still change this one's picture" switches on and off,
# starting from off: marks, then Hebrew to Hangul jamo, the joiner, symbols and emoji, the rest.
# Within Latin, Greek, Cyrillic, punctuation and CJK the wait would cost more than it saves.
_GROWS = (0x0300, 0x0370, 0x0590, 0x1E00, 0x200D, 0x200E, 0x20D0, 0x2100, 0x2190, 0x2460, 0x25A0, 0x2E80,
          0xA4D0, 0xAC00, 0xD800, 0xFF00, 0x10000, 0x20000, 0xE0000)  # fmt: skip


class TextStream:
    """Incremental UTF-8 with stop strings.

    `push` takes tokens, `take` hands out text that is final, `finish` ends the reply and releases what
    was held back. Bytes that are no UTF-8 become U+FFFD, as in `bytes.decode("utf-8", "replace")` over
    the whole reply. A stop string cuts the text at the earliest place where any of them starts; text
    that may be the beginning of one is held back until that is decided.

    The text of a token is the characters it completed. After a stop, tokens whose text starts at the
    cut or later are dropped: `n_delivered` of `n_tokens` remain. This may reach back into tokens of
    earlier blocks, when a stop string began there.
    """

    __slots__ = ("_closed", "_cut", "_decode", "_first", "_held", "_length", "_longest", "_ready", "_starts",
                 "_stops")  # fmt: skip

    def __init__(self, stops: Iterable[str] = ()) -> None:
        """`stops`: strings that end the reply; empty ones are ignored."""
        self._stops = tuple(dict.fromkeys(s for s in stops if s))
        first = "".join(re.escape(c) for c in sorted({s[0] for s in self._stops}))
        self._first = re.compile(f"[{first}]") if first else None
        self._longest = max(map(len, self._stops), default=0)
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode
        self._starts: list[int] = []  # characters completed before each token
        self._length = 0  # characters completed so far, the held ones included
        self._held = ""
        self._ready: list[str] = []
        self._cut: int | None = None
        self._closed = False

    @property
    def stopped(self) -> bool:
        """Whether a stop string ended the reply."""
        return self._cut is not None

    @property
    def n_tokens(self) -> int:
        """Tokens pushed so far."""
        return len(self._starts)

    @property
    def n_delivered(self) -> int:
        """Tokens that belong to the reply: all of them, or those that start before the cut."""
        return len(self._starts) if self._cut is None else bisect_left(self._starts, self._cut)

    @property
    def n_chars(self) -> int:
        """Characters of the reply so far, the held ones included, cut at the stop."""
        return self._length if self._cut is None else self._cut

    def push(self, piece: bytes) -> int:
        """Add one token's bytes (possibly none); returns the characters of the reply it completed.

        Raises Bug after a stop or after `finish`: such a token is no part of the reply.
        """
        if self._closed:
            raise Bug("a token was added to a reply that has ended")
        start = self._length
        self._starts.append(start)
        text = self._decode(piece)
        if not text:
            return 0
        self._length = start + len(text)
        self._settle(self._held + text if self._held else text, final=False)
        return len(text) if self._cut is None else max(0, self._cut - start)

    def take(self) -> str:
        """The text that became final since the last call."""
        if not self._ready:
            return ""
        text = "".join(self._ready)
        self._ready.clear()
        return text

    def finish(self) -> None:
        """End the reply: half a character becomes U+FFFD (of the last token), held text is released."""
        if self._closed:
            return
        text = self._decode(b"", True)
        self._length += len(text)
        self._settle(self._held + text, final=True)
        self._closed = True

    def chars(self, first: int = 0) -> tuple[int, ...]:
        """Characters completed by each delivered token from number `first` on, cut at the stop.

        Over all delivered tokens they add up to `n_chars`.
        """
        last = self.n_delivered
        ends = [*self._starts[first + 1 : last], self.n_chars]
        return tuple(end - start for start, end in zip(self._starts[first:last], ends, strict=False))

    def _settle(self, text: str, final: bool) -> None:
        """Split the text that is not yet final into what is now, and what is held back."""
        end = len(text)
        if self._first is not None:
            for candidate in self._first.finditer(text):
                at = candidate.start()
                if any(text.startswith(stop, at) for stop in self._stops):
                    self._cut = self._length - len(text) + at
                    self._ready.append(text[:at])
                    self._held = ""
                    self._closed = True
                    return
                if not final and len(text) - at < self._longest:
                    tail = text[at:]
                    if any(stop.startswith(tail) for stop in self._stops):
                        end = at
                        break
        # Most text ends in Latin letters: decided by one comparison.
        if not final and end and text[end - 1] >= "\u0300":
            end = _end_of_whole_clusters(text, end)
        if end:
            self._ready.append(text[:end])
        self._held = text[end:]


def _end_of_whole_clusters(text: str, end: int) -> int:
    """Where `text[:end]` has to be cut so that what a reader sees as one character is not split."""
    last = text[end - 1]
    if not bisect_right(_GROWS, ord(last)) & 1:
        return end
    if _is_regional(last):
        # Flags are pairs; what was shown before ended between two pairs.
        run = 1
        while run < end and _is_regional(text[end - 1 - run]):
            run += 1
        return end - run % 2
    start = end - 1
    lowest = max(0, end - _LONGEST_CLUSTER)
    while start > lowest and (_extends(text[start]) or text[start - 1] == "\u200d"):
        start -= 1
    # A mark without its base: the base is on screen already, or the sequence is too long to wait for.
    return end if _extends(text[start]) else start


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _extends(char: str) -> bool:
    """Marks, variation selectors, the joiner, skin tones and tags belong to the character before."""
    return (
        char == "\u200d"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
        or unicodedata.category(char)[0] == "M"
    )
