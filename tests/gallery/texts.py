"""What is said in the pictures."""

from __future__ import annotations

import re

QUESTION = "How does speculative decoding get faster without changing a single token?"

ANSWER = """\
A small **draft** proposes several tokens, and the large **target** checks all of them in one pass. \
Reading weights from memory costs more than computing with them, so checking eight tokens takes hardly \
longer than making one.

Every round has the same four steps:

1. the draft proposes a block of tokens,
2. the target computes its own choice at each position,
3. drafts are accepted up to the first one that differs,
4. the target adds one token of its own, so a round never brings nothing.

```python
def accept(draft: list[int], target: list[int]) -> list[int]:
    \"\"\"The agreed prefix, and one token of the target's own.\"\"\"
    agreed = 0
    while agreed < len(draft) and draft[agreed] == target[agreed]:
        agreed += 1
    return target[: agreed + 1]
```

Whether it pays depends on the text:

| Text      | Accepted | Tokens a step |
|-----------|---------:|--------------:|
| Code      |     71 % |           4.2 |
| Lists     |     63 % |           3.6 |
| Prose     |     38 % |           2.1 |

The output is the same as without the draft, because nothing reaches you that the target did not verify.
"""

SHORT = """\
Because the target has the last word. A drafted token is kept only where the target would have chosen \
the same one; at the first difference the rest of the draft is thrown away and the target's own token \
takes its place. The draft changes how long a reply takes, and never what it says.
"""

LONG_CHAT = (
    (
        "What is a rollback?",
        "A rollback takes rejected drafts out of the cache again. On full attention it is a cut at a "
        "position and costs almost nothing.",
    ),
    (
        "And on a hybrid model?",
        "Recurrent layers cannot be cut. Their state is saved before the check and put back afterwards, "
        "then the accepted part is computed again.",
    ),
    (
        "So is it slower there?",
        "A rollback costs more, so long drafts pay less often. `n_rs_seq` snapshots make it cheap again "
        "where the library has them.",
    ),
    (
        "How long should a draft be?",
        "As long as its last token is still accepted now and then. Look at the bars by position: where "
        "they come close to zero, cut.",
    ),
    (
        "What does the dash mean?",
        "Nothing was measured yet. A rate with nothing behind it is neither 0 nor 100 %, so the panel "
        "does not show a number.",
    ),
    (
        "Does temperature matter?",
        "A little. At temperature 0 the target always takes its likeliest token, which a draft guesses "
        "best. The higher it is, the more often they part.",
    ),
)

TITLES = (
    ("Why drafts do not change the text", 0.1),
    ("Shell script that renames photos", 2.0),
    ("Notes for Thursday", 5.0),
    ("Übersetzung: Mietvertrag", 26.0),
    ("Regular expression for ISO dates", 30.0),
    ("A very long title that has to be cut because the sidebar is only so wide", 75.0),
    ("Recipe with chickpeas", 200.0),
)


def pieces(text: str) -> tuple[str, ...]:
    """`text` in parts of about a token: words with the space before them, and runs of white space."""
    return tuple(re.findall(r" ?[^\s]{1,6}|\s", text))
