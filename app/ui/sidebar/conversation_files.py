"""Asks where conversations go to or come from, and tells what came of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import PurePath

from PySide6.QtCore import QDir, QObject, QStandardPaths
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from app.core.events import Problem
from app.services.chat_session import ChatSession
from app.services.transfer.exporter import HTML, JSON, MARKDOWN
from app.services.transfer.importer import Imported
from app.ui.language import translated
from app.ui.sidebar.notice_strip import NoticeStrip

_NO_FILE_NAME = re.compile(r'[\x00-\x1f<>:"/\\|?*]+')
_LONGEST_NAME = 80


class ConversationFiles(QObject):
    """One file is imported at a time; its progress, and every result, is shown in the strip."""

    def __init__(self, strip: NoticeStrip, session: ChatSession, parent: QWidget) -> None:
        super().__init__(parent)
        self._window = parent
        self._strip = strip
        self._session = session
        self._report = ""
        self._name = ""
        exporter, importer = session.exporter, session.importer
        exporter.done.connect(self._on_exported)
        exporter.problem.connect(self._on_problem)
        importer.progress.connect(self._on_progress)
        importer.done.connect(self._on_imported)
        importer.problem.connect(self._on_problem)
        strip.acted.connect(self._on_acted)

    def export(self, conversation_id: str, kind: str = "") -> QFileDialog | None:
        """Ask for a place and write the file; `kind` is its ending, by default the dialog's to choose.

        None when there is no such conversation.
        """
        summary = self._session.library.find(conversation_id)
        if summary is None:
            return None
        return self._ask_place([conversation_id], file_name(summary.title), kind)

    def export_all(self) -> QFileDialog:
        """Everything, as JSON."""
        ids = [s.id for s in self._session.conversations]
        return self._ask_place(ids, "Slipstream", JSON)

    def ask_import(self) -> QFileDialog:
        """Ask for a file of ours or of ChatGPT's, and read it."""
        dialog = QFileDialog(self._window, self.tr("Import conversations"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Slipstream or ChatGPT (*.json *.zip)"), self.tr("All files (*)")])
        return self._open(dialog, self.import_file)

    def import_file(self, path: str) -> None:
        self._name = PurePath(path).name
        if self._session.importer.start(path):
            self._on_progress(0.0)

    def _ask_place(self, ids: list[str], name: str, kind: str) -> QFileDialog:
        filters = {
            MARKDOWN: self.tr("Markdown (*.md)"),
            HTML: self.tr("Web page (*.html)"),
            JSON: self.tr("JSON (*.json)"),
        }
        offered = {k: text for k, text in filters.items() if k == kind} or filters
        dialog = QFileDialog(self._window, self.tr("Export"))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setNameFilters(list(offered.values()))
        kinds = {text: k for k, text in offered.items()}
        dialog.setDefaultSuffix(next(iter(offered)))
        dialog.filterSelected.connect(lambda text: dialog.setDefaultSuffix(kinds.get(text, JSON)))
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        dialog.setDirectory(folder if folder and QDir(folder).exists() else QDir.homePath())
        # The ending follows the format that is chosen.
        dialog.selectFile(name.replace(".", " "))
        return self._open(dialog, lambda path: self._session.exporter.export(ids, path))

    def _open(self, dialog: QFileDialog, then: Callable[[str], object]) -> QFileDialog:
        dialog.fileSelected.connect(then)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def _on_exported(self, path: str) -> None:
        self._report = ""
        self._strip.show_text(self.tr("Saved as {name}").format(name=PurePath(path).name))

    def _on_progress(self, fraction: float) -> None:
        text = self.tr("Importing {name} …").format(name=self._name)
        self._strip.show_progress(text, fraction, self.tr("Stop"))

    def _on_imported(self, imported: Imported) -> None:
        count, failed = len(imported.summaries), imported.failed
        said = [
            self.tr("1 conversation was imported.")
            if count == 1
            else self.tr("{n} conversations were imported.").format(n=count)
        ]
        if imported.stopped:
            said.append(self.tr("The rest of the file was left out."))
        if failed:
            said.append(
                self.tr("1 could not be read.")
                if len(failed) == 1
                else self.tr("{n} could not be read.").format(n=len(failed))
            )
        self._report = "\n".join(failed)
        action = self.tr("Copy what failed") if failed else ""
        self._strip.show_text(" ".join(said), action, lasting=bool(failed))

    def _on_problem(self, problem: Problem) -> None:
        said = [translated(part) for part in (problem.what, problem.why, problem.remedy) if part]
        self._report = problem.details
        action = self.tr("Copy the report") if problem.details else ""
        self._strip.show_text(" ".join(said), action, lasting=True)

    def _on_acted(self) -> None:
        if self._session.importer.running:
            self._session.importer.stop()
        else:
            QGuiApplication.clipboard().setText(self._report)
            self._strip.show_text(self.tr("Copied"))


def file_name(title: str) -> str:
    """The title as every system takes it as the name of a file, without an ending."""
    name = " ".join(_NO_FILE_NAME.sub(" ", title).split())[:_LONGEST_NAME].strip(". ")
    return name or "Conversation"
