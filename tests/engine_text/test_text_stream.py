"""Streaming text against the whole-string truth: characters, stop strings, delivered tokens."""

from __future__ import annotations

import codecs
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.core.errors import Bug
from app.engine.text import TextStream


def stream(pieces: list[bytes], stops: tuple[str, ...] = ()) -> tuple[str, TextStream]:
    """The whole reply, pushed token by token until a stop, taken after every token."""
    text = TextStream(stops)
    taken = ""
    for piece in pieces:
        text.push(piece)
        taken += text.take()
        if text.stopped:
            break
    text.finish()
    return taken + text.take(), text


def shown_after_each(pieces: list[bytes], stops: tuple[str, ...] = ()) -> list[str]:
    text = TextStream(stops)
    out = []
    for piece in pieces:
        text.push(piece)
        out.append(text.take())
    return out


# Characters of every width, joined sequences, and letters that stop strings are made of.
ALPHABET = ["a", "b", "c", "é", "e\u0301", "語", "👩\u200d💻", "🇩🇪", "👍🏽", "\ufffd", "\x00", "\n"]
BROKEN = [b"\xff", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xed\xa0\x80", b"\x80", b"\xc0\xaf", b"\xf5"]
CHUNKS = st.lists(st.sampled_from([c.encode() for c in ALPHABET] + BROKEN), max_size=40).map(b"".join)
STOPS = st.lists(st.text(st.sampled_from("abcé語\ufffd\n"), min_size=1, max_size=5), max_size=4).map(tuple)


@st.composite
def tokens(draw: st.DrawFn) -> list[bytes]:
    """A byte string cut anywhere, also inside characters, with empty tokens among them."""
    data = draw(CHUNKS)
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=30)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


@settings(deadline=None)
@given(tokens(), STOPS)
def test_equals_the_whole_string_oracle(pieces: list[bytes], stops: tuple[str, ...]) -> None:
    whole = b"".join(pieces).decode("utf-8", "replace")
    found = [at for at in (whole.find(s) for s in stops) if at >= 0]
    cut = min(found) if found else None
    starts = [len(codecs.utf_8_decode(b"".join(pieces[:i]), "replace", False)[0]) for i in range(len(pieces))]

    got, text = stream(pieces, stops)

    assert got == whole[:cut]
    assert text.stopped == (cut is not None)
    delivered = len(pieces) if cut is None else sum(start < cut for start in starts)
    assert text.n_delivered == delivered
    chars = text.chars()
    assert len(chars) == delivered
    assert sum(chars) == text.n_chars == len(got)
    # Each token's offset into the reply is where its text really starts.
    assert [sum(chars[:i]) for i in range(delivered)] == starts[:delivered]


@settings(deadline=None)
@given(tokens(), STOPS)
def test_shows_only_what_can_no_longer_change_and_holds_only_what_can(
    pieces: list[bytes], stops: tuple[str, ...]
) -> None:
    whole, _ = stream(pieces, stops)
    text = TextStream(stops)
    shown = ""
    for piece in pieces:
        text.push(piece)
        shown += text.take()
        assert whole.startswith(shown)
        if text.stopped:
            break
        held = text.n_chars - len(shown)
        longest = max((len(s) for s in stops), default=1)
        assert held <= longest - 1 + len("👩\u200d💻\u200d")


@settings(deadline=None)
@given(tokens(), STOPS, st.data())
def test_chars_can_be_asked_for_block_by_block(
    pieces: list[bytes], stops: tuple[str, ...], data: st.DataObject
) -> None:
    text = TextStream(stops)
    returned = []
    for piece in pieces:
        returned.append(text.push(piece))
        if text.stopped:
            break
    text.finish()
    first = data.draw(st.integers(0, text.n_tokens))
    assert text.chars(first) == text.chars()[first:]
    # push() already told the truth, except for text cut later and half a character at the end.
    if not text.stopped:
        assert returned[:-1] == list(text.chars())[:-1]


def test_a_character_spread_over_tokens_appears_whole() -> None:
    assert shown_after_each([b"\xe8", b"\xaa", b"\x9e", b"!"]) == ["", "", "語", "!"]


def test_half_a_character_at_the_end_becomes_a_replacement_of_the_last_token() -> None:
    got, text = stream([b"ok", b"\xe8\xaa"])
    assert got == "ok\ufffd"
    assert text.chars() == (2, 1)


def test_bytes_that_are_no_utf8_do_not_swallow_what_follows() -> None:
    assert stream([b"a\xffb", b"\xe2\x82", b"A"])[0] == "a\ufffdb\ufffdA"


