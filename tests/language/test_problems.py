"""What engine and storage say is shown in the language of the window, with its values."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from app.core.bench import PROMPT, BenchProgress, BenchRequest
from app.core.errors import EnvironmentProblem
from app.core.events import LoadProgress, Problem
from app.core.gbnf import check_grammar
from app.core.json_schema import schema_to_gbnf
from app.core.sampling import SamplingParams
from app.core.speculation import SpeculativeType
from app.core.wording import decimal, listed, reason_of, say, sentence
from app.gguf.header import read_header
from app.ui import language
from app.ui.bar_message import LoadMessage
from app.ui.bench.result_view import ResultView
from app.ui.bench.running_card import RunningCard
from app.ui.chat.problem_card import ProblemCard
from app.ui.dialogs.sampling_values import read_sampling, sampling_texts
from app.ui.state_chip import short_reason
from tests.fakes import FakeEngine
from tests.fakes.fake_bench import BenchScript, FakeBench


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


def test_a_measured_benchmark_speaks_german(qtbot) -> None:
    bench = FakeBench(BenchScript(diverging=(2, 5)))
    stages: list[BenchProgress] = []
    engine = FakeEngine()
    request = BenchRequest(sweep=True, lengths=(3, 4), runs=2)
    record = bench.run(engine, request, stages.append, threading.Event())
    language.install("de")
    view = ResultView()
    qtbot.addWidget(view)
    view.set_record(record)
    assert view.advice.startswith("Entwurfslänge 4, 1,")
    assert "Ausgabe-Token stimmen überein: nein (12 von 16 Paaren)" in view.text_lines
    assert "Urteil: Gleichstand" in view.text_lines
    assert "0,0012" in view.text_lines
    assert [row.label for row in view.bars.rows][:3] == ["Alle Prompts", "Programmieren", "Rechnen"]
    shown = cells_of(view)
    assert {"Zielmodell", "Annahmerate", "Programmieren", "Rücknahmen", "normal", "ja"} <= shown
    assert (
        shown & {"target", "acceptance rate", "coding", "rollbacks", "yes", "no", "ordinary", "verified"}
        == set()
    )
    card = RunningCard()
    qtbot.addWidget(card)
    card.set_progress(stages[-1], None)
    assert card.stage == "Prompt 8 von 8, Lauf 2 von 2"
    # What is handed to somebody else stays what everybody reads.
    assert "| output tokens match | no (12 of 16 pairs) |" in record.report


def cells_of(view: ResultView) -> set[str]:
    """Every cell of every table of a benchmark, with the heads of columns."""
    details, found = view.details, set()
    for index in range(details.section.count()):
        details.show_section(details.section.itemText(index))
        table = details.table
        for x in range(table.columnCount()):
            found.add(table.horizontalHeaderItem(x).text())
            found |= {table.item(y, x).text() for y in range(table.rowCount())}
    return found


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: check_grammar("root ::= (a"), "Zeile 1, Spalte 10: diese Klammer wird nicht geschlossen"),
        (lambda: schema_to_gbnf('{"type": "text"}'), "bei #: der Typ 'text' ist unbekannt"),
        (
            lambda: schema_to_gbnf('{"type": "string", "pattern": "(?=a)"}'),
            "bei #: das Muster '(?=a)' enthält eine Gruppe, die vor- oder zurückschaut oder einen Namen hat, "
            "was sich nicht erzwingen lässt",
        ),
        (
            lambda: SpeculativeType.from_str("nope"),
            "unbekannter spekulativer Algorithmus 'nope'; bekannt sind none",
        ),
        (lambda: BenchRequest(PROMPT), "Schreiben Sie zuerst einen Prompt."),
    ],
)
def test_reasons_of_errors_are_german(make: Callable[[], object], expected: str) -> None:
    language.install("de")
    with pytest.raises(ValueError) as caught:
        make()
    assert language.translated(reason_of(caught.value)).startswith(expected)


def test_the_grammar_field_says_in_german_what_is_wrong() -> None:
    language.install("de")
    texts = {**sampling_texts(SamplingParams(), 100), "form": "grammar", "form_text": 'x ::= "a"'}
    assert read_sampling(texts)[1] == {"form_text": "Es gibt keine Regel namens root."}


def test_sentences_numbers_and_lists_are_filled_in_the_language() -> None:
    said = sentence(listed([say("{n} tokens", n=3), decimal(0.5)]))
    assert said == "3 tokens, 0.5."
    assert say("{n:,} of {m:.2f}", n=49152, m=1234.5) == "49,152 of 1234.50"
    language.install("de")
    assert language.translated(said) == "3 Token, 0,5."
    counts = say("The target has {target:,} tokens, the sidecar {sidecar:,}.", target=49152, sidecar=1)
    assert language.translated(counts) == "Das Zielmodell hat 49.152 Token, das Sidecar 1."
