"""One verification round as it was recorded: the raw material of every figure, colour and recount."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

ORDINARY = "ordinary"
SPECULATIVE = "speculative"
SUSPENDED = "suspended"

NO_ROLLBACK = ""
NATIVE = "native"
CHECKPOINT = "checkpoint"


@dataclass(frozen=True, slots=True)
class RoundTimings:
    """Seconds spent in one round, by phase. Their sum is at most `Round.seconds`; the rest is "other"."""

    draft: float = 0.0
    decode: float = 0.0
    sync: float = 0.0
    process: float = 0.0
    accept: float = 0.0
    rollback: float = 0.0


@dataclass(frozen=True, slots=True)
class Round:
    """One step of the loop: propose, verify in one batch, keep what the target agrees with.

    `position`   committed tokens in the cache before the round.
    `tokens`     what the round delivered: `accepted` drafts, then at most one token of the target's own.
                 It may be shorter than what was verified when a stop string, the end of generation
                 or a limit cut the block.
    `drafted`    every token proposed; `verified` of them were submitted in the verification batch.
    `rejected`   the submitted drafts that the target did not agree with, in order.
    `chars`      characters of the reply's text that each of `tokens` completed. Adding them up over
                 the rounds gives offsets into the whole reply, even while a part of it is held back
                 as a possible stop string.
    `seconds`    wall-clock time of the round, without the consumer's time.
    `timed`      False for the first decode after a switch, which rebuilds the graph.
    """

    mode: str
    position: int
    tokens: tuple[int, ...]
    accepted: int
    drafted: tuple[int, ...] = ()
    verified: int = 0
    rejected: tuple[int, ...] = ()
    rollback: str = NO_ROLLBACK
    chars: tuple[int, ...] = ()
    seconds: float = 0.0
    timings: RoundTimings = RoundTimings()
    timed: bool = True
    algorithm: str = ""


def settle(rounds: Sequence[Round], withdrawn: int, n_chars: int) -> list[Round]:
    """The rounds of a reply as they stand when it has ended with `n_chars` characters of text.

    The last `withdrawn` delivered tokens go, because a stop string had begun in an earlier round; the
    rounds stay, since their work was done. The characters of the last tokens are made to add up: a
    stop string cuts one in the middle, and half a character becomes a whole one at the end.
    """
    out = list(rounds)
    missing = n_chars - sum(sum(r.chars) for r in rounds)
    for i in range(len(out) - 1, -1, -1):
        if withdrawn <= 0 and missing == 0:
            break
        r = out[i]
        keep = max(len(r.tokens) - withdrawn, 0)
        withdrawn -= len(r.tokens) - keep
        chars = list(r.chars[:keep])
        missing += sum(r.chars[keep:])
        for at in range(len(chars) - 1, -1, -1):
            if withdrawn > 0 or missing == 0:
                break
            fitted = max(chars[at] + missing, 0)
            missing -= fitted - chars[at]
            chars[at] = fitted
        out[i] = replace(r, tokens=r.tokens[:keep], accepted=min(r.accepted, keep), chars=tuple(chars))
    return out


def encode_rounds(rounds: Iterable[Round]) -> bytes:
    """Rounds as compressed JSON rows, times in microseconds; see `decode_rounds`."""
    encoder = RoundEncoder()
    for r in rounds:
        encoder.add(r)
    return encoder.encoded()


class RoundEncoder:
    """`encode_rounds` for rounds that come one by one: no long pause when the last one is there."""

    def __init__(self) -> None:
        self._compressor = zlib.compressobj(6)
        self._compressed = [self._compressor.compress(b"[1,[")]
        self._separator = ""

    def add(self, r: Round) -> None:
        row = self._separator + json.dumps(round_to_row(r), separators=(",", ":"))
        self._compressed.append(self._compressor.compress(row.encode()))
        self._separator = ","

    def encoded(self) -> bytes:
        """All rounds so far; more can be added afterwards."""
        end = self._compressor.copy()
        return b"".join((*self._compressed, end.compress(b"]]"), end.flush()))


def round_to_row(r: Round) -> list[object]:
    """The round as one JSON-able row, in the order of `row_to_round`'s parameters."""
    t = r.timings
    return [
        r.mode,
        r.position,
        r.tokens,
        r.accepted,
        r.drafted,
        r.verified,
        r.rejected,
        r.rollback,
        r.chars,
        round(r.seconds * 1e6),
        [round(x * 1e6) for x in (t.draft, t.decode, t.sync, t.process, t.accept, t.rollback)],
        int(r.timed),
        r.algorithm,
    ]


def decode_rounds(blob: bytes) -> list[Round]:
    """The rounds written by `encode_rounds`; ValueError for a newer format than this program knows."""
    if not blob:
        return []
    version, rows = json.loads(zlib.decompress(blob))
    if version != 1:
        raise ValueError(f"rounds were recorded in format {version}, which is newer than this program")
    return [row_to_round(*row) for row in rows]


def row_to_round(
    mode: str,
    position: int,
    tokens: list[int],
    accepted: int,
    drafted: list[int],
    verified: int,
    rejected: list[int],
    rollback: str,
    chars: list[int],
    microseconds: int,
    timings: list[int],
    timed: int,
    algorithm: str,
) -> Round:
    """The round of a row; `timings` are draft, decode, sync, process, accept and rollback."""
    return Round(
        mode=mode,
        position=position,
        tokens=tuple(tokens),
        accepted=accepted,
        drafted=tuple(drafted),
        verified=verified,
        rejected=tuple(rejected),
        rollback=rollback,
        chars=tuple(chars),
        seconds=microseconds / 1e6,
        timings=RoundTimings(*(t / 1e6 for t in timings)),
        timed=bool(timed),
        algorithm=algorithm,
    )
