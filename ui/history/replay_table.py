"""What a replay changes, as a table: the decision then and the decision now, the differences marked. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

from engine.agreement import calls_of, compare
from engine.decision import Decision
from evals.replay import Change
from ui.turns.calls import call_html, missing_html
from ui.words import ACTION_WORDS, REASON_WORDS


def changes_html(changes: Sequence[Change], link: Callable[[str], str]) -> str:
    rows = "".join(_row(change, link(change.turn_id)) for change in changes)
    return (
        '<div class="tc-scroll"><table class="tc-lines"><thead><tr><th scope="col">Message</th><th scope="col">Then'
        f'</th><th scope="col">Now</th></tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(change: Change, link: str) -> str:
    when = change.said_at.astimezone().strftime("%-d %b %Y, %H:%M")
    differences = compare(change.before, change.after).differences
    marked = [each.name for each in differences]
    gone = [each.name for each in differences if each.second is None]
    text = escape(change.text).replace("\n", "<br>")
    return (
        f'<tr><td class="tc-message"><div>{text}</div><footer><a href="{escape(link)}" target="_blank" '
        f'rel="noopener">Inspect</a> {escape(when)}</footer></td>'
        f"<td>{_side(change.before, change, [])}</td>"
        f"<td>{_side(change.after, change, marked, change.before)}{missing_html(gone)}</td></tr>"
    )


def _side(decision: Decision, change: Change, marked: Sequence[str], before: Decision | None = None) -> str:
    other = before is not None and (decision.action, decision.reason) != (before.action, before.reason)
    words = f"{ACTION_WORDS[decision.action]}: {REASON_WORDS[decision.reason]}"
    calls = "".join(call_html(call.tool_name, call.parameters, marked, change.titles) for call in calls_of(decision))
    head = f'<div class="{"tc-mark" if other else "tc-action"}">{escape(words)}</div>'
    return head + (calls or '<div class="tl-muted">no call</div>')
