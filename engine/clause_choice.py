"""Whether the clauses of a message say more than the message as a whole, and which of them count."""

from __future__ import annotations

import re

from engine.decision import Context, Reference
from engine.judged import JudgedRequest, acts, is_nothing, is_scrap, judge_in_order, points
from engine.policy.values import Policy
from engine.talking.clauses import split_clauses
from engine.text.normalise import Utterance

_SURE_IN_A_STORY = 0.85
"""How sure a part must be where the message as a whole asks for nothing."""
_SURE_TO_ASK = 0.6
"""What is asked about before it is done needs less, once a conversation goes on."""
_BEYOND_DOUBT = ("exact", "id", "number")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")


def read_clauses(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """The requests of the message's clauses, where they say more than the message as a whole."""
    clauses = split_clauses(utterance, policy) if policy.talk.moves else ()
    if len(clauses) < 2 or any(each.weighed.reading.guard for each in requests):
        return None  # a condition or a denial holds for all of it
    read = judge_in_order(clauses, context, policy)
    understood = tuple(each for each in read if acts(each.outcome) and not is_scrap(each, policy))
    understood = _last_word(understood, policy)
    if all(is_nothing(each.outcome) for each in requests):
        begun = bool(context.history) or context.pending is not None
        sure = tuple(
            each
            for each in understood
            if each.outcome.confidence
            >= (_SURE_TO_ASK if begun and each.outcome.action == "confirm" else _SURE_IN_A_STORY)
            and (begun or each.outcome.intent not in policy.catalogue.lists)  # "i forgot my passcode. now what?"
            and each.outcome.act != "narrow"  # "sorry, today my head is elsewhere": a day in passing asks for no list
        )
        return sure or None
    acting = [each for each in requests if acts(each.outcome)]
    if any(_spans_a_cut(reference, clauses) for each in acting for reference in each.outcome.references):
        return None  # "mark buy soap because of Leo as done": a title that is said whole is in one piece
    changing = [each for each in understood if each.outcome.intent not in policy.catalogue.lists]
    if len(understood) != len(read) or _goes_with_new(changing, policy) or _contradict(changing, policy):
        return None
    more = (
        len(changing) > len(acting)
        or _changes_first(changing, acting, policy)
        or _does_more(changing, acting, policy)
        or _says_each(changing, acting, policy)
    )
    return understood if more else None


def _changes_first(changing: list[JudgedRequest], acting: list[JudgedRequest], policy: Policy) -> bool:
    """ "the fence is done. what's left?": together only the question is heard."""
    calls = [each.outcome.call for each in changing]
    named = bool(calls) and all(call and policy.catalogue.target_of(call) for call in calls)
    return named and all(each.outcome.intent in policy.catalogue.lists for each in acting)


def _spans_a_cut(reference: Reference, clauses: tuple[Utterance, ...]) -> bool:
    """Whether something is named whole, by words of more than one clause."""
    if reference.span is None or not reference.candidates or reference.candidates[0].how not in _BEYOND_DOUBT:
        return False
    cuts = [clause.tokens[0].start for clause in clauses[1:]]
    return any(reference.span.start < cut < reference.span.end for cut in cuts)


def _goes_with_new(changing: list[JudgedRequest], policy: Policy) -> bool:
    """ "I have to get the cakes, on Sunday": what follows something new is about that, not about what was spoken of."""
    adds = any(_effect(each, policy) == "add" for each in changing)
    return adds and any(map(points, changing))


def _contradict(changing: list[JudgedRequest], policy: Policy) -> bool:
    """ "at two, not at one": two clauses about the same of the same are one change."""
    calls = [each.outcome.call for each in changing if each.outcome.call]
    given = [
        (target, name)
        for call in calls
        if (target := policy.catalogue.target_of(call))
        for name, value in call.parameters.items()
        if value != target
    ]
    return len(set(given)) < len(given)


def _does_more(changing: list[JudgedRequest], acting: list[JudgedRequest], policy: Policy) -> bool:
    """ "the bug is fixed, the notes can wait": each clause does something else to something else."""
    calls = [each.outcome.call for each in changing]
    targets = {policy.catalogue.target_of(call) for call in calls if call}
    effects = {_effect(each, policy) for each in changing}
    alike = len({_effect(each, policy) for each in acting}) <= 1
    return alike and len(changing) == len(acting) == len(targets) and len(effects) > 1


def _says_each(changing: list[JudgedRequest], acting: list[JudgedRequest], policy: Policy) -> bool:
    """ "move the call to Monday and the lunch to Tuesday": together both would get the same."""
    one_by_one, together = _values_by_target(changing, policy), _values_by_target(acting, policy)
    alike = one_by_one.keys() == together.keys() and len(together) == len(changing) > 1
    return alike and len(set(together.values())) == 1 < len(set(one_by_one.values()))


def _values_by_target(requests: list[JudgedRequest], policy: Policy) -> dict[str, tuple[tuple[str, object], ...]]:
    found = {}
    for each in requests:
        call = each.outcome.call
        target = policy.catalogue.target_of(call) if call else None
        if call and target:
            given = {name: _day(value) for name, value in call.parameters.items() if value != target}
            found[target] = tuple(sorted(given.items(), key=str))
    return found


def _day(value: object) -> object:
    """Of a time its day: each task keeps its own hour."""
    return value[:10] if isinstance(value, str) and _TIME.fullmatch(value) else value


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
