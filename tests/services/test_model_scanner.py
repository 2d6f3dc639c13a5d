"""The library of models: what is listed, what is left out and why, and that it follows the folders."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.core.events import Problem
from app.core.settings import Pair
from app.services.app_state import AppState
from app.services.model_files import OTHER, SIDECAR, ModelFile
from app.services.model_folders import Place, first_part, walk
from app.services.model_scanner import ModelScanner
from tests.fakes import MemoryStore
from tests.services.conftest import pause, spin


class NameReader:
    """Takes a file's kind from its first word; a sidecar fits the target whose name it ends with."""

    def __init__(self) -> None:
        self.read_paths: list[str] = []
        self.fitted: list[tuple[str, str]] = []
        self.threads: set[int] = set()
        self.hold = threading.Event()
        self.hold.set()

    def read(self, path: str) -> ModelFile:
        assert self.hold.wait(20)
        self.threads.add(threading.get_ident())
        self.read_paths.append(os.path.basename(path))
        text = Path(path).read_text()
        if text.startswith("damaged"):
            raise EnvironmentProblem("The file is cut short.", code="truncated")
        if text.startswith("strange"):
            raise KeyError("general.architecture")
        kind = text.split()[0]
        reason = Problem("This is a projector.", code="projector") if kind == OTHER else None
        return ModelFile(path, kind, text.split()[1], algorithm="DFlash" * (kind == SIDECAR), reason=reason)

    def fit(self, target_path: str, sidecar_path: str) -> Problem | None:
        pair = (os.path.basename(target_path), os.path.basename(sidecar_path))
        self.fitted.append(pair)
        if pair[1].removesuffix(".gguf").endswith(pair[0].removesuffix(".gguf")):
            return None
        return Problem("The vocabularies differ.", code="vocabulary")


class Shelf:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reader = NameReader()
        self.state = AppState(MemoryStore())
        self.scanner = ModelScanner(self.state, [folder], self.reader, own_folders=[])
        self.changes = 0
        self.scanner.models_changed.connect(self._on_changed)

    def _on_changed(self) -> None:
        self.changes += 1

    def put(self, name: str, text: str, old: bool = True) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        if old:
            os.utime(path, (time.time() - 1000, time.time() - 1000))
        return path

    def look(self) -> None:
        self.scanner.start()
        self.wait(lambda: self.scanner.scanned)

    def wait(self, until: Callable[[], bool]) -> None:
        assert spin(until)

    def targets(self) -> list[str]:
        return [f.name for f in self.scanner.targets()]


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path / "Модели 'ü'")
    shelf.folder.mkdir()
    yield shelf
    shelf.reader.hold.set()
    shelf.scanner.stop()
    shelf.state.flush()


def test_lists_by_kind_and_says_why_files_are_left_out(shelf: Shelf) -> None:
    shelf.put("b.gguf", "target Beta")
    shelf.put("sub/deep/a.GGUF", "target alpha")
    shelf.put("s.gguf", "sidecar Side")
    shelf.put("mmproj.gguf", "other Projector")
    shelf.put("short.gguf", "damaged")
    shelf.put("odd.gguf", "strange")
    shelf.put("readme.txt", "target Text")
    shelf.put(".hidden/h.gguf", "target Hidden")
    shelf.look()
    assert shelf.targets() == ["alpha", "Beta"]
    assert [c.file.name for c in shelf.scanner.sidecars()] == ["Side"]
    left = {f.name: f.reason.code for f in shelf.scanner.left_out() if f.reason is not None}
    assert left == {"Projector": "projector", "short": "truncated", "odd": "bug"}
    assert threading.get_ident() not in shelf.reader.threads


