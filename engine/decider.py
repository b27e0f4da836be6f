"""The rule-based decider: text and Context in, Decision out. It keeps nothing between calls."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import TypeVar

from engine.catalogue.facts import UNKNOWN
from engine.decision import Context, Decision, Language, Pending, Reason, Sentence, Step
from engine.domain import Domain
from engine.doubting.asking import ask_if_doubtful
from engine.message.read import read_message
from engine.outcome.replies import say
from engine.outcome.together import ask_together
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.text.language import detect_language
from engine.text.normalise import TEXT_LIMIT, WORD_LIMIT, Utterance, is_long, normalise, repeats_itself
from engine.values import ToolCall, each_once

DECIDER_NAME = "engine"
_Part = TypeVar("_Part")
_HALF_CHARACTER = re.compile("[\ud800-\udfff]")


class RuleDecider:
    """A Decider over the policies of a domain. One that is given stands in for the domain's own of its language."""

    def __init__(self, domain: Domain, *policies: Policy) -> None:
        self.domain = domain
        self._policies = {policy.language: policy for policy in policies}

    def policy_for(self, language: Language) -> Policy:
        if language not in self._policies:  # a domain reads a language when it is first asked for
            self._policies[language] = self.domain.policies[language]
        return self._policies[language]

    def policy_of(self, text: str, context: Context) -> Policy:
        """The policy under which this message is read."""
        return self.policy_for(detect_language(text, context, self.domain.small_words))

    def with_policy(self, policy: Policy) -> RuleDecider:
        """The same domain under this policy."""
        return RuleDecider(self.domain, policy)

    def decide(self, text: str, context: Context) -> Decision:
        if not text.isascii():
            # JSON can carry half a character ("\\ud800"). No tool takes it; a sign of the same length keeps all spans.
            text = _HALF_CHARACTER.sub("\ufffd", text)
        policy = self.policy_of(text, context)
        if len(text) > TEXT_LIMIT:
            return _plain(Reason.TOO_LONG, say(policy, "too_long", limit=TEXT_LIMIT), policy)
        utterance = None if is_long(text) else normalise(text, policy.spellings, policy.elisions, policy.abbreviations)
        if utterance is None or len(utterance.tokens) > WORD_LIMIT:
            return _plain(Reason.TOO_LONG, say(policy, "too_many_words", limit=WORD_LIMIT), policy)
        if not utterance.tokens:
            return _plain(Reason.EMPTY, say(policy, "empty"), policy)
        if repeats_itself(utterance):
            return _plain(Reason.TOO_LONG, say(policy, "repeats"), policy)
        readings: dict[object, object] = {}
        utterance.readings = readings
        try:
            return self._decide_read(utterance, context, policy)
        finally:
            utterance.readings = None  # they know the message, and it would know them
            readings.clear()

    def _decide_read(self, utterance: Utterance, context: Context, policy: Policy) -> Decision:
        requests, answered = read_message(utterance, context, policy)
        outcomes = [request.outcome for request in requests]
        if context.pending and answered:
            return _settle_pending(outcomes, context.pending, policy)
        decision = combine(ask_together(merge_repeated(outcomes, policy), context, policy), policy)
        return ask_if_doubtful(decision, utterance, context, policy)


def merge_repeated(outcomes: list[Outcome], policy: Policy) -> list[Outcome]:
    """What is said twice about the same thing, or in two parts, is one call."""
    merged: list[Outcome] = []
    for outcome in outcomes:
        last = merged[-1] if merged else None
        target = policy.catalogue.by_intent[outcome.intent].target if outcome.call else ""
        if last and last.call and outcome.call and _same_target(last, outcome, target):
            arguments = {each.name: each for each in (*last.call.arguments, *outcome.call.arguments)}
            call = replace(last.call, arguments=tuple({**arguments, target: last.call.arguments[0]}.values()))
            merged[-1] = last._replace(call=call, slots=(*last.slots, *outcome.slots))
        else:
            merged.append(outcome)
    return merged


def _same_target(one: Outcome, other: Outcome, target: str) -> bool:
    both = (one, other)
    if not target or one.intent != other.intent or one.action != other.action or one.action not in _DONE_OR_ASKED:
        return False
    targets = {str(each.call.parameters.get(target)) for each in both if each.call}
    return len(targets) == 1 and "None" not in targets


