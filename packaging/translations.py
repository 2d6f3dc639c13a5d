"""Take the texts of the program over into `resources/translations/*.ts`, and compile them: run by path.

How texts are written is said in `app/ui/language.py`. Translations that exist are kept; texts that are gone
from the program go from the files. Exit code 1 while something is untranslated.
"""

from __future__ import annotations

import ast
import re
import string
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "translations"
SAID_CONTEXT = "Said"


@dataclass(frozen=True, slots=True, order=True)
class Text:
    """A text of the source, and the context in which Qt looks it up."""

    context: str
    source: str


@dataclass(slots=True)
class Catalogue:
    """One .ts file: translations by text, empty while there is none."""

    language: str
    texts: dict[Text, str] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Catalogue:
        root = ET.parse(path).getroot()
        found = cls(root.get("language", ""))
        for context in root.iter("context"):
            name = context.findtext("name", "")
            for message in context.iter("message"):
                text = Text(name, message.findtext("source", ""))
                found.texts[text] = message.findtext("translation") or ""
        return found

    def write(self, path: Path) -> None:
        """Sorted, so that two versions compare line by line."""
        root = ET.Element("TS", version="2.1", language=self.language, sourcelanguage="en")
        contexts: dict[str, ET.Element] = {}
        for text in sorted(self.texts):
            if text.context not in contexts:
                contexts[text.context] = ET.SubElement(root, "context")
                ET.SubElement(contexts[text.context], "name").text = text.context
            message = ET.SubElement(contexts[text.context], "message")
            ET.SubElement(message, "source").text = text.source
            translation = ET.SubElement(message, "translation")
            translation.text = self.texts[text]
            if not self.texts[text]:
                translation.set("type", "unfinished")
        ET.indent(root, "    ")
        body = ET.tostring(root, encoding="unicode")
        path.write_text(
            f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8", newline="\n"
        )

    def update(self, texts: set[Text]) -> None:
        self.texts = {text: self.texts.get(text, "") for text in texts}

    def missing(self) -> list[Text]:
        return sorted(text for text, translation in self.texts.items() if not translation)

    def wrong(self) -> list[Text]:
        """Translations that lack a place of their text, or have one too many."""
        return sorted(t for t, to in self.texts.items() if to and places(t.source) != places(to))


def places(text: str) -> list[str]:
    """The names in braces with their formats, and `%1`, sorted; ValueError for a stray brace."""
    braces = [f"{name}:{spec}" for _, name, spec, _ in string.Formatter().parse(text) if name is not None]
    return sorted(braces + re.findall(r"%\d", text))


def texts_of_program(folder: Path = ROOT / "app") -> set[Text]:
    """Every text that is looked up in a translation. ValueError names one that is not a literal."""
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))}
    named = {_module(path, folder): _translating(tree) for path, tree in trees.items()}
    found: set[Text] = set()
    for path, tree in trees.items():
        contexts = dict(named[_module(path, folder)])
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in named:
                for alias in node.names:
                    if alias.name in named[node.module]:
                        contexts[alias.asname or alias.name] = named[node.module][alias.name]
            if isinstance(node, ast.ImportFrom) and node.module == "app.core.wording":
                contexts.update({a.asname or a.name: SAID_CONTEXT for a in node.names if a.name == "say"})
        try:
            found.update(_texts(tree, "", contexts))
        except ValueError as error:
            raise ValueError(f"{path.relative_to(folder)}: {error}") from None
    return found


def _module(path: Path, folder: Path) -> str:
    return ".".join((folder.name, *path.relative_to(folder).with_suffix("").parts))


def _translating(tree: ast.Module) -> dict[str, str]:
    """Functions that pass their one argument to `translate`, and the context they pass it with."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and len(node.args.args) == 1 and len(node.body) == 1:
            (only,) = node.body
            if isinstance(only, ast.Return) and _is_translate(only.value):
                context, text = only.value.args  # type: ignore[union-attr]
                if isinstance(context, ast.Constant) and isinstance(text, ast.Name):
                    found[node.name] = str(context.value)
    return found


def _is_translate(node: ast.AST | None) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "translate"
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in ("QCoreApplication", "QApplication")
    )


def _texts(node: ast.AST, owner: str, contexts: dict[str, str]) -> Iterator[Text]:
    """Depth first; `owner` is the innermost class around."""
    if isinstance(node, ast.ClassDef):
        owner = node.name
    if isinstance(node, ast.FunctionDef) and node.name in contexts and _translating(_alone(node)):
        return
    if isinstance(node, ast.Call):
        if _is_translate(node) and isinstance(node.args[0], ast.Constant):
            yield Text(str(node.args[0].value), _literal(node.args[1]))
        elif isinstance(node.func, ast.Name) and node.func.id in contexts:
            yield Text(contexts[node.func.id], _literal(node.args[0]))
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "tr":
            if not (isinstance(node.func.value, ast.Name) and node.func.value.id == "self" and owner):
                raise ValueError(f"line {node.lineno}: tr() is called on something other than self")
            yield Text(owner, _literal(node.args[0]))
    for child in ast.iter_child_nodes(node):
        yield from _texts(child, owner, contexts)


def _alone(node: ast.FunctionDef) -> ast.Module:
    return ast.Module(body=[node], type_ignores=[])


def _literal(node: ast.AST) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError(f"line {getattr(node, 'lineno', 0)}: only a literal can be translated")


def compile_catalogue(path: Path) -> Path:
    """The .qm file beside a .ts file, made by Qt's own compiler. OSError when there is none."""
    import PySide6

    tool = Path(PySide6.__file__).parent / ("lrelease.exe" if sys.platform == "win32" else "lrelease")
    target = path.with_suffix(".qm")
    done = subprocess.run(
        [str(tool), "-silent", "-removeidentical", str(path), "-qm", str(target)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise OSError(f"{tool.name} failed: {done.stdout}{done.stderr}")
    return target


def main() -> int:
    texts = texts_of_program()
    bad = 0
    for path in sorted(FOLDER.glob("*.ts")):
        catalogue = Catalogue.read(path)
        catalogue.update(texts)
        catalogue.write(path)
        for text in catalogue.missing():
            print(f"{path.name}: not translated: {text.context}: {text.source!r}")
        for text in catalogue.wrong():
            print(f"{path.name}: places differ: {text.context}: {text.source!r}")
        bad += len(catalogue.missing()) + len(catalogue.wrong())
        compile_catalogue(path)
    print(f"{len(texts)} texts, {bad} to do")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
