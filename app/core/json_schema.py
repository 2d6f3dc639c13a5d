"""A JSON schema as a GBNF grammar of the JSON texts it allows.

Members come in the order of `properties`. A keyword that bounds the text and cannot be expressed is
refused by name: a reply must not look checked when it is not. Objects with `properties` and tuples with
`prefixItems` hold nothing else unless `additionalProperties` or `items` says so.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from app.core.gbnf import GrammarError, check_grammar
from app.core.json_numbers import INTEGER, NUMBER, integer_range
from app.core.json_pattern import pattern_to_gbnf
from app.core.wording import reason_of, say

ANY_OBJECT = '{"type": "object"}'

_PLAIN = r"""[^"\\\x7F\x00-\x1F]"""
_BASE = {
    "ws": r"""| " " | "\n" [ \t]{0,20}""",
    "plain": _PLAIN,
    "char": r"""plain | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})""",
    "string": r"""["] char* ["]""",
    "integer": INTEGER,
    "number": NUMBER,
    "boolean": '"true" | "false"',
    "null": '"null"',
    "member": 'string ":" ws value',
    "object": '"{" ws (member ("," ws member)* ws)? "}"',
    "array": '"[" ws (value ("," ws value)* ws)? "]"',
    "value": "object | array | string | number | boolean | null",
}
_NEEDS = {"member": ["string", "ws", "value"], "object": ["member", "ws"], "array": ["value", "ws"],
          "value": ["object", "array", "string", "number", "boolean", "null"], "string": ["char"],
          "char": ["plain"]}  # fmt: skip
_FORMATS = {
    "date": '[0-9]{4} "-" ("0" [1-9] | "1" [0-2]) "-" ("0" [1-9] | [1-2] [0-9] | "3" [0-1])',
    "time": '([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9] ":" [0-5] [0-9] ("." [0-9]{1,6})? '
    '("Z" | [+-] ([01] [0-9] | "2" [0-3]) ":" [0-5] [0-9])',
    "uuid": '[0-9a-f]{8} "-" [0-9a-f]{4} "-" [0-9a-f]{4} "-" [0-9a-f]{4} "-" [0-9a-f]{12}',
}
_FORMATS["date-time"] = f'{_FORMATS["date"]} "T" {_FORMATS["time"]}'

_REMARKS = {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly", "format",
            "$schema", "$id", "$comment", "$anchor", "$defs", "definitions", "contentEncoding",
            "contentMediaType", "discriminator"}  # fmt: skip
_NO_OP = {"uniqueItems": False}
_OF_TYPE = {
    "object": {"properties", "required", "additionalProperties"},
    "array": {"items", "prefixItems", "minItems", "maxItems"},
    "string": {"minLength", "maxLength", "pattern"},
    "integer": {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"},
    "number": {"minimum", "exclusiveMinimum"},
    "boolean": set(),
    "null": set(),
}
_DEEPEST = 64


class SchemaError(ValueError):
    """What is wrong with a schema, and where in it."""


def schema_to_gbnf(text: str) -> str:
    """The grammar of a schema given as JSON text. Raises SchemaError."""
    try:
        schema = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SchemaError(say("the schema is no JSON: {error}", error=str(error))) from None
    if not isinstance(schema, Mapping):
        raise SchemaError(say("the schema must be a JSON object"))
    try:
        return _Converter(schema).grammar()
    except (TypeError, AttributeError) as error:
        raise SchemaError(
            say("a keyword of the schema has a value of the wrong kind ({error})", error=str(error))
        ) from None


class _Converter:
    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._schema = schema
        self._rules: dict[str, str] = {}
        self._refs: dict[str, str] = {}
        self._n = 0
        self._depth = 0

    def grammar(self) -> str:
        self._refs["#"] = "root"
        self._rules["root"] = ""
        self._rules["root"] = self._convert(self._schema, "#")
        text = "\n".join(f"{name} ::= {body}" for name, body in self._rules.items()) + "\n"
        try:
            check_grammar(text)
        except GrammarError as error:
            raise SchemaError(
                say("the schema cannot be made a grammar: {problem}", problem=error.problem)
            ) from None
        return text

    # --- rules --------------------------------------------------------------------------------------

    def _base(self, name: str) -> str:
        """The name of a rule that every schema may use."""
        if name not in self._rules:
            self._rules[name] = _BASE[name]
            for needed in _NEEDS.get(name, ()):
                self._base(needed)
        return name

    def _rule(self, body: str) -> str:
        self._n += 1
        name = f"r{self._n}"
        self._rules[name] = body
        return name

    # --- schemas ------------------------------------------------------------------------------------

    def _convert(self, schema: Any, where: str) -> str:
        """An expression that stands as one item of a sequence, or the body of a rule."""
        if schema is True or schema == {}:
            return self._base("value")
        if not isinstance(schema, Mapping):
            self._fail(
                where,
                say("nothing is allowed here") if schema is False else say("a schema must be an object"),
            )
        self._depth += 1
        if self._depth > _DEEPEST:
            self._fail(where, say("schemas are nested deeper than {n}", n=_DEEPEST))
        try:
            return self._convert_one(schema, where)
        finally:
            self._depth -= 1

    def _convert_one(self, schema: Mapping[str, Any], where: str) -> str:
        used = {key for key, value in schema.items() if key not in _REMARKS and value is not _NO_OP.get(key)}
        if "$ref" in used and used == {"$ref"}:
            return self._reference(schema["$ref"], where)
        if "$ref" in used or "allOf" in used:
            return self._convert(self._merged(schema, where), where)
        if "const" in schema:
            return _literal(json.dumps(schema["const"], ensure_ascii=False))
        if "enum" in schema:
            values = schema["enum"]
            if not isinstance(values, list) or not values:
                self._fail(where, say("enum must list its values"))
            return self._rule(" | ".join(_literal(json.dumps(v, ensure_ascii=False)) for v in values))
        for keyword in ("anyOf", "oneOf"):
            if keyword in used:
                self._only(used, {keyword, "type"}, where)
                options = schema[keyword]
                if not isinstance(options, list) or not options:
                    self._fail(where, say("{keyword} must list schemas", keyword=keyword))
                found = [self._convert(o, f"{where}/{keyword}/{i}") for i, o in enumerate(options)]
                return self._rule(" | ".join(found))
        types = schema.get("type", _guess(used))
        if types is None:
            self._only(used, set(), where)
            return self._base("value")
        names = types if isinstance(types, list) else [types]
        if not names or any(not isinstance(name, str) or name not in _OF_TYPE for name in names):
            self._fail(where, say("type {type!r} is unknown", type=types))
        self._only(used, {"type"}.union(*(_OF_TYPE[name] for name in names)), where)
        found = [self._typed(name, schema, where) for name in names]
        return found[0] if len(found) == 1 else self._rule(" | ".join(found))

    def _typed(self, name: str, schema: Mapping[str, Any], where: str) -> str:
        if name == "object":
            return self._object(schema, where)
        if name == "array":
            return self._array(schema, where)
        if name == "string":
            return self._string(schema, where)
        if name in ("integer", "number"):
            return self._number(name, schema, where)
        return self._base(name)

    def _reference(self, ref: Any, where: str) -> str:
        if not isinstance(ref, str) or not ref.startswith("#"):
            self._fail(where, say("only references within the schema can be followed, not {ref!r}", ref=ref))
        if ref not in self._refs:
            self._refs[ref] = name = self._rule("")
            self._rules[name] = self._convert(self._find(ref, where), ref)
        return self._refs[ref]

    def _find(self, ref: str, where: str) -> Any:
        found: Any = self._schema
        for part in ref[1:].split("/")[1:]:
            key = part.replace("~1", "/").replace("~0", "~")
            try:
                found = found[int(key)] if isinstance(found, list) else found[key]
            except (KeyError, IndexError, ValueError, TypeError):
                self._fail(where, say("{ref} leads nowhere", ref=ref))
        return found

    def _merged(self, schema: Any, where: str, depth: int = 0) -> Mapping[str, Any]:
        """A schema with what `allOf` and `$ref` add to it; contradictions are refused."""
        if not isinstance(schema, Mapping) or depth > _DEEPEST:
            self._fail(where, say("allOf must list schemas that do not lead back to it"))
        if not ("$ref" in schema or "allOf" in schema):
            return schema
        parts: list[Any] = [{k: v for k, v in schema.items() if k not in ("allOf", "$ref")}]
        if "$ref" in schema:
            parts.append(self._find(str(schema["$ref"]), where))
        parts += schema.get("allOf", [])
        merged: dict[str, Any] = {}
        for part in parts:
            part = self._merged(part, where, depth + 1)
            for key, value in part.items():
                if key == "properties" and key in merged:
                    merged[key] = {**merged[key], **value}
                elif key == "required" and key in merged:
                    merged[key] = [*merged[key], *value]
                elif key in merged and key not in _REMARKS and merged[key] != value:
                    self._fail(where, say("allOf asks for two kinds of {key}", key=key))
                else:
                    merged.setdefault(key, value)
        return merged

    # --- objects ------------------------------------------------------------------------------------

    def _object(self, schema: Mapping[str, Any], where: str) -> str:
        properties = schema.get("properties", {})
        required = schema.get("required", [])
        if not isinstance(properties, Mapping) or not isinstance(required, list):
            self._fail(where, say("properties must be an object and required a list"))
        extra = schema.get("additionalProperties", not properties)
        missing = [name for name in required if name not in properties]
        if missing and (properties or extra is not True):
            self._fail(where, say("{name} is required, but no property", name=missing[0]))
        properties = {**properties, **dict.fromkeys(missing, True)}
        ws = self._base("ws")
        if not properties and extra is True:
            return self._base("object")
        members = []
        for name, inner in properties.items():
            value = self._convert(inner, f"{where}/properties/{name}")
            members.append((self._rule(f'{_literal(json.dumps(name, ensure_ascii=False))} ":" {ws} {value}'),
                            name in required))  # fmt: skip
        more = ""
        if extra is not False:
            value = self._convert(extra, f"{where}/additionalProperties")
            more = self._rule(f'["] {self._other_name(list(properties))} ["] ":" {ws} {value}')
        return self._rule(f'"{{" {ws} ({self._members(members, more)}) "}}"')

    def _members(self, members: list[tuple[str, bool]], more: str) -> str:
        """Every way to write the members: those required, any of the others, in order, with commas."""
        # What may follow a member: rules from the last one back, so that the grammar grows with their number.
        rest = f'("," ws {more})* ws' if more else "ws"
        tails = [rest]
        for rule, required in reversed(members):
            part = f'"," ws {rule}' if required else f'("," ws {rule})?'
            tails.append(self._rule(f"{part} {tails[-1]}"))
        tails.reverse()
        ways = []
        for i, (rule, required) in enumerate(members):
            ways.append(f"{rule} {tails[i + 1]}")
            if required:
                return " | ".join(ways)
        if more:
            ways.append(f"{more} {rest}")
        return " | ".join([*ways, '""'])

    def _other_name(self, names: Sequence[str]) -> str:
        """Any name but these, spelled without escapes, so that none of them can hide in one."""
        plain = self._base("plain")
        return self._after(sorted({*names}), 0, plain) if names else f"{plain}*"

    def _after(self, names: Sequence[str], depth: int, plain: str) -> str:
        """The rest of a name whose first `depth` characters are those that all `names` share."""
        by_char: dict[str, list[str]] = {}
        for name in names:
            if len(name) > depth:
                by_char.setdefault(name[depth], []).append(name)
        others = "".join(f"\\U{ord(c):08X}" for c in by_char)
        options = [f"{_PLAIN[:-1]}{others}] {plain}*"]
        for char, longer in by_char.items():
            if char not in '"\\' and ord(char) >= 0x20 and ord(char) != 0x7F:
                options.append(f"{_literal(char)} {self._after(longer, depth + 1, plain)}")
        if all(len(name) != depth for name in names):
            options.append('""')
        return self._rule(" | ".join(options))

    # --- arrays, strings, numbers -------------------------------------------------------------------

    def _array(self, schema: Mapping[str, Any], where: str) -> str:
        ws = self._base("ws")
        first = schema.get("prefixItems", [])
        if not isinstance(first, list):
            self._fail(where, say("{keyword} must list schemas", keyword="prefixItems"))
        low, high = self._bounds(schema, "minItems", "maxItems", where)
        items = schema.get("items", not first)
        if not first and items is True and (low, high) == (0, None):
            return self._base("array")
        if high == 0:
            return self._rule(f'"[" {ws} "]"')
        heads = [self._convert(s, f"{where}/prefixItems/{i}") for i, s in enumerate(first)]
        item = "" if items is False else self._convert(items, f"{where}/items")
        low, high = max(low - len(heads), 0), None if high is None else high - len(heads)
        if (high is not None and high < low) or (low and not item):
            self._fail(where, say("its numbers of items contradict each other"))
        if heads:
            tail = f' ("," {ws} {item}){_times(low, high)}' if item and high != 0 else ""
            return self._rule(f'"[" {ws} ' + f' "," {ws} '.join(heads) + f'{tail} {ws} "]"')
        if not item:
            return self._rule(f'"[" {ws} "]"')
        more = f'{item} ("," {ws} {item}){_times(max(low - 1, 0), None if high is None else high - 1)} {ws}'
        return self._rule(f'"[" {ws} ' + (more if low else f"({more})?") + ' "]"')

    def _string(self, schema: Mapping[str, Any], where: str) -> str:
        low, high = self._bounds(schema, "minLength", "maxLength", where)
        pattern, form = schema.get("pattern"), schema.get("format")
        if pattern is not None:
            if (low, high) != (0, None):
                self._fail(where, say("a pattern and a length cannot both be enforced"))
            try:
                return self._rule(f'["] {pattern_to_gbnf(str(pattern), self._base("char"))} ["]')
            except ValueError as error:
                self._fail(where, reason_of(error))
        if isinstance(form, str) and form in _FORMATS:
            return self._rule(f'["] {_FORMATS[form]} ["]')
        if (low, high) == (0, None):
            return self._base("string")
        return self._rule(f'["] {self._base("char")}{_times(low, high)} ["]')

    def _number(self, name: str, schema: Mapping[str, Any], where: str) -> str:
        bounds = [schema.get(k) for k in ("minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum")]
        if all(b is None for b in bounds):
            return self._base(name)
        try:
            return self._rule(integer_range(*bounds) if name == "integer" else _from_zero(bounds))
        except ValueError as error:
            self._fail(where, reason_of(error))

    def _bounds(self, schema: Mapping[str, Any], low: str, high: str, where: str) -> tuple[int, int | None]:
        least, most = schema.get(low, 0), schema.get(high)
        for name, value in ((low, least), (high, most)):
            whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 2000
            if not whole and (name == low or value is not None):
                self._fail(where, say("{name} must be a whole number up to 2000", name=name))
        if most is not None and most < least:
            self._fail(where, say("{high} is below {low}", high=high, low=low))
        return least, most

    # --- refusals -----------------------------------------------------------------------------------

    def _only(self, used: set[str], known: set[str], where: str) -> None:
        unknown = sorted(used - known)
        if unknown:
            self._fail(where, say("{name} cannot be enforced here", name=unknown[0]))

    def _fail(self, where: str, problem: str) -> NoReturn:
        raise SchemaError(say("at {where}: {problem}", where=where, problem=problem))


def _guess(used: set[str]) -> str | None:
    """The type that keywords speak of, where none is given."""
    return next((name for name, keys in _OF_TYPE.items() if used & keys), None)


def _from_zero(bounds: list[Any]) -> str:
    if bounds[0] != 0 or any(b is not None for b in bounds[1:]):
        raise ValueError(say("of a number only minimum 0 can be enforced"))
    return NUMBER.removeprefix('"-"? ')


def _times(low: int, high: int | None) -> str:
    if high is None:
        return {0: "*", 1: "+"}.get(low, f"{{{low},}}")
    return f"{{{low},{high}}}"


def _literal(text: str) -> str:
    """`text` as a GBNF literal; characters the grammar's parser would not take raw are escaped."""
    return '"' + "".join(_quoted(c) for c in text) + '"'


def _quoted(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    return c if c.isprintable() else f"\\U{ord(c):08X}"
