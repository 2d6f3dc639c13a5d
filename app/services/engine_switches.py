"""What can be switched while a pair is loaded, also in the middle of a reply.

Kept here while a load or a benchmark has the engine, and set as soon as that is done.
"""

from __future__ import annotations

from app.core.ports import Engine, LoadRequest
from app.core.templates import TemplateChoice


class EngineSwitches:
    """Speculation on or off, the bounds of drafts, the chat template. Setting is left to `apply`."""

    def __init__(self) -> None:
        self.speculation_on = True
        self.limits: tuple[int, int, float, bool] | None = None
        self.template: TemplateChoice | None = None

    def begin(self, request: LoadRequest) -> None:
        """A load starts: the engine will do as the request says."""
        self.speculation_on = request.speculation_on
        self.limits = self.template = None

    def apply(self, engine: Engine, since: LoadRequest | None = None) -> None:
        """Set what was switched; `since` a load only what differs from its request."""
        if since is None or self.speculation_on != since.speculation_on:
            engine.set_speculation(self.speculation_on)
        if self.limits is not None:
            engine.set_draft_limits(*self.limits)
        if self.template is not None:
            engine.set_template(self.template)
