"""Messages and sampling options of a chat completion, as callers of the llama.cpp family write them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from app.core import checks
from app.core.conversation import ChatMessage
from app.core.errors import EnvironmentProblem
from app.core.json_schema import ANY_OBJECT
from app.core.sampling import SamplingParams
from app.core.wording import say

# Where the family's defaults for a completion differ from those of a chat.
_DEFAULTS: dict[str, Any] = {"temperature": 0.2}
_FIELDS = {field.name for field in fields(SamplingParams)}
# Switched off by a negative number in the native library, by 0 here.
_OFF_BELOW_ZERO = ("top_n_sigma", "top_k")


def sampling_of(options: Mapping[str, Any]) -> SamplingParams:
    """`SamplingParams` from keyword options: its fields, and `response_format` and a `grammar` object.

    Raises TypeError for an unknown option, ValueError for a bad value, EnvironmentProblem for a response
    format that is none.
    """
    values: dict[str, Any] = {**_DEFAULTS, **options}
    schema = _schema_of(values.pop("response_format", None))
    unknown = sorted(values.keys() - _FIELDS)
    if unknown:
        raise TypeError(f"create_chat_completion() has no option {unknown[0]!r}")
    for name in _OFF_BELOW_ZERO:
        if name in values:
            checks.number(name, values[name])
            values[name] = max(values[name], 0)
    values["grammar"] = _grammar_text(values.get("grammar"))
    values["logit_bias"] = values.get("logit_bias") or ()
    # As in the family, a grammar given besides a response format goes first.
    if schema and not values["grammar"]:
        values["json_schema"] = schema
    return SamplingParams(**values)


def chat_of(given: Sequence[Mapping[str, str]]) -> list[ChatMessage]:
    """Messages as callers of the family write them. TypeError or EnvironmentProblem say what is wrong."""
    messages = checks.messages(given)
    if not messages:
        raise EnvironmentProblem(
            say("The prompt is empty."), remedy=say("Write something first."), code="empty-prompt"
        )
    for message in messages:
        if not isinstance(message.get("role"), str):
            raise EnvironmentProblem(
                say("A message has no role."), remedy=say("Give it one: system, user or assistant.")
            )
    return [ChatMessage(m["role"], m.get("content") or "") for m in messages]


def _schema_of(response_format: Any) -> str:
    """JSON text of the schema that a `response_format` asks for, empty for plain text."""
    if response_format is None:
        return ""
    kind = response_format.get("type") if isinstance(response_format, Mapping) else None
    if kind == "text":
        return ""
    if kind == "json_object":
        return _json(response_format.get("schema"))
    if kind == "json_schema":
        given = response_format.get("json_schema")
        return _json(given.get("schema") if isinstance(given, Mapping) else None)
    raise EnvironmentProblem(
        say("The response format {response_format!r} is unknown.", response_format=response_format),
        remedy=say('Its "type" is text, json_object or json_schema.'),
        code="bad-schema",
    )


def _json(schema: Any) -> str:
    if schema is None:
        return ANY_OBJECT
    return schema if isinstance(schema, str) else json.dumps(schema)


def _grammar_text(grammar: Any) -> str:
    """GBNF from text or from the family's grammar object, which keeps it in `_grammar`."""
    text = getattr(grammar, "_grammar", grammar)
    if text is None or isinstance(text, str):
        return text or ""
    raise TypeError(f"grammar is GBNF text, not {type(grammar).__name__}")
