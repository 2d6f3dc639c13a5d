"""What goes with a message before it is sent: files, saved texts, its size, and room in the context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMenu

from app.core.context import summary_of
from app.core.conversation import USER, Attachment, Message
from app.core.events import Problem
from app.services.app_state import AppState
from app.services.attachments import AttachmentReader
from app.services.chat_session import ChatSession
from app.services.context_room import FITS, TOO_LONG, ContextRoom
from app.services.context_summary import Summariser
from app.services.context_watch import ContextFigures, ContextWatch
from app.services.engine_controller import EngineController
from app.ui.chat.chat_view import ChatView
from app.ui.chat.snippets_dialog import SnippetsDialog

_SHOWN_NAME = 60


class DraftBinder(QObject):
    """`problem` is a card for the conversation; `figures_changed` what the meter shows."""

    problem = Signal(object)
    figures_changed = Signal(object)

    def __init__(
        self,
        view: ChatView,
        session: ChatSession,
        engine: EngineController,
        state: AppState,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._view, self._session, self._state = view, session, state
        self._composer = view.composer
        self._reader = AttachmentReader(self)
        self._watch = ContextWatch(session, engine, state, self)
        self._room = ContextRoom(self._watch, session, engine, state)
        self._summariser = Summariser(engine, state, self)
        self._files: QFileDialog | None = None
        self._send: Callable[[], None] | None = None  # what waits for the choice
        self._asked: tuple[str, tuple[Attachment, ...]] = ("", ())  # what the choice was asked for
        self._summarised: Message | None = None

        composer = self._composer
        composer.history.messages = self._sent
        composer.fill_snippets = self._fill_snippets
        composer.attach_requested.connect(self.ask_files)
        composer.files_given.connect(self._reader.read)
        composer.draft_changed.connect(self._on_draft)
        composer.stopped.connect(self._summariser.stop)
        view.files_dropped.connect(self._reader.read)
        self._reader.found.connect(composer.attach)
        self._reader.refused.connect(composer.refuse)
        self._watch.changed.connect(self._on_figures)
        self._watch.attachment_counted.connect(composer.chips.set_tokens)
        choice = view.context_choice
        choice.trim.connect(self._trim)
        choice.summarise.connect(self._summarise)
        choice.left.connect(self._leave)
        self._summariser.done.connect(self._on_summary)
        self._summariser.failed.connect(self._on_no_summary)
        session.conversation_opened.connect(self._forget)

    @property
    def watch(self) -> ContextWatch:
        return self._watch

    def finish(self) -> None:
        """Nothing is read or counted any more."""
        self._reader.finish()
        self._watch.close()

    # -- sending ----------------------------------------------------------------------------------------

    def when_it_fits(self, send: Callable[[], None]) -> None:
        """Call `send` if there is room in the context; else ask what to do, and call it afterwards."""
        text, files = self._draft()
        self._room.check(text, files, partial(self._on_checked, text, files, send))

    def _on_checked(
        self, text: str, files: tuple[Attachment, ...], send: Callable[[], None], found: str
    ) -> None:
        if (text, files) != self._draft():
            # It was changed while it was counted; Enter is pressed again when it is done.
            return
        if found == FITS:
            send()
        elif found == TOO_LONG:
            self._composer.refuse(
                self.tr("Too long for the model's context. Shorten it, or raise the context in the settings.")
            )
        else:
            self._send, self._asked = send, (text, files)
            self._view.context_choice.ask()

    def _trim(self) -> None:
        self._chosen()
        self._find_cut(self._on_cut)

    def _on_cut(self, last: Message | None) -> None:
        if last is None:
            self._give_up()
            return
        self._session.leave_out(last.id, "")
        self._send_now()

    def _summarise(self) -> None:
        self._chosen()
        self._find_cut(self._on_summary_cut)

    def _on_summary_cut(self, last: Message | None) -> None:
        current = self._session.current
        path = current.path() if current is not None else []
        if last is None or last not in path:
            self._give_up()
            return
        told = path[: path.index(last) + 1]
        before = ""
        for i in range(len(told) - 1, -1, -1):
            if before := summary_of(told[i]):
                told = told[i + 1 :]
                break
        self._summarised = last
        if self._summariser.start(told, before):
            self._composer.set_busy(self.tr("Summarising the oldest messages; Esc stops"))
            self._composer.setFocus()
        else:
            self._give_up()

    def _on_summary(self, summary: str) -> None:
        self._composer.set_busy("")
        last, self._summarised = self._summarised, None
        if last is not None:
            self._session.leave_out(last.id, summary)
            self._send_now()

    def _on_no_summary(self, problem: Problem | None) -> None:
        self._composer.set_busy("")
        self._summarised = None
        if self._send is not None:
            # Nothing has been sent; the text is still there.
            self._view.context_choice.ask()
        if problem is not None:
            self.problem.emit(problem)

    def _find_cut(self, then: Callable[[Message | None], None]) -> None:
        self._room.find_cut(self._composer.text(), self._composer.attachments, then)

    def _send_now(self) -> None:
        send, self._send = self._send, None
        self._composer.setFocus()
        # Whoever has written on meanwhile sends it when it is done.
        if send is not None and self._draft() == self._asked:
            send()

    def _draft(self) -> tuple[str, tuple[Attachment, ...]]:
        return self._composer.text(), self._composer.attachments

    def _chosen(self) -> None:
        """The choice holds for what is written now."""
        self._view.context_choice.hide()
        if self._draft() != self._asked:
            self._send, self._asked = self._composer.submit, self._draft()

    def _leave(self) -> None:
        self._forget()
        self._composer.refuse(self.tr("Not sent: it does not fit into the context."))
        self._composer.setFocus()

    def _give_up(self) -> None:
        self._forget()
        self._composer.refuse(self.tr("The size of the conversation could not be counted. Try again."))
        self._composer.setFocus()

    def _forget(self) -> None:
        self._send = self._summarised = None
        self._view.context_choice.hide()
        self._summariser.stop()

    # -- files, saved texts, figures --------------------------------------------------------------------

    def ask_files(self) -> QFileDialog:
        """Let the user choose text files; the window goes on meanwhile."""
        if self._files is None:
            self._files = QFileDialog(self._view.window(), self.tr("Attach text files"))
            self._files.setFileMode(QFileDialog.FileMode.ExistingFiles)
            self._files.filesSelected.connect(self._reader.read)
        self._files.open()
        return self._files

    def edit_snippets(self, text: str = "") -> SnippetsDialog:
        """The saved texts, maybe with a new one to name."""
        dialog = SnippetsDialog(self._state.settings.snippets, self._view.window())
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.saved.connect(lambda snippets: self._state.update(snippets=snippets))
        if text:
            dialog.add("", text)
        dialog.open()
        return dialog

    def _fill_snippets(self, menu: QMenu) -> None:
        for name, text in self._state.settings.snippets.items():
            shown = name if len(name) <= _SHOWN_NAME else f"{name[:_SHOWN_NAME]}…"
            menu.addAction(shown.replace("&", "&&"), partial(self._composer.insert, text))
        if menu.actions():
            menu.addSeparator()
        keep = menu.addAction(
            self.tr("Save this message…"), lambda: self.edit_snippets(self._composer.text()) and None
        )
        keep.setEnabled(bool(self._composer.text().strip()))
        menu.addAction(self.tr("Edit saved texts…"), lambda: self.edit_snippets() and None)

    def _sent(self) -> Sequence[str]:
        current = self._session.current
        return [m.text for m in current.path() if m.role == USER] if current is not None else []

    def _on_draft(self) -> None:
        self._watch.set_draft(self._composer.text(), self._composer.attachments)

    def _on_figures(self, figures: ContextFigures) -> None:
        self._composer.set_tokens(figures.message, figures.prompt)
        self.figures_changed.emit(figures)
