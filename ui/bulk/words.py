"""Bulk runs in people's words. No streamlit."""

from __future__ import annotations

from datetime import datetime

from evals.bulk.folder import State
from evals.bulk.terminal import format_seconds
from evals.evaluate.judging import ASKS, BROKEN, NONE
from evals.otherwise import Sort
from ui.bulk.reading import ListedBulkRun
from ui.counting import count_of
from ui.rules.words import describe_rule
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
    return f"{run.name} · {moment} · {' against '.join(run.plan.names)} · {count_messages(run.state.messages)}"


def tell_ending(state: State) -> str:
    """How a run ended that did not end well."""
    why = f": {state.problem}" if state.problem else ""
    here = f"{count_messages(state.messages)} {'is' if state.messages == 1 else 'are'}"
    return f"This run {_ENDED.get(state.status, 'ended')}{why}. {here} here."


def tell_time(state: State) -> str:
    if not state.seconds or not state.messages:
        return ""
    rate = state.messages / state.seconds
    where = f"on {state.workers} workers" if state.workers > 1 else "on one worker"
    return f"{format_seconds(state.seconds)} {where} · {rate:,.0f} messages a second"


def tell_progress(run: ListedBulkRun) -> str:
    state = run.state
    left = f", about {format_seconds(state.left)} left" if state.left is not None else ""
    return f"{count_messages(state.messages)}, {state.rate:,.0f} a second{left}"


def name_outcome(outcome: str) -> str:
    return _OUTCOMES.get(outcome) or name_intent(outcome)


def name_part(part: str, value: str) -> str:
    return name_language(value) if part == "language" else value


def name_rule(rule: str) -> tuple[str, str]:
    """Its own name in words, and what it stands for: “remind me”, “a way of asking to add a task”."""
    kind, _, name = rule.partition(":")
    return (name.rpartition(".")[2] or kind).replace("_", " "), describe_rule(rule)


def count_messages(count: int) -> str:
    return count_of(count, "message")
