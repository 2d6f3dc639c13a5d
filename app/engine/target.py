"""The target model with its context and the tokens whose K/V it holds: position i belongs to `cached[i]`.

Decodes tokens, forgets positions, extracts tap rows. Knows nothing of drafts or sampling.

Recurrent and hybrid memories cannot forget any part at will. What such a memory takes back by itself is
counted here; for the rest a state is saved before and restored after, and the tokens in between are
decoded again, together with the next ones where that is cheap. Until then they are "behind": part of
`cached`, not of the memory.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.core.errors import Bug
from app.core.rounds import CHECKPOINT, NATIVE
from app.engine.checkpoints import Checkpoint, CheckpointCounts
from app.engine.handles import Batch, Context, Floats, Model, float_view
from app.engine.native import BOOL, U32, VOID, function, has
from app.engine.prefix_states import PrefixStates

SNAPSHOTS = "snapshots"
NONE = "none"

_TAPS_AVAILABLE = has("llama_set_embeddings_layer_inp")
if _TAPS_AVAILABLE:
    _set_tap = function("llama_set_embeddings_layer_inp", None, VOID, U32, BOOL)
    _get_tap = function("llama_get_embeddings_layer_inp", VOID, VOID, U32, quick=True)
_NEXTN_AVAILABLE = has("llama_set_embeddings_nextn")
if _NEXTN_AVAILABLE:
    _set_nextn = function("llama_set_embeddings_nextn", None, VOID, BOOL, BOOL)
    _get_nextn = function("llama_get_embeddings_nextn", VOID, VOID, quick=True)

# So many tokens are rather decoded again beside the next ones than by themselves.
_BEHIND_MAX = 8


class Target:
    """`rows_max` bounds the width of a verification batch (1 + the longest draft).

    `rollback` is NATIVE, SNAPSHOTS, CHECKPOINT or NONE, as `prove_rollback` found. With `n_states`, up to
    so many states of the cached text's beginning are kept where removal cannot go back to them.
    """

    def __init__(
        self,
        model: Model,
        context: Context,
        rows_max: int,
        n_states: int = 0,
        state_interval: int = 4096,
        on_device: bool = False,
    ) -> None:
        self.model = model
        self.context = context
        self.rows_max = rows_max
        self.cached: list[int] = []
        self.rollback = NATIVE
        self.counts = CheckpointCounts()
        self.first_row = 0  # the first row of the last decode that belongs to what was asked for
        self.fresh_graph = True  # the next decode rebuilds the graph and is not timed
        self._taps: tuple[int, ...] = ()
        self._nextn = False
        self._checkpoint = Checkpoint(context, on_device, self.counts)
        self._states = PrefixStates(context, n_states, state_interval, self.counts)
        self._behind = 0
        self._snapshots = 0  # positions at the end that a recurrent memory can take back now
        self._decoding = False
        self._width = min(context.n_batch, context.n_ubatch)
        self._verify_batch = Batch(rows_max + _BEHIND_MAX)
        self._prefill_batch = Batch(max(context.n_batch, rows_max))

    # --- decoding -----------------------------------------------------------------------------------

    def decode_rows(self, tokens: Sequence[int]) -> None:
        """Decode at the end of the cache, logits for every row. The cache then holds all of them."""
        self._decode(self._verify_batch, tokens, outputs=True)

    def decode_quiet(self, tokens: Sequence[int]) -> None:
        """Decode at the end of the cache without outputs (prefill)."""
        self._decode(self._prefill_batch, tokens, outputs=False)
        self.context.synchronize()

    def _decode(self, batch: Batch, tokens: Sequence[int], outputs: bool) -> None:
        if self._behind and self._behind + len(tokens) > self._width:
            self._catch_up()
        behind, start = self._behind, len(self.cached) - self._behind
        if behind:
            batch.set_tokens([*self.cached[start:], *tokens], start, outputs).quiet(behind)
        else:
            batch.set_tokens(tokens, start, outputs)
        self._decoding = True
        self.context.decode(batch)
        self._decoding = False
        self.cached.extend(tokens)
        self.first_row, self._behind = behind, 0
        if self.rollback == SNAPSHOTS:
            self._snapshots = min(behind + len(tokens) - 1, self.context.n_rs_seq)

    def _catch_up(self) -> None:
        """Decode again what is behind."""
        tokens = self.cached[len(self.cached) - self._behind :]
        del self.cached[len(self.cached) - self._behind :]
        self._behind = 0
        self.decode_quiet(tokens)

    # --- taking back a draft ------------------------------------------------------------------------

    def prepare(self, n_draft: int) -> None:
        """Before a verification of `n_draft` drafts: save the state if they could not be taken back."""
        native = self.rollback == NATIVE or (self.rollback == SNAPSHOTS and n_draft <= self.context.n_rs_seq)
        if n_draft and not native:
            self.save()
        elif not self._behind:
            self._checkpoint.drop()

    def save(self) -> None:
        """Whatever is decoded from here on can be taken back as a whole; free where removal does that."""
        if self.rollback == NATIVE:
            return
        if self._behind and self._checkpoint.position == len(self.cached) - self._behind:
            # The state before the tokens that are behind serves once more.
            self.counts.verification_reuses += 1
            return
        if self._behind:
            self._catch_up()
        self._checkpoint.capture()

    def roll_back(self, n: int) -> str:
        """Forget the rejected end of the last decode; returns NATIVE or CHECKPOINT.

        Proven at load to work for a draft's length after `prepare`.
        """
        if self._removes(n):
            if not self.context.remove(n):
                raise Bug("the memory did not take back a rejected draft")
            del self.cached[n:]
            self.counts.native_verification_rollbacks += self.rollback == SNAPSHOTS
            self._snapshots = 0
            return NATIVE
        if not 0 <= self._checkpoint.position <= n:
            raise Bug("no state was saved before a draft that was rejected")
        position = self._checkpoint.restore()
        del self.cached[n:]
        self._snapshots = 0
        self._behind = n - position
        if self._behind > _BEHIND_MAX:
            self._catch_up()
        return CHECKPOINT

    def _removes(self, n: int) -> bool:
        """Whether the memory can go back to the first `n` positions by itself."""
        if self._behind:
            return False
        if self.rollback == NATIVE:
            return True
        return len(self.cached) - n <= self._snapshots

    # --- memory -------------------------------------------------------------------------------------

    def can_cut(self, n: int) -> bool:
        """Whether `cut(n)` keeps exactly the first `n` positions without a saved state."""
        if n >= len(self.cached) - self._behind:
            return True
        return self._removes(n) and (n == 0 or self._reaches_back(n))

    def cut(self, n: int) -> None:
        """Keep the first `n` positions; else as many of them as a saved state has, or nothing."""
        if n >= len(self.cached):
            return
        in_memory = len(self.cached) - self._behind
        if n >= in_memory > 0:
            self._behind = n - in_memory
            del self.cached[n:]
        elif n > 0 and self.can_cut(n) and self.context.remove(n):
            del self.cached[n:]
            self._snapshots = 0
            self._states.cut(n)
        else:
            self._go_back(n)

    def keep_state(self, wanted: bool) -> None:
        """The cache ends where a later prompt may part from it: keep a state if `wanted` or if one is due."""
        if self.keeps_states and not self._behind:
            self._states.keep(len(self.cached), wanted)

    @property
    def keeps_states(self) -> bool:
        """Whether states are of use: removal is not always possible, and restoring them was proven."""
        if not self._states.limit or self.rollback == NONE:
            return False
        return self.rollback != NATIVE or self.context.windowed

    def clear(self) -> None:
        self._go_back(0)

    def recover(self) -> None:
        """After a failure: believe the memory if it can be believed, else start from a saved state."""
        held = self.context.last_position() + 1
        in_memory = len(self.cached) - self._behind
        if self.rollback == NATIVE:
            if held > in_memory and self.context.remove(in_memory):
                return
            broken = held != in_memory
        else:
            # A decode that failed half-way leaves half a step in the recurrent state.
            broken = self._decoding or held != in_memory
        self._decoding = False
        if broken:
            self._go_back(len(self.cached))

    def _go_back(self, n: int) -> None:
        """To the longest saved state of at most `n` positions; without one, to an empty memory."""
        position = self._states.restore(n) if self.keeps_states else 0
        if not position:
            self.context.clear()
            self._states.cut(0)
        del self.cached[position:]
        self._behind = self._snapshots = 0
        self._checkpoint.drop()

    def _reaches_back(self, n: int) -> bool:
        """A windowed cache may have dropped what the tokens after position `n` attend to."""
        window = self.model.n_swa
        return window <= 0 or self.context.first_position() <= max(0, n - window)

    # --- taps ---------------------------------------------------------------------------------------

    def set_taps(self, layers: tuple[int, ...]) -> None:
        """Extract the inputs of these layers with every decode from now on; () for none."""
        if layers == self._taps:
            return
        for layer in set(self._taps) | set(layers):
            _set_tap(self.context.handle, layer, layer in layers)
        self._taps = layers
        self.fresh_graph = True

    def tap_rows(self, layer: int, rows: int) -> Floats:
        """Inputs of `layer` for the last decode's tokens, a view `[rows, n_embd]` in batch order."""
        first = self.first_row
        return float_view(_get_tap(self.context.handle, layer), first + rows, self.model.n_embd)[first:]

    def set_nextn(self, on: bool) -> None:
        """Extract, for every token of each decode from now on, the state that its heads foretell from."""
        if on != self._nextn:
            _set_nextn(self.context.handle, on, False)
            self._nextn = on
            self.fresh_graph = True

    def nextn_rows(self, rows: int) -> Floats:
        """What leaves the last layer for the last decode's tokens, a view `[rows, n_embd_out]`."""
        first = self.first_row
        return float_view(_get_nextn(self.context.handle), first + rows, self.model.n_embd_out)[first:]

    def close(self) -> None:
        self._states.close()
        self._checkpoint.close()
        self.context.close()
        self.model.close()
