"""Owned handles over native objects: model, context, batch. Return codes become errors here.

Knows the library's rules (who frees what, which pointers stay valid) and nothing about speculation.
Numpy views returned here are valid until the next decode on the same context; never keep them.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.core.errors import Bug, Cancelled, EnvironmentProblem
from app.core.wording import say
from app.engine import native
from app.engine.native import BOOL, F32, I32, STR, U32, VOID, function

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]

_model_load = function("llama_model_load_from_file", VOID, STR, type(native.model_default_params()))
_model_free = function("llama_model_free", None, VOID)
_get_vocab = function("llama_model_get_vocab", VOID, VOID)
_n_tokens = function("llama_vocab_n_tokens", I32, VOID)
_is_eog = function("llama_vocab_is_eog", BOOL, VOID, I32, quick=True)
_get_add_bos = function("llama_vocab_get_add_bos", BOOL, VOID)
_bos = function("llama_vocab_bos", I32, VOID)
_eos = function("llama_vocab_eos", I32, VOID)
_tokenize = function("llama_tokenize", I32, VOID, STR, I32, VOID, I32, BOOL, BOOL)
_piece = function("llama_token_to_piece", I32, VOID, I32, VOID, I32, I32, BOOL, quick=True)
_context_new = function("llama_init_from_model", VOID, VOID, type(native.context_default_params()))
_context_free = function("llama_free", None, VOID)
_get_memory = function("llama_get_memory", VOID, VOID, quick=True)
_seq_rm = function("llama_memory_seq_rm", BOOL, VOID, I32, I32, I32, quick=True)
_memory_clear = function("llama_memory_clear", None, VOID, BOOL)
_pos_min = function("llama_memory_seq_pos_min", I32, VOID, I32)
_pos_max = function("llama_memory_seq_pos_max", I32, VOID, I32)
_decode = function("llama_decode", I32, VOID, native.Batch)
_encode = function("llama_encode", I32, VOID, native.Batch)
_synchronize = function("llama_synchronize", None, VOID)
_logits = function("llama_get_logits", VOID, VOID)
_logits_ready = function("llama_get_logits", VOID, VOID, quick=True)
_n_ctx = function("llama_n_ctx", U32, VOID)
_n_batch = function("llama_n_batch", U32, VOID)
_n_ubatch = function("llama_n_ubatch", U32, VOID)
_n_embd = function("llama_model_n_embd", I32, VOID)
_n_embd_out = function(
    "llama_model_n_embd_out" if native.has("llama_model_n_embd_out") else "llama_model_n_embd", I32, VOID
)
_n_layer = function("llama_model_n_layer", I32, VOID)
_n_ctx_train = function("llama_model_n_ctx_train", I32, VOID)
_n_swa = function("llama_model_n_swa", I32, VOID)
_is_recurrent = function("llama_model_is_recurrent", BOOL, VOID)
_is_hybrid = function("llama_model_is_hybrid", BOOL, VOID)
_n_rs_seq = function("llama_n_rs_seq", U32, VOID) if native.has("llama_n_rs_seq") else None
_set_causal = function("llama_set_causal_attn", None, VOID, BOOL)
_chat_template = function("llama_model_chat_template", STR, VOID, STR)

_NO_SLOT = 1
CONTEXT_STEP = 256


class Model:
    """A loaded GGUF with its vocabulary. `report` gets fractions 0..1 and returns False to cancel."""

    def __init__(
        self,
        path: str,
        n_gpu_layers: int | str = "all",
        report: Callable[[float], bool] | None = None,
        what: str = "target",
        **overrides: Any,
    ) -> None:
        params = native.model_default_params()
        if n_gpu_layers != "auto":
            params.n_gpu_layers = -1 if n_gpu_layers == "all" else int(n_gpu_layers)
        for name, value in overrides.items():
            if not hasattr(params, name):
                raise ValueError(f"unknown model option {name!r}")
            setattr(params, name, value)
        cancelled = False
        failure: BaseException | None = None

        def progress(fraction: float, _user: Any) -> bool:
            nonlocal cancelled, failure
            try:
                cancelled = cancelled or (report is not None and not report(fraction))
            except BaseException as error:
                # An exception cannot pass through native code: it ends the load and goes on afterwards.
                failure = error
            return not cancelled and failure is None

        callback = native.progress_callback(progress)  # referenced until the load returns
        params.progress_callback = callback
        native.forget_log()
        self.path = path
        self._handle: int | None = _model_load(os.fsencode(path), params)
        if failure is not None or cancelled:
            self.close()
            raise failure or Cancelled
        if not self._handle:
            raise _load_problem(path, what)
        self._vocab = _get_vocab(self._handle)
        self.n_vocab: int = _n_tokens(self._vocab)
        self.n_embd: int = _n_embd(self._handle)
        self.n_embd_out: int = _n_embd_out(self._handle)
        self.n_layer: int = _n_layer(self._handle)
        self.n_ctx_train: int = _n_ctx_train(self._handle)
        self.n_swa: int = _n_swa(self._handle)
        self.is_recurrent: bool = _is_recurrent(self._handle) or _is_hybrid(self._handle)
        self.bos: int = _bos(self._vocab)
        self.eos: int = _eos(self._vocab)
        self.adds_bos: bool = _get_add_bos(self._vocab)
        self._pieces: dict[int, bytes] = {}
        self._piece_buffer = ctypes.create_string_buffer(256)

    @property
    def handle(self) -> int:
        if not self._handle:
            raise Bug("the model is closed")
        return self._handle

    @property
    def vocab(self) -> int:
        return int(self._vocab)

    def is_eog(self, token: int) -> bool:
        """Whether `token` ends the generation."""
        return bool(_is_eog(self._vocab, token))

    @cached_property
    def eog(self) -> tuple[int, ...]:
        """Every token that ends the generation."""
        return tuple(t for t in range(self.n_vocab) if _is_eog(self._vocab, t))

    def tokenize(self, text: str, add_special: bool, parse_special: bool) -> list[int]:
        raw = text.encode("utf-8", "surrogatepass")
        capacity = len(raw) + 8
        while True:
            out = np.empty(capacity, np.int32)
            n = _tokenize(self._vocab, raw, len(raw), out.ctypes.data, capacity, add_special, parse_special)
            if n >= 0:
                return [int(t) for t in out[:n]]
            capacity = -n

    def piece(self, token: int, special: bool = False) -> bytes:
        """The bytes of one token; empty for control tokens unless `special`."""
        if not special:
            cached = self._pieces.get(token)
            if cached is not None:
                return cached
        n = _piece(self._vocab, token, self._piece_buffer, len(self._piece_buffer), 0, special)
        if n < 0:
            self._piece_buffer = ctypes.create_string_buffer(-n)
            n = _piece(self._vocab, token, self._piece_buffer, -n, 0, special)
        piece = self._piece_buffer.raw[: max(n, 0)]
        if not special:
            self._pieces[token] = piece
        return piece

    @property
    def chat_template(self) -> str | None:
        raw = _chat_template(self.handle, None)
        return raw.decode("utf-8", "replace") if raw else None

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle:
            _model_free(handle)


class Context:
    """A context with one sequence. `n_outputs_max` bounds the rows of logits of one decode."""

    def __init__(self, model: Model, what: str = "target", **options: Any) -> None:
        params = native.context_default_params()
        for name, value in options.items():
            if not hasattr(params, name):
                raise ValueError(f"unknown context option {name!r}")
            setattr(params, name, value)
        # The library pads the context to this, but first cuts batches to what was asked for.
        params.n_ctx = -(-params.n_ctx // CONTEXT_STEP) * CONTEXT_STEP
        native.forget_log()
        self.model = model
        self.n_vocab = model.n_vocab
        self._handle: int | None = _context_new(model.handle, params)
        if not self._handle:
            raise EnvironmentProblem(
                say("The context of the {what} could not be created.", what=what),
                _reason(say("Usually there is not enough memory for it.")),
                say("Choose a smaller context or fewer GPU layers, or go on without speculation."),
                code="no-memory",
            )
        self.n_ctx: int = _n_ctx(self._handle)
        # A window's cache forgets what has left it, unless it was made to hold everything.
        self.windowed: bool = model.n_swa > 0 and not params.swa_full
        # Positions that a recurrent memory can take back after one decode.
        self.n_rs_seq: int = _n_rs_seq(self._handle) if _n_rs_seq is not None else 0
        # The library fits batches into the context, so these may be smaller than what was asked for.
        self.n_batch: int = _n_batch(self._handle)
        self.n_ubatch: int = _n_ubatch(self._handle)

    @property
    def handle(self) -> int:
        if not self._handle:
            raise Bug("the context is closed")
        return self._handle

    @property
    def closed(self) -> bool:
        return not self._handle

    def decode(self, batch: Batch) -> None:
        """Decode; EnvironmentProblem when the cache is full or the backend fails."""
        self._check(_decode(self.handle, batch.struct))

    def encode(self, batch: Batch) -> None:
        """Run the encoder of a model that has one; errors as `decode`."""
        self._check(_encode(self.handle, batch.struct))

    def _check(self, code: int) -> None:
        if code == 0:
            return
        if code == _NO_SLOT:
            raise EnvironmentProblem(
                say("The context is full."),
                say("It holds {n_ctx} tokens.", n_ctx=self.n_ctx),
                say("Start a new chat or choose a larger context."),
                code="context-full",
            )
        raise EnvironmentProblem(
            say("The engine could not compute the next step."),
            _reason(say("The library returned {code}; often memory has run out.", code=code)),
            say("Try again; if it happens again, choose a smaller context or fewer GPU layers."),
            code="decode-failed",
        )

    def synchronize(self) -> None:
        _synchronize(self.handle)

    def logits(self, rows: int) -> Floats:
        """Logits of the last decode's outputs, `[rows, n_vocab]` float32; waits for the computation."""
        return float_view(_logits(self.handle), rows, self.n_vocab)

    def ready_logits(self, rows: int) -> Floats:
        """As `logits`, after `synchronize`: there is nothing to wait for."""
        return float_view(_logits_ready(self.handle), rows, self.n_vocab)

    @property
    def _memory(self) -> int:
        # Asked for each time: after `close()` it must not be touched.
        return int(_get_memory(self.handle))

    def remove(self, start: int) -> bool:
        """Forget positions `start..`; False when this memory cannot forget a part."""
        return bool(_seq_rm(self._memory, 0, start, -1))

    def clear(self) -> None:
        _memory_clear(self._memory, True)

    def first_position(self) -> int:
        """The lowest position in memory, -1 when empty."""
        return int(_pos_min(self._memory, 0))

    def last_position(self) -> int:
        """The highest position in memory, -1 when empty."""
        return int(_pos_max(self._memory, 0))

    def set_causal(self, causal: bool) -> None:
        _set_causal(self.handle, causal)

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle:
            _context_free(handle)


