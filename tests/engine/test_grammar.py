"""Replies bound by a grammar or a JSON schema: never outside it, whatever the drafts; faults are told."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.core.errors import EnvironmentProblem
from app.core.json_schema import SchemaError, schema_to_gbnf
from app.core.sampling import SamplingParams
from app.engine import Llama, SpecConfig, SpeculativeType
from app.engine.constraint import Constraint
from app.engine.decoding import Decoder
from app.engine.handles import Model
from tests.engine.support import EXACT, ReplayDrafter, bare_decoder, run
from tests.models import TargetSpec, make_target

PROMPT = [40 + (7 * i) % 90 for i in range(40)]


@pytest.fixture(scope="module")
def flat_target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_target(tmp_path_factory.mktemp("models") / "flat.gguf", TargetSpec(gain=1.0))


@pytest.fixture(scope="module")
def decoder(flat_target: Path) -> Iterator[Decoder]:
    decoder = bare_decoder(flat_target, n_max=7, **EXACT)
    yield decoder
    decoder.close()


@pytest.fixture(scope="module")
def model(flat_target: Path) -> Iterator[Model]:
    model = Model(str(flat_target))
    yield model
    model.close()


def accepts(model: Model, gbnf: str, text: str) -> bool:
    """Whether the native grammar takes the whole text, byte by byte, and may end after it."""
    constraint = Constraint(model, gbnf)
    try:
        for byte in text.encode():
            token = 4 + byte  # four specials, then the bytes in order
            if not constraint.allows(token):
                return False
            constraint.accept(token)
        return any(constraint.allows(token) for token in model.eog)
    finally:
        constraint.close()


# --- replies ----------------------------------------------------------------------------------------

GRAMMARS = {
    'root ::= [a-f]{3} "-" [0-9]+ "."': r"[a-f]{3}-[0-9]+\.",
    'root ::= ("yes" | "no" | "maybe") ("\\n" [a-z]{2,4}){1,3}': r"(yes|no|maybe)(\n[a-z]{2,4}){1,3}",
    'root ::= "é日" [À-ÿ]{2} "😀"': "é日[À-ÿ]{2}😀",
    'root ::= ""': "",
}


@pytest.mark.parametrize("temperature", [0.0, 1.5])
@pytest.mark.parametrize("grammar", GRAMMARS)
def test_no_reply_leaves_its_grammar(decoder: Decoder, grammar: str, temperature: float) -> None:
    for seed in range(6):
        params = SamplingParams(temperature, 0, 1.0, 0.0, seed=seed, grammar=grammar)
        decoder.drafter = None
        ordinary = run(decoder, PROMPT, 200, params)
        ended = ordinary.finish == "stop"
        assert ended or len(ordinary.tokens) == 200
        if ended:
            assert re.fullmatch(GRAMMARS[grammar], ordinary.text)
        for right in (1.0, 0.5, 0.0):
            answer = [*ordinary.tokens, 2, 60, 61, 62, 63]  # drafts run past the end of the reply
            decoder.drafter = ReplayDrafter(answer, len(PROMPT), right, 288)
            assert run(decoder, PROMPT, 200, params).text == ordinary.text


def test_going_on_past_the_end_stops_where_the_grammar_ends(decoder: Decoder) -> None:
    decoder.drafter = None
    for temperature in (0.0, 1.0):
        params = SamplingParams(temperature, grammar='root ::= "abc"', seed=1)
        reply = run(decoder, PROMPT, 50, params, ignore_eos=True)
        assert (reply.text, reply.finish) == ("abc", "stop")


def test_a_grammar_without_a_way_on_is_an_error_and_the_next_reply_works(decoder: Decoder) -> None:
    decoder.drafter = None
    impossible = SamplingParams(1.0, grammar='root ::= "a" "\\x01" "b"', logit_bias={5: float("-inf")})
    with pytest.raises(EnvironmentProblem, match="leaves no token to go on with"):
        run(decoder, PROMPT, 20, impossible)
    again = run(decoder, PROMPT, 20, SamplingParams(0.0, grammar='root ::= "xyz"'))
    assert (again.text, again.finish) == ("xyz", "stop")


# --- schemas ----------------------------------------------------------------------------------------

PERSON = {
    "type": "object",
    "title": "Person",
    "properties": {
        "name": {"type": "string", "minLength": 1, "maxLength": 8},
        "age": {"type": "integer", "minimum": 0, "maximum": 120},
        "kind": {"enum": ["cat", "dog\n", 3, None]},
        "tags": {"type": "array", "items": {"type": "string", "maxLength": 3}, "minItems": 1, "maxItems": 2},
    },
    "required": ["name", "kind"],
}
TREE = {
    "$ref": "#/$defs/node",
    "$defs": {
        "node": {
            "type": "object",
            "properties": {
                "value": {"type": ["number", "null"]},
                "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]},
            },
            "required": ["value", "next"],
        }
    },
}

SCHEMAS: list[tuple[dict[str, Any], list[str], list[str]]] = [
    (
        PERSON,
        ['{"name":"Al","kind":"cat"}', '{ "name": "B\\"é", "age": 120, "kind": 3, "tags": ["a", "bcd"] }',
         '{"name":"x","kind":"dog\\n"}', '{"name":"x","age":7,"kind":null}'],
        ["{}", '{"kind":"cat"}', '{"name":"","kind":"cat"}', '{"name":"x","kind":"cow"}',
         '{"name":"x","age":121,"kind":3}', '{"name":"x","age":-1,"kind":3}',
         '{"name":"x","age":07,"kind":3}',
         '{"name":"x","kind":3,"tags":[]}', '{"name":"x","kind":3,"more":1}', '{"name":"123456789","kind":3}',
         '{"name":"x","kind":3,}'],
    ),
    (
        TREE,
        ['{"value":1.5e3,"next":null}', '{"value":null,"next":{"value":-0.5,"next":null}}'],
        ['{"value":1}', '{"value":"a","next":null}', '{"value":1,"next":{}}'],
    ),
    ({"type": "object"}, ["{}", '{"a": [1, {"b": null}], "c": "d"}'], ["[]", '{"a"}', "{a:1}", '{"a":1,}']),
    (
        {"type": "object", "properties": {"id": {"type": "boolean"}},
         "additionalProperties": {"type": "integer"}},
        ["{}", '{"id":true}', '{"id":false,"x":1,"idx":2,"i":3}', '{"x":1}'],
        ['{"x":"a"}', '{"id":1}', '{"x":1,"id":2}', '{"\\u0069d":1}'],
    ),
    (
        {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
        ['["a",1]', '[ "a", -5 ]'], ["[]", '["a"]', '["a",1,2]', "[1,1]"],
    ),
    ({"type": "array", "items": {"type": "boolean"}, "maxItems": 2}, ["[]", "[true]", "[true, false]"],
     ["[true,true,true]", "[1]", "[true,]"]),
    ({"type": "string", "pattern": "^[A-Z]{2}-\\d{3}(\\.\\w+)?$"}, ['"AB-123"', '"AB-123.x_9"'],
     ['"ab-123"', '"AB-12"', '"AB-123."', '" AB-123"']),
    ({"type": "string", "pattern": "b+"}, ['"b"', '"abbc"'], ['"ac"', '""']),
    ({"type": "string", "pattern": '^[^a"]*\\n?$'}, ['""', '"bc"', '"b\\\\"', '"b\\n"'],
     ['"a"', '"\\""', '"b\\n\\r"b']),
    ({"type": "string", "format": "date"}, ['"2024-02-29"'], ['"2024-13-01"', '"24-01-01"']),
    ({"const": {"a": [1, 'x"y']}}, ['{"a": [1, "x\\"y"]}'], ['{"a": [1]}']),
    ({"allOf": [{"$ref": "#/$defs/a"}, {"required": ["x"]}],
      "$defs": {"a": {"type": "object", "properties": {"x": {"type": "null"}}}}}, ['{"x":null}'], ["{}"]),
    ({"type": "integer", "minimum": -105, "maximum": 98}, ["-105", "-99", "-1", "0", "9", "98"],
     ["-106", "99", "100", "-0", "5.0", "05"]),
    ({"type": "integer", "exclusiveMinimum": 9, "exclusiveMaximum": 1011}, ["10", "99", "100", "999", "1010"],
     ["9", "1011", "-10"]),
    ({"type": "number", "minimum": 0}, ["0", "0.5", "1e5"], ["-1", "-0.5", ".5"]),
    ({}, ["1", '"a"', "[]", "true"], ["tru", "'a'", ""]),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "right", "wrong"), SCHEMAS)
def test_the_grammar_of_a_schema_takes_what_fits_it(
    model: Model, schema: dict[str, Any], right: list[str], wrong: list[str]
) -> None:
    gbnf = schema_to_gbnf(json.dumps(schema))
    assert [text for text in right if not accepts(model, gbnf, text)] == []
    assert [text for text in wrong if accepts(model, gbnf, text)] == []


@pytest.mark.parametrize("low", [0, 3, 10, 47, 99, 100, 123])
def test_integer_ranges_are_exact(model: Model, low: int) -> None:
    for high in (low, low + 1, low + 60, low + 951):
        gbnf = schema_to_gbnf(json.dumps({"type": "integer", "minimum": low, "maximum": high}))
        around = {
            0,
            low - 1,
            low,
            low + 1,
            (low + high) // 2,
            high - 1,
            high,
            high + 1,
            10 * high,
            10 * low + 9,
        }
        for n in sorted(n for n in around if n >= 0):
            assert accepts(model, gbnf, str(n)) is (low <= n <= high), (low, high, n)


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ("{", "the schema is no JSON"),
        ("[1]", "must be a JSON object"),
        ('{"type": "strin"}', "at #: type 'strin' is unknown"),
        ('{"type": "object", "properties": {"a": {"not": {}}}}', "at #/properties/a: not cannot be enforced"),
        ('{"type": "array", "uniqueItems": true}', "uniqueItems cannot be enforced"),
        ('{"type": "number", "maximum": 3}', "maximum cannot be enforced"),
        ('{"type": "string", "pattern": "(?=a)b"}', "looks around or has a name"),
        ('{"type": "string", "pattern": "^a|b$"}', "anchor beside alternatives"),
        ('{"type": "string", "pattern": "\\\\bword"}', "holds \\b, which cannot be enforced"),
        ('{"$ref": "#/nowhere"}', "#/nowhere leads nowhere"),
        ('{"$ref": "https://example.org/s.json"}', "only references within the schema"),
        ('{"$ref": "#"}', "begins with itself"),
        ('{"allOf": [{"$ref": "#"}]}', "lead back to it"),
        ('{"allOf": [{"type": "string"}, {"type": "integer"}]}', "two kinds of type"),
        ('{"enum": []}', "enum must list its values"),
        ('{"type": "object", "properties": {"a": false}}', "nothing is allowed here"),
        ('{"type": "integer", "minimum": 5, "maximum": 4}', "no integer lies between"),
        ('{"type": "string", "minLength": 9999}', "minLength must be a whole number up to 2000"),
        ('{"allOf": 5}', "a value of the wrong kind"),
    ],
)
def test_what_a_schema_asks_in_vain_is_told(schema: str, problem: str) -> None:
    with pytest.raises(SchemaError) as caught:
        schema_to_gbnf(schema)
    assert problem in str(caught.value)


# --- the public interface ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def llm(flat_target: Path) -> Iterator[Llama]:
    spec = SpecConfig(spec_type=SpeculativeType.NGRAM_SIMPLE, ngram_size_n=2, ngram_size_m=6)
    with Llama(str(flat_target), n_ctx=2048, n_threads=1, speculative=spec, verbose=False) as llm:
        yield llm


def reply(llm: Llama, **options: Any) -> str:
    found = llm.create_chat_completion([{"role": "user", "content": "hi"}], max_tokens=600, **options)
    text = found["choices"][0]["message"]["content"]
    assert isinstance(text, str)
    return text


def test_a_response_format_gives_json(llm: Llama) -> None:
    schema = {
        "type": "object",
        "properties": {"n": {"type": "integer"}, "s": {"type": "string", "maxLength": 4}},
        "required": ["n", "s"],
    }
    for response_format in (
        {"type": "json_object", "schema": schema},
        {"type": "json_schema", "json_schema": {"name": "x", "strict": True, "schema": schema}},
    ):
        for seed in range(3):
            found = json.loads(reply(llm, response_format=response_format, temperature=1.5, seed=seed))
            assert list(found) == ["n", "s"]
            assert isinstance(found["n"], int)
            assert len(found["s"]) <= 4
    assert reply(llm, response_format={"type": "json_object"}, temperature=1.5, seed=1).startswith("{")


def test_a_grammar_comes_as_text_or_as_the_family_s_object(llm: Llama) -> None:
    class Grammar:
        _grammar = 'root ::= "ok"'

    assert reply(llm, grammar='root ::= "ok"') == reply(llm, grammar=Grammar()) == "ok"
    # Given both, the grammar goes first, as in the family.
    assert reply(llm, grammar='root ::= "ok"', response_format={"type": "json_object"}) == "ok"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"grammar": "root ::= x"}, "Line 1, column 10: there is no rule named x."),
        ({"response_format": {"type": "json_object", "schema": {"type": "x"}}}, "type 'x' is unknown"),
        ({"response_format": {"type": "xml"}}, "is unknown"),
    ],
)
def test_a_bad_format_is_told_and_the_program_goes_on(
    llm: Llama, options: dict[str, Any], problem: str
) -> None:
    with pytest.raises(EnvironmentProblem) as caught:
        reply(llm, **options)
    assert problem in str(caught.value)
    assert caught.value.code in ("bad-grammar", "bad-schema")
    assert reply(llm, grammar='root ::= "still here"') == "still here"


def test_unknown_options_are_refused(llm: Llama) -> None:
    with pytest.raises(TypeError, match="no option 'temprature'"):
        reply(llm, temprature=1.0)
    with pytest.raises(TypeError, match="grammar is GBNF text"):
        reply(llm, grammar=5)


def test_every_option_of_the_chain_is_taken(llm: Llama) -> None:
    """By the names of llama-cpp-python where it has one."""
    text = reply(
        llm, temperature=0.9, top_p=0.9, top_k=-1, min_p=0.02, typical_p=0.95, frequency_penalty=0.1,
        presence_penalty=0.1, repeat_penalty=1.05, mirostat_mode=0, mirostat_tau=4.0, mirostat_eta=0.2,
        logit_bias={"70": 1.0}, top_n_sigma=-1.0, xtc_probability=0.1, xtc_threshold=0.2, dynatemp_range=0.2,
        dynatemp_exponent=1.1, dry_multiplier=0.5, dry_base=1.6, dry_allowed_length=3, dry_penalty_last_n=64,
        dry_sequence_breakers=["\n"], repeat_last_n=32, seed=4, grammar='root ::= [a-z]{5}',
    )  # fmt: skip
    assert re.fullmatch("[a-z]{5}", text)
