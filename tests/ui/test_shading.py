"""Shading comes from recorded rounds alone, at the right characters."""

from __future__ import annotations

from app.core.conversation import ASSISTANT, Message
from app.core.rounds import NATIVE, ORDINARY, SPECULATIVE, Round, decode_rounds, encode_rounds
from app.ui.chat.draft_view import DraftText
from app.ui.chat.reply_row import ReplyRow
from app.ui.chat.shading import ACCEPTED, PLAIN, REJECTED, Shading, Span, counts, spans
from app.ui.palette import LIGHT
from app.ui.theme import Theme


def round_of(
    chars: tuple[int, ...], accepted: int, verified: int, rejected: int, mode: str = SPECULATIVE
) -> Round:
    return Round(
        mode,
        0,
        tuple(range(len(chars))),
        accepted,
        tuple(range(verified)),
        verified,
        tuple(range(rejected)),
        NATIVE if rejected else "",
        chars,
        algorithm="DFlash2",
    )


ROUNDS = [
    round_of((4,), 0, 0, 0, ORDINARY),
    round_of((3, 2, 5), 2, 3, 1),
    round_of((2, 0, 3), 3, 3, 0),  # the middle token completed no character
    round_of((0, 4), 1, 4, 3),
]
TEXT = "abcd" + "efg" + "hi" + "jklmn" + "op" + "qrs" + "tuvw" + "rest"


def test_spans_cover_the_text() -> None:
    found = spans(ROUNDS, len(TEXT))
    assert found == [
        Span(0, 4, PLAIN),
        Span(4, 7, ACCEPTED, 0, 3, "DFlash2"),
        Span(7, 9, ACCEPTED, 1, 3, "DFlash2"),
        Span(9, 14, REJECTED, 2, 1, "DFlash2"),
        Span(14, 16, ACCEPTED, 0, 3, "DFlash2"),
        Span(16, 19, ACCEPTED, 2, 3, "DFlash2"),
        Span(19, 23, REJECTED, 1, 3, "DFlash2"),
        Span(23, 27, PLAIN),
    ]
    assert "".join(TEXT[s.start : s.end] for s in found) == TEXT


def test_rounds_one_by_one_give_the_same() -> None:
    shading = Shading()
    drafted = [span for r in ROUNDS for span in shading.feed(r) if span.kind != PLAIN]
    assert drafted == [span for span in spans(ROUNDS, len(TEXT)) if span.kind != PLAIN]


def test_text_without_rounds_is_plain() -> None:
    assert spans([], 10) == [Span(0, 10, PLAIN)]
    assert spans([], 0) == []


def test_rounds_longer_than_the_text_are_cut() -> None:
    assert spans(ROUNDS, 6)[-1] == Span(4, 6, ACCEPTED, 0, 3, "DFlash2")
    assert spans(ROUNDS, 4) == [Span(0, 4, PLAIN)]


def test_counts() -> None:
    assert counts(ROUNDS) == (6, 4, 3)


def test_recorded_rounds_give_the_same_after_storage() -> None:
    assert spans(decode_rounds(encode_rounds(ROUNDS)), len(TEXT)) == spans(ROUNDS, len(TEXT))


def test_drawn_colours_lie_on_the_right_characters(qtbot, theme: Theme) -> None:
    theme.set_mode("light")
    text = "a😀é" + "b\nc" + "d"  # one character of two code units, one line break
    rounds = [round_of((3, 3), 1, 2, 1)]
    view = DraftText()
    qtbot.addWidget(view)
    view.show_reply(text, rounds)
    assert view.toPlainText() == text
    cursor = view.textCursor()
    found = []
    for i in range(len("a😀é".encode("utf-16-le")) // 2 + 4):
        cursor.setPosition(i + 1)
        form = cursor.charFormat()
        found.append((form.background().color().name().upper(), form.underlineColor().name().upper()))
    assert [f[0] for f in found[:4]] == [LIGHT.shade(0, 2)] * 4
    assert [f[1] for f in found[4:7]] == [LIGHT.rejected] * 3
    assert found[7][1] != LIGHT.rejected
    assert view.explain(view.span_at(0)) == "Accepted draft, 1 of 2 in its block"
    assert view.explain(view.span_at(4)) == "The target's own token. One draft was rejected here."
    assert view.explain(view.span_at(7)) == "The target's own token."


def test_live_rounds_wait_for_held_back_text(qtbot) -> None:
    view = DraftText()
    qtbot.addWidget(view)
    view.add_round(round_of((3, 3), 1, 2, 1))
    view.set_text("abc")
    assert [s.kind for s in view.spans] == [ACCEPTED]
    view.set_text("abcdef")
    assert [s.kind for s in view.spans] == [ACCEPTED, REJECTED]
    assert view.toPlainText() == "abcdef"


def test_toggle_shows_the_plain_text_of_the_reply(qtbot) -> None:
    message = Message("c", ASSISTANT, TEXT, rounds=encode_rounds(ROUNDS))
    row = ReplyRow(message)
    qtbot.addWidget(row)
    assert row.drafts is None
    row.set_drafts_shown(True)
    assert row.drafts is not None
    assert row.drafts.text_view.toPlainText() == TEXT
    assert row.drafts.text_view.spans == spans(ROUNDS, len(TEXT))
    row.set_drafts_shown(False)
    assert row.drafts is None
