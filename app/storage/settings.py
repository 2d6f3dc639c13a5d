"""Settings as JSON, readable and editable by hand, and never half written.

A value that makes no sense costs only itself; a file that is no JSON is set aside. Keys of a newer
version are kept.
"""

from __future__ import annotations

import dataclasses
import json
import logging
import math
import os
import types
import typing
from pathlib import Path
from typing import Any, TypeVar

from app.core.errors import EnvironmentProblem
from app.core.events import Problem
from app.core.settings import AppSettings
from app.core.wording import say
from app.storage import problems
from app.storage.aside import set_aside

T = TypeVar("T")

_log = logging.getLogger(__name__)
_WRONG = object()


class SettingsFile:
    """`notices` is what the user has to be told after `load`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._unknown: dict[str, Any] = {}
        self._unreadable = ""
        self.notices: list[Problem] = []

    def load(self, may_set_aside: bool = True) -> AppSettings:
        """Never fails. `may_set_aside`: False leaves a damaged file where it is (another copy's, say)."""
        try:
            # Editors on Windows put a byte order mark in front.
            data = json.loads(self._path.read_bytes().decode().removeprefix("\ufeff"))
            if not isinstance(data, dict):
                raise ValueError("it holds no settings")
        except FileNotFoundError:
            return AppSettings()
        except (ValueError, RecursionError) as error:
            self._damaged(error, may_set_aside)
            return AppSettings()
        except OSError as error:
            # What could not be read must not be overwritten with defaults.
            self._unreadable = f"{self._path}: {error}."
            self._say(
                say("The settings could not be read; defaults are used and not saved."), self._unreadable
            )
            return AppSettings()
        known = {field.name for field in dataclasses.fields(AppSettings)}
        self._unknown = {key: value for key, value in data.items() if key not in known}
        return _build(AppSettings, data, "")

    def dump(self, settings: AppSettings) -> bytes:
        """The file's new content; in the caller's thread, so that `settings` may change afterwards."""
        data = {**self._unknown, **dataclasses.asdict(settings)}
        return (json.dumps(data, ensure_ascii=True, indent=2) + "\n").encode()

    def write(self, content: bytes) -> None:
        """Replace the file in one step, or leave it as it was. Raises EnvironmentProblem."""
        if self._unreadable:
            raise EnvironmentProblem(
                say("The settings are not saved."),
                say("They could not be read: {unreadable}", unreadable=self._unreadable),
                say("Make the file readable and start Slipstream again."),
                problems.READ_ONLY,
            )
        # A link stays a link.
        target = Path(os.path.realpath(self._path))
        temporary = target.with_name(f"{target.name}.{os.getpid()}.tmp")
        try:
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            try:
                with temporary.open("wb") as file:
                    file.write(content)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(temporary, target)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
            _sync_folder(target.parent)
        except OSError as error:
            raise problems.problem_of(error, self._path) from error

    def _damaged(self, error: Exception, may_set_aside: bool) -> None:
        _log.warning("%s is damaged: %s", self._path, error)
        where = str(self._path)
        if may_set_aside:
            try:
                where = str(set_aside(self._path))
            except OSError as refusal:
                _log.warning("%s cannot be set aside: %s", self._path, refusal)
        self._say(
            say("The settings file was damaged; defaults are used."),
            say("The damaged file is {where}.", where=where),
        )

    def _say(self, what: str, why: str) -> None:
        self.notices.append(Problem(what, why, code="settings-damaged"))


def _build(kind: type[T], data: dict[str, Any], where: str) -> T:
    """A dataclass from a JSON object, field by field; a value that does not fit leaves the default."""
    hints = typing.get_type_hints(kind)
    values: dict[str, Any] = {}
    for field in dataclasses.fields(kind):  # type: ignore[arg-type]
        if field.name in data:
            value = _convert(hints[field.name], data[field.name], f"{where}{field.name}")
            if value is _WRONG:
                _log.warning("setting %s%s is not usable: %r", where, field.name, data[field.name])
            else:
                values[field.name] = value
    try:
        return kind(**values)
    except ValueError as error:
        _log.warning("settings %s do not go together: %s", where or "at the top", error)
    # Values are checked against each other, so one is taken as soon as it fits those taken before it.
    built = kind()
    taken = True
    while taken:
        taken = False
        for name in list(values):
            try:
                built = dataclasses.replace(built, **{name: values[name]})  # type: ignore[type-var]
            except ValueError:
                continue
            del values[name]
            taken = True
    return built


def _convert(hint: Any, value: Any, where: str) -> Any:
    """`value` as the type `hint`, or `_WRONG`."""
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (types.UnionType, typing.Union):
        for argument in arguments:
            converted = _convert(argument, value, where)
            if converted is not _WRONG:
                return converted
        return _WRONG
    if dataclasses.is_dataclass(hint):
        if not isinstance(value, dict):
            return _WRONG
        try:
            return _build(hint, value, f"{where}.")  # type: ignore[arg-type]
        except TypeError:
            # It lacks something that has no default.
            return _WRONG
    if origin is list:
        if not isinstance(value, list):
            return _WRONG
        items = (_convert(arguments[0], item, f"{where}[{i}]") for i, item in enumerate(value))
        return [item for item in items if item is not _WRONG]
    if origin is tuple:
        if not isinstance(value, list):
            return _WRONG
        kinds = [arguments[0]] * len(value) if arguments[1:] == (...,) else arguments
        if len(kinds) != len(value):
            return _WRONG
        parts = tuple(_convert(kind, item, where) for kind, item in zip(kinds, value, strict=True))
        return _WRONG if _WRONG in parts else parts
    if origin is dict:
        if not isinstance(value, dict):
            return _WRONG
        pairs = ((key, _convert(arguments[1], item, f"{where}[{key!r}]")) for key, item in value.items())
        return {key: item for key, item in pairs if item is not _WRONG}
    if hint is float:
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return _WRONG
        try:
            number = float(value)
        except OverflowError:
            return _WRONG
        return number if math.isfinite(number) else _WRONG
    # `bool` is an `int` to Python, but not to a reader of the file.
    return value if type(value) is hint or (hint is type(None) and value is None) else _WRONG


def _sync_folder(folder: Path) -> None:
    """Make a renaming last through a power cut; not possible, nor needed, on Windows."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    except OSError:
        # Some network file systems refuse to sync a folder.
        pass
    finally:
        os.close(handle)
