"""The sampling options of `slipstream chat`: their names are the native project's."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.core.errors import EnvironmentProblem
from app.core.gbnf import GrammarError, check_grammar
from app.core.json_schema import SchemaError, schema_to_gbnf
from app.core.sampling import SamplingParams

Number = Callable[..., Callable[[str], Any]]


def add_sampling_arguments(parser: argparse.ArgumentParser, number: Number) -> None:
    """`number(low, high, kind)` makes a type that refuses what is out of bounds."""
    share, positive = number(0, 1, float), number(0, kind=float)
    anything = number(float("-inf"), kind=float)
    group = parser.add_argument_group(
        "sampling", "how the next token is chosen; in brackets what holds when nothing is said"
    )

    def add(name: str, metavar: str, kind: Callable[[str], Any], about: str) -> None:
        group.add_argument(name, metavar=metavar, type=kind, help=about)

    add("--top-k", "N", number(0), "only the N likeliest tokens; 0 is off (40)")
    add("--top-p", "P", share, "the likeliest tokens that add up to P; 1 is off (0.95)")
    add("--min-p", "P", share, "tokens at least P times as likely as the likeliest; 0 is off (0.05)")
    add("--typical-p", "P", share, "locally typical tokens that add up to P (1: off)")
    add("--top-n-sigma", "X", positive, "tokens within X standard deviations of the best logit (0: off)")
    add("--xtc-probability", "P", share, "how often the likeliest tokens are left out (0: off)")
    add("--xtc-threshold", "P", share, "from which probability on XTC leaves tokens out (0.1)")
    add("--dynatemp-range", "X", positive, "the temperature moves so far with the entropy (0: off)")
    add("--dynatemp-exponent", "X", positive, "how it follows the entropy (1)")
    add("--repeat-penalty", "X", positive, "divides the logits of tokens used lately (1: off)")
    add("--repeat-last-n", "N", number(-1), "how far back penalties look; -1 is the whole context (64)")
    add("--presence-penalty", "X", anything, "taken from the logits of tokens used lately (0: off)")
    add("--frequency-penalty", "X", anything, "taken once per use (0: off)")
    add("--dry-multiplier", "X", positive, "penalty for going on with a repetition (0: off)")
    add("--dry-base", "X", number(1, kind=float), "grows by this with the repetition's length (1.75)")
    add("--dry-allowed-length", "N", number(0), "longest repetition that costs nothing (2)")
    add("--dry-penalty-last-n", "N", number(-1), "how far back repetitions count (-1: whole context)")
    group.add_argument(
        "--dry-sequence-breaker", metavar="TEXT", action="append", help="ends a repetition; repeatable"
    )
    group.add_argument("--mirostat", type=int, choices=(0, 1, 2), help="steer the surprise instead (0: off)")
    add("--mirostat-tau", "X", positive, "the surprise wanted (5)")
    add("--mirostat-eta", "X", positive, "how quickly it is steered (0.1)")
    group.add_argument(
        "--logit-bias", metavar="TOKEN=BIAS", action="append", help="added to a token's logit; repeatable"
    )
    bound = group.add_mutually_exclusive_group()
    bound.add_argument("--grammar", metavar="GBNF", help="the reply follows this grammar")
    bound.add_argument("--grammar-file", metavar="FILE", help="the same from a file")
    bound.add_argument("--json-schema", metavar="JSON", help="the reply is JSON of this schema")
    bound.add_argument("--json-schema-file", metavar="FILE", help="the same from a file")
    group.add_argument(
        "--backend-sampling",
        action="store_true",
        help="let the device choose tokens, where it can",
    )


_RENAMED = {"mirostat": "mirostat_mode", "dry_sequence_breaker": "dry_sequence_breakers"}


def sampling_from(args: argparse.Namespace) -> SamplingParams:
    """What was asked for. Raises EnvironmentProblem, for a grammar or a schema as well."""
    values: dict[str, Any] = {}
    for name in SamplingParams.__dataclass_fields__:
        asked = next((a for a, field in _RENAMED.items() if field == name), name)
        value = getattr(args, asked, None)
        if value is not None:
            values[name] = value
    values["logit_bias"] = _bias(args.logit_bias or [])
    if args.grammar_file:
        values["grammar"] = _read(args.grammar_file)
    if args.json_schema_file:
        values["json_schema"] = _read(args.json_schema_file)
    try:
        params = SamplingParams(**values)
        if params.grammar:
            check_grammar(params.grammar)
        if params.json_schema:
            schema_to_gbnf(params.json_schema)
    except GrammarError as error:
        raise EnvironmentProblem("The grammar cannot be used.", f"{error}.", code="bad-grammar") from None
    except SchemaError as error:
        raise EnvironmentProblem("The JSON schema cannot be used.", f"{error}.", code="bad-schema") from None
    except ValueError as error:
        raise EnvironmentProblem(f"{error}.") from None
    return params


def _bias(given: list[str]) -> list[tuple[str, str]]:
    pairs = []
    for text in given:
        token, sign, bias = text.partition("=")
        if not sign:
            raise EnvironmentProblem(f"--logit-bias {text!r} is not TOKEN=BIAS.")
        if not token.strip().isdecimal():
            raise EnvironmentProblem(
                f"--logit-bias wants the number of a token, not {token!r}.",
                remedy="`slipstream chat --json` prints those of a prompt and a reply.",
            )
        pairs.append((token, bias))
    return pairs


def _read(path: str) -> str:
    try:
        return Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise EnvironmentProblem(f"{path} cannot be read.", str(error), code="file-missing") from None
