"""The pipeline's scripts are run by path, so their folder goes on the import path."""

from __future__ import annotations

import sys
from pathlib import Path

PIPELINE = Path(__file__).resolve().parents[2] / "packaging" / "sidecars"
sys.path.insert(0, str(PIPELINE))
