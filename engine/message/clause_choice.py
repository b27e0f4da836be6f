"""Whether the clauses of a message say more than the message as a whole, and which of them count."""

from __future__ import annotations

from itertools import pairwise

from engine.decision import Context, Reason, Reference
from engine.message.clauses_against_whole import (
    adds_another,
    asks_plainly_for_other,
    is_level_of_new,
    is_mere_no,
    is_surer,
    puts_day_right,
    reported_apart,
    reports_besides,
    says_each,
    says_partly,
    says_the_same,
    takes_day_of_remark,
    tells_it_done,
    without_why,
)
from engine.message.clauses_better import (
    asks_of_what_it_names,
    does_each_its_own,
    is_all_beside_remarks,
    names_less,
    says_better,
)
from engine.message.clauses_of_new import has_day_of_new
from engine.message.clauses_together import (
    BEYOND_DOUBT,
    SURE_IN_A_STORY,
    SURE_TO_ASK,
    as_nothing,
    echoes,
    effect_of,
    is_named,
    is_said_of,
    read_together,
    said_in_passing,
    says_something,
    swallows_remark,
    target_of,
)
from engine.message.judged import acts, is_nothing, is_scrap, points
from engine.message.judged_request import JudgedRequest
from engine.message.remarks_added import adds_remarks_too
from engine.outcome.judging import offer
from engine.policy.values import Policy
from engine.slots.levels import level_beside
from engine.talking.clauses import split_clauses
from engine.talking.names.naming import is_chore
from engine.text.normalise import Utterance


