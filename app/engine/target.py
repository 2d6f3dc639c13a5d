"""The target model with its context and the tokens whose K/V it holds: position i belongs to `cached[i]`.

Decodes tokens, forgets positions, extracts tap rows. Knows nothing of drafts or sampling.
"""

from __future__ import annotations

from collections.abc import Sequence

from app.core.errors import Bug
from app.engine.handles import Batch, Context, Floats, Model, float_view
from app.engine.native import BOOL, U32, VOID, function, has

_TAPS_AVAILABLE = has("llama_set_embeddings_layer_inp")
if _TAPS_AVAILABLE:
    _set_tap = function("llama_set_embeddings_layer_inp", None, VOID, U32, BOOL)
    _get_tap = function("llama_get_embeddings_layer_inp", VOID, VOID, U32)


class Target:
    """`rows_max` bounds the width of a verification batch (1 + the longest draft)."""

    def __init__(self, model: Model, context: Context, rows_max: int) -> None:
        self.model = model
        self.context = context
        self.rows_max = rows_max
        self.cached: list[int] = []
        self._taps: tuple[int, ...] = ()
        self.fresh_graph = True  # the next decode rebuilds the graph and is not timed
        self._verify_batch = Batch(rows_max)
        self._prefill_batch = Batch(max(context.n_batch, rows_max))

    # --- decoding -----------------------------------------------------------------------------------

    def decode_rows(self, tokens: Sequence[int]) -> None:
        """Decode at the end of the cache, logits for every row. The cache then holds all of them."""
        self.context.decode(self._verify_batch.set_tokens(tokens, len(self.cached), outputs=True))
        self.cached.extend(tokens)

    def decode_quiet(self, tokens: Sequence[int]) -> None:
        """Decode at the end of the cache without outputs (prefill)."""
        self.context.decode(self._prefill_batch.set_tokens(tokens, len(self.cached), outputs=False))
        self.context.synchronize()
        self.cached.extend(tokens)

    # --- memory -------------------------------------------------------------------------------------

    def cut(self, n: int) -> None:
        """Keep the first `n` positions; where memory cannot forget a part, nothing is kept."""
        if n >= len(self.cached):
            return
        if n > 0 and self._reaches_back(n) and self.context.remove(n):
            del self.cached[n:]
        else:
            self.clear()

    def roll_back(self, n: int) -> None:
        """Forget the rejected end of the last decode; proven at load to work for a draft's length."""
        if not self.context.remove(n):
            raise Bug("the memory did not take back a rejected draft")
        del self.cached[n:]

    def clear(self) -> None:
        self.context.clear()
        self.cached.clear()

    def recover(self) -> None:
        """After a failed decode: believe what the memory says it holds."""
        held = self.context.last_position() + 1
        if held > len(self.cached):
            if not self.context.remove(len(self.cached)):
                self.clear()
        elif held < len(self.cached):
            self.clear()

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
        return float_view(_get_tap(self.context.handle, layer), rows, self.model.n_embd)

    def close(self) -> None:
        self.context.close()
        self.model.close()
