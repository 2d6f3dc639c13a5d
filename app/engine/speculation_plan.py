"""What to load for the speculation that was asked for, decided from headers alone.

Everything that cannot work is refused here by name: algorithms without a drafter, files that do not
fit, settings that contradict each other.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Any

from app.core.errors import EnvironmentProblem
from app.core.speculation import SpecConfig, SpeculativeType
from app.core.wording import say
from app.engine import native
from app.engine.drafters.build import in_order, ngram_n_max
from app.engine.drafters.dflash import BlockFacts
from app.engine.drafters.opening import LONGEST_CHAIN, SidecarFacts
from app.gguf.header import GgufHeader, read_header
from app.gguf.heads import check_heads_inside
from app.gguf.kinds import kind_of, sidecar_kind_type
from app.gguf.pair import PairReport, check_pair, check_target

T = SpeculativeType


@dataclass(frozen=True, slots=True)
class Plan:
    """`kinds` in the order they are tried; `facts` are those of the one that has weights and `draft` its
    file (None for heads inside the target). `rows_max` is the widest verification any of them asks for."""

    kinds: tuple[SpeculativeType, ...]
    draft: GgufHeader | None = None
    facts: SidecarFacts | None = None
    rows_max: int = 1

    @property
    def heads_inside(self) -> bool:
        """Whether the target is to be loaded with the next-token heads it carries."""
        return self.facts is not None and self.facts.kind is T.DRAFT_MTP and self.draft is None

    def metadata(self, spec: SpecConfig) -> dict[str, Any]:
        """What a log, a report or the window says of the algorithm."""
        found: dict[str, Any] = {}
        facts = self.facts
        if facts is not None and facts.block is not None:
            block = facts.block
            found = {
                "block_size": block.block_size,
                "target_layers": list(block.taps),
                "mask_token": block.mask_token,
                "selector_top_k": block.selector_top_k,
                "causal": block.causal,
                "sample_from_anchor": block.sample_from_anchor,
                "has_confidence_head": block.has_confidence,
                "mrope": block.mrope,
            }
        elif facts is not None and facts.taps:
            found = {"target_layers": list(facts.taps)}
        elif facts is not None and facts.n_heads:
            found = {"heads": facts.n_heads, "heads_inside": self.heads_inside}
        for kind in self.kinds:
            if kind is T.NGRAM_MOD:
                found["ngram_mod"] = [spec.ngram_mod_n_match, spec.ngram_mod_n_min, spec.ngram_mod_n_max]
            elif kind.is_ngram() and kind is not T.NGRAM_CACHE:
                found["ngram_size"] = [spec.ngram_size_n, spec.ngram_size_m]
        return found


def plan_speculation(
    target: GgufHeader, spec: SpecConfig, asked: str, n_batch: int, n_ubatch: int
) -> Plan | None:
    """None when nothing was asked for. `asked` is "auto" or what a sidecar must be. Raises
    EnvironmentProblem."""
    kinds = tuple(in_order(spec.spec_types))
    if not kinds:
        return None
    with_weights = [kind for kind in kinds if kind.is_draft()]
    if len(with_weights) > 1:
        names = " and ".join(kind.to_str() for kind in with_weights)
        raise EnvironmentProblem(
            say("{names} cannot be combined.", names=names),
            say("One draft file is loaded at a time."),
            say("Combine n-gram algorithms with one of them."),
            code="cannot-combine",
        )
    rows = [1 + ngram_n_max(kind, spec) for kind in kinds if kind.is_ngram()]
    draft: GgufHeader | None = None
    facts: SidecarFacts | None = None
    for kind in with_weights:
        if spec.draft_model_path:
            draft = read_header(spec.draft_model_path)
        elif kind is not T.DRAFT_MTP:
            raise EnvironmentProblem(
                say("{to_str} needs a draft file.", to_str=kind.to_str()),
                remedy=say("Choose the sidecar or the draft model that goes with this target."),
                code="no-sidecar",
            )
        facts = _facts(target, draft, kind, spec, asked)
        rows.append(1 + facts.n_max_limit)
    plan = Plan(kinds, draft, facts, max(rows))
    _check_batches(plan, spec, n_batch, n_ubatch)
    return plan


def _facts(
    target: GgufHeader, draft: GgufHeader | None, kind: SpeculativeType, spec: SpecConfig, asked: str
) -> SidecarFacts:
    chain = max(spec.draft_n_max, LONGEST_CHAIN)
    if draft is None:
        native.require_head_support()
        return SidecarFacts(kind, n_heads=check_heads_inside(target), n_max=chain)
    facts = SidecarFacts(kind, str(spec.draft_model_path), n_max=chain)
    if kind is T.DRAFT_SIMPLE:
        _check_draft_model(target, draft)
        return facts
    found = _check_sidecar(target, draft, kind, asked)
    if kind is T.DRAFT_MTP:
        return replace(facts, n_heads=found.n_heads)
    if kind is T.DRAFT_EAGLE3:
        return replace(facts, taps=tuple(found.target_layers))
    block = block_facts(found)
    if spec.draft_p_min > 0 and kind is T.DRAFT_DSPARK and not block.has_confidence:
        raise EnvironmentProblem(
            say("This DSpark sidecar has no confidence head, so draft_p_min cannot be used."),
            remedy=say("Set draft_p_min to 0."),
            code="no-confidence",
        )
    return replace(facts, block=block)


def _check_draft_model(target: GgufHeader, draft: GgufHeader) -> None:
    problem = check_target(draft)
    if problem is not None:
        raise problem
    if os.path.samefile(target.path, draft.path):
        raise EnvironmentProblem(
            say("The target cannot be its own draft model."),
            say("It would be loaded twice, and drafting would cost as much as decoding."),
            say("Choose a smaller model of the same family."),
            code="draft-is-target",
        )


def _check_sidecar(target: GgufHeader, draft: GgufHeader, kind: SpeculativeType, asked: str) -> PairReport:
    native.require_sidecar_support()
    if kind is T.DRAFT_MTP:
        native.require_head_support()
    found = check_pair(target, draft, asked)
    if found.problem is not None:
        raise found.problem
    held = sidecar_kind_type(kind_of(draft))
    if kind is not held:
        raise EnvironmentProblem(
            say(
                "The sidecar is {algorithm}, but {to_str} was asked for.",
                algorithm=found.algorithm,
                to_str=kind.to_str(),
            ),
            say("Its layout differs, so nothing it proposes would be accepted."),
            say("Ask for {to_str}, or choose another sidecar.", to_str=held.to_str()),
            code="algorithm-differs",
        )
    return found


def _check_batches(plan: Plan, spec: SpecConfig, n_batch: int, n_ubatch: int) -> None:
    """A verification is one batch; a shorter draft than the longest possible needs less room."""
    lengths = [ngram_n_max(kind, spec) for kind in plan.kinds if kind.is_ngram()]
    if plan.facts is not None:
        lengths.append(min(spec.draft_n_max, plan.facts.n_max_limit))
    width = 1 + max(lengths)
    if n_batch < width or n_ubatch < width:
        raise EnvironmentProblem(
            say(
                "n_batch and n_ubatch must be at least {width} for drafts of {width2} tokens.",
                width=width,
                width2=width - 1,
            ),
            say("They are {n_batch} and {n_ubatch}.", n_batch=n_batch, n_ubatch=n_ubatch),
            say("Raise them, or choose a shorter draft."),
            code="batch-too-small",
        )


def block_facts(report: PairReport) -> BlockFacts:
    """What the drafter needs of a checked pair."""
    return BlockFacts(
        variant=report.algorithm,
        block_size=report.block_size,
        mask_token=report.mask_token,
        taps=tuple(report.target_layers),
        causal=report.causal,
        sample_from_anchor=report.sample_from_anchor,
        has_confidence=report.has_confidence_head,
        selector_top_k=report.selector_top_k,
        mrope=report.mrope,
    )
