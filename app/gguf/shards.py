"""Models in several files: `name-00001-of-00003.gguf` and its sisters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.core.errors import EnvironmentProblem
from app.core.wording import say
from app.gguf.reader import damaged

_NAME = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf")
_MOST = 1000


@dataclass(frozen=True, slots=True)
class ShardSet:
    """All files of one model, in order; `number` is that of the file it was made from, from 0."""

    paths: tuple[Path, ...]
    number: int

    @classmethod
    def of(cls, path: Path, metadata: Mapping[str, Any]) -> ShardSet | None:
        """The set that a file belongs to by its metadata; None for a model of one file."""
        count, number = metadata.get("split.count", 0), metadata.get("split.no", 0)
        if not isinstance(count, int) or not isinstance(number, int):
            raise damaged(path, say("It does not say which part of the model it is."))
        if count < 2:
            return None
        if count > _MOST or not 0 <= number < count:
            raise damaged(
                path, say("It claims to be part {number} of {count}.", number=number + 1, count=count)
            )
        match = shard_name(path)
        if match is None or match[1:] != (number, count):
            raise EnvironmentProblem(
                say("“{name}” is one part of a model and was renamed.", name=path.name),
                say("Its sisters are found by their names."),
                say("Give it back a name that ends in {ending}.", ending=_ending(number, count)),
                "shard-renamed",
            )
        return cls(tuple(path.with_name(match[0] + _ending(i, count)) for i in range(count)), number)

    def require_first(self, path: Path) -> None:
        if self.number:
            raise EnvironmentProblem(
                say(
                    "“{name}” is a later part of a model in {count} files.",
                    name=path.name,
                    count=len(self.paths),
                ),
                say("A model is opened by its first part."),
                say("Choose “{name}”.", name=self.paths[0].name),
                "not-first-shard",
            )

    def require_all(self) -> None:
        missing = [path.name for path in self.paths if not path.is_file()]
        if missing:
            names = ", ".join(f"“{name}”" for name in missing[:5])
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            raise EnvironmentProblem(
                say("A part of the model is missing: {names}{more}.", names=names, more=more),
                say("The model is in {count} files that belong in one folder.", count=len(self.paths)),
                say("Put the missing files beside the first one."),
                "shard-missing",
            )

    def require_number(self, path: Path, metadata: Mapping[str, Any], number: int) -> None:
        if metadata.get("split.no") != number or metadata.get("split.count") != len(self.paths):
            raise damaged(
                path,
                say(
                    "It is not part {number} of {count}, as its name says.",
                    number=number + 1,
                    count=len(self.paths),
                ),
            )


def shard_name(path: Path) -> tuple[str, int, int] | None:
    """Stem, number (from 0) and count of a shard's file name; None for other names."""
    match = _NAME.fullmatch(path.name)
    if match is None:
        return None
    return match["stem"], int(match["number"]) - 1, int(match["count"])


def _ending(number: int, count: int) -> str:
    return f"-{number + 1:05d}-of-{count:05d}.gguf"
