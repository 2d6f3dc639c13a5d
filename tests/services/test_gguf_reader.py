"""The library reads real headers: kinds, facts, and which sidecar fits."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from gguf import GGUFWriter

from app.core.errors import EnvironmentProblem
from app.services.app_state import AppState
from app.services.gguf_reader import GgufReader
from app.services.model_files import OTHER, SIDECAR, TARGET
from app.services.model_scanner import ModelScanner, default_folders
from tests.fakes import MemoryStore
from tests.models import SidecarSpec, TargetSpec, make_sidecar, make_target
from tests.services.conftest import spin


def projector(path: Path) -> Path:
    writer = GGUFWriter(str(path), "clip")
    writer.add_type("mmproj")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_facts_of_target_and_sidecars(tiny_target: Path, tiny_sidecars: dict[str, Path]) -> None:
    reader = GgufReader()
    target = reader.read(str(tiny_target))
    assert (target.kind, target.name, target.architecture) == (TARGET, "tiny-target", "llama")
    assert (target.n_ctx_train, target.quantisation) == (4096, "F32")
    for algorithm, path in tiny_sidecars.items():
        sidecar = reader.read(str(path))
        assert (sidecar.kind, sidecar.algorithm, sidecar.block_size) == (SIDECAR, algorithm, 8)
        assert reader.fit(str(tiny_target), str(path)) is None


def test_projector_is_left_out_with_its_reason(tmp_path: Path) -> None:
    file = GgufReader().read(str(projector(tmp_path / "mmproj-model.gguf")))
    assert file.kind == OTHER
    assert file.reason is not None
    assert "pictures" in file.reason.why


def test_damaged_file_is_refused(tiny_target: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.gguf"
    short.write_bytes(tiny_target.read_bytes()[:5000])
    with pytest.raises(EnvironmentProblem):
        GgufReader().read(str(short))


def test_target_that_was_replaced_is_read_again(
    tiny_target: Path, tiny_sidecars: dict[str, Path], tmp_path: Path
) -> None:
    target = tmp_path / "target.gguf"
    sidecar = str(tiny_sidecars["DFlash"])
    shutil.copy(tiny_target, target)
    reader = GgufReader()
    assert reader.fit(str(target), sidecar) is None
    make_target(target, TargetSpec(n_layer=2))
    problem = reader.fit(str(target), sidecar)
    assert problem is not None, "it taps a layer that the new target does not have"
    assert "layer" in f"{problem.what} {problem.why}"


def test_a_folder_of_real_files(tiny_target: Path, tiny_sidecars: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "Мои модели"
    folder.mkdir()
    target = Path(shutil.copy(tiny_target, folder))
    for path in tiny_sidecars.values():
        shutil.copy(path, folder)
    other = TargetSpec(n_layer=8)
    make_sidecar(folder / "a-foreign.gguf", SidecarSpec(target=other, target_layers=(0, 6, 7)))
    projector(folder / "mmproj.gguf")
    state = AppState(MemoryStore())
    scanner = ModelScanner(state, [folder], own_folders=[])
    scanner.start()
    assert spin(lambda: scanner.scanned)
    assert [f.path for f in scanner.targets()] == [str(target)]
    assert spin(lambda: all(c.fits is not None for c in scanner.sidecars(str(target))))
    choices = scanner.sidecars(str(target))
    assert [c.fits for c in choices] == [True, True, True, False]
    assert choices[-1].file.name == "a-foreign"
    assert choices[-1].problem is not None
    assert choices[-1].problem.what
    assert [os.path.basename(f.path) for f in scanner.left_out()] == ["mmproj.gguf"]
    assert scanner.targets_for(str(folder / "tiny-dflash.gguf")) == scanner.targets()
    scanner.stop()


def test_folders_of_the_program_are_known(default_pair: tuple[Path, Path]) -> None:
    assert {path.parent for path in default_pair} <= set(default_folders())
