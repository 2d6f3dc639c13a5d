"""Stage `gates`: what must hold before a training run is worth its time, cheapest first."""

from __future__ import annotations

import ctypes
import tempfile
import time
from pathlib import Path

import numpy as np
import torch
from answers import read_answers
from batches import Batch, collate
from draft import KINDS, Draft, DraftConfig
from gguf_files import export, read_sidecar
from losses import labels_of, loss_of, token_loss
from paths import STATE, target_file
from precision import fast_type
from shards import Sequence, Shard, list_shards
from target import VOCAB, Target


def random_draft(kind: str, target: Target, causal: bool = True) -> Draft:
    """A small-vocabulary draft with every part of its kind away from the identity."""
    torch.manual_seed(3)
    config = DraftConfig(kind=kind, causal=causal, draft_vocab=2048)
    draft = Draft(config, target.embed, torch.arange(2048) * 7)
    draft.initialise(target, torch.tensor([3.0, 7.0, 7.0, 10.0, 20.0]))
    with torch.no_grad():
        for name, parameter in draft.named_parameters():
            if any(
                part in name for part in ("markov", "conf", "conv", "predecessor", "successor", "selector")
            ):
                parameter.add_(torch.randn_like(parameter) * 0.05)
    return draft


def some_sequences(shard_dir: Path, n: int) -> list[Sequence]:
    shard = Shard(list_shards(shard_dir)[0])
    chosen = [shard[i] for i in range(len(shard)) if len(shard[i].tokens) - shard[i].prompt_len > 40][:n]
    assert len(chosen) == n, "make features first"
    return chosen


def leak(target: Target, shard_dir: Path) -> None:
    """Rows at the anchor and later must not move the loss; rows before it must."""
    for kind in KINDS:
        draft = random_draft(kind, target)
        sequences = some_sequences(shard_dir, 2)
        batch = collate(sequences, [[q.prompt_len + 5] for q in sequences])
        with torch.no_grad():
            before, _ = loss_of(draft, batch, 8, 3.0)
            for i, q in enumerate(sequences):
                batch.features[i, q.prompt_len + 5 :] += (
                    torch.randn_like(batch.features[i, q.prompt_len + 5 :]) * 10
                )
            after, _ = loss_of(draft, batch, 8, 3.0)
            batch.features[:, 30:] += 5.0
            moved, _ = loss_of(draft, batch, 8, 3.0)
        assert torch.equal(before, after), f"{kind}: rows at or after the anchor leak into the block"
        assert abs(float(moved - before)) > 1e-4, f"{kind}: the block does not see its context"
        short = draft.hidden(batch.features, batch.at(batch.tokens, batch.anchors), batch.anchors, 4)
        whole = draft.hidden(batch.features, batch.at(batch.tokens, batch.anchors), batch.anchors, 8)
        rounding = 1e-4 * float(whole.abs().max())
        same = torch.allclose(short, whole[:, :, :3], atol=rounding)
        assert same, f"{kind}: later masks change earlier slots"
    print("leak: ok", flush=True)


def parity(drafts: list[tuple[str, Draft]], target: Target) -> None:
    """Logits, confidences and selector scores of exported F16 files equal the network's."""
    from native import NativePair

    torch.manual_seed(5)
    answers = read_answers(STATE / "answers-v1.npz")
    tokens = answers.tokens[5][:120].astype(int).tolist()
    with tempfile.TemporaryDirectory() as folder:
        for name, draft in drafts:
            path = Path(folder) / "draft.gguf"
            export(draft, path, "F16")
            rounded = read_sidecar(path, target.embed)
            pair = NativePair(path, draft.config)
            rows = pair.target_rows(tokens)
            n = 100
            slots = draft.config.block
            logits, nextn = pair.block(rows[:n], tokens[n], slots)
            pair.close()
            with torch.inference_mode():
                batch = Batch(
                    torch.from_numpy(rows[None]),
                    torch.tensor([tokens]),
                    torch.tensor([[n]]),
                    torch.tensor([True]),
                    torch.zeros(1, 120, 16, dtype=torch.int64),
                    torch.zeros(1, 120, 16),
                    torch.tensor([120]),
                )
                anchor = torch.tensor([[tokens[n]]])
                hidden = rounded.hidden(batch.features, anchor, batch.anchors, slots)[0, 0]
                ours = rounded.logits(hidden)
                ids = rounded.d2t.numpy()
                extra = 0.0
                if draft.config.kind == "dspark":
                    previous = anchor[0]
                    for k in range(slots - 1):
                        ours[k] += rounded.markov_bias(previous)[0]
                        confidence = rounded.confidence(hidden[k : k + 1], previous).sigmoid()
                        extra = max(extra, abs(float(confidence[0]) - float(nextn[k + 1, 0])))
                        previous = torch.tensor([int(np.argmax(logits[k + 1]))])
                if draft.config.kind == "dflash2":
                    top = draft.config.selector_top_k
                    for k in range(slots - 1):
                        row = nextn[k + 1]
                        candidates = torch.from_numpy(row[:top].astype(np.int64))
                        before = int(nextn[k, 0]) if k else tokens[n]
                        scores = ours[k][rounded.t2d[candidates]] + rounded.pair_scores(
                            hidden[k], torch.tensor(before), candidates
                        )
                        extra = max(
                            extra, float((scores - torch.from_numpy(row[top : 2 * top].copy())).abs().max())
                        )
                theirs = torch.from_numpy(logits[1:][:, ids])
                difference = float((ours - theirs).abs().max())
                scale = float(theirs.abs().max())
            agree = bool((ours.argmax(-1) == theirs.argmax(-1)).all())
            print(
                f"parity {name} causal={draft.config.causal}: logits differ by {difference:.4f} of "
                f"{scale:.1f}, own part by {extra:.5f}, same choices: {agree}",
                flush=True,
            )
            assert difference < 5e-3 * scale, "PyTorch and the native library disagree"
            assert extra < 5e-3 * max(scale if draft.config.kind == "dflash2" else 1.0, 1.0)


