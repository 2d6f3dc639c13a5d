"""About: which program, which library, which backend; as text that can be copied into a report."""

from __future__ import annotations

import platform
from importlib import metadata

import PySide6
from PySide6.QtCore import Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QFrame, QGridLayout, QLabel, QVBoxLayout, QWidget

from app import __version__
from app.core import licences
from app.ui import theme
from app.ui.closing import closable
from app.ui.dialogs.licences_dialog import LicencesDialog
from app.ui.fitting import fit
from app.ui.icons import TextButton

LICENCE = "Apache-2.0"


def version_of(package: str) -> str:
    """The installed version of a distribution; a dash where it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "—"


class AboutDialog(QDialog):
    """Knows its own facts apart from `library` (build of the native library) and `backend`."""

    def __init__(self, library: str = "", backend: str = "", parent: QWidget | None = None) -> None:
        """`backend` is empty while nothing is loaded."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Slipstream"))
        self._facts = {
            self.tr("Version"): __version__,
            self.tr("Native library"): library or f"llama-cpp-python {version_of('llama-cpp-python')}",
            self.tr("Backend"): backend or self.tr("known once a model is loaded"),
            self.tr("Python"): platform.python_version(),
            self.tr("Qt"): f"{qVersion()} (PySide {PySide6.__version__})",
            self.tr("System"): platform.platform(terse=True),
            self.tr("Licence"): LICENCE,
        }
        sheet = QFrame()
        sheet.setProperty("role", "page")
        rows = QVBoxLayout(sheet)
        rows.setContentsMargins(24, 24, 24, 24)
        rows.setSpacing(theme.GRID)
        name = QLabel("Slipstream")
        name.setProperty("role", "headline")
        rows.addWidget(name)
        what = QLabel(self.tr("A local chat that shows what speculative decoding does on your machine."))
        what.setWordWrap(True)
        what.setProperty("role", "muted")
        rows.addWidget(what)
        rows.addSpacing(theme.GRID)
        rows.addLayout(self._make_table())
        rows.addStretch()
        self.close_button = closable(self, sheet, *self._make_buttons())
        fit(self, 440 * theme.Theme.current().scale, self.sizeHint().height())

    @property
    def text(self) -> str:
        """All facts, a line each."""
        return "\n".join(["Slipstream", *(f"{label}: {value}" for label, value in self._facts.items())])

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)

    def _make_table(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.MARGIN)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        for row, (label, value) in enumerate(self._facts.items()):
            heading = QLabel(label)
            heading.setProperty("role", "muted")
            fact = QLabel(value)
            fact.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            fact.setWordWrap(True)
            grid.addWidget(heading, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(fact, row, 1)
        return grid

    def _make_buttons(self) -> list[QWidget]:
        self.copy_button = TextButton(self.tr("Copy"), icon_name="copy")
        self.copy_button.setToolTip(self.tr("Copy all of this, for a report."))
        self.copy_button.clicked.connect(self.copy)
        made: list[QWidget] = [self.copy_button]
        folder = licences.licences_dir()
        if folder is not None:
            self.licences_button = TextButton(self.tr("Licences"))
            self.licences_button.setToolTip(self.tr("Everything inside, and under which licences."))
            self.licences_button.clicked.connect(lambda: LicencesDialog(folder, self).open())
            made.append(self.licences_button)
        return made
