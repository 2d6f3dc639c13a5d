"""Settings survive a restart, an editor, a newer version and a power cut."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.core.conversation import Attachment
from app.core.errors import EnvironmentProblem
from app.core.pair_settings import PairSettings
from app.core.sampling import SamplingParams
from app.core.settings import AppSettings, Pair, PairChoice
from app.storage.paths import Paths
from app.storage.settings import SettingsFile
from app.storage.store import FileStore

FULL = AppSettings(
    theme="dark",
    pair=Pair("/модели/a b.gguf", "/модели/sidecar.gguf"),
    pairs={
        "/a\n/b": PairChoice(PairSettings(n_ctx=4096, n_batch=128, n_ubatch=64, n_gpu_layers=12), False),
        "/c\n": PairChoice(),
    },
    recent_files=["/x.gguf", "/é.gguf"],
    sampling=SamplingParams(
        temperature=0.0, seed=7, logit_bias={5: 1.5, 3: -2.0}, dry_sequence_breakers=("x",)
    ),
    system_prompt='Zeile 1\n"Zeile" 2 👩\u200d💻',
    max_tokens=77,
    conversation_id="abc",
    panel_visible=False,
    window={"geometry": "AdnQywAD"},
    unsent="half a thou",
    unsent_files=(Attachment("ä.txt", "ß\n"), Attachment("b.py", "")),
)


def write(paths: Paths, content: str | bytes) -> None:
    paths.settings.parent.mkdir(parents=True, exist_ok=True)
    paths.settings.write_bytes(content.encode() if isinstance(content, str) else content)


def damaged(paths: Paths) -> list[Path]:
    return list(paths.config.glob("settings.json.damaged-*"))


def test_without_a_file_there_are_defaults(store: FileStore) -> None:
    assert store.load_settings() == AppSettings()
    assert store.notices == ()


def test_settings_come_back(open_store: Callable[..., FileStore]) -> None:
    first = open_store()
    first.save_settings(FULL).result(5)
    first.close()
    second = open_store()
    assert second.load_settings() == FULL
    assert second.notices == ()


def test_settings_are_copied_when_saved(store: FileStore) -> None:
    mine = AppSettings(recent_files=["a"])
    future = store.save_settings(mine)
    mine.recent_files.append("b")
    future.result(5)
    assert store.load_settings().recent_files == ["a"]


def test_the_last_of_many_savings_wins_and_leaves_nothing_beside_it(store: FileStore, paths: Paths) -> None:
    for i in range(20):
        store.save_settings(AppSettings(max_tokens=i + 1))
    store.flush()
    assert store.load_settings().max_tokens == 20
    assert [p.name for p in paths.config.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    "content", ["{", "", "[1, 2]", "null", '"text"', b"\xff\xfe\x00", b"\x00" * 4096, "[" * 100_000]
)
def test_a_damaged_file_is_set_aside_and_mentioned(
    content: str | bytes, open_store: Callable[..., FileStore], paths: Paths
) -> None:
    write(paths, content)
    store = open_store()
    assert store.load_settings() == AppSettings()
    aside = damaged(paths)
    assert len(aside) == 1
    assert aside[0].read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert len(store.notices) == 1
    assert str(aside[0]) in store.notices[0].why
    store.save_settings(FULL).result(5)
    assert store.load_settings() == FULL


def test_two_damaged_files_are_both_kept(paths: Paths) -> None:
    for content in ("{1", "{2"):
        write(paths, content)
        SettingsFile(paths.settings).load()
    assert sorted(p.read_text() for p in damaged(paths)) == ["{1", "{2"]


@pytest.mark.parametrize(
    "wrong",
    [
        {"theme": 5},
        {"max_tokens": "many"},
        {"max_tokens": True},
        {"max_tokens": 1.5},
        {"panel_visible": 1},
        {"pair": "a.gguf"},
        {"pair": {"target_path": None}},
        {"recent_files": {"a": 1}},
        {"sampling": {"temperature": -1}},
        {"sampling": {"temperature": float("nan")}},
        {"sampling": {"temperature": 10**400}},
        {"sampling": {"top_k": 10**23}},
        {"sampling": {"seed": "x"}},
        {"sampling": []},
        {"window": [1]},
        {"pairs": []},
        {"unsent_files": [{"name": "a.txt"}]},
    ],
)
def test_a_value_that_makes_no_sense_costs_only_itself(wrong: dict[str, object], paths: Paths) -> None:
    write(paths, json.dumps({"system_prompt": "kept", **wrong}))
    file = SettingsFile(paths.settings)
    assert file.load() == AppSettings(system_prompt="kept")
    assert damaged(paths) == []


def test_a_number_that_the_library_cannot_hold_is_left_out(paths: Paths) -> None:
    write(paths, json.dumps({"pairs": {"a": {"settings": {"n_ctx": 10**23, "n_threads": 3}}}}))
    loaded = SettingsFile(paths.settings).load()
    assert loaded.pairs == {"a": PairChoice(PairSettings(n_threads=3))}


def test_good_values_beside_bad_ones_are_kept_within_one_object(paths: Paths) -> None:
    pair = {"settings": {"n_ctx": 8, "n_batch": 64, "n_ubatch": 32, "type_k": "q9"}, "speculation_on": False}
    write(
        paths,
        json.dumps(
            {
                "sampling": {"temperature": 0.1, "top_p": 7, "seed": 3},
                "pairs": {"good": pair, "bad": 5},
                "recent_files": ["a", 1, "b"],
                "window": {"a": "1", "b": 2},
            }
        ),
    )
    loaded = SettingsFile(paths.settings).load()
    assert loaded.sampling == SamplingParams(temperature=0.1, seed=3)
    # Both batch sizes lie below the default of the other: they are only valid together.
    assert loaded.pairs == {"good": PairChoice(PairSettings(n_batch=64, n_ubatch=32), False)}
    assert loaded.recent_files == ["a", "b"]
    assert loaded.window == {"a": "1"}


def test_what_a_newer_version_wrote_is_kept(open_store: Callable[..., FileStore], paths: Paths) -> None:
    write(paths, json.dumps({"theme": "dark", "new_feature": {"deep": [1, None]}}))
    store = open_store()
    loaded = store.load_settings()
    assert loaded == AppSettings(theme="dark")
    loaded.theme = "light"
    store.save_settings(loaded).result(5)
    data = json.loads(paths.settings.read_text())
    assert (data["theme"], data["new_feature"]) == ("light", {"deep": [1, None]})


def test_an_editors_byte_order_mark_is_no_damage(paths: Paths) -> None:
    write(paths, b"\xef\xbb\xbf" + b'{"theme": "dark"}')
    assert SettingsFile(paths.settings).load().theme == "dark"


def test_what_cannot_be_read_is_not_overwritten(paths: Paths) -> None:
    paths.settings.mkdir(parents=True)
    file = SettingsFile(paths.settings)
    assert file.load() == AppSettings()
    assert len(file.notices) == 1
    with pytest.raises(EnvironmentProblem, match="not saved"):
        file.write(file.dump(FULL))
    assert paths.settings.is_dir()


def test_a_failed_saving_leaves_the_old_file_and_nothing_else(
    paths: Paths, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SettingsFile(paths.settings)
    file.write(file.dump(FULL))

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.storage.settings.os.fsync", full)
    with pytest.raises(EnvironmentProblem) as caught:
        file.write(file.dump(AppSettings()))
    assert caught.value.code == "disk-full"
    assert file.load() == FULL
    assert [p.name for p in paths.config.iterdir()] == ["settings.json"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["n_ctx", "n_batch", "n_ubatch", "temperature", "settings", "target_path", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from([*AppSettings.__dataclass_fields__, "other"]), JSON))
def test_no_content_makes_loading_fail_and_what_is_loaded_can_be_saved(
    paths: Paths, data: dict[str, object]
) -> None:
    write(paths, json.dumps(data))
    file = SettingsFile(paths.settings)
    loaded = file.load()
    file.write(file.dump(loaded))
    assert SettingsFile(paths.settings).load() == loaded
    assert damaged(paths) == []
