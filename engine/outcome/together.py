"""Several questions of the same kind as one, which names everything that a yes would do."""

from __future__ import annotations

from dataclasses import replace

from engine.decision import Context, Reason
from engine.outcome.previews import preview
from engine.outcome.replies import say
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.values import ToolCall

_ASKED_TOGETHER = (Reason.BELOW_THRESHOLD, Reason.DESTRUCTIVE)
_MOST_NAMED = 8


def ask_together(outcomes: list[Outcome], context: Context, policy: Policy) -> list[Outcome]:
    """ "Shall I delete A and delete B?" instead of one question after the other; nothing unnamed is done."""
    first = next((place for place, each in enumerate(outcomes) if each.action != "execute"), len(outcomes))
    if len(outcomes) - first < 2 or outcomes[first].reason not in _ASKED_TOGETHER:
        return outcomes
    question, alike = outcomes[first], []
    for each in outcomes[first : first + _MOST_NAMED]:
        if _kind(each) != _kind(question) or _waiting(each) is None:
            break
        alike.append(each)
    calls = [call for each in alike if (call := _waiting(each))]
    if len(calls) < 2 or question.pending is None:
        return outcomes
    shown = [preview(policy, question.intent, call, context) for call in calls]
    listed = f"{', '.join(shown[:-1])} {say(policy, 'and')} {shown[-1]}"
    message = say(policy, "unsure_all", preview=listed)
    pending = replace(question.pending, then=tuple(calls[1:]), question=message)
    joined = question._replace(
        message=message,
        pending=pending,
        references=tuple(reference for each in alike for reference in each.references),
        slots=tuple(slot for each in alike for slot in each.slots),
    )
    return [*outcomes[:first], joined, *outcomes[first + len(alike) :]]


def _kind(outcome: Outcome) -> tuple[str, str, str]:
    return outcome.intent, outcome.reason, outcome.action


def _waiting(outcome: Outcome) -> ToolCall | None:
    return outcome.call or (outcome.pending.call if outcome.pending and outcome.pending.kind == "confirm" else None)