class Batch:
    """A batch over arrays of our own, reused for every decode (never freed by the library).

    `width` 0 makes a token batch, else an embedding batch of `[capacity, width]` float32 rows, which
    carries `positions_per_row` positions per row, section-major (4 for M-RoPE). `paired`: every entry has
    a token and a row (and one position).
    """

    def __init__(
        self, capacity: int, width: int = 0, positions_per_row: int = 1, paired: bool = False
    ) -> None:
        self.capacity = capacity
        self.positions_per_row = positions_per_row
        self.tokens: Ints = np.zeros(capacity, np.int32)
        self.rows: Floats = np.zeros((capacity, width), np.float32)
        self._positions: Ints = np.zeros(capacity * positions_per_row, np.int32)
        self._outputs = np.zeros(capacity, np.int8)
        self._n_seq = np.ones(capacity, np.int32)
        self._zero = np.zeros(1, np.int32)
        self._seq_ids = np.full(capacity, self._zero.ctypes.data, np.uintp)
        self._arange: Ints = np.arange(capacity, dtype=np.int32)
        self.struct = native.Batch()
        if width:
            self.struct.embd = self.rows.ctypes.data_as(ctypes.POINTER(F32))
        if not width or paired:
            self.struct.token = self.tokens.ctypes.data_as(ctypes.POINTER(I32))
        self.struct.pos = self._positions.ctypes.data_as(ctypes.POINTER(I32))
        self.struct.n_seq_id = self._n_seq.ctypes.data_as(ctypes.POINTER(I32))
        self.struct.seq_id = self._seq_ids.ctypes.data_as(ctypes.POINTER(ctypes.POINTER(I32)))
        self.struct.logits = self._outputs.ctypes.data_as(ctypes.POINTER(ctypes.c_int8))

    def set(self, n: int, start: int, outputs: bool) -> Batch:
        """Use the first `n` entries at positions `start..`, all rows output or none."""
        if n > self.capacity:
            raise Bug(f"a batch of {n} does not fit into {self.capacity}")
        self.struct.n_tokens = n
        if self.positions_per_row == 1:
            np.add(self._arange[:n], start, out=self._positions[:n])
        else:
            sections = self._positions[: n * self.positions_per_row].reshape(self.positions_per_row, n)
            sections[:] = self._arange[:n] + start
            # Text under M-RoPE is (p, p, p, 0).
            sections[3:] = 0
        self._outputs[:n] = outputs
        return self

    def set_tokens(self, tokens: Sequence[int], start: int, outputs: bool) -> Batch:
        self.set(len(tokens), start, outputs)
        self.tokens[: len(tokens)] = tokens
        return self

    def quiet(self, n: int) -> Batch:
        """The first `n` entries are not output."""
        self._outputs[:n] = False
        return self

    def only_last(self) -> Batch:
        """Of the entries in use, only the last is output."""
        self._outputs[self.struct.n_tokens - 1] = True
        self._outputs[: self.struct.n_tokens - 1] = False
        return self


