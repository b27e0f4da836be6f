"""The rule-based decider: text and Context in, Decision out. It keeps nothing between calls."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import NamedTuple, TypeVar

from engine.catalogue.facts import UNKNOWN
from engine.decision import Context, Decision, Language, Message, Pending, Reason, Sentence, Step
from engine.domain import Domain
from engine.outcome.answers import answer, find_answer_end, is_small_talk, settle_confirm
from engine.outcome.judging import judge
from engine.outcome.replies import say
from engine.outcome.together import ask_together
from engine.outcome.values import Outcome
from engine.policy.talk_weights import YES
from engine.policy.values import Policy
from engine.reading.requests import part, split_requests
from engine.reading.weighing import Weighed, weigh_request
from engine.talking import hear
from engine.talking.adding import is_list
from engine.talking.answering import hear_answer
from engine.talking.clauses import split_clauses
from engine.text.language import detect_language
from engine.text.normalise import TEXT_LIMIT, WORD_LIMIT, Utterance, is_long, normalise
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
        utterance = None if is_long(text) else normalise(text, policy.spellings, policy.elisions)
        if utterance is None or len(utterance.tokens) > WORD_LIMIT:
            return _plain(Reason.TOO_LONG, say(policy, "too_many_words", limit=WORD_LIMIT), policy)
        if not utterance.tokens:
            return _plain(Reason.EMPTY, say(policy, "empty"), policy)
        requests, answered = read_message(utterance, context, policy)
        outcomes = [request.outcome for request in requests]
        if context.pending and answered:
            return _settle_pending(outcomes, context.pending, policy)
        return combine(ask_together(merge_repeated(outcomes, policy), context, policy), policy)


class JudgedRequest(NamedTuple):
    """One request of a message: its words, how they were weighed, and what comes of it."""

    utterance: Utterance
    weighed: Weighed
    outcome: Outcome


def read_message(utterance: Utterance, context: Context, policy: Policy) -> tuple[tuple[JudgedRequest, ...], bool]:
    """Every request of the message in its order; and whether the message answered the open question.

    The one reading of a message: what decides is also what Inspect shows.
    """
    whole = weigh_request(utterance, context, policy) if context.pending else None
    answered = None
    if context.pending and whole:
        answered = answer(context.pending, utterance, whole, context, policy)
        if answered and answered.reason in _SETTLED:
            return (JudgedRequest(utterance, whole, answered),), True
        more = _answer_and_more(context.pending, utterance, context, policy)
        if more:
            return more, True
        said = hear_answer(utterance, whole, context, policy)
        if said:
            settled = settle_confirm(context.pending, utterance, context, policy, yes=said == YES)
            return (JudgedRequest(utterance, whole, settled),), True
    lines = is_list(utterance) and bool(policy.talk.moves)
    parts = (utterance,) if lines else split_requests(utterance, policy)
    requests = _judge_in_order(parts, context, policy)
    if len(requests) > 1 and any(_is_nothing(request.outcome) for request in requests):
        whole = whole or weigh_request(utterance, context, policy)
        plain = judge(whole, context, policy)
        heard = hear(utterance, whole, plain, context, policy) or (plain,)
        requests = tuple(JudgedRequest(utterance, whole, outcome) for outcome in heard)
    requests = (not lines and _in_clauses(utterance, requests, context, policy)) or requests
    short = len(utterance.tokens) <= _LONGEST_ANSWER and not is_small_talk(utterance, policy)
    if answered and whole and short and all(_is_nothing(request.outcome) for request in requests):
        return (JudgedRequest(utterance, whole, answered),), True
    return requests, False


_SURE_IN_A_STORY = 0.85
"""How sure a part must be where the message as a whole asks for nothing."""
_LONGEST_ANSWER = 4
"""Words: a longer message that names nothing known is no failed try to name something."""


_SETTLED = (Reason.ANSWERED, Reason.CANCELLED, Reason.DESTRUCTIVE, Reason.MATCHED_RULE)
"""Reasons of an answer that is one beyond doubt; any other is looked at as something new first."""


def _is_nothing(outcome: Outcome) -> bool:
    return outcome.action == "reply" and outcome.intent == UNKNOWN


def _acts(outcome: Outcome) -> bool:
    return outcome.action in ("execute", "confirm")


def _answer_and_more(
    pending: Pending, utterance: Utterance, context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """ "yes, and also …", "no, …": the answer first, then what else is asked for."""
    end = find_answer_end(utterance, policy)
    if not end or end >= len(utterance.tokens):
        return None
    first, rest = part(utterance, 0, end, policy), part(utterance, end, len(utterance.tokens), policy)
    weighed = weigh_request(first, context, policy)
    outcome = answer(pending, first, weighed, context, policy)
    if outcome is None or outcome.reason not in _SETTLED:
        return None
    if outcome.reason is Reason.CANCELLED:
        # "no, on Friday" is about what is asked: it is heard as a whole.
        whole = weigh_request(utterance, context, policy)
        heard = hear(utterance, whole, judge(whole, context, policy), context, policy)
        if heard and any(each.act == "correct" for each in heard):
            return tuple(JudgedRequest(utterance, whole, each) for each in heard)
    after = replace(context, pending=None)
    more = _judge_in_order(split_requests(rest, policy), after, policy)
    more = _in_clauses(rest, more, after, policy) or more
    understood = tuple(each for each in more if not _is_nothing(each.outcome))
    if outcome.reason is Reason.CANCELLED and understood:
        return understood
    return (JudgedRequest(first, weighed, outcome), *understood)


def _is_scrap(request: JudgedRequest, policy: Policy) -> bool:
    """A new thing to do that nothing in its own clause leads to: a piece of something else."""
    facts = policy.catalogue.by_intent.get(request.outcome.intent)
    if facts is None or facts.effect != "add":
        return False
    words = request.weighed.reading.scene.words
    return not any(
        name in ("add_lead", "chore", "remind_me")
        for place in range(len(words))
        for name, _ in policy.lexicon.classes(words, place)
    )


_BEYOND_DOUBT = ("exact", "id", "number")


def _in_clauses(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """The requests of the message's clauses, where they say more than the message as a whole."""
    clauses = split_clauses(utterance, policy) if policy.talk.moves else ()
    if len(clauses) < 2 or any(each.weighed.reading.guard for each in requests):
        return None  # a condition or a denial holds for all of it
    read = _judge_in_order(clauses, context, policy)
    understood = tuple(each for each in read if _acts(each.outcome) and not _is_scrap(each, policy))
    understood = _last_word(understood, policy)
    if all(_is_nothing(each.outcome) for each in requests):
        begun = bool(context.history) or context.pending is not None
        sure = tuple(
            each
            for each in understood
            if each.outcome.confidence >= _SURE_IN_A_STORY
            and (begun or each.outcome.intent not in policy.catalogue.lists)  # "i forgot my passcode. now what?"
        )
        return sure or None
    acting = [each for each in requests if _acts(each.outcome)]
    if any(reference.candidates[:1] and reference.candidates[0].how in _BEYOND_DOUBT
           for each in acting for reference in each.outcome.references):  # fmt: skip
        return None  # "mark buy soap because of Leo as done": a title that is said whole is in one piece
    changing = [each for each in understood if each.outcome.intent not in policy.catalogue.lists]
    return understood if len(changing) > len(acting) and len(understood) == len(read) else None


