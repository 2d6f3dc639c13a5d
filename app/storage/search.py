"""Full-text search over titles and messages. Runs in the thread that owns the connection."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable

from app.core.search import SearchHit

# Rows looked at before the answer is given with what was found: nobody reads on that far.
_ROWS = 20_000
_SNIPPET_WORDS = 12
_OPEN, _CLOSE = "\x02", "\x03"
# Scripts written without spaces: a word of the index is a whole sentence there, so parts are looked for.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
                       "\U00020000-\U0003ffff]")  # fmt: skip
_AROUND = 40


def find(connection: sqlite3.Connection, text: str, limit: int) -> list[SearchHit]:
    """At most `limit` conversations, those with the newest matching message first; then titles alone."""
    unspaced = bool(_UNSPACED.search(text))
    query = pattern(text) if unspaced else match_of(text)
    if not query:
        return []
    hidden = {row[0] for row in connection.execute("SELECT id FROM conversations WHERE deleted_at > 0")}
    if unspaced:
        in_messages = "SELECT number, id, conversation_id FROM messages WHERE text LIKE ? ESCAPE '\\'"
        in_titles = "SELECT id FROM conversations WHERE title LIKE ? ESCAPE '\\'"
    else:
        in_messages = (
            "SELECT number, id, conversation_id FROM words JOIN messages ON number = words.rowid"
            " WHERE words MATCH ?"
        )
        in_titles = "SELECT id FROM titles JOIN conversations ON number = titles.rowid WHERE titles MATCH ?"
    order = "number" if unspaced else "words.rowid"
    found: dict[str, tuple[int, str]] = {}
    rows = connection.execute(f"{in_messages} ORDER BY {order} DESC LIMIT {_ROWS}", (query,))
    for number, message_id, conversation_id in rows:
        if conversation_id not in found and conversation_id not in hidden:
            found[conversation_id] = (number, message_id)
            if len(found) >= limit:
                break
    rows.close()
    hits = [
        SearchHit(conversation_id, message_id, *_snippet(connection, number, query, text, unspaced))
        for conversation_id, (number, message_id) in found.items()
    ]
    for (conversation_id,) in connection.execute(f"{in_titles} LIMIT {_ROWS}", (query,)):
        if len(hits) >= limit:
            break
        if conversation_id not in found and conversation_id not in hidden:
            hits.append(SearchHit(conversation_id))
    return hits


def match_of(text: str) -> str:
    """What was typed as an expression of FTS5: every word has to be there, or one that begins so.

    Quotes and operators lose their meaning. Empty when there is no word.
    """
    words = [word for word in text.replace("\x00", " ").split() if any(map(str.isalnum, word))]
    return " ".join('"{}"*'.format(word.replace('"', '""')) for word in words)


def pattern(text: str) -> str:
    """What was typed as a part of a text, for LIKE."""
    escaped = re.sub(r"([%_\\])", r"\\\1", " ".join(text.split()))
    return f"%{escaped}%" if escaped else ""


def _snippet(
    connection: sqlite3.Connection, number: int, query: str, text: str, unspaced: bool
) -> tuple[str, tuple[tuple[int, int], ...]]:
    if unspaced:
        (whole,) = connection.execute("SELECT text FROM messages WHERE number = ?", (number,)).fetchone()
        return _cut_out(whole, " ".join(text.split()))
    (marked,) = connection.execute(
        f"SELECT snippet(words, 0, ?, ?, '…', {_SNIPPET_WORDS}) FROM words WHERE words MATCH ? AND rowid = ?",
        (_OPEN, _CLOSE, query, number),
    ).fetchone()
    return _unmarked(marked)


def _cut_out(text: str, wanted: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    at = text.lower().find(wanted.lower())
    if at < 0:
        return " ".join(text[: 2 * _AROUND].split()), ()
    start, end = max(at - _AROUND, 0), at + len(wanted) + _AROUND
    before = ("…" if start else "") + text[start:at]
    after = text[at + len(wanted) : end] + ("…" if end < len(text) else "")
    return _unmarked(f"{before}{_OPEN}{text[at : at + len(wanted)]}{_CLOSE}{after}")


def _unmarked(marked: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """One line of text and where its marks stood."""
    line = " ".join(marked.split())
    out: list[str] = []
    marks: list[tuple[int, int]] = []
    length = start = 0
    for piece in _pieces(line):
        if piece == _OPEN:
            start = length
        elif piece == _CLOSE:
            if length > start:
                marks.append((start, length))
        else:
            out.append(piece)
            length += len(piece)
    return "".join(out), tuple(marks)


def _pieces(line: str) -> Iterable[str]:
    return (piece for piece in re.split(f"([{_OPEN}{_CLOSE}])", line) if piece)
