"""Lookup cache files of the native project: how often which token followed an n-gram, in some text.

A file is a run of records of native int32: four tokens (shorter n-grams end in -1), the number of
followers, then a token and a count for each. It is read whole and searched in place.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from app.core.errors import EnvironmentProblem
from app.core.wording import say
from app.engine.handles import Ints

NGRAM_MAX = 4
_NULL = -1
_HEAD = NGRAM_MAX + 1  # numbers before the followers
_MASK = (1 << 64) - 1
_FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5)


class LookupFile:
    """The followers of n-grams of one to four tokens, from `path`.

    Raises EnvironmentProblem (code `lookup-cache`) when the file is missing or is not such a file.
    """

    def __init__(self, path: str) -> None:
        try:
            raw = np.fromfile(path, np.uint8)
        except OSError as error:
            raise _problem(path, f"{error.strerror or error}.") from error
        if raw.size % 4:
            raise _problem(path, say("It is cut short."))
        self._data: Ints = raw.view(np.int32)
        starts = self._records(path)
        grams = self._data[starts[:, None] + np.arange(NGRAM_MAX)]
        n_followers = self._data[starts + NGRAM_MAX].astype(np.intp)
        # The place of every follower's count, over all records.
        within = np.arange(n_followers.sum()) - np.repeat(np.cumsum(n_followers) - n_followers, n_followers)
        counts = self._data[np.repeat(starts + _HEAD, n_followers) + 2 * within + 1]
        if (grams[:, 0] < 0).any() or (counts <= 0).any():
            raise _problem(path, say("It holds something else than n-grams."))
        keys = np.zeros(len(starts), np.uint64)
        for column, factor in enumerate(_FACTORS):
            keys += grams[:, column].astype(np.uint64) * np.uint64(factor)
        order = np.argsort(keys, kind="stable")
        self._keys: NDArray[np.uint64] = keys[order]
        self._starts: NDArray[np.intp] = starts[order]

    def __len__(self) -> int:
        """The number of n-grams."""
        return len(self._keys)

    def _records(self, path: str) -> NDArray[np.intp]:
        """Where each record starts."""
        numbers, size = self._data.data, len(self._data)
        starts: list[int] = []
        at = 0
        while at + _HEAD <= size:
            n_followers = numbers[at + NGRAM_MAX]
            if n_followers <= 0:
                raise _problem(path, say("It holds something else than n-grams."))
            starts.append(at)
            at += _HEAD + 2 * n_followers
        if at != size:
            raise _problem(path, say("It is cut short."))
        return np.array(starts, np.intp)

    def followers(self, gram: tuple[int, ...]) -> dict[int, int]:
        """Token -> count of what followed `gram` (1 to 4 tokens); empty when it was never seen."""
        padded = [*gram, *[_NULL] * (NGRAM_MAX - len(gram))]
        key = np.uint64(sum(t * f for t, f in zip(padded, _FACTORS, strict=True)) & _MASK)
        i = int(self._keys.searchsorted(key))
        while i < len(self._keys) and self._keys[i] == key:
            start = int(self._starts[i])
            record = self._data[start : start + _HEAD].tolist()
            if record[:NGRAM_MAX] == padded:
                pairs = self._data[start + _HEAD : start + _HEAD + 2 * record[NGRAM_MAX]].tolist()
                return dict(zip(pairs[::2], pairs[1::2], strict=True))
            i += 1
        return {}


def write_lookup_file(
    path: str | os.PathLike[str], grams: Iterable[tuple[tuple[int, ...], Mapping[int, int]]]
) -> None:
    """Write n-grams with their followers and counts, as the native project reads them."""
    numbers: list[int] = []
    for gram, followers in grams:
        numbers += [*gram, *[_NULL] * (NGRAM_MAX - len(gram)), len(followers)]
        for token, count in followers.items():
            numbers += [token, count]
    np.array(numbers, np.int32).tofile(path)


def _problem(path: str, why: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        say("The lookup cache {path} cannot be used.", path=os.path.basename(path)),
        why,
        say("Choose a file made by the native project's lookup tools, or go on without one."),
        code="lookup-cache",
    )
