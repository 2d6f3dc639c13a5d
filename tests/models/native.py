"""A pair driven with nothing but ctypes: the smallest loop that drafts and verifies.

It proves that the made files load and behave, without the program's engine. Greedy, one sequence.
"""

from __future__ import annotations

import ctypes
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

_CXX_NAMES = {
    "llama_set_embeddings_layer_inp": (
        "_Z30llama_set_embeddings_layer_inpP13llama_contextjb",
        "?llama_set_embeddings_layer_inp@@YAXPEAUllama_context@@I_N@Z",
    ),
    "llama_get_embeddings_layer_inp": (
        "_Z30llama_get_embeddings_layer_inpP13llama_contextj",
        "?llama_get_embeddings_layer_inp@@YAPEAMPEAUllama_context@@I@Z",
    ),
    "llama_set_embeddings_nextn": (
        "_Z26llama_set_embeddings_nextnP13llama_contextbb",
        "?llama_set_embeddings_nextn@@YAXPEAUllama_context@@_N1@Z",
    ),
    "llama_get_embeddings_nextn": (
        "_Z26llama_get_embeddings_nextnP13llama_context",
        "?llama_get_embeddings_nextn@@YAPEAMPEAUllama_context@@@Z",
    ),
}
_SIGNATURES: dict[str, tuple[list[Any], Any]] = {
    "llama_set_embeddings_layer_inp": ([ctypes.c_void_p, ctypes.c_uint32, ctypes.c_bool], None),
    "llama_get_embeddings_layer_inp": (
        [ctypes.c_void_p, ctypes.c_uint32],
        ctypes.POINTER(ctypes.c_float),
    ),
    "llama_set_embeddings_nextn": ([ctypes.c_void_p, ctypes.c_bool, ctypes.c_bool], None),
    "llama_get_embeddings_nextn": ([ctypes.c_void_p], ctypes.POINTER(ctypes.c_float)),
}


def _function(name: str) -> Any:
    from llama_cpp import llama_cpp

    for symbol in (name, _CXX_NAMES[name][sys.platform == "win32"]):
        try:
            function = llama_cpp._lib[symbol]
        except AttributeError:
            continue
        function.argtypes, function.restype = _SIGNATURES[name]
        return function
    raise AssertionError(f"the native library exports no {name}")


@dataclass(frozen=True)
class DraftFacts:
    """What the loop must know of a sidecar beyond its weights. `first` is the slot of the first draft."""

    taps: tuple[int, ...]
    width: int
    mask_token: int
    first: int = 1
    causal: bool = False
    selector_top_k: int = 0
    mrope: bool = False


@dataclass
class Outcome:
    """`drafted[i]` and `accepted[i]` count the rounds that proposed and committed draft i."""

    tokens: list[int] = field(default_factory=list)
    drafted: list[int] = field(default_factory=list)
    accepted: list[int] = field(default_factory=list)
    smallest_gap: float = float("inf")


