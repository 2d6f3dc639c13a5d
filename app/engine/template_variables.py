"""What a chat template asks for besides the conversation: `enable_thinking` and its like.

Found in the source, never by running it. A name that is only tested is a switch, one that is compared
with texts a choice between them, anything else a text.
"""

from __future__ import annotations

from typing import TypeVar

from jinja2 import Environment, meta, nodes

from app.core.templates import CHOICE, SWITCH, TEXT, TemplateVariable

# Given by whoever renders, or for tools, documents and pictures, which a chat has not.
_GIVEN = frozenset((
    "messages", "add_generation_prompt", "continue_final_message", "bos_token", "eos_token", "pad_token",
    "unk_token", "sep_token", "cls_token", "raise_exception", "strftime_now", "tools", "documents",
    "custom_tools", "builtin_tools", "tool_choice", "functions", "tools_in_user_message", "available_tools",
    "tool_calls", "parallel_tool_calls", "controls", "images", "videos", "audios", "image_token",
    "video_token", "audio_token", "add_vision_id", "response_format", "json_schema", "citation_options",
    "messages_with_system", "date_string", "today", "current_date", "xml_tools", "python_tools",
))  # fmt: skip
MOST = 12

_Node = TypeVar("_Node", bound=nodes.Node)


def template_variables(environment: Environment, source: str) -> tuple[TemplateVariable, ...]:
    """By name, at most `MOST`; raises what parsing raises."""
    # Looking for names folds constants in the tree that it is given.
    asked = meta.find_undeclared_variables(environment.parse(source)) - _GIVEN - environment.globals.keys()
    tree = environment.parse(source)
    asked -= _assigned(tree) - _defaulted(tree)
    return tuple(_variable(tree, name) for name in sorted(asked))[:MOST]


def _assigned(tree: nodes.Template) -> set[str]:
    return {a.target.name for a in tree.find_all(nodes.Assign) if isinstance(a.target, nodes.Name)}


def _defaulted(tree: nodes.Template) -> set[str]:
    """Names that are given a value of the template's own only where nobody else gave one."""
    found = set()
    for branch in tree.find_all(nodes.If):
        tested = {t.node.name for t in _all(branch.test, nodes.Test) if isinstance(t.node, nodes.Name)}
        found |= tested & {
            a.target.name
            for a in branch.find_all(nodes.Assign)
            if isinstance(a.target, nodes.Name) and isinstance(a.node, nodes.Const)
        }
    for assign in tree.find_all(nodes.Assign):
        defaulting = isinstance(assign.node, (nodes.CondExpr, nodes.Or)) or (
            isinstance(assign.node, nodes.Filter) and assign.node.name in ("default", "d")
        )
        if defaulting and isinstance(assign.target, nodes.Name):
            name = assign.target.name
            found |= {name for child in _all(assign.node, nodes.Name) if child.name == name}
    return found


def _all(node: nodes.Node, kind: type[_Node]) -> list[_Node]:
    """Like `find_all`, the node itself included."""
    return [*([node] if isinstance(node, kind) else []), *node.find_all(kind)]


def _variable(tree: nodes.Template, name: str) -> TemplateVariable:
    values: list[str] = []
    for node in tree.find_all(nodes.Compare):
        if _is(node.expr, name):
            for operand in node.ops:
                values += _texts(operand.expr)
        for operand in node.ops:
            if _is(operand.expr, name):
                values += _texts(node.expr)
    shown = _put_out(tree, name)
    values = list(dict.fromkeys(values))
    if len(values) > 1 or (values and not shown):
        return TemplateVariable(name, CHOICE, tuple(values))
    return TemplateVariable(name, TEXT if shown else SWITCH)


def _is(node: nodes.Node, name: str) -> bool:
    return isinstance(node, nodes.Name) and node.name == name


def _texts(node: nodes.Node) -> list[str]:
    """Text constants of a comparison: one, or those of a list."""
    items = node.items if isinstance(node, (nodes.List, nodes.Tuple)) else [node]
    return [i.value for i in items if isinstance(i, nodes.Const) and isinstance(i.value, str) and i.value]


def _put_out(tree: nodes.Template, name: str) -> bool:
    """Whether the value goes into the prompt, or into something else that may; tests alone do not count."""
    for node in tree.find_all((nodes.Output, nodes.Call, nodes.Add, nodes.Concat)):
        if any(_carries(child, name) for child in node.iter_child_nodes()):
            return True
    return any(
        _carries(assign.node, name) for assign in tree.find_all(nodes.Assign) if not _is(assign.target, name)
    )


def _carries(node: nodes.Node, name: str) -> bool:
    """Whether the value of the node may be the variable's own text."""
    if isinstance(node, nodes.Name):
        return node.name == name
    if isinstance(node, nodes.Filter):
        # A default that is no text says what kind it is.
        default = node.name in ("default", "d") and any(_is_switch(a) for a in node.args)
        return not default and node.node is not None and _carries(node.node, name)
    if isinstance(node, nodes.CondExpr):
        parts = [part for part in (node.expr1, node.expr2) if part is not None]
        return not any(map(_is_switch, parts)) and any(_carries(part, name) for part in parts)
    if isinstance(node, (nodes.Concat, nodes.Add, nodes.Or)):
        return any(_carries(child, name) for child in node.iter_child_nodes())
    return False


def _is_switch(node: nodes.Node) -> bool:
    return isinstance(node, nodes.Const) and isinstance(node.value, bool)
