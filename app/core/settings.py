"""What the program remembers between two starts, apart from conversations."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from app.core.conversation import Attachment
from app.core.pair_settings import PairSettings
from app.core.sampling import SamplingParams


@dataclass(frozen=True, slots=True)
class Pair:
    """A target and, maybe, a sidecar; paths as the user chose them."""

    target_path: str = ""
    draft_path: str = ""

    @property
    def key(self) -> str:
        """Names the pair in settings: normalised absolute paths."""
        return "\n".join(
            os.path.normcase(os.path.abspath(p)) if p else "" for p in (self.target_path, self.draft_path)
        )


@dataclass(frozen=True, slots=True)
class PairChoice:
    """Remembered per pair: its settings and whether speculation is switched on."""

    settings: PairSettings = PairSettings()
    speculation_on: bool = True


@dataclass(slots=True)
class AppSettings:
    """`theme` is system, light or dark; `language` is system or a code such as de.

    `notify`: say when a long reply ends while the window is in the background. `window` holds what the
    window needs to come back as it was. `unsent` and `unsent_files` wait in the composer of a conversation
    that has no message yet. `snippets` are texts to insert into a message, by name.
    """

    theme: str = "system"
    language: str = "system"
    pair: Pair = Pair()
    pairs: dict[str, PairChoice] = field(default_factory=dict)
    recent_files: list[str] = field(default_factory=list)
    sampling: SamplingParams = SamplingParams()
    system_prompt: str = ""
    max_tokens: int = 1024
    conversation_id: str = ""
    panel_visible: bool = True
    sidebar_visible: bool = True
    notify: bool = True
    window: dict[str, str] = field(default_factory=dict)
    unsent: str = ""
    unsent_files: tuple[Attachment, ...] = ()
    snippets: dict[str, str] = field(default_factory=dict)

    def choice(self, pair: Pair) -> PairChoice:
        return self.pairs.get(pair.key, PairChoice())
