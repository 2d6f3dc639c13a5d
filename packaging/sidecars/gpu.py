"""Stages `gpu-pack` and `gpu-run`: the pipeline in one run of minutes on a GPU without a network.

`gpu-pack` writes parts small enough for one transfer each: target, tokenised prompts, held-out answers,
weights to begin from, pure-Python packages that may be missing there. `gpu-run` joins them, writes answers,
trains with features computed as they are needed, fits the kinds, and leaves files and figures in the output
folder. On a CPU the same code rehearses it with a few rows.
"""

from __future__ import annotations

import importlib.util
import io
import json
import os
import random
import sys
import tarfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from answers import Answers, read_answers, write_answers
from conversations import LENGTH, Conversations, Row, TextPrompts, text_prompts
from paths import ENV_TARGET, HELDOUT, RESOURCES, STATE, target_file
from precision import fast_type
from prompts import PromptFilter, read_heldout, use_passages

PART_BYTES = 60_000_000
VENDORED = ("gguf", "tqdm", "yaml")
PACKED = "packed.json"


def pack(work: Path, out: Path, prompts: int) -> None:
    """Write `out/part-NN`; each travels in a transfer of its own."""
    from evaluate import heldout_sequences
    from generate import read_passages

    use_passages(read_passages())
    source, _, _ = text_prompts(target_file(), 99, [p for _, p in read_heldout(HELDOUT)])
    made = [source.ours() for _ in range(prompts)]
    sequences = heldout_sequences(work)
    out.mkdir(parents=True, exist_ok=True)
    for old in out.glob("part-*"):
        old.unlink()
    heldout = Answers(
        [np.array(q.tokens) for q in sequences],
        [q.prompt_len for q in sequences],
        [0.0] * len(sequences),
        [q.category for q in sequences],
    )
    write_answers(out / "heldout.npz", heldout)
    start = STATE / "backbone.gguf"
    start = start if start.exists() else RESOURCES / "smollm2-135m-dflash.gguf"
    facts = {
        "prefix": source.prefix,
        "answer_prefix": source.answer_prefix,
        "starters": source.starters,
        "prompts": made,
    }
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        tar.add(target_file(), "target.gguf")
        tar.add(start, "start.gguf")
        tar.add(out / "heldout.npz", "heldout.npz")
        text = json.dumps(facts).encode()
        info = tarfile.TarInfo(PACKED)
        info.size = len(text)
        tar.addfile(info, io.BytesIO(text))
        for name in VENDORED:
            spec = importlib.util.find_spec(name)
            if spec is not None and spec.submodule_search_locations:
                folder = next(iter(spec.submodule_search_locations))
                tar.add(folder, f"vendor/{name}", filter=lambda t: None if "__pycache__" in t.name else t)
    (out / "heldout.npz").unlink()
    raw = data.getvalue()
    for number, a in enumerate(range(0, len(raw), PART_BYTES)):
        (out / f"part-{number:02d}").write_bytes(raw[a : a + PART_BYTES])
    names = ", ".join(p.name for p in sorted(out.glob("part-*")))
    print(f"{len(raw) / 1e6:.0f} MB in {out}: {names}; send one after the other, then run gpu-run there")


def unpack(parts: Path, folder: Path) -> None:
    """Join the parts into `folder`, and use the target and the packages in it."""
    raw = b"".join(p.read_bytes() for p in sorted(parts.glob("part-*")))
    with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
        tar.extractall(folder, filter="data")
    os.environ[ENV_TARGET] = str(folder / "target.gguf")
    sys.path.append(str(folder / "vendor"))


class PackedPrompts:
    """Prompts that were tokenised when the package was made; used again when they run out."""

    def __init__(self, path: Path, seed: int) -> None:
        facts = json.loads(path.read_text(encoding="utf-8"))
        self.prefix: list[int] = facts["prefix"]
        self.answer_prefix: list[int] = facts["answer_prefix"]
        self._starters: list[list[int]] = facts["starters"]
        self._prompts: list[tuple[str, list[int]]] = [(c, t) for c, t in facts["prompts"]]
        random.Random(seed).shuffle(self._prompts)
        self._next = 0

    def ours(self) -> tuple[str, list[int]]:
        self._next += 1
        return self._prompts[(self._next - 1) % len(self._prompts)]

    def starter(self, r: random.Random) -> list[int]:
        return r.choice(self._starters)


