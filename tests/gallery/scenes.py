"""The states of the window, each with what has to happen before it is there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from app.core.bench import BenchRequest
from app.core.errors import EnvironmentProblem
from app.core.events import SUSPENDED, UNAVAILABLE, SpeculationStatus
from app.core.wording import say
from app.gguf.reader import cut_short
from app.ui.dialogs.settings_dialog import APPEARANCE, PAIR, SAMPLING, SYSTEM_PROMPT
from tests.fakes import Script
from tests.gallery import message_acts, program_acts, sampling_acts, sidebar_acts
from tests.gallery.engine import Scene
from tests.gallery.stage import TARGET_FILE, VOCABULARY, Stage
from tests.gallery.texts import ANSWER, LONG_CHAT, QUESTION, SHORT

Act = Callable[[Stage], None]


@dataclass(frozen=True)
class Picture:
    """`prepare` runs once; `above` opens a popup or dialog anew for every size and theme."""

    name: str
    prepare: Act
    scene: Callable[[], Scene]
    above: Act | None = None
    with_pair: bool = True
    script: Callable[[], Script] | None = None
    narrow: bool = False


def _plain() -> Scene:
    return Scene(ANSWER)


def _open(stage: Stage) -> None:
    stage.open()
    stage.session.new_conversation()


def _open_empty(stage: Stage) -> None:
    stage.open(wait=False)
    stage.session.new_conversation()


def _load_held(stage: Stage) -> None:
    stage.open(wait=False)
    stage.wait(stage.engine.holding.is_set)


def _load_fails(stage: Stage) -> None:
    stage.open(wait=False)
    stage.wait(lambda: not stage.controller.loading)


def _failing_script() -> Script:
    return Script(load_error=cut_short(Path(TARGET_FILE), 61_340_160, 98_000_000))


def _reply(stage: Stage) -> None:
    _open(stage)
    stage.say(QUESTION)


def _reply_undrafted(stage: Stage) -> None:
    _open(stage)
    stage.script.rounds = 400
    stage.say(QUESTION)


def _reply_held(stage: Stage) -> None:
    _open(stage)
    stage.say(QUESTION, wait=False)
    stage.wait(stage.engine.holding.is_set)
    stage.settle()


def _reply_stopped(stage: Stage) -> None:
    _reply_held(stage)
    stage.session.stop()
    stage.wait(lambda: not stage.controller.busy)


def _both(stage: Stage) -> None:
    """One reply of each kind, so that the headline has something to compare."""
    _open(stage)
    stage.speculate(False)
    stage.script.rounds = 120
    stage.say("First without speculation: " + QUESTION)
    stage.speculate(True)
    stage.scene.text = SHORT + "\n" + ANSWER
    stage.script.rounds = 90
    stage.say("And now with it, please.")


def _off(stage: Stage) -> None:
    _open(stage)
    stage.speculate(False)
    stage.script.rounds = 400
    stage.say(QUESTION)


def _long(stage: Stage) -> None:
    long_id = stage.put("Everything about rollbacks", LONG_CHAT * 4)
    stage.open()
    stage.session.open(long_id)
    stage.wait(lambda: stage.session.current is not None and len(stage.session.current.messages) > 40)
    stage.scene.text = SHORT
    stage.script.rounds = 15
    stage.say("In one sentence: why is the text the same?")


def _drafts(stage: Stage) -> None:
    _reply(stage)
    stage.window.chat.messages.set_drafts_shown(True)


def _bench(stage: Stage) -> None:
    _open(stage)
    stage.window.bench_binder.show()


def _bench_running(stage: Stage) -> None:
    _bench(stage)
    stage.fake_bench.script.hold_at = 13
    stage.bench.run(BenchRequest())
    stage.wait(stage.fake_bench.holding.is_set)
    stage.settle()


def _bench_done(request: BenchRequest, scrolled: int = 0) -> Act:
    def act(stage: Stage) -> None:
        _bench(stage)
        for created, speedup in ((1_766_500_000.0, 1.004), (1_766_700_000.0, 0.82)):
            stage.fake_bench.script.created = created
            stage.fake_bench.script.speedups[7] = speedup
            _run_bench(stage, BenchRequest())
        stage.fake_bench.script.created = 1_767_000_000.0
        stage.fake_bench.script.speedups[7] = 1.2
        stage.fake_bench.script.diverging = (5,)
        _run_bench(stage, request)
        stage.settle()
        stage.window.bench_binder.view.pane.verticalScrollBar().setValue(scrolled)

    return act


def _run_bench(stage: Stage, request: BenchRequest) -> None:
    known = len(stage.bench.entries)
    assert stage.bench.run(request)
    stage.wait(lambda: len(stage.bench.entries) > known)


def _bench_failed(stage: Stage) -> None:
    _bench(stage)
    stage.fake_bench.script.error = EnvironmentProblem(
        say("Prompt {n} has {tokens} tokens, but the context holds {n_ctx}.", n=3, tokens=9120, n_ctx=8192),
        remedy=say("Raise n_ctx or shorten the prompt."),
        code="context-full",
    )
    stage.bench.run(BenchRequest())
    stage.wait(lambda: bool(stage.window.bench_binder.view.cards))


def _settings(page: int) -> Act:
    return lambda stage: stage.window.open_settings().show_page(page)


def _settings_wrong(stage: Stage) -> None:
    dialog = stage.window.open_settings()
    dialog.pair_page.set_texts({**dialog.pair_page.texts(), "n_ctx": "16384", "n_ubatch": "1024"})
    dialog.save()


def _settings_reload(stage: Stage) -> None:
    dialog = stage.window.open_settings()
    dialog.pair_page.set_texts({**dialog.pair_page.texts(), "n_ctx": "16384"})
    dialog.pair_page.edited.emit()


def _shortcuts(stage: Stage) -> None:
    stage.window.dialogs.shortcuts()


def _about(stage: Stage) -> None:
    stage.window.dialogs.about()


def _state(status: SpeculationStatus) -> Callable[[], Scene]:
    return lambda: replace(_plain(), status=status)


_SUSPENDED = SpeculationStatus(SUSPENDED, "DFlash2", 3, automatic=True)
_UNFIT = SpeculationStatus(UNAVAILABLE, reason=VOCABULARY)

PICTURES = (
    Picture("01-empty", _open, _plain),
    Picture("02-first-run", _open_empty, _plain, with_pair=False),
    Picture("03-loading", _load_held, lambda: replace(_plain(), hold_load=0.63)),
    Picture("04-load-failed", _load_fails, _plain, script=_failing_script),
    Picture("05-streaming", _reply_held, lambda: replace(_plain(), hold_reply=38)),
    Picture("06-reply", _reply, _plain),
    Picture("07-stopped", _reply_stopped, lambda: replace(_plain(), hold_reply=22)),
    Picture("08-off", _off, _plain),
    Picture("09-suspended", _reply_undrafted, _state(_SUSPENDED)),
    Picture("10-unavailable", _reply_undrafted, _state(_UNFIT)),
    Picture("11-slower", _both, lambda: replace(_plain(), speculative_seconds=0.151)),
    Picture("12-faster", _both, _plain),
    Picture("13-long", _long, _plain),
    Picture("14-settings-pair", _reply, _plain, above=_settings(PAIR)),
    Picture("15-settings-sampling", _reply, _plain, above=_settings(SAMPLING)),
    Picture("15-settings-sampling-advanced", _reply, _plain, above=sampling_acts.advanced),
    Picture("15-settings-sampling-schema", _reply, _plain, above=sampling_acts.schema),
    Picture("16-settings-prompt", _reply, _plain, above=_settings(SYSTEM_PROMPT)),
    Picture("17-settings-appearance", _reply, _plain, above=_settings(APPEARANCE)),
    Picture("18-settings-wrong", _reply, _plain, above=_settings_wrong),
    Picture("18-settings-reload", _reply, _plain, above=_settings_reload),
    Picture("19-shortcuts", _reply, _plain, above=_shortcuts),
    Picture("20-about", _reply, _plain, above=_about),
    Picture("20-licences", _reply, _plain, above=program_acts.licences),
    Picture(
        "21-popover-speculating", _reply, _plain, above=lambda s: s.window.pair_bar.open_popover() and None
    ),
    Picture(
        "22-popover-suspended",
        _reply_undrafted,
        _state(_SUSPENDED),
        above=lambda s: s.window.pair_bar.open_popover() and None,
    ),
    Picture(
        "23-popover-unavailable",
        _reply_undrafted,
        _state(_UNFIT),
        above=lambda s: s.window.pair_bar.open_popover() and None,
    ),
    Picture("24-menu-targets", _reply, _plain, above=lambda s: s.window.pair_bar.target.open_menu() and None),
    Picture(
        "25-menu-sidecars", _reply, _plain, above=lambda s: s.window.pair_bar.sidecar.open_menu() and None
    ),
    Picture("26-narrow", _reply, _plain, narrow=True),
    Picture("27-drafts", _drafts, _plain),
    Picture("30-bench-empty", _bench, _plain),
    Picture("31-bench-running", _bench_running, _plain),
    Picture("32-bench-result", _bench_done(BenchRequest()), _plain),
    Picture("33-bench-sweep", _bench_done(BenchRequest(sweep=True), 560), _plain),
    Picture("34-bench-end", _bench_done(BenchRequest(sweep=True), 5000), _plain),
    Picture("35-bench-failed", _bench_failed, _plain),
    Picture("36-bench-narrow", _bench_done(BenchRequest(sweep=True)), _plain, narrow=True),
    Picture("37-bench-narrow-sweep", _bench_done(BenchRequest(sweep=True), 700), _plain, narrow=True),
    Picture("40-welcome", program_acts.first_step, _plain),
    Picture("41-welcome-pair", program_acts.second_step, _plain),
    Picture("42-welcome-question", program_acts.third_step, _plain),
    Picture("43-welcome-no-model", program_acts.without_model, _plain, with_pair=False),
    Picture("44-palette", _reply, _plain, above=program_acts.palette),
    Picture("45-palette-typed", _reply, _plain, above=program_acts.palette_typed),
    Picture("46-palette-nothing", _reply, _plain, above=program_acts.palette_nothing),
    Picture("47-prompt", _reply, _plain, above=program_acts.prompt),
    Picture("48-template", _reply, _plain, above=program_acts.template),
    Picture("49-template-wrong", _reply, _plain, above=program_acts.template_wrong),
    Picture("49-menu-bar", _reply, _plain, above=program_acts.menu_bar),
    Picture("50-list", sidebar_acts.organised, _plain),
    Picture("51-list-menu", sidebar_acts.organised, _plain, above=sidebar_acts.menu),
    Picture("52-list-more", sidebar_acts.organised, _plain, above=sidebar_acts.more_menu),
    Picture("53-list-tags", sidebar_acts.organised, _plain, above=sidebar_acts.tag_menu),
    Picture("54-list-found", sidebar_acts.found, _plain),
    Picture("55-list-nothing", sidebar_acts.nothing_found, _plain),
    Picture("56-list-importing", sidebar_acts.one_tag, _plain),
    Picture("57-list-imported", sidebar_acts.imported, _plain),
    Picture("60-thought", message_acts.thought, message_acts.scene),
    Picture("61-thought-open", message_acts.thought_open, message_acts.scene),
    Picture("62-thinking", message_acts.thinking, lambda: replace(message_acts.scene(), hold_reply=6)),
    Picture("63-versions", message_acts.versions, message_acts.scene),
    Picture("64-editing", message_acts.editing, message_acts.scene),
    Picture("65-message-menu", message_acts.thought, message_acts.scene, above=message_acts.message_menu),
    Picture("66-details", message_acts.thought, message_acts.scene, above=message_acts.details),
    Picture("67-find", message_acts.find, message_acts.scene),
    Picture("68-attached", message_acts.attached, _plain),
    Picture("68-attached-many", message_acts.attached_many, _plain, narrow=True),
    Picture("69-file-refused", message_acts.refused_file, _plain),
    Picture("70-snippets", _open, _plain, above=message_acts.snippets),
    Picture("71-snippet-menu", _open, _plain, above=message_acts.snippet_menu),
    Picture("72-overflow", message_acts.overflow, _plain),
    Picture("73-left-out", message_acts.left_out, _plain),
)
