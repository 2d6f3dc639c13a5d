"""What goes with a message before it is sent: files, saved texts, its size, and room in the context."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFileDialog, QMenu

from app.core.context import summary_of
from app.core.conversation import USER, Attachment, ConversationSummary, Message
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
from app.ui.chat.wish import Draft, Wish

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
        self._room = ContextRoom(self._watch, engine, state)
        self._summariser = Summariser(engine, state, self)
        self._files: QFileDialog | None = None
        self._wish: Wish | None = None  # what is counted, or waits for the choice
        self._asked: Draft = ("", ())  # what the choice was asked for
        self._summarised: Message | None = None

        composer = self._composer
        composer.history.messages = self._sent
        composer.fill_snippets = self._fill_snippets
        composer.attach_requested.connect(self.ask_files)
        composer.files_given.connect(self._read)
        composer.draft_changed.connect(self._on_draft)
        composer.stopped.connect(self._summariser.stop)
        view.files_dropped.connect(self._read)
        self._reader.found.connect(self._on_file)
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
        session.branch_changed.connect(self._on_branch)

    @property
    def watch(self) -> ContextWatch:
        return self._watch

    def finish(self) -> None:
        """Nothing is read or counted any more."""
        self._reader.finish()
        self._watch.close()

    # -- sending ----------------------------------------------------------------------------------------

    def when_it_fits(self, wish: Wish) -> None:
        """Send it if there is room in the context; else ask what to do, and send it afterwards."""
        self._forget()
        self._wish, self._asked = wish, wish.draft()
        self._room.check(wish.asked(), partial(self._on_checked, wish))

    def _on_checked(self, wish: Wish, found: str) -> None:
        if wish is not self._wish:
            # Another conversation or another wish took its place.
            return
        if wish.draft() != self._asked:
            # It was changed while it was counted; Enter is pressed again when it is done.
            self._wish = None
        elif found == FITS:
            self._wish = None
            wish.send()
        elif found == TOO_LONG:
            self._wish = None
            self._composer.refuse(
                self.tr("Too long for the model's context. Shorten it, or raise the context in the settings.")
                if wish.writes
                else self.tr("The model's context has no room for it. Raise the context in the settings.")
            )
        else:
            self._view.context_choice.ask()

    def _trim(self) -> None:
        self._find_cut(self._on_cut)

    def _on_cut(self, _wish: Wish, last: Message | None) -> None:
        if last is None:
            self._give_up()
            return
        self._session.leave_out(last.id, "")
        self._send_now()

    def _summarise(self) -> None:
        self._find_cut(self._on_summary_cut)

    def _on_summary_cut(self, wish: Wish, last: Message | None) -> None:
        path = wish.asked().before
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
        if self._wish is not None:
            # Nothing has been sent; the text is still there.
            self._view.context_choice.ask()
        if problem is not None:
            self.problem.emit(problem)

    def _find_cut(self, then: Callable[[Wish, Message | None], None]) -> None:
        """For what is written now: the choice holds for that."""
        self._view.context_choice.hide()
        wish = self._wish
        if wish is not None:
            self._asked = wish.draft()
            self._room.find_cut(wish.asked(), partial(self._on_found, wish, then))

    def _on_found(
        self, wish: Wish, then: Callable[[Wish, Message | None], None], last: Message | None
    ) -> None:
        if wish is self._wish:
            then(wish, last)

    def _send_now(self) -> None:
        wish, self._wish = self._wish, None
        self._composer.setFocus()
        # Whoever has written on meanwhile sends it when it is done.
        if wish is not None and wish.draft() == self._asked:
            wish.send()

    def _leave(self) -> None:
        self._forget()
        self._composer.refuse(self.tr("Not sent: it does not fit into the context."))
        self._composer.setFocus()

    def _give_up(self) -> None:
        self._forget()
        self._composer.refuse(self.tr("The size of the conversation could not be counted. Try again."))
        self._composer.setFocus()

    def _forget(self) -> None:
        self._wish = self._summarised = None
        self._view.context_choice.hide()
        self._summariser.stop()

    def _on_branch(self) -> None:
        """What is about a message goes with it when that is deleted."""
        current, wish = self._session.current, self._wish
        if wish is not None and wish.message_id and (not current or wish.message_id not in current.messages):
            self._forget()

    # -- files, saved texts, figures --------------------------------------------------------------------

    def ask_files(self) -> QFileDialog:
        """Let the user choose text files; the window goes on meanwhile."""
        if self._files is None:
            self._files = QFileDialog(self._view.window(), self.tr("Attach text files"))
            self._files.setFileMode(QFileDialog.FileMode.ExistingFiles)
            self._files.filesSelected.connect(self._read)
        self._files.open()
        return self._files

    def _read(self, paths: Sequence[str]) -> None:
        """For the conversation on screen now, whichever that is when they have been read."""
        current = self._session.current
        self._reader.read(paths, current.summary if current is not None else None)

    def _on_file(self, attachment: Attachment, place: ConversationSummary | None) -> None:
        if not self._session.attach_unsent(place, attachment):
            self._composer.attach(attachment)

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
