"""One reading of a message: an answer to what was asked, its requests in their order, or those of its clauses."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.catalogue.facts import UNKNOWN
from engine.decision import Context, Message, Pending, Reason
from engine.outcome.answers import answer, is_fresh_request, settle_confirm
from engine.outcome.judging import judge
from engine.outcome.values import Outcome
from engine.outcome.yes_no import find_answer_end, is_small_talk
from engine.policy.talk_weights import NO, YES
from engine.policy.values import Policy
from engine.reading.requests import part, split_requests
from engine.reading.weighing import Weighed, weigh_request
from engine.talking import hear
from engine.talking.answering import hear_answer
from engine.talking.clauses import split_clauses
from engine.talking.denying import split_denied
from engine.talking.regions import is_list
from engine.text.normalise import Utterance


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
        said = hear_answer(utterance, whole, context, policy)
        more = _answer_and_more(context.pending, utterance, context, policy) if said != NO else None
        if more:
            return more, True
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
    requests = _after_denial(utterance, requests, context, policy) or requests
    requests = (not lines and _in_clauses(utterance, requests, context, policy)) or requests
    if _takes_back_question(requests, context) and whole:
        kept = settle_confirm(context.pending, utterance, context, policy, yes=False) if context.pending else None
        return ((JudgedRequest(utterance, whole, kept),) if kept else requests), True
    short = len(utterance.tokens) <= _LONGEST_ANSWER and not is_small_talk(utterance, policy)
    if answered and whole and short and all(_is_nothing(request.outcome) for request in requests):
        return (JudgedRequest(utterance, whole, answered),), True
    return requests, False


def _takes_back_question(requests: tuple[JudgedRequest, ...], context: Context) -> bool:
    """ "no, on second thoughts, leave it": while a yes or no is waited for, that is what is taken back."""
    waits = context.pending is not None and context.pending.kind == "confirm"
    return waits and all(request.outcome.act == "undo" for request in requests)


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


def _after_denial(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """ "don't delete X, finish Y instead": what is not denied is asked for."""
    if not all(_is_denied(each.weighed) for each in requests):
        return None
    split = split_denied(utterance, context, policy)
    if split is None:
        return None
    read = _judge_in_order(split.asked, split.context, policy)
    if split.unclear and any(_points(each) or not _acts(each.outcome) for each in read):
        return None
    asks = all(each.outcome.action != "reply" and not each.weighed.reading.guard for each in read)
    plain = split.contrasts or all(is_fresh_request(each.weighed) or _names_stored(each) for each in read)
    return read if asks and plain and not any(_is_scrap(each, policy) for each in read) else None


def _is_denied(weighed: Weighed) -> bool:
    return weighed.reading.guard is not None and weighed.reading.guard[0] is Reason.NEGATED


def _names_stored(request: JudgedRequest) -> bool:
    """Whether it acts on something that it names itself: not "don't delete the fence, the roof"."""
    outcome = request.outcome
    return bool(request.weighed.reading.frames) and any(reference.task_id for reference in outcome.references)


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
    if len(understood) != len(read) or _goes_with_new(changing, policy):
        return None
    return understood if len(changing) > len(acting) or _does_more(changing, acting, policy) else None


def _goes_with_new(changing: list[JudgedRequest], policy: Policy) -> bool:
    """ "I have to get the cakes, on Sunday": what follows something new is about that, not about what was spoken of."""
    adds = any(_effect(each, policy) == "add" for each in changing)
    return adds and any(map(_points, changing))


def _points(request: JudgedRequest) -> bool:
    """Whether it is about "it"."""
    return any(ref.candidates[:1] and ref.candidates[0].how == "pronoun" for ref in request.outcome.references)


def _does_more(changing: list[JudgedRequest], acting: list[JudgedRequest], policy: Policy) -> bool:
    """ "the bug is fixed, the notes can wait": each clause does something else to something else."""
    calls = [each.outcome.call for each in changing]
    targets = {policy.catalogue.target_of(call) for call in calls if call}
    effects = {_effect(each, policy) for each in changing}
    alike = len({_effect(each, policy) for each in acting}) <= 1
    return alike and len(changing) == len(acting) == len(targets) and len(effects) > 1


def _effect(request: JudgedRequest, policy: Policy) -> str:
    facts = policy.catalogue.by_intent.get(request.outcome.intent)
    return facts.effect if facts else ""


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