def test_sharded_model_is_listed_once_with_all_its_bytes(shelf: Shelf) -> None:
    for number in (1, 2, 3):
        shelf.put(f"big-0000{number}-of-00003.gguf", "target Big")
    shelf.look()
    (big,) = shelf.scanner.targets()
    assert (big.parts, big.bytes) == (3, 30)
    assert big.path.endswith("big-00001-of-00003.gguf")
    assert shelf.reader.read_paths == ["big-00001-of-00003.gguf"]
    later = str(shelf.folder / "big-00003-of-00003.gguf")
    assert shelf.scanner.find(later) == big


def test_missing_shards_are_named(shelf: Shelf) -> None:
    shelf.put("big-00001-of-00004.gguf", "target Big")
    shelf.put("big-00003-of-00004.gguf", "target Big")
    shelf.look()
    assert shelf.targets() == []
    (big,) = shelf.scanner.left_out()
    assert big.reason is not None
    assert "big-00002-of-00004.gguf, big-00004-of-00004.gguf" in big.reason.why


def test_single_file_of_one_part_is_no_shard(shelf: Shelf) -> None:
    shelf.put("m-00001-of-00001.gguf", "target One")
    shelf.look()
    assert shelf.targets() == ["One"]


def test_used_files_bring_their_folder_without_subfolders(shelf: Shelf, tmp_path: Path) -> None:
    downloads = tmp_path / "downloads"
    (downloads / "huge").mkdir(parents=True)
    used = downloads / "used.gguf"
    used.write_text("target Used")
    (downloads / "sibling.gguf").write_text("target Sibling")
    (downloads / "huge" / "no.gguf").write_text("target No")
    shelf.look()
    assert shelf.targets() == []
    shelf.state.set_pair(Pair(str(used)))
    shelf.wait(lambda: shelf.targets() == ["Sibling", "Used"])
    shelf.state.set_pair(Pair(str(shelf.folder / "other.gguf")))
    pause(0.2)
    assert shelf.targets() == ["Sibling", "Used"], "it is still among the recent files"
    shelf.state.flush()


def test_headers_are_read_again_only_when_a_file_changed(shelf: Shelf) -> None:
    shelf.put("a.gguf", "target A")
    changing = shelf.put("b.gguf", "target B")
    shelf.look()
    assert sorted(shelf.reader.read_paths) == ["a.gguf", "b.gguf"]
    shelf.reader.read_paths.clear()
    changes = shelf.changes
    shelf.scanner.rescan()
    pause(0.2)
    assert shelf.reader.read_paths == []
    assert shelf.changes == changes, "nothing changed, nothing is told"
    changing.write_text("target Bigger")
    os.utime(changing, (1, 1))
    shelf.scanner.rescan()
    shelf.wait(lambda: "Bigger" in shelf.targets())
    assert shelf.reader.read_paths == ["b.gguf"]


def test_list_follows_the_folder(shelf: Shelf) -> None:
    gone = shelf.put("a.gguf", "target A")
    shelf.look()
    assert shelf.targets() == ["A"]
    shelf.put("new/b.gguf", "target B")
    shelf.wait(lambda: shelf.targets() == ["A", "B"])
    shelf.put("new/c.gguf", "target C")
    shelf.wait(lambda: shelf.targets() == ["A", "B", "C"])
    gone.unlink()
    shelf.wait(lambda: shelf.targets() == ["B", "C"])


def test_file_that_is_still_being_copied_is_looked_at_until_it_is_whole(shelf: Shelf) -> None:
    shelf.look()
    path = shelf.put("a.gguf", "damaged", old=False)
    shelf.wait(lambda: bool(shelf.scanner.left_out()))
    with path.open("w") as copying:
        copying.write("target Whole")
    shelf.wait(lambda: shelf.targets() == ["Whole"])


