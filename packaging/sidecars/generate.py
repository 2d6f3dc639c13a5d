"""Stage `data`: answers of the target to varied prompts, with tap rows and teacher candidates on the way.

Greedy text is the rule, as that is what is measured; some answers are sampled.
"""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

import numpy as np
import torch
from answers import read_answers
from chat import END, Tokenizer
from conversations import LENGTH, Conversations, Row, text_prompts
from paths import HELDOUT, STATE, target_file
from precision import fast_type
from prompts import read_heldout, use_passages
from shards import TOP_K, Sequence, list_shards, write_shard
from target import TAPS, WIDTH, Cache, Target

SAMPLED = 32  # candidates when sampling
PER_SHARD = 40_000  # tokens


def choose(logits: torch.Tensor, ids: torch.Tensor, temperatures: torch.Tensor) -> torch.Tensor:
    """A token for every row from its best candidates [r, k] (sorted): the best, or sampled above zero."""
    warm = temperatures.clamp_min(1e-3)[:, None]
    drawn = ids.gather(1, torch.multinomial((logits / warm).softmax(-1), 1))[:, 0]
    return torch.where(temperatures > 0, drawn, ids[:, 0])


def share_prefix(target: Target, cache: Cache, prefix: list[int]) -> torch.Tensor:
    """Fill every row of the cache with the common prefix; its tap rows [n, 5, 576] (half precision)."""
    taps, _ = target.prefill(torch.tensor([prefix], device=target.device), cache)
    n = len(prefix)
    for keys, values in zip(cache.k, cache.v, strict=True):
        keys[1:, :, :, :n] = keys[:1, :, :, :n].clone()
        values[1:, :, :n] = values[:1, :, :n].clone()
    return taps[0].clamp(-6e4, 6e4).half()


class Generator:
    """Steps all rows together and collects what the finished ones saw."""

    def __init__(self, rows: int, seed: int, passages: list[str]) -> None:
        torch.manual_seed(seed)
        self.target = Target(target_file(), max_positions=LENGTH, dtype=fast_type())
        use_passages(passages)
        source, tokenizer, accept = text_prompts(target_file(), seed, [p for _, p in read_heldout(HELDOUT)])
        self._prefix = source.prefix
        self.conversations = Conversations(rows, seed, source, tokenizer, accept)
        self.cache = Cache(rows, LENGTH, self.target.device, self.target.dtype)
        self._prefix_taps = share_prefix(self.target, self.cache, self._prefix)
        self._seen: list[tuple[torch.Tensor, torch.Tensor, torch.Tensor]] = []

    def step(self) -> list[Sequence]:
        """Advance every row by one token; conversations that ended."""
        rows = list(self.conversations.rows)
        fed, places = self.conversations.feed()
        tokens, positions = torch.tensor(fed), torch.tensor(places)
        taps, hidden = self.target.step(tokens, positions, self.cache, max(places) + 1)
        logits, ids = self.target.head(hidden).topk(SAMPLED)
        self._seen.append((taps.clamp(-6e4, 6e4).half(), ids[:, :TOP_K], logits[:, :TOP_K].half()))
        temperatures = torch.tensor([row.sampling for row in rows])
        index = {id(row): i for i, row in enumerate(rows)}
        finished = self.conversations.advance(choose(logits, ids, temperatures).tolist())
        out = [self._sequence(row, index[id(row)]) for row in finished]
        # No row is longer than LENGTH steps, so older ones are never asked for again.
        if len(self._seen) > 2 * LENGTH:
            del self._seen[:LENGTH]
        return out

    def _sequence(self, row: Row, number: int) -> Sequence:
        """What row `number` saw since it began: its last steps."""
        n, start = len(row.tokens), len(self._prefix)
        fed = n - start - (row.tokens[-1] == END)
        seen = self._seen[len(self._seen) - fed :]
        features = np.zeros((n, len(TAPS), WIDTH), np.float16)
        ids, logits = np.zeros((n, TOP_K), np.uint16), np.zeros((n, TOP_K), np.float16)
        features[:start] = self._prefix_taps.numpy()
        features[start : start + fed] = torch.stack([s[0][number] for s in seen]).numpy()
        ids[start : start + fed] = torch.stack([s[1][number] for s in seen]).numpy()
        logits[start : start + fed] = torch.stack([s[2][number] for s in seen]).numpy()
        tokens = np.array(row.tokens, np.uint16)
        return Sequence(tokens, row.prompt_len, row.temperature, features, ids, logits, row.category)


def read_passages(limit: int = 4000) -> list[str]:
    """Short texts out of the answers kept in the work tree, to be summarised, corrected and so on."""
    tokenizer = Tokenizer(target_file())
    passages: list[str] = []
    for path in sorted(STATE.glob("answers-*.npz")):
        answers = read_answers(path)
        for tokens, prompt_len in zip(answers.tokens, answers.prompt_len, strict=True):
            text = tokenizer.decode([t for t in tokens[prompt_len : prompt_len + 90].tolist() if t != END])
            sentences = text.replace("\n", " ").split(". ")[:-1][:3]
            passage = ". ".join(sentences).strip()
            if 60 <= len(passage) <= 280:
                passages.append(passage + ".")
            if len(passages) >= limit:
                return passages
    return passages


def run(shard_dir: Path, rows: int, seed: int, until: int, passages: list[str]) -> None:
    """Write shards `gen<seed>-NNNN` until all shards in the folder hold `until` tokens.

    When told to stop, what is finished is written first.
    """
    shard_dir.mkdir(parents=True, exist_ok=True)
    number = len([p for p in list_shards(shard_dir) if p.name.startswith(f"gen{seed:02d}-")])
    generator = Generator(rows, seed * 1000 + number, passages)
    pending: list[Sequence] = []
    start, steps = time.time(), 0
    stopped = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    signal.signal(signal.SIGINT, lambda *_: stopped.set())
    while True:
        pending += generator.step()
        steps += 1
        size = sum(len(s.tokens) for s in pending)
        if size < PER_SHARD and not (stopped.is_set() and pending):
            continue
        write_shard(shard_dir / f"gen{seed:02d}-{number:04d}", pending)
        total = sum(len(np.load(p / "tokens.npy", mmap_mode="r")) for p in list_shards(shard_dir))
        seconds = time.time() - start
        answers = size - sum(s.prompt_len for s in pending)
        left = max(0, until - total) / size * seconds / 60
        print(
            f"{time.strftime('%H:%M:%S')} data {total}/{until} tokens (left about {left:.0f} min): "
            f"{len(pending)} conversations, {answers} answer tokens, {rows * steps / seconds:.0f} tokens/s, "
            f"{generator.conversations.dropped} dropped",
            flush=True,
        )
        if total >= until or stopped.is_set():
            return
        number, pending, steps, start = number + 1, [], 0, time.time()
