"""What a replay changes, as a table: the decision then and the decision now, the differences marked. No streamlit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engine.decision import Decision
from engine.explaining.agreement import calls_of, compare
from evals.replay import ReplayChange
from ui.templates import draw
from ui.turns.calls import ShownCall, show_call
from ui.words import ACTION_WORDS, REASON_WORDS


class Side(NamedTuple):
    words: str
    marked: bool
    calls: tuple[ShownCall, ...]
    missing: tuple[str, ...] = ()


class ReplayRow(NamedTuple):
    text: str
    link: str
    when: str
    sides: tuple[Side, Side]


def changes_html(changes: Sequence[ReplayChange], link: Callable[[str], str]) -> str:
    return draw("history/replay_table", "changes", [_row(change, link(change.turn_id)) for change in changes])


def _row(change: ReplayChange, link: str) -> ReplayRow:
    when = change.said_at.astimezone().strftime("%-d %b %Y, %H:%M")
    differences = compare(change.before, change.after).differences
    marked = [each.name for each in differences]
    gone = tuple(each.name for each in differences if each.second is None)
    before, after = change.before, change.after
    other = (after.action, after.reason) != (before.action, before.reason)
    then = Side(_words(before), False, _calls(before, change, ()))
    now = Side(_words(after), other, _calls(after, change, marked), gone)
    return ReplayRow(change.text, link, when, (then, now))


def _words(decision: Decision) -> str:
    return f"{ACTION_WORDS[decision.action]}: {REASON_WORDS[decision.reason]}"


def _calls(decision: Decision, change: ReplayChange, marked: Sequence[str]) -> tuple[ShownCall, ...]:
    return tuple(show_call(call.tool_name, call.parameters, marked, change.titles) for call in calls_of(decision))
