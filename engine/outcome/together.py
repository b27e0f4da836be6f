"""Several questions of the same kind as one, which names everything that a yes would do."""

from __future__ import annotations

from dataclasses import replace

from engine.decision import Context, Pending, Reason
from engine.outcome.previews import preview
from engine.outcome.replies import say
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.values import ToolCall

_ASKED_TOGETHER = (Reason.BELOW_THRESHOLD, Reason.DESTRUCTIVE)
_MOST_NAMED = 8


def ask_together(outcomes: list[Outcome], context: Context, policy: Policy) -> list[Outcome]:
    """ "Shall I delete A and delete B?" instead of one question after the other; nothing unnamed is done."""
    outcomes = _sure_first(outcomes, policy)
    first = next((place for place, each in enumerate(outcomes) if each.action != "execute"), len(outcomes))
    if len(outcomes) - first < 2 or outcomes[first].reason not in _ASKED_TOGETHER:
        return outcomes
    alike: list[Outcome] = []
    for each in outcomes[first : first + _MOST_NAMED]:
        if each.reason not in _ASKED_TOGETHER or _waiting(each) is None:
            break
        alike.append(each)
    alike.sort(key=lambda each: each.reason is not Reason.DESTRUCTIVE)  # what must be asked about leads the question
    question = alike[0] if alike else outcomes[first]
    calls = [call for each in alike if (call := _waiting(each))]
    if len(calls) < 2 or question.pending is None:
        return outcomes
    shown = [preview(policy, each.intent, call, context) for each, call in zip(alike, calls, strict=True)]
    listed = f"{', '.join(shown[:-1])} {say(policy, 'and')} {shown[-1]}"
    message = say(policy, "unsure_all", preview=listed)
    pending = replace(question.pending, then=tuple(calls[1:]), named=len(calls) - 1, question=message)
    joined = question._replace(
        message=message,
        pending=pending,
        references=tuple(reference for each in alike for reference in each.references),
        slots=tuple(slot for each in alike for slot in each.slots),
    )
    return [*outcomes[:first], joined, *outcomes[first + len(alike) :]]


def _sure_first(outcomes: list[Outcome], policy: Policy) -> list[Outcome]:
    """What is sure does not wait, unsaid, behind a question about something else."""
    asking = [each for each in outcomes if each.pending and each.reason is not Reason.DESTRUCTIVE]
    sure = [each for each in outcomes if each.action == "execute" and each.call and not each.pending]
    if any(each.intent in policy.catalogue.lists for each in sure):
        return outcomes  # "create a task and show me my list": what is shown comes last
    if not asking or not sure or len(asking) + len(sure) < len(outcomes):
        return outcomes
    asked = {task for each in asking if each.pending for task in _asked_about(each.pending, policy)}
    about = {target for each in sure if each.call and (target := policy.catalogue.target_of(each.call))}
    return [*sure, *asking] if asked.isdisjoint(about) else outcomes


def _asked_about(pending: Pending, policy: Policy) -> tuple[str, ...]:
    target = policy.catalogue.target_of(pending.call) if pending.call.tool_name else None
    return (*pending.options, target) if target else pending.options


def _waiting(outcome: Outcome) -> ToolCall | None:
    return outcome.call or (outcome.pending.call if outcome.pending and outcome.pending.kind == "confirm" else None)
