"""Grammars are checked before the native library sees them, and faults are told with their place."""

from __future__ import annotations

import pytest

from app.core.gbnf import GrammarError, check_grammar

GOOD = (
    'root ::= "a"',
    '# remark\nroot ::= ("a" | [^b-d]) x{2,5} # more\nx ::= "\\x41" |\n  "\\u0042" .\n',
    'root ::= item+ "\\n"?\nitem ::= "- " [^\\n]* ("\\"" | "\\\\")',
    'root ::= ("(" root ")")? "x"',
    'root ::= "é日😀" [à-ü]',
    "root ::= [] [a]",
)


@pytest.mark.parametrize("text", GOOD)
def test_good_grammars_pass(text: str) -> None:
    check_grammar(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("  \n", "the grammar is empty"),
        ("x" * 300_000, "longer than 262144"),
        ('root ::= "a"\0', "line 1, column 13: a null character"),
        ('root = "a"', "line 1, column 6: expected ::="),
        ('x ::= "a"', "there is no rule named root"),
        ('root ::= "a"\n  b ::= c', "line 2, column 9: there is no rule named c"),
        ('root ::= "a', "line 1, column 10: this is not closed"),
        ("root ::= [a", "line 1, column 10: this is not closed"),
        ('root ::= ("a"', "line 1, column 10: this parenthesis is not closed"),
        ('root ::= "a" )', "line 1, column 14: expected the end of the line"),
        ("root ::= *", "line 1, column 10: there is nothing before it to repeat"),
        ('root ::= "" *', "there is nothing before it to repeat"),
        ('root ::= "\\q"', "line 1, column 11: unknown escape"),
        ('root ::= "a"{5,3}', "line 1, column 13: the upper bound is below"),
        ('root ::= "a"{2001}', "more than 2000 repetitions"),
        ('root ::= "a"{x}', "expected a number"),
        ('root ::= root "a"', "line 1, column 10: the rule root begins with itself"),
        ('root ::= a "b"\na ::= "c"? root', "line 2, column 12: the rule root begins with itself"),
        ('root ::= "a"{0,2} +', "line 1, column 19: what may be empty is repeated without end"),
        ('root ::= ("a"*)*', "what may be empty is repeated without end"),
        ("root ::= " + "(" * 70 + '"a"' + ")" * 70, "groups are nested deeper than 64"),
        ("root ::= <[5]>", "line 1, column 10: single tokens in angle brackets are not possible"),
        ("root ::= [a] !<|end|>", "line 1, column 14: single tokens in angle brackets are not possible"),
    ],
)
def test_bad_grammars_are_refused_with_their_place(text: str, problem: str) -> None:
    with pytest.raises(GrammarError) as caught:
        check_grammar(text)
    assert problem in str(caught.value)


def test_a_grammar_that_would_hold_up_the_library_is_refused() -> None:
    rules = ["root ::= r1", *(f"r{i} ::= r{i + 1} | r{i + 1}" for i in range(1, 60)), 'r60 ::= "a"']
    with pytest.raises(GrammarError, match="can begin in too many ways"):
        check_grammar("\n".join(rules))
