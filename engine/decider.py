"""The rule-based decider: text and Context in, Decision out. It keeps nothing between calls."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from engine.decision import Context, Decider, Decision, Language, Message, Pending, Reason, Step
from engine.dialogue import answer
from engine.judge import ON_TASK, Outcome, weigh_request
from engine.language import detect_language
from engine.normalise import TEXT_LIMIT, Utterance, normalise
from engine.outcomes import judge
from engine.policy import Policy, load_policy, load_policy_file
from engine.replies import say
from engine.requests import split_requests
from engine.values import ToolCall

DECIDER_NAME = "engine"
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


class RuleDecider:
    """A Decider over policies. A policy that is given stands in for the bundled one of its language."""

    def __init__(self, policy: Policy | None = None) -> None:
        self._given = policy

    def policy_for(self, language: Language) -> Policy:
        if self._given is not None and self._given.language == language:
            return self._given
        return load_policy(language)

    def decide(self, text: str, context: Context) -> Decision:
        if not text.isascii():
            # JSON can carry half a character ("\\ud800"). No tool takes it; a sign of the same length keeps all spans.
            text = _HALF_CHARACTER.sub("\ufffd", text)
        policy = self.policy_for(detect_language(text, context))
        if len(text) > TEXT_LIMIT:
            return _plain(Reason.TOO_LONG, say(policy, "too_long", limit=TEXT_LIMIT), policy)
        utterance = normalise(text, policy.spellings, policy.elisions)
        if not utterance.tokens:
            return _plain(Reason.EMPTY, say(policy, "empty"), policy)
        if context.pending:
            outcome = answer(context.pending, utterance, weigh_request(utterance, context, policy), context, policy)
            if outcome:
                return _settle_pending(outcome, context.pending, policy)
        outcomes = judge_in_order(split_requests(utterance, policy), context, policy)
        if len(outcomes) > 1 and any(outcome.intent == "unknown" for outcome in outcomes):
            outcomes = [judge(weigh_request(utterance, context, policy), context, policy)]
        return combine(merge_repeated(outcomes), policy)


def judge_in_order(requests: tuple[Utterance, ...], context: Context, policy: Policy) -> list[Outcome]:
    """Each request knows the tasks that those before it named: "rename X to Y and make it urgent"."""
    outcomes: list[Outcome] = []
    for request in requests:
        outcome = judge(weigh_request(request, context, policy), context, policy)
        outcomes.append(outcome)
        named = tuple([reference.task_id for reference in outcome.references if reference.task_id])
        if named and len(outcomes) < len(requests):
            context = replace(context, history=(*context.history, Message("user", "", named)))
    return outcomes


def merge_repeated(outcomes: list[Outcome]) -> list[Outcome]:
    """What is said twice about one task, or in two parts, is one call."""
    merged: list[Outcome] = []
    for outcome in outcomes:
        last = merged[-1] if merged else None
        if last and last.call and outcome.call and _same_task(last, outcome):
            arguments = {each.name: each for each in (*last.call.arguments, *outcome.call.arguments)}
            call = replace(
                last.call, arguments=tuple({**arguments, "task_identifier": last.call.arguments[0]}.values())
            )
            merged[-1] = last._replace(call=call, slots=(*last.slots, *outcome.slots))
        else:
            merged.append(outcome)
    return merged


def _same_task(one: Outcome, other: Outcome) -> bool:
    both = (one, other)
    if one.intent not in ON_TASK or one.intent != other.intent or not all(each.action == "execute" for each in both):
        return False
    targets = {str(each.call.parameters.get("task_identifier")) for each in both if each.call}
    return len(targets) == 1 and "None" not in targets


def _plain(reason: Reason, message: str, policy: Policy) -> Decision:
    return Decision(
        decider=DECIDER_NAME,
        action="reply",
        intent="unknown",
        reason=reason,
        confidence=0.0,
        message=message,
        policy_version=policy.version,
        steps=(Step("normalise", str(reason)),),
    )


def _settle_pending(outcome: Outcome, pending: Pending, policy: Policy) -> Decision:
    """An answer settles one request; what the same message asked besides comes after it."""
    decision = combine([outcome], policy)
    if not pending.then:
        return decision
    if decision.pending:
        return replace(decision, pending=replace(decision.pending, then=pending.then))
    calls = (*decision.calls, *pending.then)
    confidences = (*decision.call_confidences, *(decision.confidence for _ in pending.then))
    return replace(decision, action="execute", calls=calls, call_confidences=confidences)


def combine(outcomes: list[Outcome], policy: Policy) -> Decision:
    """Requests run in order up to the first that needs an answer; the rest waits behind its question."""
    calls: list[ToolCall] = []
    confidences: list[float | None] = []
    asking = next((place for place, outcome in enumerate(outcomes) if outcome.action != "execute"), len(outcomes))
    for outcome in outcomes[:asking]:
        if outcome.call:
            calls.append(outcome.call)
            confidences.append(outcome.confidence)
    least = min(outcomes, key=lambda outcome: outcome.confidence)
    question = outcomes[asking] if asking < len(outcomes) else None
    pending, shown = None, outcomes[0]
    if question:
        later = tuple(each.call for each in outcomes[asking + 1 :] if each.call and each.action == "execute")
        pending = replace(question.pending, then=later) if question.pending else None
        shown = outcomes[0] if calls else question
        if question.action == "confirm" and question.call and not calls:
            calls, confidences = [question.call], [question.confidence]
    return Decision(
        decider=DECIDER_NAME,
        action="execute" if question is None or outcomes[0].action == "execute" else question.action,
        intent=outcomes[0].intent,
        reason=shown.reason,
        calls=tuple(calls),
        call_confidences=tuple(confidences),
        scores=outcomes[0].scores,
        confidence=least.confidence,
        ledger=least.ledger,
        references=tuple(reference for outcome in outcomes for reference in outcome.references),
        slots=tuple(slot for outcome in outcomes for slot in outcome.slots),
        message=" ".join(outcome.message for outcome in outcomes[: asking + 1] if outcome.message),
        pending=pending,
        steps=tuple(step for outcome in outcomes for step in outcome.steps),
        policy_version=policy.version,
    )


def load_decider(name: str = DECIDER_NAME, policy_path: Path | None = None) -> Decider:
    """`engine` (with the policy of a file, if named) or `baseline`."""
    if name == "baseline":
        from engine.baseline import BaselineDecider

        return BaselineDecider()
    if name != DECIDER_NAME:
        raise ValueError(f"there is no decider called {name!r}; there are: {DECIDER_NAME}, baseline")
    return RuleDecider(load_policy_file(policy_path) if policy_path else None)
