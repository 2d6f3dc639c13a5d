"""Next-token heads (MTP), inside a target or in a file of their own: what must hold before they are used.

The native graph ends the process where a head lacks a tensor, or where there are more heads than it can
chain, so both are checked here.
"""

from __future__ import annotations

from app.core.errors import EnvironmentProblem
from app.core.wording import say
from app.gguf import architectures
from app.gguf.contract import head_width, incomplete
from app.gguf.header import GgufHeader
from app.gguf.limits import native_fault


def n_heads(header: GgufHeader) -> int:
    """How many next-token heads a file claims to hold."""
    return header.number("nextn_predict_layers")


def check_heads_inside(target: GgufHeader) -> int:
    """The number of heads the target carries; EnvironmentProblem when it has none that can be used."""
    if not n_heads(target):
        raise EnvironmentProblem(
            say("“{name}” carries no next-token heads (MTP).", name=target.path.name),
            say("It holds the model alone."),
            say("Choose a file of the model that was converted with its heads, or a file that holds them."),
            "no-heads",
        )
    _check_architecture(target)
    _check_heads(target, target)
    return n_heads(target)


def check_heads_file(target: GgufHeader, draft: GgufHeader) -> int:
    """The number of heads in `draft`, a file of heads for `target`. Vocabularies are compared elsewhere."""
    if draft.architecture in architectures.ASSISTANT:
        raise EnvironmentProblem(
            say(
                "This version cannot draft with an assistant of the kind “{architecture}”.",
                architecture=draft.architecture,
            ),
            say("It reads the target's own keys and values, which this program does not share with a draft."),
            say("Choose another drafter for this target, or go on without speculation."),
            "no-drafter",
        )
    _check_architecture(draft)
    if draft.architecture != target.architecture:
        raise EnvironmentProblem(
            say("The next-token heads are of another kind of model."),
            say(
                "The target is of the kind “{architecture}”, the heads “{architecture2}”.",
                architecture=target.architecture,
                architecture2=draft.architecture,
            ),
            say("Choose the heads made for this target, or go on without speculation."),
            "architecture-differs",
        )
    if target.n_embd != draft.n_embd:
        raise EnvironmentProblem(
            say("The widths differ."),
            say(
                "The target's states are {n_embd} wide, the heads read {n_embd2}.",
                n_embd=target.n_embd,
                n_embd2=draft.n_embd,
            ),
            say("Choose the heads made for this target, or go on without speculation."),
            "width-differs",
        )
    fault = native_fault(draft)
    if fault:
        raise incomplete(draft, fault)
    if "token_embd.weight" not in draft.tensors:
        raise incomplete(draft, say("It has no tensor “token_embd.weight”."))
    _check_heads(draft, draft)
    return n_heads(draft)


def _check_architecture(header: GgufHeader) -> None:
    architecture, heads = header.architecture, n_heads(header)
    if architecture not in architectures.HEADS:
        raise EnvironmentProblem(
            say(
                "The engine cannot run the next-token heads of “{architecture}” models.",
                architecture=architecture,
            ),
            say("It knows no graph for them."),
            say("Choose another drafter for this target, or go on without speculation."),
            "heads-unsupported",
        )
    if heads > 1 and architecture not in architectures.CHAINED_HEADS:
        raise EnvironmentProblem(
            say("“{name}” carries {heads} next-token heads.", name=header.path.name, heads=heads),
            say(
                "The engine runs one head of “{architecture}” models, not several in a chain.",
                architecture=architecture,
            ),
            say("Choose another drafter for this target, or go on without speculation."),
            "heads-unsupported",
        )


def _check_heads(header: GgufHeader, source: GgufHeader) -> None:
    architecture, first = header.architecture, header.n_layer
    needed = (*architectures.HEAD_TENSORS, *architectures.HEADS[architecture])
    for layer in range(first, first + n_heads(header)):
        for name in needed:
            if f"blk.{layer}.{name}" not in source.tensors:
                raise incomplete(
                    source,
                    say(
                        "Its next-token head {layer} has no tensor “{name}”.", layer=layer - first, name=name
                    ),
                )
    if architecture in architectures.LATENT_HEADS:
        widths = [header.number(f"attention.{what}_length_mla") for what in ("key", "value")]
        if not all(widths) or header.number("leading_dense_block_count") > first:
            raise incomplete(source, say("Its next-token head is of a form that the engine does not know."))
    elif architecture not in architectures.CHAINED_HEADS:
        key, value = head_width(header), head_width(header, "attention.value_length")
        if key != value:
            raise incomplete(
                source,
                say(
                    "Its keys are {key} wide and its values {value}; they must be alike.",
                    key=key,
                    value=value,
                ),
            )
