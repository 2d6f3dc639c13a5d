"""What the panel says about its figures: tooltips, the quiet line under the headline, notices."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from app.core import events
from app.core.events import SpeculationStatus
from app.core.speedup import MIN_TOKENS
from app.services.panel_figures import PanelFigures
from app.ui.stats import numbers
from app.ui.stats.figure import explain

# Below this share of accepted drafts, after this many drafted tokens, a sidecar does not fit its target.
LOW_ACCEPTANCE = 0.10
LOW_ACCEPTANCE_DRAFTED = 64


def _tr(text: str) -> str:
    return QCoreApplication.translate("LivePanel", text)


def tooltips() -> dict[str, str]:
    """Tooltip by figure: what it is, its formula, when to worry."""
    return {
        "speedup": explain(
            _tr("How much less time a token takes with speculation, end to end."),
            _tr("Seconds per token: ordinary / speculative, same context, threads and sampling."),
            _tr("Below 1 speculation costs more than it gives: switch it off or draft fewer tokens."),
        ),
        "now": explain(
            _tr("Tokens a second over the last second of decoding."),
            _tr("Tokens / seconds of the latest steps."),
            _tr("It moves with the text: code and lists are drafted better than prose."),
        ),
        "average": explain(
            _tr("Tokens a second over the whole reply, reasoning included."),
            _tr("Generated tokens / seconds from the end of prefill to the last token."),
            _tr("Compare it with a reply made with speculation off."),
        ),
        "series": explain(
            _tr("Speed over the reply. Filled teal: speculative. Blue line: ordinary. Dotted: suspended."),
            _tr("Tokens / seconds of stretches of a quarter of a second; the dashed line is the average."),
            _tr("It falls slowly as the reply grows; a sudden drop means that another program is busy."),
        ),
        "acceptance": explain(
            _tr("Share of the drafted tokens that the target agreed with."),
            _tr("Accepted / submitted for verification."),
            _tr("Under 10 % the sidecar was probably made for another model. High is no proof of speed."),
        ),
        "length": explain(
            _tr("Tokens a verification step brings on average, the target's own included."),
            _tr("1 + accepted / steps that drafted."),
            _tr("Close to 1 means that drafts are wasted work."),
        ),
        "positions": explain(
            _tr("How often draft 1, 2, 3, … of a step was accepted. A tick: among steps that got that far."),
            _tr("Steps that committed draft i / steps that drafted."),
            _tr("Bars near zero at the end cost time and bring nothing: shorten the draft."),
        ),
        "drafted": explain(
            _tr("Tokens the sidecar proposed in this reply."),
            _tr("Sum of the draft lengths of all steps."),
            _tr("Zero while speculation is on means that it is suspended."),
        ),
        "accepted": explain(
            _tr("Drafted tokens that became part of the reply."),
            _tr("Sum over all steps of the drafts delivered."),
            _tr("Far below the drafted tokens, most of the drafting is wasted."),
        ),
        "steps": explain(
            _tr("Times the target was run to verify a draft and add a token of its own."),
            _tr("One a step, whether or not it had a draft."),
            _tr("As many steps as tokens means that speculation brings nothing."),
        ),
        "rollbacks": explain(
            _tr("Steps that rejected at least one draft and took it back from the cache."),
            _tr("Native: cut from the cache. Checkpoint: state restored and replayed."),
            _tr("Checkpoint rollbacks are dear; many of them call for a shorter draft."),
        ),
        "time": explain(
            _tr("Where the time of the reply went. Prefill is not part of it."),
            _tr("Seconds of each phase / seconds of generation; sampling counts as roll back."),
            _tr("Draft should stay small beside verify; much “other” means that the machine is busy."),
        ),
        "ttft": explain(
            _tr("Time to first token: from sending to the first token of the reply."),
            _tr("Prefill + first step."),
            _tr("Long after a short message: the conversation was read again from the start."),
        ),
        "prefill": explain(
            _tr("How fast the prompt was read."),
            _tr("Newly read prompt tokens / seconds of prefill; what was still in the cache is left out."),
            _tr("Close to the generation speed: raise the batch sizes."),
        ),
    }


def _span(buckets: tuple[int, ...]) -> str:
    """`256 – 1k`: the context positions that the buckets cover."""
    low, high = min(buckets), 2 * max(buckets)
    return f"{numbers.tokens_short(0 if low <= MIN_TOKENS else low)} – {numbers.tokens_short(high)}"


def speedup_note(figures: PanelFigures, status: SpeculationStatus) -> str:
    """What the speedup was measured on, or what is still missing and how to get it."""
    if figures.speedup is not None:
        return _tr(
            "measured on {ordinary} ordinary and {speculative} speculative tokens, context {span}"
        ).format(
            ordinary=figures.compared_ordinary,
            speculative=figures.compared_speculative,
            span=_span(figures.compared_buckets),
        )
    if status.state == events.NO_MODEL:
        return _tr("choose a model and chat; the comparison with ordinary decoding appears here")
    if status.state == events.UNAVAILABLE:
        return _tr("needs speculation: choose a sidecar that fits this model")
    ordinary, speculative = figures.collected_ordinary, figures.collected_speculative
    text = _tr("needs {n} tokens of each: ordinary {ordinary}, speculative {speculative} – {hint}")
    if ordinary >= MIN_TOKENS and speculative >= MIN_TOKENS:
        text = _tr("ordinary {ordinary}, speculative {speculative}, but not {n} of each – {hint}")
        hint = _tr("at the same context length; go on chatting in both")
    elif speculative < MIN_TOKENS and ordinary < MIN_TOKENS:
        hint = _tr("send a message")
    elif ordinary < MIN_TOKENS:
        off = status.state == events.OFF
        hint = _tr("go on chatting") if off else _tr("switch speculation off for one reply")
    else:
        on = status.state in (events.SPECULATING, events.SUSPENDED)
        hint = _tr("go on chatting") if on else _tr("switch speculation on for one reply")
    return text.format(n=MIN_TOKENS, ordinary=ordinary, speculative=speculative, hint=hint)


def acceptance_notice(figures: PanelFigures) -> str:
    """A hint that the sidecar does not fit, or nothing."""
    if figures.acceptance is None or (figures.drafted or 0) < LOW_ACCEPTANCE_DRAFTED:
        return ""
    if figures.acceptance >= LOW_ACCEPTANCE:
        return ""
    return _tr(
        "Acceptance is far below what a fitting sidecar gives. It may have been made for another version "
        "of this model."
    )
