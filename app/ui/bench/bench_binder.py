"""Connects the benchmark page to its services, and takes the centre of the window for it and back."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QStackedWidget

from app.core.bench import BenchEntry, BenchProgress, BenchRequest
from app.core.events import Problem
from app.services.app_state import AppState
from app.services.bench_session import BenchSession
from app.ui.bench.bench_view import BenchView
from app.ui.bench.words import date_of
from app.ui.chat.text_view import copy_text
from app.ui.language import translated

Save = Callable[[str], bool]


class BenchBinder(QObject):
    """`left` follows when the chat is back; `action_requested` carries what a card's button asks for."""

    left = Signal()
    action_requested = Signal(str)

    def __init__(
        self, pages: QStackedWidget, session: BenchSession, state: AppState, parent: QObject | None = None
    ) -> None:
        """`pages` shows the chat first; the benchmark page is added to it."""
        super().__init__(parent)
        self._pages = pages
        self._session = session
        self._state = state
        self._dialog: QFileDialog | None = None
        self.view = view = BenchView()
        pages.addWidget(view)

        view.back_requested.connect(self.leave)
        view.action_requested.connect(self.action_requested)
        view.setup.run_requested.connect(self._run)
        view.setup.file_requested.connect(self.ask_prompts)
        view.running.cancelled.connect(self._cancel)
        view.history.opened.connect(session.open)
        view.history.delete_requested.connect(session.delete)
        view.history.undo_requested.connect(session.undo_delete)
        view.toast.undone.connect(session.undo_delete)
        view.result.use_requested.connect(self._use)
        view.result.copy_requested.connect(self.copy_report)
        view.result.picture_requested.connect(self.ask_picture)
        view.result.csv_requested.connect(self.ask_csv)
        view.result.json_requested.connect(self.ask_json)

        session.progressed.connect(self._on_progress)
        session.running_changed.connect(self._on_running)
        session.availability_changed.connect(self._show_availability)
        session.record_changed.connect(self._on_record)
        session.history_changed.connect(self._on_history)
        session.deleted.connect(self._on_deleted)
        session.problem.connect(view.add_problem)
        state.settings_changed.connect(self._show_used)
        state.pair_changed.connect(self._on_pair)
        self._on_pair()
        self._show_availability()
        self._on_history()

    @property
    def shown(self) -> bool:
        return self._pages.currentWidget() is self.view

    def toggle(self) -> None:
        if self.shown:
            self.leave()
        else:
            self.show()

    def show(self) -> None:
        """Take the place of the chat."""
        self._pages.setCurrentWidget(self.view)
        self.view.focus_first()

    def leave(self) -> None:
        """Give the place back; a benchmark that runs goes on."""
        if self.shown:
            self._pages.setCurrentIndex(0)
            self.left.emit()

    # -- files ------------------------------------------------------------------------------------------

    def copy_report(self) -> None:
        record = self._session.record
        if record is not None:
            copy_text(record.report)

    def ask_prompts(self) -> QFileDialog:
        """Let the user choose a file with prompts."""
        dialog = self._open_dialog(self.tr("Choose a file with prompts"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters(
            [self.tr("Text and JSON lines (*.txt *.jsonl *.json)"), self.tr("All files (*)")]
        )
        dialog.fileSelected.connect(self.view.setup.set_file)
        dialog.open()
        return dialog

    def ask_picture(self) -> QFileDialog:
        return self._ask_save(self.tr("Save picture"), "png", self._save_picture)

    def ask_csv(self) -> QFileDialog:
        record = self._session.record
        return self._ask_save(self.tr("Save CSV"), "csv", _saver(record.table if record is not None else ""))

    def ask_json(self) -> QFileDialog:
        record = self._session.record
        text = record.document + "\n" if record is not None else ""
        return self._ask_save(self.tr("Save JSON"), "json", _saver(text))

    def _ask_save(self, title: str, ending: str, save: Save) -> QFileDialog:
        record = self._session.record
        created = record.created if record is not None else 0.0
        dialog = self._open_dialog(title)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(ending)
        dialog.setNameFilters([f"{ending.upper()} (*.{ending})"])
        stamp = datetime.fromtimestamp(created).strftime("%Y%m%d-%H%M")
        dialog.selectFile(f"slipstream-bench-{stamp}.{ending}")
        dialog.fileSelected.connect(lambda path: self._save(path, save))
        dialog.open()
        return dialog

    def _open_dialog(self, title: str) -> QFileDialog:
        if self._dialog is not None:
            self._dialog.close()
            self._dialog.deleteLater()
        self._dialog = QFileDialog(self.view, title)
        return self._dialog

    def _save(self, path: str, save: Save) -> None:
        reason = ""
        try:
            saved = save(path)
        except OSError as error:
            saved, reason = False, error.strerror or ""
        if saved:
            return
        self.view.add_problem(
            Problem(
                self.tr("“%1” could not be saved.").replace("%1", Path(path).name),
                reason,
                self.tr("Choose another folder."),
                "not-saved",
            )
        )

    def _save_picture(self, path: str) -> bool:
        return self.view.result.picture().save(path)

    # -- what the user asks for -------------------------------------------------------------------------

    def _run(self, request: BenchRequest) -> None:
        self._session.run(request)

    def _cancel(self) -> None:
        self._session.cancel()
        self.view.running.set_stopping()

    def _use(self) -> None:
        self._session.use_recommended()
        self._show_used()

    # -- what happens -----------------------------------------------------------------------------------

    def _on_progress(self, progress: BenchProgress) -> None:
        running = self.view.running
        running.set_progress(progress, self._session.seconds_left())
        if progress.finished is not None:
            running.set_tally(self._session.tally)
        if self._session.stopping:
            running.set_stopping()

    def _on_running(self, running: bool) -> None:
        self.view.set_running(running)
        self._show_availability()

    def _on_record(self) -> None:
        record = self._session.record
        self.view.show_record(record)
        if record is not None:
            self._show_used()
            self.view.show_result()
        self._on_history()

    def _on_history(self) -> None:
        self.view.history.set_entries(self._session.entries, self._session.record_id)

    def _on_deleted(self, entry: BenchEntry) -> None:
        self.view.toast.show_text(
            self.tr("The benchmark of %1 was deleted").replace("%1", date_of(entry.created))
        )

    def _on_pair(self) -> None:
        settings = self._state.choice().settings
        self.view.setup.set_length(settings.draft_n_max, False)

    def _show_availability(self) -> None:
        self.view.setup.set_reason(translated(self._session.why_not()))
        self.view.setup.set_longest(self._session.longest_draft)

    def _show_used(self) -> None:
        self.view.result.set_used(self._session.uses_recommended())


def _saver(text: str) -> Save:
    def save(path: str) -> bool:
        Path(path).write_text(text, "utf-8", newline="\n")
        return True

    return save