def float_view(address: int | None, rows: int, width: int) -> Floats:
    """A view `[rows, width]` of native float32 memory, valid until the next decode."""
    if not address:
        raise Bug("the library returned no data where it must")
    buffer = (F32 * (rows * width)).from_address(address)
    return np.frombuffer(buffer, np.float32).reshape(rows, width)  # type: ignore[call-overload,no-any-return]


def _reason(fallback: str) -> str:
    errors = native.recent_errors()
    return say("The library says: {error}", error=errors[-1]) if errors else fallback


def _load_problem(path: str, what: str) -> EnvironmentProblem:
    said = " ".join(native.recent_errors())
    name = os.path.basename(path)
    if "unknown model architecture" in said:
        return EnvironmentProblem(
            say("{name} cannot be loaded: this engine does not know its architecture.", name=name),
            _reason(""),
            say("Update Slipstream; if the file is new, it may need a newer engine."),
            code="engine-too-old",
        )
    if "alloc" in said or "out of memory" in said:
        return EnvironmentProblem(
            say("There is not enough memory to load the {what} {name}.", what=what, name=name),
            _reason(""),
            say("Close other programs, choose a smaller file or fewer GPU layers."),
            code="no-memory",
        )
    return EnvironmentProblem(
        say("The {what} {name} could not be loaded.", what=what, name=name),
        _reason(say("The library gave no reason.")),
        say("Check that the file is complete, or choose another one."),
        code="load-failed",
    )
