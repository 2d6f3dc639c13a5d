"""Makes set-up importable, which is otherwise run by path, and offers a small source tree to set up."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

collect_ignore = ["test_interrupted.py"] if os.name == "nt" else []  # it sends POSIX signals
if sys.platform != "linux":
    collect_ignore += ["test_installing.py", "test_debian_package.py"]
elif shutil.which("dpkg-deb") is None:
    collect_ignore += ["test_debian_package.py"]
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "packaging"))

from tests.packaging.small_tree import SmallTree  # noqa: E402


@pytest.fixture(scope="session")
def root() -> Path:
    """The source tree under test."""
    return ROOT


@pytest.fixture
def small_tree(tmp_path: Path) -> SmallTree:
    """A tree that sets up in seconds, without a network: real set-up, real pip, tiny packages."""
    return SmallTree(ROOT, tmp_path)


@pytest.fixture(scope="module")
def ready_tree(tmp_path_factory: pytest.TempPathFactory) -> SmallTree:
    """A tree that is set up; whoever changes it sets it up again."""
    tree = SmallTree(ROOT, tmp_path_factory.mktemp("ready"))
    tree.set_up()
    return tree
