"""What is generated from: prompts with a category, built in or from the user's file."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from app.core.errors import EnvironmentProblem
from app.core.wording import say


@dataclass(frozen=True, slots=True)
class BenchPrompt:
    """One user message. `category` groups the results; empty for none."""

    text: str
    category: str = ""


def read_prompts(path: Path) -> tuple[BenchPrompt, ...]:
    """The prompts of a text file, UTF-8.

    JSON lines when the first character is `{`: objects with "prompt" and optionally "category".
    Otherwise each line is a prompt. Empty lines are skipped. EnvironmentProblem names what is wrong.
    """
    name = path.name
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or say("It is not UTF-8 text.")
        raise EnvironmentProblem(
            say("The prompt file {name} cannot be read.", name=name), reason, code="prompts"
        ) from None
    lines = [(i, line.strip()) for i, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise EnvironmentProblem(say("The prompt file {name} holds no prompt.", name=name), code="prompts")
    if not lines[0][1].startswith("{"):
        return tuple(BenchPrompt(line) for _, line in lines)
    return tuple(_from_json(name, i, line) for i, line in lines)


def _from_json(name: str, number: int, line: str) -> BenchPrompt:
    try:
        entry = json.loads(line)
    except ValueError:
        entry = None
    prompt = entry.get("prompt") if isinstance(entry, dict) else None
    if not isinstance(prompt, str) or not prompt.strip():
        raise EnvironmentProblem(
            say('Line {n} of {name} is no JSON object with a "prompt".', n=number, name=name),
            remedy=say("Write {example} on every line.", example='{"prompt": "...", "category": "..."}'),
            code="prompts",
        )
    return BenchPrompt(prompt, str(entry.get("category") or ""))
