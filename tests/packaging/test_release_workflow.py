"""The release workflow runs commands that exist, on three systems, and publishes only what was checked."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from slipstream_bundle import command_line, places


@pytest.fixture(scope="module")
def workflow(root: Path) -> dict[str, Any]:
    text = (root / ".github" / "workflows" / "release.yml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def scripts(job: dict[str, Any]) -> str:
    return "\n".join(step["run"] for step in job["steps"] if "run" in step)


def test_three_systems_are_built_and_checked(workflow: dict[str, Any]) -> None:
    jobs = workflow["jobs"]
    for name, packed in (("linux", "tar deb appimage"), ("windows", "windows"), ("macos", "dmg")):
        said = scripts(jobs[name])
        assert "packaging/build.py native bundle models" in said
        assert "packaging/check_bundle.py" in said
        assert f"packaging/build.py {packed}" in said
        assert jobs[name]["runs-on"].startswith({"linux": "ubuntu"}.get(name, name))


def test_linux_is_built_on_the_oldest_system_that_is_promised(workflow: dict[str, Any]) -> None:
    assert workflow["jobs"]["linux"]["runs-on"] == "ubuntu-22.04"


def test_nothing_is_published_without_the_checks_of_all_three(workflow: dict[str, Any]) -> None:
    publish = workflow["jobs"]["publish"]
    assert set(publish["needs"]) == {"linux", "windows", "macos"}
    assert "build.py checksums" in scripts(publish)
    assert "--draft" in scripts(publish)
    assert workflow["permissions"] == {"contents": "read"}


def test_its_commands_and_backends_exist(workflow: dict[str, Any]) -> None:
    parser = command_line.build_parser()
    found = 0
    for job in workflow["jobs"].values():
        for arguments in re.findall(r"packaging/build\.py ([^\n]+)", scripts(job)):
            args = parser.parse_args(arguments.split())
            assert args.backend in places.BACKENDS
            found += len(args.commands)
    assert found > 8


def test_every_command_is_documented(root: Path) -> None:
    text = (root / "packaging" / "README.md").read_text(encoding="utf-8")
    for name in command_line.COMMANDS:
        assert f"| `{name}` |" in text
