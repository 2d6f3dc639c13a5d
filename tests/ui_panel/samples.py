"""Values that tests and pictures share: one plausible reply, and the states of speculation."""

from __future__ import annotations

import math
from dataclasses import replace

from app.core.events import (
    NO_MODEL,
    OFF,
    SPECULATING,
    SUSPENDED,
    UNAVAILABLE,
    LoadProgress,
    Problem,
    SpeculationStatus,
)
from app.core.rounds import ORDINARY, SPECULATIVE
from app.core.rounds import SUSPENDED as SUSPENDED_MODE
from app.services.panel_figures import PanelFigures
from app.ui.model_choice import ModelChoice

FASTER = PanelFigures(
    speedup=1.42,
    compared_ordinary=128,
    compared_speculative=512,
    compared_buckets=(256, 512),
    collected_ordinary=140,
    collected_speculative=530,
    tokens_per_second_now=48.23,
    tokens_per_second=45.13,
    series=tuple(42 + 6 * math.sin(i / 3) + 3 * math.sin(i) for i in range(60)),
    series_modes=(SPECULATIVE,) * 38 + (ORDINARY,) * 12 + (SUSPENDED_MODE,) * 10,
    acceptance=0.61,
    mean_accepted_length=3.14,
    acceptance_by_position=(0.8, 0.6, 0.45, 0.3, 0.2, 0.12, 0.05),
    conditional_by_position=(0.8, 0.75, 0.75, 0.67, 0.67, 0.6, 0.42),
    verification_steps=60,
    rollbacks=12,
    native_rollbacks=11,
    checkpoint_rollbacks=1,
    drafted=420,
    verified=420,
    accepted=256,
    ttft_seconds=0.352,
    prefill_tokens_per_second=812.4,
    prompt_tokens=1220,
    reused_tokens=1100,
    draft_seconds=0.5,
    verify_seconds=3.1,
    process_seconds=0.4,
    rollback_seconds=0.05,
    other_seconds=0.1,
    context_used=1229,
    context_total=8192,
)
SLOWER = replace(FASTER, speedup=0.81, acceptance=0.043, accepted=18, mean_accepted_length=1.3)

VOCABULARY = Problem(
    "The vocabularies differ.",
    "Token 17 is “the” in the target and “le” in the sidecar.",
    "Choose the sidecar that was trained for this model.",
    "vocabulary-differs",
)
NO_PAIR = SpeculationStatus(NO_MODEL)
FIXED = SpeculationStatus(SPECULATING, "DFlash2", 7)
AUTO = SpeculationStatus(SPECULATING, "DFlash2", 3, automatic=True)
PAUSED = SpeculationStatus(SUSPENDED, "DFlash2", 3, automatic=True)
SWITCHED_OFF = SpeculationStatus(OFF, "DFlash2", 7)
UNFIT = SpeculationStatus(UNAVAILABLE, reason=VOCABULARY)
HALF_LOADED = LoadProgress("Reading the sidecar", 0.637)

TARGETS = (
    ModelChoice("/models/smollm2-135m.gguf", "SmolLM2-135M-Instruct", "Q4_1", 98_000_000),
    ModelChoice("/models/qwen/qwen35-27b.gguf", "Qwen3.5-27B", "Q4_K_M", 16_500_000_000),
)
SIDECARS = (
    ModelChoice(
        "/models/other-dflash.gguf",
        "another-dflash",
        "Q8_0",
        1_310_000_000,
        "DFlash",
        reason="vocabulary differs: 151936 tokens, the target has 49152",
    ),
    ModelChoice("/models/smollm2-dspark.gguf", "smollm2-135m-dspark", "Q8_0", 31_000_000, "DSpark"),
    ModelChoice("/models/smollm2-dflash2.gguf", "smollm2-135m-dflash2", "Q8_0", 31_000_000, "DFlash2"),
)
