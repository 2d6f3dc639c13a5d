"""Full-text search over titles and messages. Runs in the thread that owns the connection."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from itertools import islice

from app.core.search import SearchHit

# Rows looked at before the answer is given with what was found: nobody reads on that far.
_ROWS = 20_000
_WORDS = 12  # of a snippet
# A pasted page would keep everything else from the disk for minutes; a few words find what holds them all.
_MOST_WORDS = 16
_OPEN, _CLOSE = "\x02", "\x03"
# Scripts written without spaces: a word of the index is a whole sentence there, so parts are looked for.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
                       "\U00020000-\U0003ffff]")  # fmt: skip
_AROUND = 40
_LONGEST_PART = 1000  # SQLite takes no pattern beyond 50,000 bytes


def find(connection: sqlite3.Connection, text: str, limit: int) -> list[SearchHit]:
    """At most `limit` conversations, those with the newest matching message first; then titles alone."""
    unspaced = bool(_UNSPACED.search(text))
    query = pattern(text) if unspaced else match_of(text)
    if not query:
        return []
    seen = {row[0] for row in connection.execute("SELECT id FROM conversations WHERE deleted_at > 0")}

    def fresh(conversation_id: str) -> bool:
        known = conversation_id in seen
        seen.add(conversation_id)
        return not known

    # Asked for every row, so that only the first one of a conversation is read and cut.
    connection.create_function("fresh", 1, fresh)
    if unspaced:
        in_messages = (
            "CASE WHEN fresh(conversation_id) THEN text END FROM messages WHERE text LIKE ? ESCAPE '\\'"
        )
        in_titles = "SELECT id FROM conversations WHERE title LIKE ? ESCAPE '\\'"
    else:
        in_messages = (
            "CASE WHEN fresh(conversation_id)"
            f" THEN snippet(words, 0, '{_OPEN}', '{_CLOSE}', '…', {_WORDS}) END"
            " FROM words JOIN messages ON number = words.rowid WHERE words MATCH ?"
        )
        in_titles = "SELECT id FROM titles JOIN conversations ON number = titles.rowid WHERE titles MATCH ?"
    order = "number" if unspaced else "words.rowid"
    hits: list[SearchHit] = []
    rows = connection.execute(
        f"SELECT conversation_id, messages.id, {in_messages} ORDER BY {order} DESC LIMIT {_ROWS}", (query,)
    )
    for conversation_id, message_id, found in rows:
        if found is not None:
            cut = _cut_out(found, " ".join(text.split())) if unspaced else _unmarked(found)
            hits.append(SearchHit(conversation_id, message_id, *cut))
            if len(hits) >= limit:
                break
    rows.close()
    for (conversation_id,) in connection.execute(f"{in_titles} LIMIT {_ROWS}", (query,)):
        if len(hits) >= limit:
            break
        if fresh(conversation_id):
            hits.append(SearchHit(conversation_id))
    return hits


def match_of(text: str) -> str:
    """What was typed as an expression of FTS5: every word has to be there, or one that begins so.

    Quotes and operators lose their meaning. Empty when there is no word.
    """
    found = dict.fromkeys(w for w in text.replace("\x00", " ").split() if any(map(str.isalnum, w)))
    words = list(islice(found, _MOST_WORDS))
    return " ".join('"{}"*'.format(word.replace('"', '""')) for word in words)


def pattern(text: str) -> str:
    """What was typed as a part of a text, for LIKE."""
    escaped = re.sub(r"([%_\\])", r"\\\1", " ".join(text.split())[:_LONGEST_PART])
    return f"%{escaped}%" if escaped else ""


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
