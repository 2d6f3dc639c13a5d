"""Full-text search over titles, messages and their files. Runs in the thread that owns the connection."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import islice, product, zip_longest

from app.core.search import SearchHit

# Rows looked at before the answer is given with what was found: nobody reads on that far.
_ROWS = 20_000
_WORDS = 12  # of a snippet
# A pasted page would keep everything else from the disk for minutes; a few words find what holds them all.
_MOST_WORDS = 16
# Words with more places for ß have the others as they were typed: the spellings double with each.
_MOST_PLACES = 3
_SHARP = re.compile("(ss|ß)", re.IGNORECASE)
_CUT_OUT = 1_000_000  # characters of files that something is cut out of in one search
_OPEN, _CLOSE, _BETWEEN = "\x02", "\x03", "\x1e"
# Scripts written without spaces: a word of the index is a whole sentence there, so parts are looked for.
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
                       "\U00020000-\U0003ffff]")  # fmt: skip
_AROUND = 40
_LONG = 20_000  # characters; SQLite looks for the best place in a shorter text
_HUGE = 200_000  # characters; marking all matches takes the square of them, half a minute of a large file
_LONGEST_PART = 1000  # SQLite takes no pattern beyond 50,000 bytes


def find(connection: sqlite3.Connection, text: str, limit: int) -> list[SearchHit]:
    """At most `limit` conversations, those with the newest matching message first; then titles alone."""
    factory = connection.text_factory
    # An imported file may hold halves of characters, which are no UTF-8.
    connection.text_factory = lambda data: data.decode("utf-8", "replace")
    try:
        return _find(connection, text, limit)
    finally:
        connection.text_factory = factory


def _find(connection: sqlite3.Connection, text: str, limit: int) -> list[SearchHit]:
    unspaced = bool(_UNSPACED.search(text))
    query = pattern(text) if unspaced else match_of(text)
    if not query:
        return []
    seen = {row[0] for row in connection.execute("SELECT id FROM conversations WHERE deleted_at > 0")}
    budget = _Budget(_CUT_OUT)
    # Asked for every row, so that only the first one of a conversation is read and cut.
    connection.create_function("unseen", 1, lambda conversation_id: conversation_id not in seen)
    connection.create_function("affordable", 0, budget.lasts)
    if unspaced:
        in_titles = "SELECT id FROM conversations WHERE title LIKE ? ESCAPE '\\'"
        found = _parts(connection, query, " ".join(text.split()))
    else:
        in_titles = "SELECT id FROM titles JOIN conversations ON number = titles.rowid WHERE titles MATCH ?"
        found = _words(connection, query, budget)
    hits: list[SearchHit] = []
    for _, hit in found:
        if hit.conversation_id not in seen:
            seen.add(hit.conversation_id)
            hits.append(hit)
            if len(hits) >= limit:
                return hits
    for (conversation_id,) in connection.execute(f"{in_titles} LIMIT {_ROWS}", (query,)):
        if len(hits) >= limit:
            break
        if conversation_id not in seen:
            seen.add(conversation_id)
            hits.append(SearchHit(conversation_id))
    return hits


_Found = Iterator[tuple[int, SearchHit]]


class _Budget:
    """Characters of files that may still be looked at closely: of many large ones there is no time."""

    def __init__(self, characters: int) -> None:
        self._left = characters

    def lasts(self) -> bool:
        return self._left > 0

    def spend(self, characters: int) -> None:
        self._left -= characters


def _words(connection: sqlite3.Connection, query: str, budget: _Budget) -> _Found:
    """(number of the message, hit) for words of messages and of their files, newest first."""
    in_text = _excerpt("words", 0, "messages.text")
    in_file = _excerpt("files", 1, "messages.meta")
    texts = connection.execute(
        f"SELECT number, conversation_id, id, CASE WHEN unseen(conversation_id) THEN {in_text} END"
        " FROM words JOIN messages ON number = words.rowid WHERE words MATCH ?"
        f" ORDER BY words.rowid DESC LIMIT {_ROWS}",
        (query,),
    )
    files = connection.execute(
        "SELECT number, conversation_id, id, CASE WHEN unseen(conversation_id) THEN CASE WHEN affordable()"
        f" THEN highlight(files, 0, '{_OPEN}', '{_CLOSE}') || '{_BETWEEN}' || {in_file} || '{_BETWEEN}'"
        " || length(meta) ELSE '' END END"
        " FROM files JOIN messages ON number = files.rowid WHERE files MATCH ?"
        f" ORDER BY files.rowid DESC LIMIT {_ROWS}",
        (query,),
    )
    return _newest(
        ((n, SearchHit(c, m, *_unmarked(found))) for n, c, m, found in texts if found is not None),
        (
            (n, SearchHit(c, m, *_unmarked(_of_file(found, budget))))
            for n, c, m, found in files
            if found is not None
        ),
    )


def _excerpt(index: str, column: int, source: str) -> str:
    """The words around the best place, of a long text around the first one, of a huge one none: SQLite's way
    to find the best one takes the square of the matches."""
    marked = f"highlight({index}, {column}, '{_OPEN}', '{_CLOSE}')"
    # From the start of the match: what is cut out before it may begin within a word.
    around = f"'…' || substr({marked}, max(instr({marked}, '{_OPEN}') - {_AROUND}, 1), {4 * _AROUND}) || '…'"
    best = f"snippet({index}, {column}, '{_OPEN}', '{_CLOSE}', '…', {_WORDS})"
    size = f"length({source})"
    return f"CASE WHEN {size} > {_HUGE} THEN '' WHEN {size} > {_LONG} THEN {around} ELSE {best} END"


def _parts(connection: sqlite3.Connection, query: str, wanted: str) -> _Found:
    """The same for a part of a text, whatever stands around it."""
    texts = connection.execute(
        "SELECT number, conversation_id, id, CASE WHEN unseen(conversation_id) THEN text END"
        f" FROM messages WHERE text LIKE ? ESCAPE '\\' ORDER BY number DESC LIMIT {_ROWS}",
        (query,),
    )
    files = connection.execute(
        "SELECT number, conversation_id, id, names || char(10) || attached.text"
        " FROM attached JOIN messages USING (number)"
        f" WHERE names || char(10) || attached.text LIKE ? ESCAPE '\\' ORDER BY number DESC LIMIT {_ROWS}",
        (query,),
    )
    return _newest(
        ((n, SearchHit(c, m, *_cut_out(found, wanted))) for n, c, m, found in texts if found is not None),
        ((n, SearchHit(c, m, *_cut_out(found, wanted))) for n, c, m, found in files),
    )


def _newest(*found: _Found) -> _Found:
    return merge(*found, key=lambda item: item[0], reverse=True)


def _of_file(found: str, budget: _Budget) -> str:
    """What is shown of a file that matches: what was found in its name, else in its text."""
    if not found:
        return ""
    names, rest = found.split(_BETWEEN, 1)
    part, size = rest.rsplit(_BETWEEN, 1)
    budget.spend(int(size))
    return names if _OPEN in names or not part else f"{names}: {part}"


def match_of(text: str) -> str:
    """What was typed as an expression of FTS5: every word has to be there, or one that begins so.

    Quotes and operators lose their meaning. Empty when there is no word.
    """
    found = dict.fromkeys(w for w in text.replace("\x00", " ").split() if any(map(str.isalnum, w)))
    return " AND ".join(_either(spellings(word)) for word in islice(found, _MOST_WORDS))


def spellings(word: str) -> list[str]:
    """`word`, which may be the beginning of one, with ss for ß and the reverse."""
    parts = _SHARP.split(word)
    places = min(len(parts) // 2, _MOST_PLACES)
    found = []
    for chosen in product(("ss", "ß"), repeat=places):
        given = (*chosen, *parts[2 * places + 1 :: 2])
        found.append("".join(a + b for a, b in zip_longest(parts[::2], given, fillvalue="")))
    # The last s may be half of what is being typed.
    if word[-1:] in ("s", "S") and not _SHARP.search(word[-2:]):
        found += [f"{spelling[:-1]}ß" for spelling in found]
    return list(dict.fromkeys([word, *found]))


def _either(words: Sequence[str]) -> str:
    quoted = " OR ".join('"{}"*'.format(word.replace('"', '""')) for word in words)
    return f"({quoted})" if len(words) > 1 else quoted


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
