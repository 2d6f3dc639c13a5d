"""What happens in the conversation list before its pictures."""

from __future__ import annotations

import time

from PySide6.QtCore import QCoreApplication

from app.core.search import SearchHit
from app.services.transfer.importer import Imported
from tests.gallery.stage import Stage

_SNIPPETS = (
    "drafts are only proposals, the target checks each of them in one batch",
    "…then the drafts of the letter were sent on Thursday…",
    "über die Entwürfe (drafts) und ihre Prüfung",
)


def organised(stage: Stage) -> None:
    """Pins, tags and older conversations."""
    stage.open()
    library = stage.session.library
    shown = library.items
    for place, summary in enumerate(shown[4:6]):
        library.pin(summary.id, place)
    library.set_tag(shown[0].id, "Speculation", True)
    library.set_tag(shown[2].id, "Work", True)
    shown[-1].updated_at = time.time() - 100 * 86400
    library.rename(shown[-1].id, "Recipe with chickpeas and more")
    stage.session.open(shown[4].id)
    stage.wait(lambda: stage.session.current is not None and stage.session.current.summary.id == shown[4].id)


def found(stage: Stage) -> None:
    """A search that finds titles and messages."""
    organised(stage)
    sidebar, items = stage.window.sidebar, stage.session.library.items
    sidebar.search.setText("draft")
    stage.wait(lambda: sidebar.list.conversation_model.rowCount() > 0)
    stage.settle()
    hits = []
    for summary, snippet in zip(items[1:4], _SNIPPETS, strict=True):
        at = snippet.index("draft")
        hits.append(SearchHit(summary.id, "m", snippet, ((at, at + 6),)))
    sidebar.set_hits("draft", hits)


def nothing_found(stage: Stage) -> None:
    organised(stage)
    stage.window.sidebar.search.setText("zeppelin")
    stage.wait(lambda: bool(stage.window.sidebar.empty_text))


def one_tag(stage: Stage) -> None:
    organised(stage)
    stage.window.sidebar.tags.choose("Work")
    stage.window.sidebar.notice.show_progress(
        _said("Importing {name} …").format(name="conversations.json"), 0.42, _said("Stop")
    )


def imported(stage: Stage) -> None:
    organised(stage)
    summaries = tuple(stage.session.conversations)
    stage.session.importer.done.emit(Imported("x.json", summaries, ("Conversation 3: it is not an object.",)))


def menu(stage: Stage) -> None:
    """The context menu of a conversation with its tags open."""
    sidebar = stage.window.sidebar
    summary = stage.session.library.items[0]
    index = sidebar.list.conversation_model.index_of(summary.id)
    opened = sidebar.list.menu_for(summary.id)
    where = sidebar.list.viewport().mapToGlobal(sidebar.list.visualRect(index).center())
    opened.popup(where)
    opened.setActiveAction(opened.tags.menuAction())
    opened.tags.popup(where + opened.actionGeometry(opened.tags.menuAction()).topRight())


def tag_menu(stage: Stage) -> None:
    tags = stage.window.sidebar.tags
    tags.menu_now().popup(tags.mapToGlobal(tags.rect().bottomLeft()))


def more_menu(stage: Stage) -> None:
    stage.window.sidebar.more_button.click()


def _said(text: str) -> str:
    """As it is said while files are read."""
    return QCoreApplication.translate("ConversationFiles", text)
