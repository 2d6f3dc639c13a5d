"""What engine and storage say is shown in the language of the window, with its values."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import pytest

from app.core.errors import EnvironmentProblem
from app.core.events import LoadProgress, Problem
from app.core.wording import say
from app.gguf.header import read_header
from app.ui import language
from app.ui.bar_message import LoadMessage
from app.ui.chat.problem_card import ProblemCard
from app.ui.state_chip import short_reason


def problem_of_empty_file(folder: Path) -> Problem:
    path = folder / "leer – ünïcode.gguf"
    path.write_bytes(b"")
    with pytest.raises(EnvironmentProblem) as caught:
        read_header(path)
    return Problem.of(caught.value)


def test_a_card_speaks_german_and_the_log_english(tmp_path: Path, qtbot) -> None:
    problem = problem_of_empty_file(tmp_path)
    assert problem.what == "“leer – ünïcode.gguf” is empty."
    language.install("de")
    card = ProblemCard(problem)
    qtbot.addWidget(card)
    shown = " ".join(label.text() for label in card.findChildren(type(card._what)))
    assert "„leer – ünïcode.gguf“ ist leer." in shown
    assert "Laden oder kopieren Sie die Datei erneut." in shown
    assert "empty" not in shown


def test_sentences_survive_being_carried_about(tmp_path: Path) -> None:
    problem = problem_of_empty_file(tmp_path)
    language.install("de")
    for carried in (pickle.loads(pickle.dumps(problem)), copy.deepcopy(problem)):
        assert carried == problem
        assert language.translated(carried.what).endswith("ist leer.")
    # On the disk it is the English text.
    assert json.loads(json.dumps(problem.what)) == str(problem.what)


def test_short_reasons_and_stages_are_translated(qtbot) -> None:
    language.install("de")
    assert short_reason(Problem(say("The widths differ."))) == "Die Breiten unterscheiden sich"
    message = LoadMessage()
    qtbot.addWidget(message)
    message.set_progress(LoadProgress(say("Reading headers"), 0.1))
    assert "Header werden gelesen" in message.line.text
    language.install("en")
    assert short_reason(Problem(say("The widths differ."))) == "widths differ"