def _last_word(requests: tuple[JudgedRequest, ...], policy: Policy) -> tuple[JudgedRequest, ...]:
    """ "He has cancelled, take it off": where clauses would do different things to the same, the last one counts."""
    kept: dict[tuple[str, str], JudgedRequest] = {}
    for place, each in enumerate(requests):
        call = each.outcome.call
        target = policy.catalogue.target_of(call) if call else None
        key = ("", target) if target else (str(place), "")
        before = kept.get(key)
        if before and before.outcome.intent == each.outcome.intent:
            key = (str(place), "")  # two parts of one change
        kept.pop(key, None)
        kept[key] = each
    return tuple(kept.values())


def _judge_in_order(parts: tuple[Utterance, ...], context: Context, policy: Policy) -> tuple[JudgedRequest, ...]:
    """Each request knows what those before it named: "rename X to Y and make it urgent"."""
    judged: list[JudgedRequest] = []
    for each_part in parts:
        weighed = weigh_request(each_part, context, policy)
        plain = judge(weighed, context, policy)
        outcomes = hear(each_part, weighed, plain, context, policy) or (plain,)
        judged += [JudgedRequest(each_part, weighed, outcome) for outcome in outcomes]
        named = tuple([each.task_id for outcome in outcomes for each in outcome.references if each.task_id])
        if named and len(judged) < len(parts):
            context = replace(context, history=(*context.history, Message("user", "", named)))
    return tuple(judged)


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
    if not target or one.intent != other.intent or not all(each.action == "execute" for each in both):
        return False
    targets = {str(each.call.parameters.get(target)) for each in both if each.call}
    return len(targets) == 1 and "None" not in targets


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
        then = tuple(call for call in then if call.tool_name != pending.call.tool_name)
    if not then:
        return decision
    if outcomes[0].pending and decision.pending:  # the answer led to another question
        return replace(decision, pending=replace(decision.pending, then=then))
    calls = each_once((*decision.calls, *then))
    confidences = (*decision.call_confidences, *(decision.confidence for _ in calls[len(decision.calls) :]))
    return replace(decision, action="execute", calls=calls, call_confidences=confidences)


def combine(outcomes: list[Outcome], policy: Policy) -> Decision:
    """Requests run in order up to the first that needs an answer; the rest waits behind its question."""
    outcomes = _without_repeats(outcomes) if len(outcomes) > 1 else outcomes
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
        shown = outcomes[0] if calls else question
        if question.action == "confirm" and question.call and not calls:
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