_DONE_OR_ASKED = ("execute", "confirm")


def _plain(reason: Reason, message: str, policy: Policy) -> Decision:
    return Decision(
        decider=DECIDER_NAME,
        action="reply",
        intent=UNKNOWN,
        reason=reason,
        confidence=0.0,
        message=message,
        sentences=(Sentence("reply", message),),
        policy_version=policy.version,
        language=policy.language,
        thresholds=policy.thresholds,
        steps=(Step("normalise", str(reason)),),
    )


def _settle_pending(outcomes: list[Outcome], pending: Pending, policy: Policy) -> Decision:
    """An answer settles one request; what the same message asked besides comes after it."""
    decision, then = combine(outcomes, policy), pending.then
    if outcomes[0].reason is Reason.CANCELLED:  # a no is one to everything that the question named
        then = tuple(call for call in then[pending.named :] if call.tool_name != pending.call.tool_name)
    if not then:
        return decision
    if outcomes[0].pending and decision.pending:  # the answer led to another question
        return replace(decision, pending=replace(decision.pending, then=then))
    calls = each_once((*decision.calls, *then))
    confidences = (*decision.call_confidences, *(decision.confidence for _ in calls[len(decision.calls) :]))
    return replace(decision, action="execute", calls=calls, call_confidences=confidences)


def combine(outcomes: list[Outcome], policy: Policy) -> Decision:
    """Requests run in order up to the first that needs an answer; the rest waits behind its question."""
    outcomes = _without_repeats(_after_undo(outcomes)) if len(outcomes) > 1 else outcomes
    calls: list[ToolCall] = []
    confidences: list[float | None] = []
    asking = next((place for place, outcome in enumerate(outcomes) if outcome.action != "execute"), len(outcomes))
    for outcome in outcomes[:asking]:
        if outcome.call:
            calls.append(outcome.call)
            confidences.append(outcome.confidence)
    least = min(outcomes, key=_confidence) if len(outcomes) > 1 else outcomes[0]
    question = outcomes[asking] if asking < len(outcomes) else None
    pending, shown = None, outcomes[0]
    if question:
        later = tuple(each.call for each in outcomes[asking + 1 :] if each.call and each.action == "execute")
        pending = question.pending
        if pending and later:
            pending = replace(pending, then=(*pending.then, *later))
        shown = outcomes[0] if asking else question
        # What is done before the question may have no call of its own: an undo. The call that waits for a yes never
        # stands among those that are carried out.
        if question.action == "confirm" and question.call and not asking:
            calls, confidences = [question.call], [question.confidence]
    sentences = _join([outcome.sentences for outcome in outcomes[: asking + 1]])
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
        references=_join([outcome.references for outcome in outcomes]),
        slots=_join([outcome.slots for outcome in outcomes]),
        message=" ".join([sentence.text for sentence in sentences]),
        sentences=sentences,
        pending=pending,
        steps=_join([outcome.steps for outcome in outcomes]),
        policy_version=policy.version,
        language=policy.language,
        thresholds=policy.thresholds,
        act=shown.act if shown.intent != UNKNOWN or shown.call or shown.act != "request" else "chat",
        asks=shown.asks,
        undoes=any(outcome.undoes for outcome in outcomes),
    )


def _after_undo(outcomes: list[Outcome]) -> list[Outcome]:
    """ "scrap that, take it off again": once something is taken back, nothing more is asked about it."""
    first = next((place for place, each in enumerate(outcomes) if each.act == "undo"), None)
    if first is None:
        return outcomes
    return [*outcomes[: first + 1], *(each for each in outcomes[first + 1 :] if each.action == "execute")]


def _without_repeats(outcomes: list[Outcome]) -> list[Outcome]:
    kept: list[Outcome] = []
    for outcome in outcomes:
        before = [each.call.asked for each in kept if each.call and each.action == "execute"]
        if outcome.action != "execute" or not outcome.call or outcome.call.asked not in before:
            kept.append(outcome)
    return kept


_confidence = attrgetter("confidence")


def _join(parts: list[tuple[_Part, ...]]) -> tuple[_Part, ...]:
    """One after the other. Most messages are one request, whose part is the whole."""
    return parts[0] if len(parts) == 1 else tuple(chain.from_iterable(parts))
