"""Outcomes, rates and runs in people's words. No streamlit."""

from __future__ import annotations

from datetime import datetime

from db.evaluation.run_values import KeptRun
from domains.loading import TASKS
from evals.evaluate.judging import ASKS, BROKEN, NONE
from evals.intervals import Rate
from ui.counting import count_of
from ui.words import name_intent, name_language

_OUTCOMES = {ASKS: "Asks back", BROKEN: "Broken call", NONE: "No answer"}


def name_outcome(outcome: str) -> str:
    """What was meant or what came of it: an intent, or one of what may come beside them."""
    return _OUTCOMES.get(outcome) or name_intent(outcome)


def name_slice(part: str, value: str) -> str:
    """A part of a set: a language by its name, a kind or a tag without the underscores of its file."""
    if part == "language":
        return name_language(value)
    return name_intent(value).replace("_", " ") if part in ("kind", "tag") else value


def format_share(rate: Rate) -> str:
    return "–" if rate.value is None else f"{rate.value:.1%}"


def format_interval(rate: Rate) -> str:
    """The 95% interval, in points."""
    return "" if rate.value is None else f"{100 * rate.low:.1f} to {100 * rate.high:.1f}"


def format_number(rate: Rate) -> str:
    """A figure that is no share, with its interval."""
    return "–" if rate.value is None else f"{rate.value:.3f} (95%: {rate.low:.3f} to {rate.high:.3f})"


def count_cases(count: int) -> str:
    return count_of(count, "case")


def describe_run(run: KeptRun) -> str:
    """In a list of runs; a star is the baseline."""
    about = "" if run.domain == TASKS else f" · {run.domain}"
    star = "★ " if run.is_baseline else ""
    who = ", ".join(run.labels)
    return f"{star}{run.name}{about} · {format_moment(run.created_at)} · {who} · {count_cases(run.size)}"


def format_moment(moment: datetime) -> str:
    return moment.astimezone().strftime("%-d %b %H:%M")
