"""A grammar that the reply must follow, as a state that moves with every token that is chosen.

Owns the native grammar. It says which tokens may come next and takes in the one that came; it knows no
probabilities. Nothing is shown to the library that it would abort on.
"""

from __future__ import annotations

import ctypes

import numpy as np
from numpy.typing import NDArray

from app.core.errors import Bug, EnvironmentProblem
from app.core.gbnf import ROOT, GrammarError, check_grammar
from app.core.json_schema import SchemaError, schema_to_gbnf
from app.core.sampling import SamplingParams
from app.core.wording import reason_of, say, sentence
from app.engine.handles import Floats, Model
from app.engine.native import I32, STR, VOID, function

_init = function("llama_sampler_init_grammar", VOID, VOID, STR, STR)
_free = function("llama_sampler_free", None, VOID)
_accept = function("llama_sampler_accept", None, VOID, I32, quick=True)
_apply = function("llama_sampler_apply", None, VOID, VOID)
_apply_quickly = function("llama_sampler_apply", None, VOID, VOID, quick=True)

_DATA = np.dtype([("id", np.int32), ("logit", np.float32), ("p", np.float32)])


class _Array(ctypes.Structure):
    """`llama_token_data_array`"""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("size", ctypes.c_size_t),
        ("selected", ctypes.c_int64),
        ("sorted", ctypes.c_bool),
    ]


class Candidates:
    """Room for one row of candidates, used again for every row."""

    def __init__(self, n: int) -> None:
        self._data = np.zeros(n, _DATA)
        self._ids = np.arange(n, dtype=np.int32)
        self._array = _Array()
        self.reference = ctypes.byref(self._array)

    def fill(self, logits: Floats) -> Candidates:
        """Every token with its logit, `[n]` float32."""
        self._data["id"] = self._ids
        self._data["logit"] = logits
        self._array.data = self._data.ctypes.data
        self._array.size = len(self._data)
        self._array.selected = -1
        self._array.sorted = False
        return self

    def only(self, token: int) -> Candidates:
        """One token, as likely as any."""
        self._data[0] = (token, 0.0, 0.0)
        self._array.data = self._data.ctypes.data
        self._array.size = 1
        self._array.selected = -1
        self._array.sorted = False
        return self

    def ban(self, tokens: NDArray[np.intp]) -> None:
        """Take away the chance of `tokens`, right after `fill`."""
        self._data["logit"][tokens] = -np.inf

    def any_left(self) -> bool:
        """Whether a token may still be chosen."""
        return bool(np.isfinite(self._data["logit"][: self._array.size]).any())

    def chosen(self) -> int:
        """The token that a chain chose. Samplers may have moved the array's beginning."""
        if not 0 <= self._array.selected < self._array.size:
            raise Bug("the sampler chain chose no token")
        return ctypes.c_int32.from_address(self._array.data + self._array.selected * _DATA.itemsize).value


class Constraint:
    """A grammar's state at the end of the text so far. Raises EnvironmentProblem for a bad grammar."""

    def __init__(self, model: Model, gbnf: str) -> None:
        try:
            check_grammar(gbnf)
        except GrammarError as error:
            raise _bad_grammar(sentence(reason_of(error))) from None
        self._handle: int | None = _init(model.vocab, gbnf.encode("utf-8", "surrogatepass"), ROOT.encode())
        if not self._handle:
            raise _bad_grammar(say("The library refused it."))
        self._one = Candidates(1)

    def allows(self, token: int) -> bool:
        """Whether `token` may come next."""
        one = self._one.only(token)
        _apply_quickly(self._handle, one.reference)
        return one.any_left()

    def mask(self, candidates: Candidates) -> None:
        """Take away the chance of every candidate that may not come next."""
        _apply(self._handle, candidates.reference)

    def accept(self, token: int) -> None:
        """`token` came; it must have been allowed."""
        _accept(self._handle, token)

    def close(self) -> None:
        handle, self._handle = self._handle, None
        if handle:
            _free(handle)


def constraint_of(model: Model, params: SamplingParams) -> Constraint | None:
    """What `grammar` or `json_schema` ask for, None without one. Raises EnvironmentProblem."""
    if params.json_schema.strip():
        try:
            return Constraint(model, schema_to_gbnf(params.json_schema))
        except SchemaError as error:
            raise EnvironmentProblem(
                say("The JSON schema cannot be used."),
                sentence(reason_of(error)),
                say("Change the schema, or answer without one."),
                code="bad-schema",
            ) from None
    return Constraint(model, params.grammar) if params.grammar.strip() else None


def _bad_grammar(why: str) -> EnvironmentProblem:
    return EnvironmentProblem(
        say("The grammar cannot be used."),
        why,
        say("Change the grammar, or answer without one."),
        code="bad-grammar",
    )
