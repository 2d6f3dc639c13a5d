"""The scripted engine of the tests, with what pictures need besides: moments that hold still."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from app.core.events import SUSPENDED as SUSPENDED_STATE
from app.core.events import Event, LoadedPair, LoadProgress, RoundDone, SpeculationStatus
from app.core.ports import GenerateRequest, LoadRequest
from app.core.rounds import ORDINARY, SUSPENDED, Round
from app.core.wording import say
from tests.fakes import FakeEngine, Script
from tests.gallery.texts import pieces


@dataclass
class Scene:
    """`hold_load` and `hold_reply` (rounds) stop there until cancelled. Seconds are those of one round."""

    text: str
    hold_load: float | None = None
    hold_reply: int | None = None
    speculative_seconds: float = 0.085
    ordinary_seconds: float = 0.029
    status: SpeculationStatus | None = None


class GalleryEngine(FakeEngine):
    """Says `scene.text`, token by token, with characters counted as the real engine counts them."""

    def __init__(self, scene: Scene, script: Script) -> None:
        super().__init__(script)
        self.scene = scene
        self.holding = threading.Event()

    def load(
        self, request: LoadRequest, report: Callable[[Event], None], cancel: threading.Event
    ) -> tuple[LoadedPair, SpeculationStatus]:
        if self.scene.hold_load is not None:
            report(LoadProgress(say("Loading the target"), self.scene.hold_load))
            self.holding.set()
            cancel.wait()
        return super().load(request, report, cancel)

    def status(self) -> SpeculationStatus:
        return self.scene.status if self.scene.status is not None else super().status()

    def generate(self, request: GenerateRequest, cancel: threading.Event) -> Iterator[Event]:
        words = iter(pieces(self.scene.text))
        rounds = 0
        for event in super().generate(request, cancel):
            if not isinstance(event, RoundDone):
                yield event
                continue
            said = [word for _, word in zip(event.round.tokens, words, strict=False)]
            if not said:
                continue
            cut = self._shortened(event.round, [len(word) for word in said])
            yield replace(event, round=cut, text="".join(said))
            rounds += 1
            if rounds == self.scene.hold_reply:
                self.holding.set()
                cancel.wait()

    @staticmethod
    def _shortened(r: Round, chars: list[int]) -> Round:
        tokens = r.tokens[: len(chars)]
        return replace(r, tokens=tokens, accepted=min(r.accepted, len(tokens)), chars=tuple(chars))

    def _round(self, position: int, index: int) -> Round:
        r = super()._round(position, index)
        seconds = self.scene.ordinary_seconds if r.mode == ORDINARY else self.scene.speculative_seconds
        # A little unrest, the same in every picture.
        seconds *= 1 + 0.12 * ((index * 7) % 5 - 2) / 2
        scale = seconds / r.seconds
        mode = r.mode
        if self.scene.status is not None and self.scene.status.state == SUSPENDED_STATE:
            mode = SUSPENDED
        t = r.timings
        scaled = replace(
            t, draft=t.draft * scale, decode=t.decode * scale, sync=t.sync * scale, process=t.process * scale,
            accept=t.accept * scale, rollback=t.rollback * scale,
        )  # fmt: skip
        return replace(r, mode=mode, seconds=seconds, timings=scaled)
