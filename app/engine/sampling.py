"""Chooses tokens from the target's rows: greedy by argmax, everything else by the native sampler chain.

The same chain runs over ordinary and verified rows, in order and once per chosen token, so state and
random numbers follow the committed text alone: they fall on the same tokens with speculation on and off.
Knows nothing about drafters.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from app.core.errors import EnvironmentProblem
from app.core.sampling import SamplingParams
from app.core.wording import say
from app.engine import backend_sampling
from app.engine.constraint import Candidates, Constraint, constraint_of
from app.engine.handles import Context, Floats, Model
from app.engine.sampling_chain import Chain, biased, suppressed_tokens

log = logging.getLogger("slipstream.engine")


class Sampler:
    """The sampler of one reply. `verify` reads the rows of the last decode of `context`.

    `on_backend` is the context whose graph is to sample, if the whole chain can run there. Raises
    EnvironmentProblem for a grammar, a schema or a bias that cannot be used.
    """

    def __init__(
        self,
        model: Model,
        params: SamplingParams,
        seed: int,
        n_ctx: int,
        ignore_eos: bool = False,
        on_backend: Context | None = None,
    ) -> None:
        self._model = model
        self._wanted = on_backend
        self._attached: Context | None = None
        # Why the backend does not sample though it was asked to.
        self.host_reason = ""
        banned = (*suppressed_tokens(model), *(model.eog if ignore_eos else ()))
        bias = biased(params, banned, model.n_vocab)
        self._biased = np.array(list(bias), np.intp) if bias else None
        self._bias = np.array(list(bias.values()), np.float32)
        self._banned = np.array([t for t, value in bias.items() if value == -np.inf], np.intp)
        self._chain: Chain | None = None
        self._make: Callable[[], Chain] = partial(Chain, model, params, seed, n_ctx, banned)
        self._window = _memory_of(params, n_ctx)
        self._constraint = constraint_of(model, params)
        if not params.greedy or params.penalises or params.dries or self._constraint is not None:
            self._chain = self._make()
        # Mirostat learns from every choice it makes, so it may be asked once per token only.
        self._mask_first = bool(params.mirostat_mode) and not params.greedy
        self._candidates = Candidates(model.n_vocab) if self._constraint is not None else None

    @property
    def on_backend(self) -> bool:
        """Whether the backend samples this reply."""
        return self._attached is not None

    def start(self, prompt: Sequence[int]) -> None:
        """After the prompt was read: begin, and show its tail to the penalties and DRY."""
        if self._wanted is not None:
            self._attach(self._wanted)
            log.info("target backend_sampling requested=True active=%s %s", self.on_backend, self.host_reason)
        if self._chain:
            for token in prompt[max(len(prompt) - self._window, 0) :]:
                self._chain.accept(token)

    def resume(self, begun: Sequence[int]) -> None:
        """Bring a grammar behind the tokens of a reply that goes on; before `start`.

        Raises EnvironmentProblem when they do not follow it.
        """
        if self._constraint is None:
            return
        for token in begun:
            if not self._constraint.allows(token):
                raise EnvironmentProblem(
                    say("What there is of the reply does not follow the grammar."),
                    say("The grammar or the schema was chosen after it was begun."),
                    say("Change the grammar, or answer again."),
                    code="bad-grammar",
                )
            self._constraint.accept(token)

    def verify(self, context: Context, draft: Sequence[int], first: int = 0) -> list[int]:
        """Tokens the target chooses at the rows `[last, *draft]`, the outputs of the last decode.

        `first` tokens without outputs came before them in the batch. Row by row while the choice equals
        the draft; so the result is the accepted prefix of `draft` followed by one token of the target's
        own: 1 to `len(draft) + 1` tokens.
        """
        rows = len(draft) + 1
        if self._constraint is not None:
            return self._verify_constrained(context.ready_logits(rows), draft, self._constraint)
        chain = self._chain
        if chain:
            chosen: list[int] = []
            for i in range(rows):
                token = chain.sample(context, first + i)
                chosen.append(token)
                if i == len(draft) or token != draft[i]:
                    break
            return chosen
        logits = context.ready_logits(rows)
        if self._biased is not None:
            logits[:, self._biased] += self._bias
        if rows == 1:
            return [int(logits[0].argmax())]
        best: list[int] = logits.argmax(axis=1).tolist()
        accepted = 0
        while accepted < len(draft) and best[accepted] == draft[accepted]:
            accepted += 1
        return best[: accepted + 1]

    def _verify_constrained(self, logits: Floats, draft: Sequence[int], constraint: Constraint) -> list[int]:
        """As `verify`; the grammar stands behind the last chosen token at every row."""
        chosen: list[int] = []
        for i in range(len(draft) + 1):
            token = self._choose_allowed(logits[i], constraint)
            chosen.append(token)
            if self._model.is_eog(token):
                break
            constraint.accept(token)
            if i == len(draft) or token != draft[i]:
                break
        return chosen

    def _choose_allowed(self, row: Floats, constraint: Constraint) -> int:
        """The native project's way: the free choice if the grammar allows it, else one among the allowed.

        Looking at one token costs far less than at all of them.
        """
        assert self._chain is not None
        assert self._candidates is not None
        candidates = self._candidates
        if not self._mask_first:
            self._chain.apply(candidates.fill(row).reference)
            token = candidates.chosen()
            if constraint.allows(token):
                self._chain.accept(token)
                return token
        constraint.mask(candidates.fill(row))
        candidates.ban(self._banned)
        if not candidates.any_left():
            return self._end(constraint)
        self._chain.apply(candidates.reference)
        token = candidates.chosen()
        self._chain.accept(token)
        return token

    def _end(self, constraint: Constraint) -> int:
        """Nothing is left that may come next: a token that ends the reply, if the grammar may end here."""
        for token in self._model.eog:
            if constraint.allows(token):
                return token
        raise EnvironmentProblem(
            say("The grammar leaves no token to go on with."),
            say("The model's vocabulary has none that it allows here, or a logit bias bans them."),
            say("Change the grammar, or answer without one."),
            code="bad-grammar",
        )

    def _attach(self, context: Context) -> None:
        """Move the chain to the backend; where a step cannot go there, all of it stays on the host."""
        lacking = backend_sampling.missing()
        if lacking or self._constraint is not None:
            self.host_reason = (
                say("This build of the engine lacks {name}.", name=lacking)
                if lacking
                else say("A grammar is followed on the host.")
            )
            return
        greedy = self._chain is None
        chain = self._chain or self._make()
        refused = backend_sampling.attach(context, chain.handle)
        if not refused:
            self._chain, self._attached = chain, context
            return
        steps = ", ".join(chain.steps[i].name for i in refused)
        self.host_reason = say("The device cannot do this step of the sampling: {steps}.", steps=steps)
        # A chain that was shown to a backend is of no more use on the host.
        chain.close()
        self._chain = None if greedy else self._make()

    def close(self) -> None:
        """Detach and free everything; may be called again, and after the context was closed."""
        if self._attached is not None:
            backend_sampling.detach(self._attached)
            self._attached = None
        if self._chain is not None:
            self._chain.close()
            self._chain = None
        if self._constraint is not None:
            self._constraint.close()
            self._constraint = None


def _memory_of(params: SamplingParams, n_ctx: int) -> int:
    """Tokens of the text so far that any step of the chain remembers."""
    windows = [0]
    if params.penalises:
        windows.append(params.repeat_last_n)
    if params.dries:
        windows.append(params.dry_penalty_last_n)
    return n_ctx if min(windows) < 0 else max(windows)
