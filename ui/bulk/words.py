"""Bulk runs in people's words. No streamlit."""

from __future__ import annotations

from datetime import datetime

from evals.bulk.folder import State
from evals.bulk.terminal import format_seconds
from evals.evaluate.judging import ASKS, BROKEN, NONE
from evals.otherwise import Sort
from ui.bulk.reading import ListedBulkRun
from ui.words import name_intent, name_language

SORTS: dict[Sort, str] = {
    "now_acts": "Would act now",
    "no_longer_acts": "Would no longer act",
    "another_call": "Another call",
    "another_answer": "Another question or reply",
}
INSTALL = "pip install --require-hashes -r constraints-bulk.txt"
_OUTCOMES = {ASKS: "Asks back", BROKEN: "Broken call", NONE: "No answer"}
_ENDED = {
    "running": "was cut off",
    "stopped": "was stopped",
    "failed": "failed",
    "incomplete": "lacks shards",
}


def describe_run(run: ListedBulkRun) -> str:
    moment = datetime.fromisoformat(run.plan.created).strftime("%-d %b %H:%M")
    return f"{run.name} · {moment} · {' against '.join(run.plan.names)} · {run.state.messages:,} messages"


def tell_ending(state: State) -> str:
    """How a run ended that did not end well."""
    why = f": {state.problem}" if state.problem else ""
    return f"This run {_ENDED.get(state.status, 'ended')}{why}. {state.messages:,} messages are here."


def tell_time(state: State) -> str:
    if not state.seconds or not state.messages:
        return ""
    rate = state.messages / state.seconds
    where = f"on {state.workers} workers" if state.workers > 1 else "on one worker"
    return f"{format_seconds(state.seconds)} {where} · {rate:,.0f} messages a second"


def tell_progress(run: ListedBulkRun) -> str:
    state = run.state
    left = f", about {format_seconds(state.left)} left" if state.left is not None else ""
    return f"{state.messages:,} messages, {state.rate:,.0f} a second{left}"


def name_outcome(outcome: str) -> str:
    return _OUTCOMES.get(outcome) or name_intent(outcome)


def name_part(part: str, value: str) -> str:
    return name_language(value) if part == "language" else value


def count_messages(count: int) -> str:
    return f"{count:,} message{'' if count == 1 else 's'}"