def test_latin_text_is_shown_at_once() -> None:
    assert shown_after_each([b"Hel", b"lo", b" \xc3\xa9", b"."]) == ["Hel", "lo", " é", "."]


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["👩", "\u200d", "💻", "!"], ["", "", "", "👩\u200d💻!"]),
        (["👍", "🏽", " ok"], ["", "", "👍🏽 ok"]),
        (["🇩", "🇪", "🇫", "🇷"], ["", "🇩🇪", "", "🇫🇷"]),
        (["क", "\u094d", "ष", " "], ["", "", "क\u094d", "ष "]),
        (["❤", "\ufe0f", "x"], ["", "", "❤\ufe0fx"]),
        (["語", "語"], ["語", "語"]),
    ],
)
def test_joined_characters_are_not_split(pieces: list[str], shown: list[str]) -> None:
    assert shown_after_each([p.encode() for p in pieces]) == shown


def test_an_endless_sequence_of_marks_is_shown_all_the_same() -> None:
    shown = "".join(shown_after_each(["ก".encode()] + ["\u0e49".encode()] * 200))
    assert len(shown) > 150


@pytest.mark.parametrize(
    ("pieces", "stops", "text", "delivered"),
    [
        # Inside a token, across two, across many, at the very start, in the last character.
        ([b"one STOP two"], ("STOP",), "one ", 1),
        ([b"one ST", b"OP two"], ("STOP",), "one ", 1),
        ([b"one", b" ", b"S", b"T", b"O", b"P"], ("STOP",), "one ", 2),
        ([b"STOP"], ("STOP",), "", 0),
        ([b"a", b"b"], ("b",), "a", 1),
        # The earliest start wins, also when another stop string is complete sooner.
        ([b"xab", b"cd"], ("bc", "abcd"), "x", 1),
        ([b"xab", b"cz"], ("bc", "abcd"), "xa", 1),
        ([b"xabc"], ("bc", "abcd"), "xa", 1),
        # A false start, then the real one overlapping it.
        ([b"aab"], ("ab",), "a", 1),
        ([b"a", b"a", b"b"], ("ab",), "a", 1),
        # Held back, then not a stop string after all.
        ([b"x<|im", b"possible"], ("<|im_end|>",), "x<|impossible", 2),
        # A token that begins in the held text is dropped, and so is an empty one after the cut.
        ([b"x", b"\n", b"User", b"", b":"], ("\nUser:",), "x", 1),
        ([b"", b"x", b"END"], ("END",), "x", 2),
        # A stop string made of several-byte characters, cut between their bytes.
        (["a。".encode()[:2], "a。".encode()[2:], b"b"], ("。",), "a", 1),
        ([b"x"], ("",), "x", 1),
    ],
)
def test_stop_strings(pieces: list[bytes], stops: tuple[str, ...], text: str, delivered: int) -> None:
    got, result = stream(pieces, stops)
    assert (got, result.n_delivered) == (text, delivered)
    assert sum(result.chars()) == len(text)


def test_nothing_of_a_possible_stop_string_is_shown_before_it_is_decided() -> None:
    assert shown_after_each([b"see <", b"|im", b"_", b"x"], ("<|im_end|>",)) == ["see ", "", "", "<|im_x"]


def test_text_held_for_a_stop_string_is_released_at_the_end() -> None:
    assert stream([b"see <|im_e"], ("<|im_end|>",))[0] == "see <|im_e"


def test_a_token_after_the_end_is_a_bug() -> None:
    text = TextStream(("b",))
    text.push(b"ab")
    with pytest.raises(Bug):
        text.push(b"c")
    text.finish()
    assert text.take() == "a"


def test_a_finished_stream_can_be_finished_again() -> None:
    text = TextStream()
    text.push(b"\xe8")
    text.finish()
    text.finish()
    assert text.take() == "\ufffd"


@pytest.mark.benchmark
@pytest.mark.parametrize("stops", [(), ("<|im_end|>", "\nUser:", "</s>", "###"), ("e" * 1000,)])
def test_costs_less_than_ten_microseconds_a_token(stops: tuple[str, ...]) -> None:
    pieces = [b" the", b" quick", "語".encode(), "👍".encode(), b".", b"\n", b"x<|", b"\xe8"] * 2000
    best = float("inf")
    for _ in range(5):
        text = TextStream(stops)
        begin = time.perf_counter()
        for piece in pieces:
            text.push(piece)
            text.take()
        best = min(best, time.perf_counter() - begin)
    assert best / len(pieces) < 10e-6
