"""The branch on screen as one HTML file: nothing is loaded from elsewhere, nothing in it is run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from app.core.conversation import USER, Conversation, Message
from app.core.reasoning import format_of
from app.services.transfer.wording import date_of, facts_of, name_of, thoughts_and_answer

# Colouring takes longer than reading is worth beyond this.
_LONGEST_CODE = 50_000

_STYLE = """
:root { color-scheme: light dark; --page: #fff; --raised: #eef1f5; --line: #dce1e8; --text: #16191d;
  --muted: #5b6470; --accent: #0b7a75; }
@media (prefers-color-scheme: dark) { :root { --page: #1b1f25; --raised: #242a32; --line: #313943;
  --text: #e9edf2; --muted: #9aa5b1; --accent: #4fc9c0; } }
body { margin: 0 auto; padding: 32px 16px; max-width: 760px; background: var(--page); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1.title { font-size: 24px; line-height: 1.25; margin: 0; }
.date, .facts, .name { color: var(--muted); font-size: 13px; }
.name { font-weight: 600; margin: 0 0 4px; }
article { margin: 24px 0; }
article.user > .text { background: var(--raised); border-radius: 10px; padding: 8px 16px; }
a { color: var(--accent); }
pre { background: var(--raised); border-radius: 6px; padding: 12px; overflow-x: auto; }
pre, code { font: 13px/1.5 ui-monospace, monospace; }
:not(pre) > code { background: var(--raised); border-radius: 4px; padding: 1px 4px; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border: 1px solid var(--line); padding: 4px 8px; }
blockquote, details.thought > div { border-left: 3px solid var(--line); margin-left: 0; padding-left: 12px;
  color: var(--muted); }
summary { color: var(--muted); cursor: pointer; }
.plain { white-space: pre-wrap; }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def written(conversation: Conversation) -> Iterator[str]:
    """The file in pieces."""
    summary = conversation.summary
    title = escape(" ".join(summary.title.split()) or "Conversation")
    yield (
        '<!DOCTYPE html>\n<html lang="">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{_STYLE}{_code_style()}</style>\n</head>\n<body>\n"
        f'<h1 class="title" dir="auto">{title}</h1>\n<p class="date">{date_of(summary.created_at)}</p>\n'
    )
    for message in conversation.path():
        yield _article(message)
    yield "</body>\n</html>\n"


def _article(message: Message) -> str:
    side = "user" if message.role == USER else "reply"
    name = escape(name_of(message))
    return (
        f'<article class="{side}">\n<p class="name">{name}</p>\n'
        f'<div class="text" dir="auto">\n{_body(message)}</div>\n</article>\n'
    )


def _body(message: Message) -> str:
    if message.role == USER:
        files = "".join(
            f"<details><summary>{escape(a.name)}</summary><pre>{escape(a.text)}</pre></details>\n"
            for a in message.attachments
        )
        return f'{files}<div class="plain">{escape(message.text)}</div>\n'
    out = []
    for thought, text in thoughts_and_answer(message.text, format_of(message.meta)):
        body = _parser().render(text)
        if thought:
            body = f'<details class="thought"><summary>Thought</summary><div>{body}</div></details>\n'
        out.append(body)
    facts = facts_of(message)
    if facts:
        out.append(f'<p class="facts">{escape(facts)}</p>\n')
    return "".join(out)


def _image(_self: RendererHTML, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
    """Told, not fetched."""
    token = tokens[at]
    return f"[{escape(token.content or str(token.attrs.get('src', '')))}]"


def _fence(_self: RendererHTML, tokens: Sequence[Token], at: int, _options: Any, _env: Any) -> str:
    token = tokens[at]
    words = token.info.split()
    return f"<pre><code>{_coloured(token.content, words[0] if words else '')}</code></pre>\n"


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.add_render_rule("image", _image)
    parser.add_render_rule("fence", _fence)
    return parser


def _coloured(code: str, language: str) -> str:
    if language and len(code) <= _LONGEST_CODE:
        try:
            lexer = get_lexer_by_name(language, stripnl=False)
            return str(highlight(code, lexer, _formatter("default")))
        except ClassNotFound:
            pass
    return escape(code)


@lru_cache(maxsize=2)
def _formatter(style: str) -> Any:
    return HtmlFormatter(nowrap=True, style=style)


@lru_cache(maxsize=1)
def _code_style() -> str:
    rules = []
    for scheme, style in (("light", "default"), ("dark", "github-dark")):
        lines = " ".join(_formatter(style).get_token_style_defs("pre"))
        rules.append(f"@media (prefers-color-scheme: {scheme}) {{ {lines} }}")
    return "\n".join(rules)