def teacher() -> None:
    """The PyTorch target differs from the native one by no more than the native one from itself."""
    from llama_cpp import llama_cpp as lib

    log = lib.llama_log_callback(lambda _level, _text, _data: None)
    lib.llama_log_set(log, ctypes.c_void_p(0))
    model = lib.llama_model_load_from_file(str(target_file()).encode(), lib.llama_model_default_params())
    params = lib.llama_context_default_params()
    params.n_ctx = params.n_batch = params.n_ubatch = 256
    params.n_threads = params.n_threads_batch = 1
    context = lib.llama_init_from_model(model, params)
    answers = read_answers(STATE / "answers-v1.npz")
    tokens = answers.tokens[4][:128].astype(int).tolist()

    def native(width: int) -> np.ndarray:
        lib.llama_memory_clear(lib.llama_get_memory(context), True)
        out = []
        for a in range(0, len(tokens), width):
            batch = lib.llama_batch_init(width, 0, 1)
            batch.n_tokens = width
            for j in range(width):
                batch.token[j], batch.pos[j], batch.n_seq_id[j], batch.logits[j] = tokens[a + j], a + j, 1, 1
                batch.seq_id[j][0] = 0
            assert lib.llama_decode(context, batch) == 0
            lib.llama_batch_free(batch)
            out.append(np.ctypeslib.as_array(lib.llama_get_logits(context), (width, VOCAB)).copy())
        return np.concatenate(out)

    wide, narrow = native(len(tokens)), native(1)
    lib.llama_free(context)
    lib.llama_model_free(model)
    own = float(np.abs(wide - narrow).mean())
    print(f"teacher: native wide against narrow {own:.3f}", flush=True)
    for kind in {torch.float32, fast_type()}:
        ours = Target(target_file(), dtype=kind)
        _, hidden = ours.prefill(torch.tensor([tokens]))
        logits = ours.head(hidden[0]).numpy()
        to_wide, to_narrow = (float(np.abs(logits - theirs).mean()) for theirs in (wide, narrow))
        print(f"teacher: {kind} against wide {to_wide:.3f}, narrow {to_narrow:.3f}", flush=True)
        assert min(to_wide, to_narrow) < 1.5 * own, "the PyTorch target is not the file's model"


def overfit(target: Target, shard_dir: Path, minutes: float) -> None:
    """Fifty conversations can be learned by heart: the first draft is right nine times in ten."""
    draft = Draft(DraftConfig(), target.embed, torch.arange(8192))
    draft.initialise(target, torch.tensor([3.0, 7.0, 7.0, 10.0, 20.0]))
    sequences = some_sequences(shard_dir, 50)
    optimizer = torch.optim.AdamW(draft.parameters(), lr=1e-3)
    rng = np.random.default_rng(1)
    start, step, right = time.time(), 0, 0.0
    while time.time() - start < minutes * 60 and right < 0.9:
        group = [sequences[i] for i in rng.choice(50, 5, replace=False)]
        batch = collate(
            group, [sorted(rng.integers(q.prompt_len - 1, q.prompt_len + 30, 31).tolist()) for q in group]
        )
        labels = labels_of(draft, batch, 3, 3.0)
        logits = draft.logits(
            draft.hidden(batch.features, batch.at(batch.tokens, batch.anchors), batch.anchors, 3)
        )
        loss = token_loss(logits, labels, batch.greedy)
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(draft.parameters(), 1.0)
        optimizer.step()
        best = labels.ids[..., 0, 0]
        known = (labels.weight[..., 0] > 0) & (best >= 0)
        now = float((logits[..., 0, :].argmax(-1) == best)[known].float().mean())
        right = 0.9 * right + 0.1 * now
        step += 1
        if step % 25 == 0:
            print(f"overfit step {step}: loss {float(loss):.3f}, first draft right {right:.3f}", flush=True)
    assert right >= 0.9, "fifty conversations were not learned by heart"
    print(f"overfit: ok after {step} steps", flush=True)


def run(shard_dir: Path, sidecars: list[Path], minutes: float, files_only: bool = False) -> None:
    """All gates, or with `files_only` the parity of the given files alone."""
    target = Target(target_file())
    if files_only:
        parity([(p.name, read_sidecar(p, target.embed)) for p in sidecars], target)
        return
    leak(target, shard_dir)
    teacher()
    drafts = [(kind, random_draft(kind, target, causal)) for kind in KINDS for causal in (True, False)]
    parity(drafts + [(p.name, read_sidecar(p, target.embed)) for p in sidecars], target)
    if minutes > 0:
        overfit(target, shard_dir, minutes)
