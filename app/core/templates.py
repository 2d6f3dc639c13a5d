"""Which chat template makes the prompt of a pair, and what a prompt made by it looks like."""

from __future__ import annotations

from dataclasses import dataclass, field

# Names of choices; any other name is one of `NAMED`.
FROM_FILE = "file"
EDITED = "edited"

# Templates that can be chosen by name, and what they are called.
NAMED: dict[str, str] = {
    "chatml": "ChatML",
    "llama2": "Llama 2",
    "llama3": "Llama 3",
    "mistral": "Mistral",
    "gemma": "Gemma",
    "phi3": "Phi 3",
    "zephyr": "Zephyr",
    "vicuna": "Vicuna",
    "alpaca": "Alpaca",
}

# Kinds of variables.
SWITCH = "switch"
CHOICE = "choice"
TEXT = "text"


@dataclass(frozen=True, slots=True)
class TemplateChoice:
    """`name`: the file's own template, one of `NAMED`, or `EDITED` with its `source`.

    `variables` reach the template as they are; one that is not given keeps the template's own default.
    """

    name: str = FROM_FILE
    source: str = ""
    variables: dict[str, bool | str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.name not in (FROM_FILE, EDITED) and self.name not in NAMED:
            raise ValueError(
                f"template is one of {FROM_FILE}, {EDITED}, {', '.join(NAMED)}, not {self.name!r}"
            )


@dataclass(frozen=True, slots=True)
class TemplateVariable:
    """A name that a template asks for besides the conversation. `values`: what a choice is compared with."""

    name: str
    kind: str = SWITCH
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PromptPiece:
    """`special`: one token of the vocabulary's own, such as the end of a turn; else text of any tokens."""

    text: str
    special: bool = False


@dataclass(frozen=True, slots=True)
class PromptPreview:
    """The exact prompt. `n_tokens` is None while no model is loaded; then `pieces` is one text.

    `template` and `source` are what was really used, `note` says what was reshaped or fell back.
    """

    pieces: tuple[PromptPiece, ...] = ()
    n_tokens: int | None = None
    template: str = FROM_FILE
    source: str = ""
    note: str = ""
    variables: tuple[TemplateVariable, ...] = ()

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)
