"""Stage `state`: what is committed so that work goes on elsewhere: answers, weights, counts."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from answers import Answers, write_answers
from paths import STATE
from shards import Shard, list_shards

BACKBONE = STATE / "backbone.gguf"


def save_answers(shard_dir: Path) -> tuple[int, int]:
    """Collect the generated shards' tokens into `answers-v2.npz`: (conversations, answer tokens)."""
    answers = Answers([], [], [], [])
    total = 0
    for path in list_shards(shard_dir):
        if not path.name.startswith("gen"):
            continue
        shard = Shard(path)
        for i in range(len(shard)):
            q = shard[i]
            answers.tokens.append(np.array(q.tokens))
            answers.prompt_len.append(q.prompt_len)
            answers.temperature.append(q.temperature)
            answers.category.append(q.category)
            total += len(q.tokens) - q.prompt_len
    STATE.mkdir(exist_ok=True)
    write_answers(STATE / "answers-v2.npz", answers)
    return len(answers.tokens), total


def run(work: Path, checkpoint: Path | None) -> None:
    """Save answers, and the averaged weights of `checkpoint` as an eight-bit file to start training from."""
    conversations, tokens = save_answers(work / "shards")
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