def test_fitting_sidecars_come_first_then_the_rest_with_the_reason(shelf: Shelf) -> None:
    target = shelf.put("llama.gguf", "target Llama")
    shelf.put("qwen.gguf", "target Qwen")
    shelf.put("for-qwen.gguf", "sidecar Aqwen")
    shelf.put("for-llama.gguf", "sidecar Zllama")
    shelf.look()
    first = shelf.scanner.sidecars(str(target))
    assert [c.fits for c in first] == [None, None]
    shelf.wait(lambda: all(c.fits is not None for c in shelf.scanner.sidecars(str(target))))
    choices = shelf.scanner.sidecars(str(target))
    assert [(c.file.name, c.fits) for c in choices] == [("Zllama", True), ("Aqwen", False)]
    assert choices[1].problem is not None
    assert choices[1].problem.code == "vocabulary"
    compared = len(shelf.reader.fitted)
    assert compared == 2
    shelf.scanner.rescan()
    pause(0.2)
    assert len(shelf.reader.fitted) == compared, "compared once"


def test_targets_that_a_sidecar_was_made_for(shelf: Shelf) -> None:
    shelf.put("llama.gguf", "target Llama")
    shelf.put("qwen.gguf", "target Qwen")
    sidecar = shelf.put("for-qwen.gguf", "sidecar Side")
    shelf.look()
    shelf.wait(lambda: bool(shelf.scanner.targets_for(str(sidecar))))
    assert [f.name for f in shelf.scanner.targets_for(str(sidecar))] == ["Qwen"]


def test_changed_sidecar_is_compared_again(shelf: Shelf) -> None:
    target = shelf.put("llama.gguf", "target Llama")
    sidecar = shelf.put("for-llama.gguf", "sidecar Side")
    shelf.look()
    shelf.scanner.sidecars(str(target))
    shelf.wait(lambda: len(shelf.reader.fitted) == 1)
    sidecar.write_text("sidecar Other")
    os.utime(sidecar, (1, 1))
    shelf.scanner.rescan()
    shelf.wait(lambda: len(shelf.reader.fitted) == 2)


def test_window_is_not_held_while_headers_are_read(shelf: Shelf) -> None:
    shelf.put("a.gguf", "target A")
    shelf.reader.hold.clear()
    started = time.perf_counter()
    shelf.scanner.start()
    assert time.perf_counter() - started < 0.1
    pause(0.1)
    assert not shelf.scanner.scanned
    shelf.put("b.gguf", "target B")
    shelf.scanner.rescan()
    shelf.reader.hold.set()
    shelf.wait(lambda: shelf.targets() == ["A", "B"])


def test_folder_that_does_not_answer_does_not_hold_the_end(
    shelf: Shelf, caplog: pytest.LogCaptureFixture
) -> None:
    shelf.put("a.gguf", "target A")
    shelf.reader.hold.clear()
    shelf.scanner.start()
    pause(0.05)
    started = time.perf_counter()
    shelf.scanner.stop()
    assert time.perf_counter() - started < 2.0
    assert "does not answer" in caplog.text
    shelf.reader.hold.set()
    pause(0.1)
    shelf.scanner.rescan()
    assert not shelf.scanner.scanned


def test_folders_in_a_circle_and_folders_that_vanish(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "m.gguf").write_text("x")
    (tmp_path / "a" / "b" / "back").symlink_to(tmp_path / "a", target_is_directory=True)
    (tmp_path / "link.gguf").symlink_to(tmp_path / "a" / "m.gguf")
    (tmp_path / "dead.gguf").symlink_to(tmp_path / "nowhere.gguf")
    found = walk([Place(str(tmp_path), deep=True), Place(str(tmp_path / "missing"))], lambda: False)
    assert [os.path.basename(f.path) for f in found.found] == ["link.gguf"], "each file once"
    assert len(found.folders) == 3
    assert walk([Place(str(tmp_path), deep=True)], lambda: True).found == []


def test_first_part() -> None:
    assert first_part("/m/big-00007-of-00012.gguf") == os.path.join("/m", "big-00001-of-00012.gguf")
    assert first_part("/m/plain.gguf") == "/m/plain.gguf"
    assert first_part("/m/m-00001-of-00001.gguf") == "/m/m-00001-of-00001.gguf"
