"""Files of conversations: out without loss, in without loss, and said clearly when that cannot be."""

from __future__ import annotations

import json
import threading
import time
import zipfile
from collections.abc import Iterator
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from app.core.conversation import ASSISTANT, USER, Attachment, Conversation, ConversationSummary, Message
from app.core.errors import EnvironmentProblem
from app.core.rounds import decode_rounds
from app.services.transfer import html_format, json_format, markdown_format
from app.services.transfer.exporter import write
from app.services.transfer.json_stream import JsonStream
from app.services.transfer.reading import Source
from tests.fakes import MemoryStore
from tests.services.conftest import Desk, spin
from tests.storage.samples import ROUNDS


def tree() -> Conversation:
    """Branches, attachments, rounds, a thought, and characters that are hard on files."""
    made = Conversation(
        ConversationSummary(
            "c1",
            'Разговор <b>"1"</b>',
            100.5,
            200.25,
            None,
            "not sent",
            1.0,
            ("work", "été"),
            (Attachment("not sent.md", "a\n"),),
        )
    )
    user = Message("c1", USER, "Look at <script>alert(1)</script> & this\n\nplease", None, "u", 101.0)
    user.attach((Attachment("a<b>.md", "```\n# x\n```\n<i>"),))
    made.add(user)
    first = Message("c1", ASSISTANT, "First **answer**", "u", "a1", 102.0, "stopped", {"seed": 4294967295})
    made.add(first)
    meta = {
        "pair": {"target_name": "SmolLM2", "algorithm": "DFlash2", "target_path": "/m/é.gguf"},
        "stats": {"generation_tokens": 150, "generation_tokens_per_second": 42.125, "acceptance_rate": 0.5},
        "mode": "speculative",
        "rate": 0.1,
    }
    text = (
        "<think>\nHm <b>.\n</think>\n\n# Head\n\n```python\nx = '</pre><script>'\n```\n\n"
        "![pic](http://e.example/p.png) [l](javascript:alert(1)) 👩\u200d💻"
    )
    made.add(Message("c1", ASSISTANT, text, "u", "a2", 103.0, meta=meta, rounds=ROUNDS))
    return made


def read(path: Path) -> tuple[list[Conversation], list[str]]:
    source = Source(path)
    return list(source.conversations()), source.failed


def put(path: Path, value: Any) -> Path:
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


# -- our own ------------------------------------------------------------------------------------------------


def test_json_holds_everything(tmp_path: Path) -> None:
    path = tmp_path / "Чаты 'x'.json"
    other = Conversation(ConversationSummary("c2", "", 1.0, 2.0))
    write(path, iter([tree(), other]))
    (back, empty), failed = read(path)
    assert failed == []
    assert empty == other
    made = tree()
    assert decode_rounds(back.messages["a2"].rounds) == decode_rounds(ROUNDS)
    made.messages["a2"].rounds = back.messages["a2"].rounds
    assert back == made
    assert back.messages["u"].attachments == made.messages["u"].attachments
    # The recorded rounds can be read in the file.
    rows = json.loads(path.read_text("utf-8"))["conversations"][0]["messages"][2]["rounds"]
    assert rows[0] == 1
    assert rows[1][0][0] == "speculative"
    assert list(tmp_path.iterdir()) == [path], "no half-written file is left"


