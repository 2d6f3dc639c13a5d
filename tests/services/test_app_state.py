"""Settings: remembered per pair, saved a moment later, tried again when the disk refused."""

from __future__ import annotations

import pytest

from app.core.pair_settings import PairSettings
from app.core.ports import LoadRequest
from app.core.settings import AppSettings, Pair, PairChoice
from app.services.app_state import RECENT_FILES, AppState
from tests.fakes import MemoryStore
from tests.services.conftest import pause, spin

A, B = Pair("a.gguf", "a-side.gguf"), Pair("b.gguf")


def heard(state: AppState) -> list[str]:
    told: list[str] = []
    state.pair_changed.connect(lambda: told.append("pair"))
    state.settings_changed.connect(lambda: told.append("settings"))
    state.problem.connect(lambda p: told.append(p.code))
    return told


def test_choice_belongs_to_the_pair_and_off_is_remembered(qapp: object) -> None:
    store = MemoryStore()
    state = AppState(store)
    state.set_pair(A)
    off = PairChoice(PairSettings(n_ctx=2048), speculation_on=False)
    state.set_choice(off)
    state.set_pair(B)
    assert state.choice() == PairChoice()
    state.set_pair(A)
    assert state.choice() == off
    state.flush()
    again = AppState(store)
    assert again.pair == A
    assert again.load_request() == LoadRequest("a.gguf", "a-side.gguf", off.settings, False)


def test_many_changes_are_one_save_within_half_a_second(qapp: object) -> None:
    store = MemoryStore()
    state = AppState(store)
    for n in range(50):
        state.update(max_tokens=n + 1)
    assert store.saves == []
    assert spin(lambda: bool(store.saves), 0.8)
    pause(0.1)
    assert len(store.saves) == 1
    assert store.settings.max_tokens == 50


def test_flush_saves_at_once_and_only_what_changed(qapp: object) -> None:
    store = MemoryStore()
    state = AppState(store)
    state.flush()
    assert store.saves == []
    state.update(theme="dark")
    state.flush()
    assert store.settings.theme == "dark"
    state.flush()
    assert len(store.saves) == 1


def test_a_slow_disk_gets_a_copy(qapp: object) -> None:
    store = MemoryStore(threaded=True)
    state = AppState(store)
    state.set_pair(A)
    store.pause()
    state.flush()
    state.set_choice(PairChoice(speculation_on=False))
    store.resume()
    store.flush()
    assert store.settings.pairs == {}
    state.flush()
    store.close()
    assert store.settings.pairs[A.key].speculation_on is False


def test_signals_tell_what_changed(qapp: object) -> None:
    state = AppState(MemoryStore())
    told = heard(state)
    state.set_pair(A)
    state.set_pair(A)
    state.update(theme="dark")
    state.update(theme="dark")
    state.update(unsent="typing", window={"x": "1"}, conversation_id="c")
    state.set_choice(PairChoice(speculation_on=False))
    state.set_choice(PairChoice(speculation_on=False))
    assert told == ["pair", "settings", "settings"]
    state.flush()


def test_recent_files_are_newest_first_without_doubles(qapp: object) -> None:
    state = AppState(MemoryStore())
    state.set_pair(A)
    state.set_pair(B)
    state.set_pair(A)
    assert state.settings.recent_files == ["a.gguf", "a-side.gguf", "b.gguf"]
    for n in range(2 * RECENT_FILES):
        state.set_pair(Pair(f"{n}.gguf"))
    assert len(state.settings.recent_files) == RECENT_FILES
    state.flush()


@pytest.mark.parametrize("name", ["colour", "pair"])
def test_update_refuses_what_it_does_not_know(qapp: object, name: str) -> None:
    state = AppState(MemoryStore())
    with pytest.raises(TypeError, match=name):
        state.update(**{name: 1})


def test_refusing_disk_is_told_once_and_tried_again(qapp: object) -> None:
    store = MemoryStore()
    state = AppState(store)
    told = heard(state)
    store.refuse_writes = True
    for theme in ("dark", "light"):
        state.update(theme=theme)
        state.flush()
        pause(0.02)
    assert told.count("disk") == 1
    store.refuse_writes = False
    state.flush()
    assert store.settings.theme == "light"


def test_read_only_store_is_nobodys_problem_here(qapp: object) -> None:
    store = MemoryStore(AppSettings(theme="dark"))
    store.reason = "Another copy of Slipstream is running."
    state = AppState(store)
    told = heard(state)
    state.update(theme="light")
    state.flush()
    pause(0.05)
    assert told == ["settings"]
    assert store.settings.theme == "dark"
