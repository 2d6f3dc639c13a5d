"""Stage `state`: what is committed so that work goes on elsewhere: answers, weights, counts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from answers import Answers, read_answers, write_answers
from numpy.typing import NDArray
from paths import STATE
from shards import Shard, list_shards

BACKBONE = STATE / "backbone.gguf"


def save_answers(shard_dir: Path, path: Path) -> tuple[int, int]:
    """Add the generated shards' tokens to those in `path`: (conversations, answer tokens) in it then.

    What was written on other machines has no shards here and stays; what is known is not added again.
    """
    before = read_answers(path) if path.exists() else Answers([], [], [], [])
    answers, known = Answers([], [], [], []), set()

    def add(tokens: NDArray[np.uint16], prompt_len: int, temperature: float, category: str) -> None:
        if (text := tokens.tobytes()) not in known:
            known.add(text)
            answers.tokens.append(tokens)
            answers.prompt_len.append(prompt_len)
            answers.temperature.append(temperature)
            answers.category.append(category)

    for row in zip(before.tokens, before.prompt_len, before.temperature, before.category, strict=True):
        add(*row)
    for folder in list_shards(shard_dir):
        if not folder.name.startswith("gen"):
            continue
        shard = Shard(folder)
        for i in range(len(shard)):
            q = shard[i]
            add(np.array(q.tokens), q.prompt_len, q.temperature, q.category)
    path.parent.mkdir(exist_ok=True)
    write_answers(path, answers)
    return len(answers.tokens), sum(len(t) for t in answers.tokens) - sum(answers.prompt_len)


def run(work: Path, checkpoint: Path | None) -> None:
    """Save answers, and the averaged weights of `checkpoint` as an eight-bit file to start training from."""
    conversations, tokens = save_answers(work / "shards", STATE / "answers-v2.npz")
    entry: dict[str, object] = {"conversations": conversations, "answer_tokens": tokens}
    if checkpoint is not None:
        from gguf_files import export, load_checkpoint, target_embeddings

        draft, loaded = load_checkpoint(checkpoint, target_embeddings())
        export(draft, BACKBONE, "Q8_0", "weights to go on training from; not for use")
        entry.update(
            step=loaded["step"], blocks=loaded["blocks"], trained_on_answer_tokens=loaded["answer_tokens"]
        )
    path = STATE / "state.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps({**known, **entry}, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(entry), flush=True)