@dataclass
class Plan:
    """Minutes for each part of the run; the sum stays below the limit of one command."""

    answers: float = 2.5
    train: float = 4.0
    blocks: int = 60_000  # whose states are cached for the kinds' own parts
    steps: int = 1500
    rows: int = 4096
    sequences: int = 64
    anchors: int = 64
    every: int = 1  # every n-th held-out prompt is simulated


def write_answers_for(
    minutes: float, rows: int, source: PackedPrompts | TextPrompts, heldout: list[str], device: str
) -> Answers:
    """Let the target answer for so many minutes."""
    from chat import Vocabulary
    from generate import SAMPLED, choose, share_prefix
    from target import Cache, Target

    target = Target(target_file(), device, LENGTH, fast_type(device))
    conversations = Conversations(rows, 7, source, Vocabulary(target_file()), PromptFilter(heldout))
    cache = Cache(rows, LENGTH, target.device, target.dtype)
    share_prefix(target, cache, source.prefix)
    done: list[Row] = []
    start = said = time.time()
    while time.time() - start < minutes * 60 or not done:
        temperatures = [row.sampling for row in conversations.rows]
        fed, places = conversations.feed()
        positions = torch.tensor(places, device=device)
        _, hidden = target.step(torch.tensor(fed, device=device), positions, cache, max(places) + 1)
        logits, ids = target.head(hidden).topk(SAMPLED)
        chosen = choose(logits, ids, torch.tensor(temperatures, device=device)).tolist()
        done += conversations.advance(chosen)
        if time.time() - said > 20:
            said = time.time()
            total = sum(len(row.tokens) for row in done)
            print(f"answers: {len(done)} conversations, {total} tokens in {said - start:.0f} s", flush=True)
    return Answers(
        [np.array(row.tokens, np.uint16) for row in done],
        [row.prompt_len for row in done],
        [row.temperature for row in done],
        [row.category for row in done],
    )


def run(parts: Path, out: Path, plan: Plan, device: str) -> None:
    """Answers, training, kinds, files and figures; everything lands in `out` as soon as it is there."""
    folder = out / "work"
    folder.mkdir(parents=True, exist_ok=True)
    unpack(parts, folder)
    import heads
    import starting
    import train
    from batches import TokenPool
    from evaluate import simulated
    from features import sequences_of
    from gguf_files import export
    from target import Target

    torch.set_float32_matmul_precision("high")
    heldout = [p for _, p in read_heldout(HELDOUT)]
    answers = write_answers_for(plan.answers, plan.rows, PackedPrompts(folder / PACKED, 1), heldout, device)
    write_answers(out / "answers-gpu.npz", answers)
    for path in sorted(STATE.glob("answers-*.npz")):
        more = read_answers(path)
        for name in ("tokens", "prompt_len", "temperature", "category"):
            getattr(answers, name).extend(getattr(more, name))
    target = Target(target_file(), device, 2048, fast_type(device))
    pool, fit, check = (TokenPool(target, answers, 3, part) for part in ("train", "fit", "check"))
    print(f"training on {pool.answer_tokens} answer tokens", flush=True)
    options = train.Options(
        minutes=plan.train,
        rate=1e-3,
        sequences=plan.sequences,
        anchors=plan.anchors,
        device=device,
        four_bits=True,
    )
    begin = lambda: starting.draft_from([folder / "start.gguf"], "dflash", target, pool, True)  # noqa: E731
    backbone = train.run(options, pool, begin, folder / "train")
    held = read_answers(folder / "heldout.npz")
    sequences = sequences_of(target, held, list(range(0, len(held.tokens), plan.every)))
    figures: dict[str, object] = {"answer_tokens": pool.answer_tokens, "device": device}
    texts = heads.all_tokens(pool)
    for kind in ("dflash", "dspark", "dflash2"):
        draft = backbone
        if kind != "dflash":
            draft = heads.run(
                backbone, kind, texts, fit, check, plan.blocks, plan.steps, folder / f"{kind}.pt"
            )
        draft = draft.cpu()
        figures[kind] = simulated(draft, sequences)
        print(kind, json.dumps(figures[kind]), flush=True)
        export(draft, out / f"smollm2-135m-{kind}.gguf", "IQ4_NL")
        if kind == "dflash":
            export(draft, out / "backbone.gguf", "Q8_0", "weights to go on training from; not for use")
        backbone.to(device)
        (out / "figures.json").write_text(json.dumps(figures, indent=1), encoding="utf-8")
    for path in sorted(folder.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()
    folder.rmdir()
