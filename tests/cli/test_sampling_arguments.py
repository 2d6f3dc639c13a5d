"""The sampling options of the terminal chat: what they become, and one clear line where they cannot."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from app.__main__ import build_parser
from app.core.errors import EnvironmentProblem
from app.core.sampling import SamplingParams
from app.sampling_arguments import sampling_from
from tests.cli.test_chat_command import chat, one_line_problem

SCHEMA = '{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}'


def parsed(*arguments: str) -> SamplingParams:
    return sampling_from(build_parser().parse_args(["chat", *arguments]))


def test_nothing_said_is_the_default() -> None:
    assert parsed() == SamplingParams()


def test_every_option_reaches_its_field() -> None:
    found = parsed(
        "--temperature", "0.7", "--seed", "5", "--top-k", "9", "--top-p", "0.8", "--min-p", "0.1",
        "--typical-p", "0.9", "--top-n-sigma", "1.5", "--xtc-probability", "0.2", "--xtc-threshold", "0.3",
        "--dynatemp-range", "0.4", "--dynatemp-exponent", "1.2", "--repeat-penalty", "1.1",
        "--repeat-last-n", "-1", "--presence-penalty", "-0.5", "--frequency-penalty", "0.25",
        "--dry-multiplier", "0.8", "--dry-base", "1.5", "--dry-allowed-length", "3",
        "--dry-penalty-last-n", "128", "--dry-sequence-breaker", "x", "--dry-sequence-breaker", "y",
        "--mirostat", "2", "--mirostat-tau", "4", "--mirostat-eta", "0.2", "--logit-bias", "15=-1.5",
        "--logit-bias", "3=-inf", "--grammar", 'root ::= "a"',
    )  # fmt: skip
    assert found == SamplingParams(
        0.7, 9, 0.8, 0.1, 1.1, -1, 5, 0.9, 1.5, 0.2, 0.3, 0.4, 1.2, 0.25, -0.5, 0.8, 1.5, 3, 128, ("x", "y"),
        2, 4.0, 0.2, ((3, float("-inf")), (15, -1.5)), 'root ::= "a"',
    )  # fmt: skip


def test_grammars_and_schemas_come_from_files_too(tmp_path: Path) -> None:
    grammar, schema = tmp_path / "a grammar.gbnf", tmp_path / "схема.json"
    grammar.write_text('root ::= "é"', "utf-8")
    schema.write_text("\ufeff" + SCHEMA, "utf-8")
    assert parsed("--grammar-file", str(grammar)).grammar == 'root ::= "é"'
    assert parsed("--json-schema-file", str(schema)).json_schema == SCHEMA
    assert parsed("--json-schema", SCHEMA).json_schema == SCHEMA


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--grammar", "root ::= x"], "line 1, column 10: there is no rule named x"),
        (["--json-schema", '{"type": "x"}'], "type 'x' is unknown"),
        (["--grammar-file", "/nowhere/x.gbnf"], "/nowhere/x.gbnf cannot be read"),
        (["--logit-bias", "5"], "is not TOKEN=BIAS"),
        (["--logit-bias", "a=1"], "wants the number of a token"),
        (["--top-p", "0"], "top_p must lie in (0, 1]"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_loaded(arguments: list[str], problem: str) -> None:
    with pytest.raises(EnvironmentProblem) as caught:
        parsed(*arguments)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--top-k", "-3"], "must be at least 0"),
        (["--min-p", "1.5"], "must be between 0 and 1"),
        (["--mirostat", "3"], "invalid choice"),
        (["--grammar", "a", "--json-schema", "{}"], "not allowed with"),
    ],
)
def test_what_the_parser_refuses(
    arguments: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        parsed(*arguments)
    assert problem in capsys.readouterr().err


def test_a_reply_of_a_schema(tiny_pair: tuple[Path, Path]) -> None:
    target, sidecar = tiny_pair
    result = chat(
        target, "--draft-model", str(sidecar), "-p", "abc", "--seed", "1", "--json-schema", SCHEMA,
        "--backend-sampling", "--json",
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    answer = json.loads(result.stdout)
    assert list(json.loads(answer["text"])) == ["n"]
    assert answer["stats"]["drafted"] > 0
    assert answer["stats"]["backend_sampling_requested"]
    assert not answer["stats"]["backend_sampling_active"]
    assert answer["stats"]["backend_sampling_reason"] == "A grammar is followed on the host."


def test_a_bad_grammar_is_one_line(tiny_target: Path) -> None:
    line = one_line_problem(chat(tiny_target, "-p", "abc", "--grammar", 'root ::= "a'))
    assert re.search(r"The grammar cannot be used\. line 1, column 10: this is not closed", line)
