"""Where clauses say better than the whole message what is to be done, and to what."""

from __future__ import annotations

from collections.abc import Sequence

from engine.decision import Reason
from engine.message.clauses_against_whole import has_frame
from engine.message.clauses_together import SURE_IN_A_STORY, effect_of, is_named, target_of
from engine.message.judged import acts, is_nothing
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy


def says_better(acting: Sequence[JudgedRequest], understood: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """Whether the one thing that the clauses come to is to be taken instead of the one that the whole comes to."""
    if len(acting) != 1 or len(understood) != 1:
        return False
    whole, clause = acting[0], understood[0]
    sure = acts(clause.outcome) and clause.outcome.confidence >= SURE_IN_A_STORY
    if not sure or "add" in (effect_of(whole, policy), effect_of(clause, policy)):
        return False
    if effect_of(whole, policy) != effect_of(clause, policy):
        return _asks_for_other(whole, clause, policy)
    return _names_it(whole, clause, policy) or _asks_in_words(whole, clause, policy)


def _asks_for_other(whole: JudgedRequest, clause: JudgedRequest, policy: Policy) -> bool:
    """ "the tests, my brother gets them, take that off": together it sounds like one more that is done."""
    if has_frame(whole):
        return False
    if whole.outcome.intent in policy.catalogue.lists:
        return is_named(clause)  # "the parts are all printed, he did them this afternoon" asks for no list of today
    same = target_of(whole, policy) == target_of(clause, policy)
    return same and whole.outcome.act == "continue" and has_frame(clause)


def _names_it(whole: JudgedRequest, clause: JudgedRequest, policy: Policy) -> bool:
    """ "Esposito has paid, mark it as done": together it is what was spoken of before, although another is named."""
    return target_of(whole, policy) != target_of(clause, policy) and not is_named(whole) and _is_told(clause)


def _is_told(clause: JudgedRequest) -> bool:
    """Named in its own clause, or, where it only says "it", in the one before."""
    pointed = (each.candidates[0].how for each in clause.outcome.references if each.candidates)
    return is_named(clause) or "pronoun" in pointed


def _asks_in_words(whole: JudgedRequest, clause: JudgedRequest, policy: Policy) -> bool:
    """ "no rush for the Allegri, take the date off it": what is asked for in so many words, not what it implies."""
    same = target_of(whole, policy) == target_of(clause, policy) is not None
    calls = [each.outcome.call for each in (whole, clause)]
    given = [set(call.parameters) for call in calls if call]
    return same and has_frame(clause) and not has_frame(whole) and len(given) == 2 and given[0] != given[1]


def does_each_its_own(requests: Sequence[JudgedRequest], understood: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "The shower is fixed, and the mowing has to be on Thursday": together the shower would get the day, while of
    each named thing a clause tells something else."""
    effects = {target_of(each, policy): effect_of(each, policy) for each in understood}
    if len(understood) < _BOTH or len(effects) < len(understood) or len(set(effects.values())) < _BOTH:
        return False
    if any(
        effects[target] not in _TOLD_OF or not is_named(each) for target, each in zip(effects, understood, strict=True)
    ):
        return False
    whole = {_asked_target(each, policy): effect_of(each, policy) for each in requests}
    swapped = any(effects.get(target, effect) != effect for target, effect in whole.items())
    return swapped and whole.keys() <= effects.keys()


_TOLD_OF = frozenset({"finish", "change"})


def _asked_target(request: JudgedRequest, policy: Policy) -> str | None:
    pending = request.outcome.pending
    return target_of(request, policy) or (policy.catalogue.target_of(pending.call) if pending else None)


def is_all_beside_remarks(
    requests: tuple[JudgedRequest, ...],
    read: tuple[JudgedRequest, ...],
    heard: tuple[JudgedRequest, ...],
    policy: Policy,
) -> bool:
    """Where the whole message can only be asked about: whether its clauses say something, and the others nothing."""
    plain = [each for each in heard if each.outcome.confidence >= SURE_IN_A_STORY]
    if any(each.outcome.reason is Reason.BELOW_THRESHOLD for each in requests):
        # What is only likely with all its words is no surer with fewer, unless those ask for it plainly.
        alone = bool(heard) and all(each in plain and has_frame(each) for each in heard)
        others = [each for each in read if each not in heard]
        ends = bool(read) and read[-1] in heard  # "she rang again, third time this week, so I need to buy ribbon"
        return not others or (alone and (ends or all(is_nothing(each.outcome) for each in others)))
    # "undo the last change, I go on Thursday as before": what follows says why, or what it comes to.
    told = any(each.outcome.act == "undo" for each in plain)
    return bool(plain) and all(
        is_nothing(each.outcome)
        or each in heard
        or (each.outcome.reason is Reason.BELOW_THRESHOLD and (told or _is_about(each, plain, policy)))
        for each in read
    )


def _is_about(request: JudgedRequest, plain: list[JudgedRequest], policy: Policy) -> bool:
    """ "Mrs Doyle caught me, so I need not email her. Remove it": what is told is about what is asked for."""
    pending = request.outcome.pending
    target = policy.catalogue.target_of(pending.call) if pending else None
    return target is not None and all(target_of(each, policy) == target for each in plain)


def asks_of_what_it_names(requests: tuple[JudgedRequest, ...], read: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "the dentist, what day was it?": what stands before a question, without a verb, is what it asks about."""
    asked = requests[0].outcome if len(requests) == 1 else None
    if asked is None or asked.act != "ask" or not acts(asked) or read[-1].outcome.intent not in policy.catalogue.lists:
        return False
    return all(not each.weighed.reading.frames for each in read[:-1])


def names_less(read: JudgedRequest, requests: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """Whether the whole message adds the same thing, and a word more of its name: "… about paternity leave, today"."""
    facts = policy.catalogue.by_effect.get("add")
    calls = [each.outcome.call for each in (read, *requests) if acts(each.outcome)]
    if facts is None or len(requests) != 1 or len(calls) != _BOTH or any(call is None for call in calls):
        return False
    less, more = (dict(call.parameters) if call else {} for call in calls)
    names = str(less.pop(facts.argument("name"), "")), str(more.pop(facts.argument("name"), ""))
    return less == more and len(names[0]) < len(names[1]) and names[1].startswith(names[0])


_BOTH = 2
