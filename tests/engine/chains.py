"""Sampler settings that between them use every step of the chain, for tests of text and distribution."""

from __future__ import annotations

from app.core.sampling import SamplingParams

LETTERS = 'root ::= [a-z \\n,.]+ "."'

# What the tests say of a chain is said of each of these.
CHAINS: dict[str, SamplingParams] = {
    "defaults": SamplingParams(seed=3),
    "plain": SamplingParams(temperature=1.0, top_k=0, top_p=1.0, min_p=0.0, seed=3),
    "top-k": SamplingParams(temperature=1.3, top_k=32, top_p=1.0, min_p=0.0, seed=3),
    "typical-p": SamplingParams(temperature=1.1, top_k=0, top_p=1.0, typical_p=0.7, seed=3),
    "top-n-sigma": SamplingParams(temperature=1.4, top_k=0, top_p=1.0, min_p=0.0, top_n_sigma=1.2, seed=3),
    "XTC": SamplingParams(temperature=1.2, top_k=30, xtc_probability=0.5, xtc_threshold=0.08, seed=3),
    "dynamic temperature": SamplingParams(dynatemp_range=0.6, dynatemp_exponent=1.4, seed=3),
    "mirostat 1": SamplingParams(mirostat_mode=1, mirostat_tau=3.0, mirostat_eta=0.3, seed=3),
    "mirostat 2": SamplingParams(mirostat_mode=2, mirostat_tau=3.0, mirostat_eta=0.3, seed=3),
    "penalties": SamplingParams(
        temperature=1.0, repeat_penalty=1.2, frequency_penalty=0.3, presence_penalty=0.4, repeat_last_n=32,
        seed=3,
    ),
    "DRY": SamplingParams(
        temperature=1.0, top_k=30, dry_multiplier=1.5, dry_allowed_length=1, dry_penalty_last_n=48,
        dry_sequence_breakers=("\n", "."), seed=3,
    ),
    "logit bias": SamplingParams(
        temperature=1.0, logit_bias=((70, 2.5), (80, 2.0), (90, float("-inf"))), seed=3
    ),
    "grammar": SamplingParams(temperature=1.2, top_k=0, top_p=1.0, min_p=0.0, grammar=LETTERS, seed=3),
    "grammar and mirostat": SamplingParams(mirostat_mode=2, mirostat_tau=3.0, grammar=LETTERS, seed=3),
    "all at once": SamplingParams(
        temperature=1.2, top_k=40, top_p=0.98, min_p=0.01, typical_p=0.95, top_n_sigma=3.0,
        xtc_probability=0.3, xtc_threshold=0.2, dynatemp_range=0.3, repeat_penalty=1.1, frequency_penalty=0.1,
        presence_penalty=0.1, dry_multiplier=0.8, logit_bias=((75, 1.0),), grammar=LETTERS, seed=3,
    ),
    "greedy with penalties": SamplingParams(temperature=0.0, repeat_penalty=1.3, frequency_penalty=0.2),
    "greedy with grammar": SamplingParams(temperature=0.0, grammar=LETTERS),
    "greedy with bias": SamplingParams(temperature=0.0, logit_bias=((70, 3.0), (80, -2.0))),
}  # fmt: skip

DRAWN = {name: params for name, params in CHAINS.items() if not params.greedy}
