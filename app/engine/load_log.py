"""What the log says of a loaded pair, and where it goes outside an application that has set one up."""

from __future__ import annotations

import logging
import sys

from app.core.events import LoadedPair

log = logging.getLogger("slipstream.engine")


def show_log() -> None:
    """`verbose` outside an application that has set up logging: say it on standard error."""
    root = logging.getLogger("slipstream")
    if not logging.getLogger().handlers and not any(
        isinstance(h, logging.StreamHandler) and not isinstance(h, logging.FileHandler) for h in root.handlers
    ):
        root.addHandler(logging.StreamHandler(sys.stderr))
        root.setLevel(logging.INFO)


def log_pair(pair: LoadedPair) -> None:
    """Target, algorithm and every warning."""
    log.info("target %s: %s, %s", pair.target_name, pair.target_architecture, pair.target_quantisation)
    if pair.algorithm:
        facts = ", ".join(f"{name}={value}" for name, value in pair.metadata.items())
        log.info("speculation: %s (%s)", pair.algorithm, facts)
        log.info(
            "backend_sampling requested=%s active=%s",
            pair.backend_sampling_requested,
            pair.backend_sampling_active,
        )
    for warning in pair.warnings:
        log.warning("%s", warning)
