"""Finding conversations by words in titles and messages."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from app.core.conversation import STREAMING, Attachment, Conversation, ConversationSummary, Message
from app.core.search import SearchHit
from app.storage.paths import Paths
from app.storage.search import match_of
from app.storage.store import FileStore


def put(store: FileStore, number: int, title: str, *texts: str) -> Conversation:
    made = Conversation(ConversationSummary(f"c{number}", title, number, number))
    parent = None
    for i, text in enumerate(texts):
        message = Message(
            f"c{number}", "assistant" if i % 2 else "user", text, parent, f"c{number}m{i}", number + i / 10
        )
        made.add(message)
        parent = message.id
    store.add_conversations([made]).result(60)
    return made


def search(store: FileStore, text: str) -> list[SearchHit]:
    return store.search(text).result(60)


def ids(store: FileStore, text: str) -> list[str]:
    return [hit.conversation_id for hit in search(store, text)]


@pytest.fixture
def filled(store: FileStore) -> FileStore:
    put(
        store, 1, "Café in Москва", "Where is the best café?", "In the Größe of things, near the naïve river."
    )
    put(store, 2, "Reading files", "How do I read a CSV file?", 'Use `csv.reader("x")` AND be careful.')
    put(store, 3, "数据库教程", "请给我一个数据库教程。", "全文搜索 is built in.")
    return store


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cafe", ["c1"]),
        ("CAFÉ", ["c1"]),
        ("москва", ["c1"]),
        ("große", ["c1"]),
        ("grosse", ["c1"]),
        ("gros", ["c1"]),
        ("GROSSE", ["c1"]),
        ("großes", []),
        ("naive riv", ["c1"]),
        ("riv naive", ["c1"]),
        ("csv", ["c2"]),
        ("reader", ["c2"]),
        ("rea", ["c2"]),
        ("read file", ["c2"]),
        ("read café", []),
        ("教程", ["c3"]),
        ("搜索", ["c3"]),
        ("built", ["c3"]),
        ("in", ["c3", "c1"]),
    ],
)
def test_words_and_beginnings_of_words(filled: FileStore, text: str, found: list[str]) -> None:
    assert ids(filled, text) == found


@pytest.mark.parametrize(
    "text",
    ['"', "'", '"unbalanced', "a AND", "NOT", "NEAR(", "col:x", "*", "^x", "-", "()", "{a b}", "x\x00y", "%",
     "_", "数%", "\\", "", "  ", "- -", "a" * 5000, "\ud800", "😀"],
)  # fmt: skip
def test_nothing_typed_is_an_operator_or_an_error(filled: FileStore, text: str) -> None:
    assert search(filled, text) in ([], search(filled, text))


def test_operators_are_words(filled: FileStore) -> None:
    assert ids(filled, "AND be") == ["c2"]
    assert ids(filled, "csv NOT reader") == []
    assert ids(filled, '"csv.reader("x")"') == ["c2"]
    assert match_of('say "hi"') == '"say"* AND """hi"""*'


def test_a_pasted_page_holds_up_nothing(store: FileStore) -> None:
    letters = [chr(ord("a") + i) for i in range(26)]
    for number in range(40):
        put(store, number, "Page", " ".join(a + b for a in letters for b in letters))
    begun = time.perf_counter()
    assert len(ids(store, " ".join(letters * 100))) == 40
    assert len(ids(store, "ab cd " * 3000)) == 40
    assert time.perf_counter() - begun < 10
    assert match_of("b a b") == '"b"* AND "a"*'
    assert ids(store, "数" * 60_000) == []


@pytest.mark.parametrize(
    ("written", "typed"),
    [
        ("Die Straße ist nass.", "strasse"),
        ("Die Strasse ist nass.", "straße"),
        ("DIE STRASSE", "straße"),
        ("DIE STRAẞE", "strasse"),
        ("Flußschiffahrtsgesellschaft", "flussschiffahrtsgesellschaft"),
        ("Die Straße", "stras"),
        ("Maßstabsgröße", "massstabsgrösse"),
    ],
)
def test_sharp_s_is_double_s(store: FileStore, written: str, typed: str) -> None:
    put(store, 1, "Weg", written)
    put(store, 2, "Anderes", "Street, strata, Strass.")
    hits = [hit for hit in search(store, typed) if hit.conversation_id == "c1"]
    assert len(hits) == 1
    (marked,) = [hits[0].snippet[a:b] for a, b in hits[0].marks]
    assert marked in written, "as it is written there"
    put(store, 3, written, "-")
    assert SearchHit("c3") in search(store, typed), "titles as well"


def attach(store: FileStore, number: int, *files: Attachment, text: str = "See here.") -> Message:
    message = Message(f"c{number}", "user", text, None, f"c{number}f", 1000.0 + number)
    message.attach(files)
    store.save_conversation(ConversationSummary(f"c{number}", f"Talk {number}", number, number)).result(60)
    store.save_message(message).result(60)
    return message


def test_attached_files_are_found_by_name_and_text(store: FileStore) -> None:
    attach(store, 1, Attachment("report-final.csv", "year,yield\n2024,a Größe of 7"))
    attach(store, 2, Attachment("a.txt", "nothing"), Attachment("b.txt", "the pomegranate " + "x " * 500))
    attach(store, 3, Attachment("数据.txt", "全文搜索"))
    (hit,) = search(store, "final")
    assert (hit.conversation_id, hit.message_id, hit.snippet) == ("c1", "c1f", "report-final.csv")
    assert [hit.snippet[a:b] for a, b in hit.marks] == ["final"]
    (hit,) = search(store, "pomegr")
    assert (hit.conversation_id, hit.message_id) == ("c2", "c2f")
    assert hit.snippet.startswith("a.txt, b.txt: ")
    assert [hit.snippet[a:b] for a, b in hit.marks] == ["pomegranate"]
    assert len(hit.snippet) < 150
    assert ids(store, "grosse 2024") == ["c1"]
    assert ids(store, "搜索") == ids(store, "数据") == ["c3"]
    # The newest message first, wherever the word stands.
    put(store, 4, "Fruit", "pomegranate")
    attach(store, 5, Attachment("c.txt", "pomegranate"))
    put(store, 6, "Fruit", "pomegranate")
    assert ids(store, "pomegranate") == ["c6", "c5", "c4", "c2"]


def test_the_search_follows_what_is_attached(open_store: Callable[..., FileStore]) -> None:
    store = open_store()
    message = attach(store, 1, Attachment("a.txt", "pears"))
    message.attach([Attachment("b.txt", "plums")])
    store.save_message(message)
    assert [ids(store, word) for word in ("pears", "plums", "b.txt")] == [[], ["c1"], ["c1"]]
    message.attach([])
    store.save_message(message)
    assert ids(store, "plums") == []
    message.attach([Attachment("c.txt", "figs")])
    store.save_message(message)
    store.delete_conversation("c1")
    assert ids(store, "figs") == []
    store.restore_conversation("c1")
    assert ids(store, "figs") == ["c1"]
    # What cannot be read as files is none, and a file with halves of characters is found like any other.
    odd = Message("c1", "user", "odd", None, "c1odd", 2000.0)
    odd.meta["attachments"] = [
        "text",
        7,
        None,
        {"name": "n\ud800", "text": "kiwis \ud83d"},
        {"text": "limes"},
    ]
    store.save_message(odd)
    assert ids(store, "kiwis") == ids(store, "limes") == ["c1"]
    store.delete_messages(["c1f"]).result(60)
    assert ids(store, "figs") == []
    store._writer.submit(
        lambda: store._database.open().execute("INSERT INTO files (files) VALUES ('integrity-check')")
    ).result(60)


def test_deleted_files_leave_the_index(open_store: Callable[..., FileStore], paths: Paths) -> None:
    store = open_store()
    attach(store, 1, Attachment("a.txt", "xylophonesecret"))
    store.delete_messages(["c1f"]).result(60)
    store.close()
    assert b"xylophonesecret" not in paths.database.read_bytes()


def test_many_large_files_hold_up_nothing(store: FileStore) -> None:
    for number in range(40):
        attach(store, number, Attachment(f"{number}.txt", "first words " + "word " * 20_000))
    put(store, 50, "Pasted", "before " * 9 + "word " * 20_000)
    begun = time.perf_counter()
    hits = search(store, "word")
    assert time.perf_counter() - begun < 5
    assert len(hits) == 41
    assert hits[1].snippet.startswith("39.txt: …first words word")
    assert hits[1].snippet[slice(*hits[1].marks[0])] == "words"
    assert hits[-1].snippet == ""
    pasted = hits[0].snippet
    assert pasted.startswith("…")
    assert len(pasted) < 200
    assert "before word word" in pasted


def test_the_largest_file_holds_up_nothing(store: FileStore) -> None:
    attach(store, 1, Attachment("large.txt", "lorem ipsum dolor " * 200_000 + "end"))
    put(store, 2, "Pasted", "lorem " * 100_000)
    for typed, found in (("l", ["c2", "c1"]), ("lorem", ["c2", "c1"]), ("end", ["c1"])):
        begun = time.perf_counter()
        hits = search(store, typed)
        assert time.perf_counter() - begun < 5
        assert [hit.conversation_id for hit in hits] == found
        assert hits[-1].snippet == "large.txt"


def test_a_hit_shows_where_it_is(filled: FileStore) -> None:
    (hit,) = search(filled, "read")
    assert (hit.conversation_id, hit.message_id) == ("c2", "c2m1")
    assert [hit.snippet[a:b] for a, b in hit.marks] == ["reader"]
    (hit,) = search(filled, "москва")
    assert hit == SearchHit("c1"), "the title alone"
    (hit,) = search(filled, "数据库")
    assert [hit.snippet[a:b] for a, b in hit.marks] == ["数据库"]


def test_a_snippet_is_one_line_around_the_match(store: FileStore) -> None:
    put(store, 1, "Long", "word " * 500 + "\n\nneedle\n\n" + "other " * 500)
    (hit,) = search(store, "needle")
    assert "\n" not in hit.snippet
    assert len(hit.snippet) < 120
    assert hit.snippet.startswith("…")
    assert hit.snippet.endswith("…")
    put(store, 2, "Lang", "字" * 500 + "针" + "文" * 500)
    (hit,) = search(store, "针")
    assert len(hit.snippet) < 120


def test_search_follows_every_change(open_store: Callable[..., FileStore]) -> None:
    store = open_store()
    made = put(store, 1, "Apples", "one pear")
    message = made.messages["c1m0"]
    made.summary.title = "Plums"
    store.save_conversation(made.summary)
    message.text = "two cherries"
    store.save_message(message)
    assert [ids(store, word) for word in ("apples", "pear", "plums", "cherries")] == [[], [], ["c1"], ["c1"]]
    message.status, message.text = STREAMING, "two cherries and a fig"
    store.save_message(message)
    message.text += " and a melon"
    store.save_message(message)
    assert ids(store, "cherries") == [], "a growing reply is found when it has ended"
    message.status = "stopped"
    store.save_message(message)
    assert ids(store, "melon") == ["c1"]
    store.delete_messages(["c1m0"])
    assert ids(store, "melon") == []
    store.save_message(message)
    assert ids(store, "melon") == ["c1"]
    store.delete_conversation("c1")
    assert ids(store, "melon") == ids(store, "plums") == []
    store.restore_conversation("c1")
    assert ids(store, "melon") == ids(store, "plums") == ["c1"]
    store.close()
    store = open_store()
    store._writer.submit(
        lambda: [
            store._database.open().execute(f"INSERT INTO {t} ({t}) VALUES ('integrity-check')")
            for t in ("titles", "words", "files")
        ]
    ).result(60)


def test_a_reply_cut_off_by_a_crash_can_be_found(open_store: Callable[..., FileStore]) -> None:
    store = open_store()
    store.save_message(Message("c1", "assistant", "half a pomegranate", status=STREAMING)).result(60)
    store.close()
    assert ids(open_store(), "pomegranate") == ["c1"]


def test_no_more_than_asked_for(store: FileStore) -> None:
    for number in range(30):
        put(store, number, "Same title", "same text")
    assert [h.conversation_id for h in store.search("same", 5).result(60)] == [
        "c29",
        "c28",
        "c27",
        "c26",
        "c25",
    ]


def test_deleted_words_leave_the_index(open_store: Callable[..., FileStore], paths: Paths) -> None:
    store = open_store()
    put(store, 1, "Keep", "ordinary", "xylophonesecret")
    store.delete_messages(["c1m1"]).result(60)
    store.close()
    assert b"xylophonesecret" not in paths.database.read_bytes()


WORDS = [
    f"{a}{b}{c}" for a in ("sp", "tr", "al", "ko", "mé") for b in "aeiou" for c in ("n", "rt", "l", "sk")
]


@pytest.fixture
def crowded(store: FileStore) -> FileStore:
    chance = random.Random(7)
    batch = []
    for number in range(10_000):
        title = " ".join(chance.choices(WORDS, k=4))
        made = Conversation(ConversationSummary(f"c{number}", title, number, number))
        parent = None
        for i in range(2):
            text = " ".join(chance.choices(WORDS, k=40)) + (" unique" if number == 17 else "")
            message = Message(f"c{number}", "user", text, parent, f"c{number}m{i}", number)
            if number % 10 == 0 and not i:
                message.attach([Attachment(f"{number}.txt", " ".join(chance.choices(WORDS, k=400)))])
            made.add(message)
            parent = message.id
        batch.append(made)
    store.add_conversations(batch).result(120)
    return store


@pytest.mark.benchmark
def test_ten_thousand_conversations_are_listed_and_searched_within_a_tenth_of_a_second(
    crowded: FileStore,
) -> None:
    def best(ask: Callable[[], object]) -> float:
        times = []
        for _ in range(3):
            began = time.perf_counter()
            ask()
            times.append(time.perf_counter() - began)
        return min(times)

    assert best(lambda: crowded.conversations().result(30)) < 0.1
    for text in ("unique", "spa", "s", "men tran", "mé sp tr al", "nowhere", "kosk alossen"):
        assert best(lambda text=text: search(crowded, text)) < 0.1, text
    assert len(ids(crowded, "s")) == 200
    assert ids(crowded, "uniq") == ["c17"]
