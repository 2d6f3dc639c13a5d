"""How well typed letters fit a text: all of them in order, better at the beginnings of words and in a row."""

from __future__ import annotations

_START = 8.0
_RUN = 5.0
_WORD = 4.0
_LONG = 0.02
_LEAST = 2.0  # for each letter after the first


def fit(query: str, text: str) -> tuple[float, list[int]] | None:
    """(score, places of the letters), or None when they do not all occur in this order.

    Spaces in the query separate words that may stand anywhere, in any order. An empty query fits.
    """
    lowered = text.lower()
    if len(lowered) != len(text):
        # Some letters become two; places would not match.
        lowered = text
    total, places = 0.0, set[int]()
    for word in query.lower().split():
        found = _best(word, lowered)
        if found is None:
            return None
        total += found[0]
        places.update(found[1])
    return total - _LONG * len(text), sorted(places)


def _best(word: str, text: str) -> tuple[float, list[int]] | None:
    """The best way to find the letters of `word`, starting from each place of its first one."""
    best: tuple[float, list[int]] | None = None
    start = text.find(word[0])
    while start >= 0:
        found = _from(word, text, start)
        if found is not None and (best is None or found[0] > best[0]):
            best = found
        start = text.find(word[0], start + 1)
    return best


def _from(word: str, text: str, start: int) -> tuple[float, list[int]] | None:
    score, places, at = 0.0, [start], start
    for letter in word[1:]:
        # The start of a later word is worth skipping to, unless the letter follows at once.
        following = text.find(letter, at + 1)
        if following < 0:
            return None
        if following != at + 1:
            later = following
            while later >= 0 and not _begins(text, later):
                later = text.find(letter, later + 1)
            following = later if later >= 0 else following
        places.append(following)
        at = following
    for before, place in zip([-2, *places], places, strict=False):
        score += _RUN if place == before + 1 else 0.0
        score += _WORD if _begins(text, place) else 0.0
    score += _START if places[0] == 0 else 0.0
    score -= 0.1 * (places[-1] - places[0])
    # Letters that merely occur somewhere in a long text mean nothing.
    return (score, places) if score >= _LEAST * (len(word) - 1) else None


def _begins(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()