def read_clauses(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """The requests of the message's clauses, where they say more than the message as a whole."""
    clauses = split_clauses(utterance, policy) if policy.talk.moves else ()
    if len(clauses) < 2 or any(each.weighed.reading.guard for each in requests):
        return None  # a condition or a denial holds for all of it
    read = read_together(clauses, context, policy)
    if len(read) < 2 or asks_of_what_it_names(requests, read, policy) or _is_one(requests, read, policy):
        # what all clauses say of one new thing
        return read if len(read) == 1 and acts(read[0].outcome) and not names_less(read[0], requests, policy) else None
    in_passing = said_in_passing(read, policy)
    if requests and all(swallows_remark(each, in_passing) for each in requests):
        return (as_nothing(requests[0], policy),)
    said = read = tuple(each for each in read if each not in in_passing)
    heard = _heard(utterance, read, policy)
    read = tuple(each for each in read if not echoes(each, heard, policy) and not is_said_of(each, heard))
    heard = without_why(heard, policy)
    understood = _last_word(_without_reasons(heard, policy), policy)
    if all(is_nothing(each.outcome) for each in requests):
        return _sure_in_a_story(read, understood, context, policy)
    acting = [each for each in requests if acts(each.outcome) and not is_said_of(each, heard)]
    # "mark buy soap because of Leo as done": a title that is said whole is in one piece
    whole = any(_spans_a_cut(reference, clauses) for each in acting for reference in each.outcome.references)
    if (whole and not _name_their_own(understood, policy)) or is_level_of_new(read, policy):
        return None
    changing = [each for each in understood if each.outcome.intent not in policy.catalogue.lists]
    remarks = len(read) - len(heard)
    better = (
        adds_remarks_too(requests, said, understood, policy)
        or takes_day_of_remark(acting, said, understood, policy)
        or says_better(acting, understood, policy)
        or does_each_its_own(requests, understood, policy)
    )
    besides = understood if better else _said_besides(acting, requests, read, understood, context, policy)
    if besides:
        return besides
    if acting and remarks:
        more = (
            reports_besides(acting, understood, policy)
            or asks_plainly_for_other(acting, understood, policy)
            or tells_it_done(acting, understood, context, policy)
        )
        return understood if more else None
    if not acting and (says_the_same(requests, understood) or tells_it_done(requests, understood, context, policy)):
        return understood
    if (
        (not acting and not is_all_beside_remarks(requests, read, heard, policy))
        or _goes_with_new(changing, policy)
        or _contradict(changing, policy)
    ):
        return None
    return understood if _say_more(changing, acting, requests, policy) else None


def _is_one(requests: tuple[JudgedRequest, ...], read: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    return puts_day_right(read) or has_day_of_new(requests, read, policy)


def _said_besides(
    acting: list[JudgedRequest],
    requests: tuple[JudgedRequest, ...],
    read: tuple[JudgedRequest, ...],
    understood: tuple[JudgedRequest, ...],
    context: Context,
    policy: Policy,
) -> tuple[JudgedRequest, ...] | None:
    """What is heard together, and what else a clause likely says: that is asked about."""
    if not acting:
        return reported_apart(requests, read, understood, policy)
    return adds_another(acting, read, context, policy) if len(understood) < len(read) else None


def _say_more(
    changing: list[JudgedRequest],
    acting: list[JudgedRequest],
    requests: tuple[JudgedRequest, ...],
    policy: Policy,
) -> bool:
    return (
        len(changing) > len(acting)
        or _changes_first(changing, acting, policy)
        or _does_more(changing, acting, policy)
        or says_each(changing, acting, policy)
        or (len(changing) == len(requests) > len(acting))
    )


def _sure_in_a_story(
    read: tuple[JudgedRequest, ...], understood: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """What the clauses of a message ask for that asks for nothing as a whole."""
    begun = bool(context.history) or context.pending is not None
    sure = tuple(
        each
        for each in understood
        if each.outcome.confidence >= (SURE_TO_ASK if _is_asked_first(each, begun) else SURE_IN_A_STORY)
        # "i forgot my passcode. now what?", but "when is the dentist? sorry, my head"
        and (begun or each.outcome.intent not in policy.catalogue.lists or is_named(each))
        and each.outcome.act != "narrow"  # "sorry, today my head is elsewhere": a day in passing asks for no list
    )
    return sure or _offer_likely(read, begun, context, policy)


def _is_asked_first(request: JudgedRequest, begun: bool) -> bool:
    """What is asked about before it is done; to begin with, of something that is named."""
    return request.outcome.action == "confirm" and (begun or is_named(request))


def _heard(utterance: Utterance, read: tuple[JudgedRequest, ...], policy: Policy) -> tuple[JudgedRequest, ...]:
    """Those that would do something by themselves."""
    heard = tuple(each for each in read if acts(each.outcome) and not is_scrap(each, policy))
    heard = tuple(each for each in heard if not is_said_of(each, heard) and not is_mere_no(each, heard, policy))
    partly = says_partly(utterance, policy)
    return tuple(each for each in heard if not partly or effect_of(each, policy) != "finish")


def _offer_likely(
    read: tuple[JudgedRequest, ...], begun: bool, context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """ "tyre changed, 25 euros": the one clause that likely asks for something is asked about, not passed over."""
    likely = _each_once([each for each in read if not is_nothing(each.outcome)], policy)
    if len(likely) == 1 and likely[0] is read[-1] and _asks_for_errand(likely[0], policy):
        return (likely[0],)
    if len(likely) != 1 or effect_of(likely[0], policy) not in ("finish", "change"):
        return None
    outcome = likely[0].outcome
    about = is_named(likely[0]) or (begun and points(likely[0]))
    if outcome.confidence < SURE_TO_ASK or not about or not says_something(likely[0], policy):
        return None
    if outcome.action == "clarify" and outcome.reason is Reason.BELOW_THRESHOLD:
        return (likely[0],) if begun else None
    if outcome.action != "execute" or outcome.call is None or outcome.act == "narrow":
        return None
    return (likely[0]._replace(outcome=offer(outcome, outcome.call, context, policy)),)


def _each_once(requests: list[JudgedRequest], policy: Policy) -> list[JudgedRequest]:
    """ "he rang me himself, …, so that call's done": what is likely twice is one thing."""
    kept: dict[tuple[str, str], JudgedRequest] = {}
    for place, each in enumerate(requests):
        pending = each.outcome.pending
        target = policy.catalogue.target_of(pending.call) if pending else None
        kept.setdefault((each.outcome.intent, target or str(place)), each)
    return list(kept.values())


def _asks_for_errand(request: JudgedRequest, policy: Policy) -> bool:
    """ "…, she is coming back, so order more clips on Monday": what is to be done, and a day."""
    outcome, scene = request.outcome, request.weighed.reading.scene
    if effect_of(request, policy) != "add" or outcome.reason is not Reason.BELOW_THRESHOLD or not outcome.pending:
        return False
    first = next((word for word in scene.words if _OPENING.isdisjoint(policy.word_classes.get(word, ()))), "")
    return is_chore(first, policy) and bool(request.weighed.dates)


_OPENING = frozenset({"opener", "interjection", "clause_joiner"})


def _without_reasons(understood: tuple[JudgedRequest, ...], policy: Policy) -> tuple[JudgedRequest, ...]:
    """ "the parcel can wait, put it on Monday": why it is moved is no level of its own."""
    dated = {
        policy.catalogue.target_of(call)
        for each in understood
        if (call := each.outcome.call) and policy.catalogue.by_name[call.tool_name].argument("date") in call.parameters
    }
    return tuple(
        each for each in understood if not (_only_implies_level(each, policy) and target_of(each, policy) in dated)
    )


def _only_implies_level(request: JudgedRequest, policy: Policy) -> bool:
    """Whether nothing but a level is given, and no word of the clause is one."""
    call = request.outcome.call
    facts = policy.catalogue.by_name.get(call.tool_name) if call else None
    if call is None or facts is None or request.weighed.reading.frames:
        return False
    given = {name for name, value in call.parameters.items() if name != facts.target}
    words = request.weighed.reading.scene.words
    return given == {facts.argument("level")} and level_beside(words, policy, facts) is None


def _changes_first(changing: list[JudgedRequest], acting: list[JudgedRequest], policy: Policy) -> bool:
    """ "the fence is done. what's left?": together only the question is heard."""
    calls = [each.outcome.call for each in changing]
    named = bool(calls) and all(call and policy.catalogue.target_of(call) for call in calls)
    return named and all(each.outcome.intent in policy.catalogue.lists for each in acting)


def _name_their_own(understood: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "lead bought and blanket washed": each clause names something else, so that no one name spans them."""
    targets = {target_of(each, policy) for each in understood if is_named(each)}
    return len(targets) == len(understood) > 1 and None not in targets


def _spans_a_cut(reference: Reference, clauses: tuple[Utterance, ...]) -> bool:
    """Whether something is named whole, by words of more than one clause."""
    if reference.span is None or not reference.candidates or reference.candidates[0].how not in BEYOND_DOUBT:
        return False
    ends = ".!?\n"  # no name goes on in the next sentence
    cuts = [
        clause.tokens[0].start
        for before, clause in pairwise(clauses)
        if not any(sign in clause.text[before.tokens[-1].end : clause.tokens[0].start] for sign in ends)
    ]
    return any(reference.span.start < cut < reference.span.end for cut in cuts)


def _goes_with_new(changing: list[JudgedRequest], policy: Policy) -> bool:
    """ "I have to get the cakes, on Sunday": what follows something new is about that, not about what was spoken of."""
    adds = [place for place, each in enumerate(changing) if effect_of(each, policy) == "add"]
    return bool(adds) and any(map(points, changing[adds[0] :]))


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
    effects = {effect_of(each, policy) for each in changing}
    alike = len({effect_of(each, policy) for each in acting}) <= 1
    return alike and len(changing) == len(acting) == len(targets) and len(effects) > 1


def _last_word(requests: tuple[JudgedRequest, ...], policy: Policy) -> tuple[JudgedRequest, ...]:
    """ "He has cancelled, take it off": where clauses would do different things to the same, the last one counts."""
    kept: dict[tuple[str, str], JudgedRequest] = {}
    for place, each in enumerate(requests):
        call = each.outcome.call
        target = policy.catalogue.target_of(call) if call else None
        key = ("", target) if target else (str(place), "")
        before = kept.get(key)
        if before and before.outcome.call and call and before.outcome.call.parameters == call.parameters:
            continue  # said twice
        if before and is_surer(before, each):
            continue  # "mark the batteries high, this torch is nearly dead"
        if before and before.outcome.intent == each.outcome.intent:
            key = (str(place), "")  # two parts of one change
        kept.pop(key, None)
        kept[key] = each
    return tuple(kept.values())