class NativePair:
    """A target and perhaps a sidecar, loaded; a context manager."""

    def __init__(self, target: Path, sidecar: Path | None = None, facts: DraftFacts | None = None) -> None:
        import llama_cpp

        self._c = llama_cpp
        self._facts = facts
        self._batches: list[Any] = []
        self._models = [self._load(target)]
        self.n_vocab = llama_cpp.llama_vocab_n_tokens(llama_cpp.llama_model_get_vocab(self._models[0]))
        self.n_embd = llama_cpp.llama_model_n_embd(self._models[0])
        self._target = self._context(self._models[0], None)
        self._draft: Any = None
        if sidecar is not None:
            assert facts is not None
            self._models.append(self._load(sidecar))
            self._draft = self._context(self._models[1], self._target)
            for tap in facts.taps:
                _function("llama_set_embeddings_layer_inp")(self._target, tap, True)
            _function("llama_set_embeddings_nextn")(self._draft, True, not facts.selector_top_k)
            llama_cpp.llama_set_causal_attn(self._draft, facts.causal)

    def __enter__(self) -> NativePair:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        for context in (self._draft, self._target):
            if context is not None:
                self._c.llama_free(context)
        for model in reversed(self._models):
            self._c.llama_model_free(model)

    def tokenize(self, text: str) -> list[int]:
        vocab = self._c.llama_model_get_vocab(self._models[0])
        data = text.encode()
        ids = (ctypes.c_int32 * (len(data) + 8))()
        n = self._c.llama_tokenize(vocab, data, len(data), ids, len(ids), False, True)
        assert n >= 0
        return list(ids[:n])

    def generate(self, prompt: list[int], n_tokens: int) -> Outcome:
        """Greedy reply of `n_tokens`, drafted if there is a sidecar. Starts from empty caches."""
        out = Outcome()
        for context in (self._target, self._draft):
            if context is not None:
                self._c.llama_memory_clear(self._c.llama_get_memory(context), True)
        self._decode_target(prompt[:-1], 0)
        n, last = len(prompt) - 1, prompt[-1]
        while len(out.tokens) < n_tokens:
            draft = self._propose(n, last) if self._draft is not None else []
            logits = self._decode_target([last, *draft], n)
            accepted = 0
            for row in logits:
                top = np.partition(row, -2)[-2:]
                out.smallest_gap = min(out.smallest_gap, float(top[1] - top[0]))
                token = int(row.argmax())
                out.tokens.append(token)
                if accepted == len(draft) or token != draft[accepted]:
                    break
                accepted += 1
            out.drafted += [0] * (len(draft) - len(out.drafted))
            out.accepted += [0] * (len(draft) - len(out.accepted))
            for i in range(len(draft)):
                out.drafted[i] += 1
                out.accepted[i] += i < accepted
            n += 1 + accepted
            last = out.tokens[-1]
            self._inject(1 + accepted, n - 1 - accepted)
            self._c.llama_memory_seq_rm(self._c.llama_get_memory(self._target), 0, n, -1)
        del out.tokens[n_tokens:]
        return out

    def _load(self, path: Path) -> Any:
        params = self._c.llama_model_default_params()
        params.n_gpu_layers = 0
        model = self._c.llama_model_load_from_file(str(path).encode(), params)
        assert model, f"{path.name} does not load"
        return model

    def _context(self, model: Any, other: Any) -> Any:
        params = self._c.llama_context_default_params()
        params.n_ctx = params.n_batch = params.n_ubatch = 1024
        params.n_threads = params.n_threads_batch = 1
        if other is not None:
            params.ctx_other = other
        context = self._c.llama_init_from_model(model, params)
        assert context, "no context"
        return context

    def _decode_target(self, tokens: list[int], start: int) -> npt.NDArray[np.float32]:
        """[len(tokens), vocab] logits."""
        if not tokens:
            return np.empty((0, self.n_vocab), np.float32)
        self._decode_tokens(self._target, tokens, start, outputs=True)
        if self._draft is not None and start == 0:
            self._inject(len(tokens), 0)
        rows = self._c.llama_get_logits(self._target)
        return np.array(np.ctypeslib.as_array(rows, (len(tokens), self.n_vocab)), np.float32)

    def _decode_tokens(self, context: Any, tokens: list[int], start: int, outputs: bool) -> None:
        batch = self._c.llama_batch_init(len(tokens), 0, 1)
        batch.n_tokens = len(tokens)
        for i, token in enumerate(tokens):
            batch.token[i], batch.pos[i] = token, start + i
            batch.n_seq_id[i], batch.seq_id[i][0] = 1, 0
            batch.logits[i] = outputs
        result = self._c.llama_decode(context, batch)
        self._c.llama_batch_free(batch)
        assert result == 0, f"llama_decode returned {result}"

    def _propose(self, n: int, last: int) -> list[int]:
        facts = self._facts
        assert facts is not None
        block = [last, *[facts.mask_token] * (facts.width - 1)]
        self._decode_tokens(self._draft, block, n, outputs=not facts.selector_top_k)
        draft: list[int] = []
        if facts.selector_top_k:
            k, chosen = facts.selector_top_k, 0
            lattice = _function("llama_get_embeddings_nextn")(self._draft)
            for row in np.ctypeslib.as_array(lattice, (len(block), self.n_embd))[1:]:
                chosen = int(row[k + chosen * k : k + chosen * k + k].argmax())
                draft.append(int(row[chosen]))
        else:
            rows = np.ctypeslib.as_array(self._c.llama_get_logits(self._draft), (len(block), self.n_vocab))
            draft = [int(row.argmax()) for row in rows[facts.first :]]
        self._c.llama_memory_seq_rm(self._c.llama_get_memory(self._draft), 0, n, -1)
        return draft

    def _inject(self, rows: int, start: int) -> None:
        """Give the draft the taps of the first `rows` rows of the target's last batch, at their positions."""
        if self._draft is None or rows == 0:
            return
        facts = self._facts
        assert facts is not None
        get = _function("llama_get_embeddings_layer_inp")
        taps = [np.ctypeslib.as_array(get(self._target, tap), (rows, self.n_embd)) for tap in facts.taps]
        features = np.ascontiguousarray(np.concatenate(taps, axis=1), np.float32)
        positions = np.arange(start, start + rows, dtype=np.int32)
        if facts.mrope:
            positions = np.concatenate([positions, positions, positions, np.zeros_like(positions)])
        sequence = ctypes.pointer(ctypes.c_int32(0))
        sequences = (ctypes.POINTER(ctypes.c_int32) * rows)(*[sequence] * rows)
        counts = (ctypes.c_int32 * rows)(*[1] * rows)
        flags = (ctypes.c_int8 * rows)()
        batch = self._c.llama_batch(
            n_tokens=rows,
            embd=features.ctypes.data_as(ctypes.POINTER(ctypes.c_float)),
            pos=positions.ctypes.data_as(ctypes.POINTER(ctypes.c_int32)),
            n_seq_id=counts,
            seq_id=ctypes.cast(sequences, ctypes.POINTER(ctypes.POINTER(ctypes.c_int32))),
            logits=flags,
        )
        result = self._c.llama_decode(self._draft, batch)
        assert result == 0, f"injection returned {result}"
