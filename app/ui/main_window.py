"""The main window: puts the parts together and connects them to the services."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QByteArray, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QKeyEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QMainWindow

from app.core.events import Problem
from app.core.settings import Pair
from app.services.app_state import AppState
from app.services.bench_session import BenchSession
from app.services.chat_session import ChatSession
from app.services.engine_controller import EngineController
from app.services.live_stats import LiveStats
from app.services.model_scanner import ModelScanner
from app.ui import theme
from app.ui.bench.bench_binder import BenchBinder
from app.ui.chat import highlight, problem_card
from app.ui.chat.chat_binder import ChatBinder
from app.ui.chat.chat_view import ChatView
from app.ui.chat.draft_binder import DraftBinder
from app.ui.command_palette import CommandPalette, Entry
from app.ui.commands import command_groups
from app.ui.dialogs.settings_dialog import SettingsDialog
from app.ui.dialogs.shortcuts_dialog import native_keys
from app.ui.drop_hint import DropHint, model_paths
from app.ui.file_opener import FileOpener
from app.ui.first_run_binder import FirstRunBinder
from app.ui.icons import IconButton
from app.ui.pair_bar import PairBar
from app.ui.pair_binder import PairBinder
from app.ui.prompt_binder import PromptBinder
from app.ui.reply_notifier import ReplyNotifier, bring_to_front
from app.ui.sidebar.sidebar import Sidebar
from app.ui.sidebar.sidebar_binder import SidebarBinder
from app.ui.stats.live_panel import LivePanel
from app.ui.theme import Theme
from app.ui.window_actions import WindowMenus, make_actions
from app.ui.window_centre import WindowCentre
from app.ui.window_dialogs import WindowDialogs
from app.ui.window_frame import WindowFrame
from app.ui.window_keys import next_pane, set_tab_order
from app.ui.window_memory import WindowMemory

_MINIMUM = (480, 400)
_LOOK_MS = 60
_WARM_UP_MS = 400
_ZOOM_STEP = 0.1
_RECENT = 50


class MainWindow(QMainWindow):
    """`start()` once it is shown. `closing` fires when the user closes it: it is hidden by then, and
    whoever owns the services ends them."""

    closing = Signal()

    def __init__(
        self,
        controller: EngineController,
        session: ChatSession,
        state: AppState,
        stats: LiveStats,
        scanner: ModelScanner,
        bench: BenchSession,
    ) -> None:
        super().__init__()
        self._engine = controller
        self._session = session
        self._state = state
        self._scanner = scanner
        self._bench = bench
        self._closed = False
        self.setWindowTitle("Slipstream")
        self.setMinimumSize(*_MINIMUM)
        self.setAcceptDrops(True)
        self._apply_theme()

        self.sidebar = Sidebar()
        self.pair_bar = PairBar()
        self.chat = ChatView()
        self.panel = LivePanel()
        self.centre = WindowCentre(self.pair_bar, self.chat)
        self.sidebar_button, self.panel_button = self.centre.sidebar_button, self.centre.panel_button
        self.panel_fold = IconButton("panel", self.tr("Hide the live panel (Ctrl+J)"))
        self.panel.add_tool(self.panel_fold)
        self.frame = WindowFrame(self.sidebar, self.centre, self.panel)
        self.setCentralWidget(self.frame)
        self.drop_hint = DropHint(self)

        prompts = PromptBinder(session, state, controller, self)
        self.dialogs = WindowDialogs(self, state, controller, prompts)
        self.opener = FileOpener(state, scanner, self)
        self.sidebar_binder = SidebarBinder(self.sidebar, session, self)
        self.pair_binder = PairBinder(
            self.pair_bar, self.panel, controller, state, stats, scanner, parent=self
        )
        self.chat_binder = ChatBinder(self.chat, session, controller, self.pair_binder.name_of, self)
        self.draft_binder = DraftBinder(self.chat, session, controller, state, self)
        self.chat_binder.before_sending = self.draft_binder.when_it_fits
        self.bench_binder = BenchBinder(self.centre.pages, bench, state, self)
        self.first_run = FirstRunBinder(self.centre.pages, state, controller, self.pair_binder.name_of, self)
        self.notifier = ReplyNotifier(self, session, state)
        self.actions_by_name = make_actions(self, self._handlers())
        self.menus = WindowMenus(self, self.actions_by_name)
        self._connect()
        self._restore()
        set_tab_order(self)

    # -- life -------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Read conversations, look for models, load the pair."""
        self._session.start()
        self.pair_binder.load()
        self.chat.composer.setFocus(Qt.FocusReason.OtherFocusReason)
        # Behind the first pictures of the load, which have enough to do with one busy thread beside them.
        QTimer.singleShot(_LOOK_MS, self, self._look_around)
        QTimer.singleShot(_WARM_UP_MS, self, highlight.warm_up)

    def _look_around(self) -> None:
        if not self._closed:
            self._scanner.start()
            self._bench.start()

    def welcome(self) -> None:
        """The three steps of the first start."""
        self.first_run.show()

    def open_files(self, paths: Sequence[str]) -> None:
        """Come to the front, and use model files that were given at the start of another copy."""
        bring_to_front(self)
        if paths:
            self.opener.open(paths)

    def report_problem(self, problem: Problem) -> None:
        """Show a card in the conversation."""
        self.chat_binder.show_problem(problem)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide at once, so that nobody waits for a window that does not answer; the rest is `closing`."""
        self._save()
        self.opener.finish()
        self.draft_binder.finish()
        self.dialogs.close_all()
        event.accept()
        self._closed = True
        self.hide()
        self.closing.emit()

    # -- building ---------------------------------------------------------------------------------------

    def _handlers(self) -> dict[str, Callable[[], object]]:
        """What each command of the table does."""
        return {
            "new": self._new_chat,
            "search": self._search,
            "previous": lambda: self.sidebar_binder.step(-1),
            "next": lambda: self.sidebar_binder.step(1),
            "rename": self._rename,
            "pin": self.sidebar_binder.toggle_pin,
            "export": self.sidebar_binder.export_current,
            "import": self.sidebar_binder.files.ask_import,
            "write": self._write,
            "find": self._find,
            "latest": self.chat.messages.jump_to_latest,
            "drafts": self._toggle_drafts,
            "open-target": self._ask_target,
            "open-sidecar": self._ask_sidecar,
            "speculation": self.pair_bar.toggle_speculation,
            "reload": self.pair_binder.load,
            "prompt": self.dialogs.prompt,
            "sidebar": lambda: self.frame.show_sidebar(not self.frame.sidebar_shown),
            "panel": lambda: self.frame.show_panel(not self.frame.panel_shown),
            "bench": self.bench_binder.toggle,
            "pane": lambda: next_pane(self),
            "larger": lambda: self._zoom(Theme.current().zoom + _ZOOM_STEP),
            "smaller": lambda: self._zoom(Theme.current().zoom - _ZOOM_STEP),
            "normal": lambda: self._zoom(1.0),
            "palette": self.open_palette,
            "menu": lambda: self.menus.toggle(),
            "settings": self.open_settings,
            "shortcuts": self.dialogs.shortcuts,
            "about": self.dialogs.about,
            "quit": self.close,
        }

    def _connect(self) -> None:
        self.sidebar.settings_requested.connect(self.open_settings)
        self.sidebar.bench_requested.connect(self.bench_binder.show)
        self.bench_binder.left.connect(self._write)
        self.bench_binder.action_requested.connect(self._carry_out)
        self.pair_bar.settings_requested.connect(self.open_settings)
        self.sidebar.new_requested.connect(self._new_chat)
        self.sidebar.fold_requested.connect(self.actions_by_name["sidebar"].trigger)
        self.sidebar_button.clicked.connect(self.actions_by_name["sidebar"].trigger)
        for button in (self.panel_button, self.panel_fold):
            button.clicked.connect(self.actions_by_name["panel"].trigger)
        self.pair_bar.open_target_requested.connect(self._ask_target)
        self.pair_bar.open_sidecar_requested.connect(self._ask_sidecar)
        self.chat.empty.open_requested.connect(self._ask_target)
        self.first_run.open_requested.connect(self._ask_target)
        self.first_run.asked.connect(self._ask_first)
        self._scanner.models_changed.connect(self.first_run.refresh)
        self.chat_binder.action_requested.connect(self._carry_out)
        self.draft_binder.problem.connect(self.report_problem)
        self.draft_binder.figures_changed.connect(self.pair_bar.context_meter.set_next)
        self.opener.target_found.connect(self.pair_binder.choose_target)
        self.opener.pair_found.connect(self.pair_binder.choose_pair)
        self.opener.problem.connect(self.report_problem)
        self.dialogs.panel_wanted.connect(self.frame.show_panel)
        self.dialogs.reload_requested.connect(self.pair_binder.load)
        self._scanner.models_changed.connect(self.chat_binder.refresh)
        self.frame.folded_changed.connect(self._on_folded)
        self._session.conversation_opened.connect(self._on_opened)
        self._session.conversations_changed.connect(self._show_title)
        self._state.settings_changed.connect(self._on_settings)
        self._state.problem.connect(self.report_problem)

    # -- what is remembered -----------------------------------------------------------------------------

    def _restore(self) -> None:
        settings = self._state.settings
        memory = WindowMemory.of_settings(settings.window)
        room = self.screen().availableSize()
        if room.width() < theme.FOLD_BELOW:
            # A virtual screen, which says nothing about what can be seen.
            room = memory.size
        if memory.geometry:
            self.restoreGeometry(QByteArray(memory.geometry))
        if not self.isMaximized() and not self.isFullScreen():
            self.resize(memory.size.boundedTo(room))
        Theme.current().set_zoom(memory.zoom)
        self.frame.set_widths(memory.sidebar_width, memory.panel_width)
        self.frame.set_wanted(sidebar=settings.sidebar_visible, panel=settings.panel_visible)
        self.chat.messages.set_drafts_shown(memory.drafts_shown)

    def _save(self) -> None:
        memory = WindowMemory(
            bytes(self.saveGeometry().data()),
            self.normalGeometry().size() if self.isMaximized() else self.size(),
            self.frame.sidebar_width,
            self.frame.panel_width,
            Theme.current().zoom,
            self.chat.messages.drafts_shown,
        )
        self._state.update(
            window=memory.as_settings(),
            sidebar_visible=self.frame.sidebar_wanted,
            panel_visible=self.frame.panel_wanted,
        )

    # -- commands ---------------------------------------------------------------------------------------

    def open_settings(self) -> SettingsDialog:
        return self.dialogs.settings(self.frame.panel_wanted)

    def open_palette(self) -> CommandPalette:
        """All commands, and the conversations of late, by name."""
        entries = [
            Entry(command.text, native_keys(command.keys), self.actions_by_name[command.name].trigger)
            for _, commands in command_groups()
            for command in commands
            if not command.fixed and command.name != "palette"
        ]
        note = self.tr("Conversation")
        entries += [
            Entry(summary.title, note, partial(self._session.open, summary.id))
            for summary in self._session.conversations[:_RECENT]
        ]
        palette = CommandPalette(entries, self)
        palette.open_above()
        return palette

    def _ask_first(self, question: str) -> None:
        self._write()
        if question:
            self.chat_binder.send(question)

    def _carry_out(self, action: str) -> None:
        """The button of a problem's card."""
        {
            problem_card.OPEN_TARGET: self._ask_target,
            problem_card.OPEN_SIDECAR: self._ask_sidecar,
            problem_card.WITHOUT_SIDECAR: lambda: self.pair_binder.choose_pair(
                Pair(self._state.pair.target_path)
            ),
            problem_card.SETTINGS: self.open_settings,
            problem_card.RELOAD: self.pair_binder.load,
            problem_card.NEW_CHAT: self._new_chat,
        }[action]()

    def _new_chat(self) -> None:
        self._session.new_conversation()
        self.chat.composer.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _find(self) -> None:
        self.bench_binder.leave()
        self.chat.open_find()

    def _write(self) -> None:
        self.bench_binder.leave()
        self.chat.composer.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _search(self) -> None:
        self.frame.show_sidebar(True)
        self.sidebar.focus_search()

    def _rename(self) -> None:
        current = self._session.current
        if current is not None and current.messages:
            self.frame.show_sidebar(True)
            self.sidebar.show_all()
            self.sidebar.list.rename(current.summary.id)

    def _toggle_drafts(self) -> None:
        self.chat.messages.set_drafts_shown(not self.chat.messages.drafts_shown)

    def _ask_target(self) -> None:
        self.opener.ask(self.tr("Choose a target model"))

    def _ask_sidecar(self) -> None:
        self.opener.ask(self.tr("Choose a sidecar"))

    def _zoom(self, zoom: float) -> None:
        Theme.current().set_zoom(round(zoom, 2))

    # -- what happens -----------------------------------------------------------------------------------

    def _on_folded(self) -> None:
        self.centre.show_buttons(not self.frame.sidebar_shown, not self.frame.panel_shown)

    def _on_opened(self) -> None:
        current = self._session.current
        if current is not None and current.messages:
            self._state.update(conversation_id=current.summary.id)
        self.bench_binder.leave()
        self._show_title()

    def _show_title(self) -> None:
        current = self._session.current
        title = current.summary.title if current is not None else ""
        self.setWindowTitle(f"{title} – Slipstream" if title else "Slipstream")

    def _on_settings(self) -> None:
        self._apply_theme()

    def _apply_theme(self) -> None:
        mode = self._state.settings.theme
        Theme.current().set_mode(mode if mode in theme.MODES else "system")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.chat_binder.stop()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.drop_hint.setGeometry(self.rect())

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        paths = model_paths(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self.drop_hint.show_for(paths)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drop_hint.hide()
        super().dragLeaveEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        self.drop_hint.hide()
        paths = model_paths(event.mimeData())
        if paths:
            event.acceptProposedAction()
            self.opener.open(paths)