def test_rounds_of_a_newer_version_are_kept_as_they_are(tmp_path: Path) -> None:
    made = tree()
    made.messages["a2"].rounds = b"not zlib"
    write(tmp_path / "a.json", iter([made]))
    (back,), _ = read(tmp_path / "a.json")
    assert back.messages["a2"].rounds == b"not zlib"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda c: c.pop("id"), "“id” is missing"),
        (lambda c: c["messages"][1].pop("text"), "message 2: “text” is missing"),
        (lambda c: c["messages"][1].update(role="robot"), "message 2: “robot” is not a role"),
        (lambda c: c["messages"][1].update(created_at=True), "message 2: “created_at” is missing or not"),
        (lambda c: c["messages"][2].update(rounds=[1, [["speculative"]]]), "message 3: its rounds"),
        (lambda c: c["messages"][2].update(id="u"), "message 3: its id is used twice"),
        (lambda c: c["messages"][0]["meta"].update(attachments=[{"name": 1}]), "message 1: its attachments"),
        (lambda c: c.update(messages="x"), "“messages” is missing or not a list"),
        (lambda c: c.update(updated_at=10**400), "“updated_at” is missing or not a number"),
        (lambda c: c["messages"][1].update(created_at=1e300), "message 2: “created_at” is missing or not"),
        (lambda c: c["messages"][2]["meta"].update(pair=5), "message 3: “pair” is not an object"),
        (lambda c: c["messages"][2]["meta"].update(stats="x"), "message 3: “stats” is not an object"),
        (
            lambda c: c["messages"][2]["meta"]["stats"].update(acceptance_rate="x"),
            "message 3: “acceptance_rate” is not a number",
        ),
        (lambda c: c["messages"][2]["meta"].update(continuations=[5]), "message 3: “continuations” holds"),
        (lambda c: c["messages"][1].update(id="a\ud800"), "an id holds half a character"),
    ],
)
def test_a_damaged_conversation_is_named_and_the_others_are_read(
    tmp_path: Path, change: Any, said: str
) -> None:
    write(tmp_path / "a.json", iter([tree(), tree(), tree()]))
    document = json.loads((tmp_path / "a.json").read_text("utf-8"))
    change(document["conversations"][1])
    found, failed = read(put(tmp_path / "b.json", document))
    assert len(found) == 2
    (told,) = failed
    assert told.startswith("Conversation 2 (“Разговор")
    assert said in told


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "neither a list nor an object"),
        ("no json", "neither"),
        ('{"conversations": [{"id"', "damaged"),
        ("[1, 2", "damaged"),
        ("[[[", "damaged"),
        ("[" * 100_000, "damaged"),
        ('{"a": 1}', "neither from Slipstream nor from ChatGPT"),
        ("[]", "neither from Slipstream nor from ChatGPT"),
        ('[{"name": "something else"}]', "neither from Slipstream nor from ChatGPT"),
    ],
)
def test_a_foreign_file_is_refused_by_name(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(EnvironmentProblem) as raised:
        read(put(tmp_path / "other.json", text))
    assert "other.json is not a file of conversations." in raised.value.what
    assert why in raised.value.why
    assert raised.value.remedy


def test_other_refusals(tmp_path: Path) -> None:
    newer = {"format": json_format.FORMAT, "version": 2, "conversations": [json_format.document_of(tree())]}
    with pytest.raises(EnvironmentProblem, match="newer version"):
        read(put(tmp_path / "newer.json", newer))
    (tmp_path / "latin.json").write_bytes(b'[{"title": "caf\xe9"}]')
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        read(tmp_path / "latin.json")
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        read(tmp_path / "missing.json")
    with zipfile.ZipFile(tmp_path / "other.zip", "w") as archive:
        archive.writestr("readme.txt", "x")
    with pytest.raises(EnvironmentProblem, match="holds no conversations"):
        read(tmp_path / "other.zip")
    nothing = {"format": json_format.FORMAT, "version": 1, "conversations": []}
    assert read(put(tmp_path / "empty.json", nothing)) == ([], [])


@pytest.mark.parametrize("block", [1, 7, 1 << 18])
def test_elements_come_one_by_one_whatever_is_read_at_once(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.services.transfer.json_stream._BLOCK", block)
    values = [1, 12345, -1.5e3, 'ü\\"]', [], {"a": [1, {"b": None}]}, True, "x" * 50]
    head: dict[str, Any] = {}
    text = json.dumps({"format": "f", "conversations": values, "after": 3}, indent=1)
    assert list(JsonStream(StringIO(text)).elements("conversations", head)) == values
    assert head == {"format": "f", "after": 3}
    assert list(JsonStream(StringIO(json.dumps(values))).elements("conversations", {})) == values
    with pytest.raises(ValueError, match="after its end"):
        list(JsonStream(StringIO("[1] 2")).elements("conversations", {}))


def test_a_disk_that_refuses_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")

    def broken() -> Iterator[Conversation]:
        yield tree()
        raise EnvironmentProblem("The disk refuses.")

    with pytest.raises(EnvironmentProblem):
        write(path, broken())
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    with pytest.raises(EnvironmentProblem, match="could not be written"):
        write(tmp_path / "no folder" / "a.json", iter([tree()]))


# -- to read ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["n" * 300, "file/inside", "missing/inside"])
def test_a_place_that_takes_no_file_is_named(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(EnvironmentProblem, match="could not be written"):
        write(tmp_path / f"{place}.md", iter([tree()]))


def test_markdown_is_the_branch_that_is_shown(tmp_path: Path) -> None:
    text = "".join(markdown_format.written(tree()))
    assert text.startswith('# Разговор <b>"1"</b>\n')
    assert "## You\n\n**a<b>.md**\n\n````\n```\n# x\n```\n<i>\n````\n\nLook at <script>" in text
    assert "## SmolLM2\n\n> Hm <b>.\n\n# Head\n" in text
    assert "*DFlash2 (speculative) · 150 tokens · 42.1 tok/s · 50 % of the drafts accepted*" in text
    assert "First **answer**" not in text
    made = tree()
    made.show("a1")
    assert "First **answer**\n\n*stopped*" in "".join(markdown_format.written(made))


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in ("meta", "br", "hr"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_html_is_self_contained_escaped_and_fits_both_themes() -> None:
    text = "".join(html_format.written(tree()))
    page = _Tags()
    page.feed(text)
    page.close()
    assert page.open == [], "every element is closed"
    assert not {"script", "img", "iframe", "link", "object"} & set(page.tags)
    assert not [a for a, _ in page.attributes if a.startswith("on") or a == "src"]
    assert [v for a, v in page.attributes if a == "href"] == []
    assert "default-src 'none'" in text
    for part in ("<script>alert(1)</script> & this", "x = '</pre><script>'", "a<b>.md", "Hm <b>.", "[pic]"):
        assert part in page.text
    assert "prefers-color-scheme: dark" in text
    assert "color-scheme: light dark" in text
    assert "url(" not in text


# -- from ChatGPT -------------------------------------------------------------------------------------------


def node(node_id: str, parent: str | None, role: str = "", *parts: Any, **more: Any) -> dict[str, Any]:
    content = more.pop("content", {"content_type": "text", "parts": list(parts)})
    message = None
    if role:
        message = {
            "id": node_id,
            "author": {"role": role, "name": more.pop("name", None), "metadata": {}},
            "create_time": more.pop("at", 1700000000.5),
            "content": content,
            "status": more.pop("status", "finished_successfully"),
            "metadata": more,
        }
    return {"id": node_id, "message": message, "parent": parent, "children": []}


def chatgpt() -> dict[str, Any]:
    nodes = [
        node("root", None),
        node("sys", "root", "system", ""),
        node(
            "about",
            "sys",
            "user",
            content={"content_type": "user_editable_context", "user_profile": "I am Ada."},
        ),
        node("q", "about", "user", "Plot it", at=1700000001.0),
        node("a-old", "q", "assistant", "No.", at=1700000002.0),
        node(
            "think",
            "q",
            "assistant",
            content={"content_type": "thoughts", "thoughts": [{"summary": "Plan", "content": "Draw."}]},
            at=1700000003.0,
        ),
        node(
            "code",
            "think",
            "assistant",
            content={"content_type": "code", "language": "python", "text": "print('```')"},
            at=1700000004.0,
        ),
        node(
            "out",
            "code",
            "tool",
            content={"content_type": "execution_output", "text": "done"},
            name="python",
            at=1700000005.0,
        ),
        node("hidden", "out", "assistant", ""),
        node(
            "a-new",
            "hidden",
            "assistant",
            "Here:",
            {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-1"},
            model_slug="gpt-x",
            status="in_progress",
            at=1700000006.0,
        ),
        node("new-kind", "a-new", "assistant", content={"content_type": "hologram", "data": [1, 2]}),
    ]
    return {
        "title": "Plots\nand more",
        "create_time": 1700000000.0,
        "update_time": 1700000100.0,
        "mapping": {n["id"]: n for n in nodes},
        "current_node": "a-new",
        "conversation_id": "gpt-1",
    }


def test_a_chatgpt_export_keeps_its_tree(tmp_path: Path) -> None:
    (found,), failed = read(put(tmp_path / "conversations.json", [chatgpt()]))
    assert failed == []
    summary = found.summary
    assert (summary.id, summary.title) == ("gpt-1", "Plots and more")
    assert (summary.created_at, summary.updated_at) == (1700000000.0, 1700000100.0)
    path = found.path()
    assert [m.role for m in path] == [USER, ASSISTANT, ASSISTANT, ASSISTANT, ASSISTANT]
    assert [m.text for m in path] == [
        "Plot it",
        "<think>\nPlan\n\nDraw.\n</think>",
        "````python\nprint('```')\n````",
        "```\ndone\n```",
        "Here:\n\n[image: file-service://file-1]",
    ]
    assert path[0].meta["imported"]["instructions"] == ["I am Ada."]
    assert path[3].meta["imported"] == {
        "from": "ChatGPT",
        "node": "out",
        "role": "tool",
        "name": "python",
        "type": "execution_output",
    }
    assert path[4].meta["imported"]["model"] == "gpt-x"
    assert path[4].meta["imported"]["parts"][0]["asset_pointer"] == "file-service://file-1"
    assert [m.status for m in path] == ["complete"] * 4 + ["stopped"]
    assert found.siblings(path[1].id)[0].text == "No."
    (below,) = found.children(path[4].id)
    assert below.text == '```json\n{\n "data": [\n  1,\n  2\n ]\n}\n```', "what is unknown is kept"
    # The file goes out as ours and comes in again.
    write(tmp_path / "ours.json", iter([found]))
    assert read(tmp_path / "ours.json") == ([found], [])


def test_a_chatgpt_zip_with_several_files(tmp_path: Path) -> None:
    second = chatgpt() | {"conversation_id": "gpt-2", "title": None, "current_node": "gone"}
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("x/conversations-000.json", json.dumps([chatgpt()]))
        archive.writestr("x/conversations-001.json", "\ufeff" + json.dumps([second, {"mapping": {"a": 1}}]))
        archive.writestr("x/chat.html", "<html>")
    source = Source(tmp_path / "export.zip")
    found = list(source.conversations())
    assert [c.summary.id for c in found] == ["gpt-1", "gpt-2"]
    assert found[1].path(), "without a current node the newest end is shown"
    assert source.failed == ["Conversation 2: node a is not an object."]
    assert source.fraction == 1.0


@pytest.mark.parametrize("parts", [5, True, {"a": 1}, "text"])
def test_a_chatgpt_conversation_of_another_build_does_not_keep_out_the_others(
    tmp_path: Path, parts: Any
) -> None:
    def conversation(name: str, parts: Any) -> dict[str, Any]:
        message = {
            "author": {"role": "user"},
            "create_time": 10**400,
            "content": {"content_type": "text", "parts": parts},
        }
        return {"title": name, "id": name, "mapping": {"n": {"message": message, "parent": None}}}

    found, _ = read(put(tmp_path / "a.json", [conversation("one", parts), conversation("two", ["Hello"])]))
    assert found[-1].summary.title == "two"
    assert [m.text for m in found[-1].messages.values()] == ["Hello"]


def test_a_zip_that_cannot_be_unpacked_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "locked.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", "[]")
    data = bytearray(path.read_bytes())
    # The flag of a password, in the entry and in the directory.
    data[data.index(b"PK\x03\x04") + 6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(data)
    with pytest.raises(EnvironmentProblem, match="cannot be read"):
        read(path)


def test_a_tree_in_a_circle_is_no_endless_loop(tmp_path: Path) -> None:
    document = chatgpt()
    document["mapping"]["q"]["parent"] = "a-new"
    document["mapping"]["root"]["parent"] = "sys"
    (found,), _ = read(put(tmp_path / "c.json", [document]))
    assert len(found.path()) == 5


# -- with the services --------------------------------------------------------------------------------------


def test_import_in_the_background_and_export_again(tmp_path: Path) -> None:
    desk = Desk(MemoryStore(threaded=True))
    desk.start()
    desk.load()
    made = [Conversation(ConversationSummary(f"c{i}", f"Chat {i}", i, i)) for i in range(120)]
    write(tmp_path / "many.json", iter([tree(), *made[2:]]))
    done: list[Any] = []
    desk.session.importer.done.connect(done.append)
    assert desk.session.importer.start(str(tmp_path / "many.json"))
    assert not desk.session.importer.start(str(tmp_path / "many.json")), "one at a time"
    assert spin(lambda: bool(done))
    assert len(done[0].summaries) == len(desk.session.conversations) == 119
    assert done[0].failed == ()
    desk.session.open("c1")
    assert spin(lambda: desk.session.current is not None and desk.session.current.summary.id == "c1")
    assert [m.id for m in desk.session.current.path()] == ["u", "a2"]
    # The same once more: nothing is replaced.
    assert desk.session.importer.start(str(tmp_path / "many.json"))
    assert spin(lambda: len(done) == 2)
    assert len(desk.session.conversations) == 238
    written: list[str] = []
    desk.session.exporter.done.connect(written.append)
    desk.session.rename("c1", "Renamed")
    for name in ("one.json", "one.md", "one.html"):
        desk.session.exporter.export(["c1"], str(tmp_path / name))
    assert spin(lambda: len(written) == 3)
    (back,), _ = read(tmp_path / "one.json")
    assert back.summary.title == "Renamed"
    assert (tmp_path / "one.md").read_text("utf-8").startswith("# Renamed")
    assert desk.close()


def test_closing_gives_up_an_export_and_keeps_the_old_file(tmp_path: Path) -> None:
    desk = Desk(MemoryStore(threaded=True))
    desk.start()
    for number in range(300):
        desk.store.put(Conversation(ConversationSummary(f"c{number}", "x" * 1000)))
    path = tmp_path / "all.json"
    path.write_text("old")
    told: list[Any] = []
    for signal in (desk.session.exporter.done, desk.session.exporter.problem):
        signal.connect(told.append)
    desk.store.pause()
    desk.session.exporter.export([f"c{number}" for number in range(300)], str(path))
    closer = threading.Timer(0.1, desk.store.resume)
    closer.start()
    desk.session.exporter.close()
    closer.join()
    assert told == []
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    assert desk.close()


def test_a_failed_or_stopped_import_keeps_what_was_stored(tmp_path: Path) -> None:
    desk = Desk(MemoryStore(threaded=True))
    desk.start()
    made = [Conversation(ConversationSummary(f"c{i}", f"Chat {i}", i, i)) for i in range(80)]
    write(tmp_path / "a.json", iter(made))
    text = (tmp_path / "a.json").read_text("utf-8")
    cut = put(tmp_path / "cut.json", text[: text.index('"c70"')])
    told: list[Any] = []
    desk.session.importer.done.connect(told.append)
    desk.session.importer.problem.connect(told.append)
    desk.session.importer.start(str(cut))
    assert spin(lambda: len(told) == 2)
    assert len(told[0].summaries) == 50
    assert "JSON is damaged" in told[1].why
    assert len(desk.session.conversations) == 50
    desk.store.refuse_writes = True
    desk.session.importer.start(str(tmp_path / "a.json"))
    assert spin(lambda: len(told) == 3)
    assert told[2].what == "The disk refuses."
    desk.store.refuse_writes = False
    desk.session.importer.start(str(tmp_path / "a.json"))
    desk.session.importer.stop()
    assert spin(lambda: len(told) == 4)
    assert told[3].stopped
    assert desk.close()


@pytest.mark.benchmark
def test_a_large_import_leaves_the_window_alive(tmp_path: Path) -> None:
    """No value is so large that the interpreter is held for long while it is decoded."""
    with (tmp_path / "big.json").open("w") as file:
        file.write("[")
        for i in range(300):
            document = chatgpt() | {"conversation_id": f"g{i}"}
            document["mapping"]["q"]["message"]["content"]["parts"] = ["word " * 20_000]
            file.write(("," if i else "") + json.dumps(document))
        file.write("]")
    gaps: list[float] = []
    finished = threading.Event()

    def work() -> None:
        assert len(read(tmp_path / "big.json")[0]) == 300
        finished.set()

    thread = threading.Thread(target=work)
    thread.start()
    last = time.perf_counter()
    while not finished.is_set():
        time.sleep(0.001)
        now = time.perf_counter()
        gaps.append(now - last)
        last = now
    thread.join()
    assert max(gaps) < 0.1
