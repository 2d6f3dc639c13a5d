"""The scenarios of the scripted engine and the in-memory store once more, with the real ones."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.core.conversation import COMPLETE, FAILED, STOPPED, TRUNCATED, Message
from app.core.events import LoadFailed
from app.core.pair_settings import PairSettings
from app.core.ports import LoadRequest
from app.core.rounds import decode_rounds
from app.core.sampling import SamplingParams
from app.core.settings import Pair, PairChoice
from app.core.stats import recount
from app.engine.local_engine import LocalEngine
from app.services.app_state import AppState
from app.services.chat_session import ChatSession
from app.services.engine_controller import EngineController
from app.services.live_stats import LiveStats
from app.services.model_scanner import ModelScanner
from app.services.shutdown import Shutdown
from app.storage.paths import Paths
from app.storage.store import FileStore
from tests.services.conftest import Recorder, pause, spin


class Program:
    """Everything but the window, on real files in `folder`."""

    def __init__(self, folder: Path, target: Path, draft: Path) -> None:
        self.store = FileStore(Paths.under(folder))
        self.state = AppState(self.store)
        self.state.set_pair(Pair(str(target), str(draft)))
        # A fixed draft length: the automatic one may find, rightly, that drafting does not pay here.
        settings = PairSettings(n_ctx=2048, n_threads=1, automatic_length=False)
        self.state.set_choice(PairChoice(settings))
        self.state.update(sampling=SamplingParams(temperature=0.0), max_tokens=60)
        self.controller = EngineController(LocalEngine)
        self.recorder = Recorder(self.controller)
        self.session = ChatSession(self.store, self.controller, self.state)
        self.stats = LiveStats(self.controller, self.session)
        self.scanner = ModelScanner(self.state, [folder], own_folders=[])
        self.shutdown = Shutdown(
            self.controller, self.session, self.state, self.store, self.stats, self.scanner
        )

    def start(self) -> None:
        self.scanner.start()
        self.session.start()
        assert spin(lambda: self.session.current is not None)

    def load(self, request: LoadRequest | None = None) -> None:
        self.controller.load(request if request is not None else self.state.load_request())
        assert spin(lambda: not self.controller.loading, 60)
        assert self.controller.pair is not None, self.recorder.values("load_failed")

    def ask(self, text: str) -> Message:
        assert self.session.send(text)
        assert spin(lambda: self.session.streaming is None, 60)
        return self.path()[-1]

    def path(self) -> list[Message]:
        assert self.session.current is not None
        return self.session.current.path()


@pytest.fixture
def program(tmp_path: Path, tiny_pair: tuple[Path, Path]) -> Iterator[Program]:
    program = Program(tmp_path / "Дом", *tiny_pair)
    program.start()
    yield program
    assert program.shutdown.run()


def test_on_off_and_after_a_restart(program: Program, tmp_path: Path, tiny_pair: tuple[Path, Path]) -> None:
    program.load()
    speculative = program.ask("Tell me about the ring.")
    assert speculative.status == TRUNCATED
    assert speculative.meta["mode"] == "speculative"
    assert program.stats.figures().accepted
    program.session.new_conversation()
    program.controller.set_speculation(False)
    ordinary = program.ask("Tell me about the ring.")
    assert ordinary.meta["mode"] == "ordinary"
    assert ordinary.text == speculative.text, "lossless, through all layers"
    live = program.stats.figures()
    rounds = decode_rounds(ordinary.rounds)
    assert recount(rounds).generation_tokens == 60 == ordinary.meta["stats"]["generation_tokens"]
    title = program.session.conversations[0].title
    assert program.shutdown.run()

    again = Program(tmp_path / "Дом", *tiny_pair)
    again.start()
    assert [s.title for s in again.session.conversations] == [title, title]
    assert [m.text for m in again.path()] == ["Tell me about the ring.", ordinary.text]
    assert spin(lambda: again.stats.figures().tokens_per_second is not None)
    assert again.stats.figures().tokens_per_second == pytest.approx(live.tokens_per_second, rel=1e-3)
    assert again.shutdown.run()


def test_switch_in_the_middle_of_a_reply(program: Program) -> None:
    program.load()
    program.state.update(max_tokens=1500)
    assert program.session.send("Tell me about the ring.")
    assert spin(lambda: program.recorder.count("RoundDone") > 5)
    program.controller.set_speculation(False)
    assert spin(lambda: program.recorder.values("RoundDone")[-1].round.mode == "ordinary")
    program.controller.set_speculation(True)
    assert spin(lambda: program.recorder.values("RoundDone")[-1].round.mode == "speculative")
    program.session.stop()
    assert spin(lambda: program.session.streaming is None)
    assert program.path()[-1].status == STOPPED
    assert program.path()[-1].meta["mode"] == "mixed"


def test_stop_then_the_next_message_reuses_the_cache(program: Program) -> None:
    program.load()
    program.state.update(max_tokens=1500)
    assert program.session.send("Tell me about the ring.")
    assert spin(lambda: program.recorder.count("RoundDone") > 5)
    started = time.perf_counter()
    program.session.stop()
    assert spin(lambda: not program.controller.busy)
    assert time.perf_counter() - started < 0.5
    program.state.update(max_tokens=10)
    answer = program.ask("Go on.")
    assert answer.meta["stats"]["reused_tokens"] > 20


def test_missing_file_then_another_choice(program: Program) -> None:
    program.controller.load(LoadRequest("/nowhere/model.gguf"))
    assert spin(lambda: not program.controller.loading)
    (failed,) = program.recorder.values("load_failed")
    assert isinstance(failed, LoadFailed)
    assert failed.problem.code == "file-missing"
    assert not failed.problem.is_bug
    program.load()
    assert program.ask("Hello").status in (COMPLETE, TRUNCATED)


def test_prompt_longer_than_the_context_is_a_problem_and_the_text_stays(program: Program) -> None:
    request = program.state.load_request()
    program.load(replace(request, settings=replace(request.settings, n_ctx=256)))
    answer = program.ask("word " * 2000)
    assert answer.status == "failed"
    assert answer.meta["problem"]["is_bug"] is False
    assert program.path()[0].text.startswith("word word")
    program.session.new_conversation()
    assert program.ask("Short").status in (COMPLETE, TRUNCATED)


def test_cancelled_and_replaced_loads(program: Program) -> None:
    for _ in range(5):
        program.controller.load(program.state.load_request())
        pause(0.005)
        program.controller.cancel_load()
    assert spin(lambda: not program.controller.loading, 30)
    program.controller.load(program.state.load_request())
    without = replace(program.state.load_request(), draft_path="")
    program.load(without)
    assert program.controller.pair is not None
    assert program.controller.pair.draft_path == ""
    assert program.ask("Hello").meta["mode"] == "ordinary"


@pytest.mark.parametrize("moment", ["loading", "streaming"])
def test_close_in_the_middle(moment: str, tmp_path: Path, tiny_pair: tuple[Path, Path]) -> None:
    program = Program(tmp_path / "home", *tiny_pair)
    program.start()
    program.controller.load(program.state.load_request())
    program.state.update(max_tokens=1500)
    assert program.session.send("Tell me about the ring.")
    if moment == "streaming":
        assert spin(lambda: program.recorder.count("RoundDone") > 3, 60)
    text = program.path()[-1].text
    assert program.shutdown.run()
    again = Program(tmp_path / "home", *tiny_pair)
    again.start()
    user, answer = again.path()
    assert user.text == "Tell me about the ring."
    assert answer.status == STOPPED
    assert answer.text.startswith(text)
    assert bool(answer.text) == (moment == "streaming")
    assert again.shutdown.run()


@pytest.mark.real
def test_the_default_pair_from_load_to_answer(tmp_path: Path, default_pair: tuple[Path, Path]) -> None:
    program = Program(tmp_path, *default_pair)
    program.state.update(max_tokens=24)
    program.start()
    program.load()
    answer = program.ask("What is the capital of France?")
    assert answer.text.strip()
    figures = program.stats.figures()
    assert figures.drafted
    assert figures.ttft_seconds
    assert figures.context_used
    parts = (
        figures.draft_seconds,
        figures.verify_seconds,
        figures.process_seconds,
        figures.rollback_seconds,
        figures.other_seconds,
    )
    assert sum(p or 0.0 for p in parts) == pytest.approx(answer.meta["stats"]["generation_seconds"], rel=0.05)
    assert program.shutdown.run()


def test_a_cut_reply_that_goes_on_is_the_reply_that_was_not_cut(program: Program) -> None:
    program.load()
    program.ask("Say something.")
    whole = program.path()[-1]
    program.state.update(max_tokens=25)
    assert program.session.regenerate(whole.id)
    assert spin(lambda: program.session.streaming is None, 60)
    cut = program.path()[-1]
    assert cut.status == TRUNCATED
    program.state.update(max_tokens=35)
    assert program.session.continue_reply(cut.id)
    assert spin(lambda: program.session.streaming is None, 60)
    assert cut.status == TRUNCATED
    tokens = [[t for r in decode_rounds(m.rounds) for t in r.tokens] for m in (whole, cut)]
    assert tokens[0] == tokens[1]
    part = cut.meta["continuations"][0]["stats"]
    assert part["prompt_tokens"] - part["reused_tokens"] <= 1, "nothing is read again"
    assert cut.meta["stats"]["generation_tokens"] == 60
    assert sum(sum(r.chars) for r in decode_rounds(cut.rounds)) == len(cut.text)
    # Told as text, as for another target, it goes on as well.
    cut.meta["pair"]["target_path"] = "elsewhere.gguf"
    before = cut.text
    assert program.session.continue_reply(cut.id)
    assert spin(lambda: program.session.streaming is None, 60)
    assert cut.text.startswith(before)
    assert len(cut.text) > len(before)


def test_a_grammar_holds_over_all_parts_of_a_reply(program: Program) -> None:
    program.load()
    grammar = 'root ::= "[" ([0-9] ","){20} "]"'
    program.state.update(sampling=SamplingParams(temperature=0.0, grammar=grammar), max_tokens=15)
    reply = program.ask("Count.")
    assert reply.status == TRUNCATED
    assert reply.text.startswith("[")
    program.state.update(max_tokens=60)
    assert program.session.continue_reply(reply.id)
    assert spin(lambda: program.session.streaming is None, 60)
    assert reply.status == COMPLETE, reply.meta
    assert re.fullmatch(r"\[(\d,){20}\]", reply.text)
    # What does not follow a grammar chosen later is said, and stays as it is.
    program.state.update(sampling=SamplingParams(temperature=0.0), max_tokens=10)
    other = program.ask("Say something.")
    text = other.text
    program.state.update(sampling=SamplingParams(temperature=0.0, grammar='root ::= "\u2603"+'))
    assert program.session.continue_reply(other.id)
    assert spin(lambda: program.session.streaming is None, 60)
    assert other.status == FAILED
    assert other.text == text
    assert other.meta["problem"]["what"] == "What there is of the reply does not follow the grammar."
