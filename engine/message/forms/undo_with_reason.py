"""What is taken back, and why: "undo that, they have just confirmed Wednesday"."""

from __future__ import annotations

from engine.dates import DateMatch
from engine.decision import Context
from engine.message.forms.opened_again import open_again
from engine.message.judged import acts
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import judge
from engine.policy.values import Policy
from engine.reading.requests import part
from engine.reading.weighing import weigh_request
from engine.talking import hear
from engine.talking.moves.noticing import begin, notice
from engine.text.normalise import Utterance
from engine.values import Task, ToolCall

_LONGEST, _LONGEST_FIRST = 7, 10
_PAUSES = frozenset(",;.!–—-")


def read_undo_first(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The taking back alone, where its words stand before a pause and nothing after it asks for something else."""
    place = _find_pause(utterance, policy)
    if not place or not context.history:
        return None
    head, rest = part(utterance, 0, place, policy), part(utterance, place, len(utterance.tokens), policy)
    asked = _judge(rest, context, policy)
    taken_back = _judge(head, context, policy)
    if len(taken_back) != 1 or taken_back[0].outcome.act != "undo" or taken_back[0].outcome.action != "execute":
        return None
    dates = [each.weighed.dates[0] for each in asked if each.weighed.dates]
    begins = [date for date in dates if date.span.start <= rest.tokens[0].start]
    if any(not _was_just_set(date, context) for date in begins):
        return None  # "no wait, Saturday is better"
    if begins:
        return taken_back
    other = [date for date in dates if not _was_just_set(date, context)]
    if other and all(_changes_last(each, context, policy) for each in asked):
        return asked  # "I was wrong, Father Brown tomorrow"
    asks = any(acts(each.outcome) and each.weighed.reading.frames for each in asked)
    return None if asks else taken_back


def read_undo_last(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """Why, and then that it is taken back: "no, they have the booklet already, undo that"."""
    place = _find_last_pause(utterance, policy)
    if not place:
        return None
    head, rest = part(utterance, 0, place, policy), part(utterance, place, len(utterance.tokens), policy)
    if len(_last_calls(context)) != 1 and not _means_several(rest, policy):  # what is said may be about one
        return None
    taken_back = _judge(rest, context, policy)
    if len(taken_back) != 1 or taken_back[0].outcome.act != "undo" or taken_back[0].outcome.action != "execute":
        return None
    others = _names_others(head, context, policy)
    if others:  # "the tractor broke down again, put it back on the list"
        settled = len(others) == 1 and others[0].status == policy.catalogue.states[1]
        opened = open_again(others[0].id, "it is to do again", utterance, context, policy) if settled else None
        return (opened,) if opened else None
    said = [each for each in _judge(head, context, policy) if acts(each.outcome)]
    elsewhere = any(each.weighed.reading.frames or not _is_about_last(each, context, policy) for each in said)
    return None if elsewhere else taken_back


def _means_several(utterance: Utterance, policy: Policy) -> bool:
    """ "put both back as they were", "everything as it was"."""
    words = utterance.words
    return not policy.lexicon.names(words).isdisjoint(_SEVERAL)


_SEVERAL = ("cue_two", "cue_three", "everything")


def _names_others(head: Utterance, context: Context, policy: Policy) -> tuple[Task, ...]:
    """What the clause before speaks of, where that is something else than what was changed last."""
    noticed = notice(head, weighed := weigh_request(head, context, policy), begin(head, weighed, context, policy))
    last = {policy.catalogue.target_of(call) for call in _last_calls(context)}
    return tuple(each.task for each in noticed.mentioned if each.named and each.task.id not in last)


def _last_calls(context: Context) -> tuple[ToolCall, ...]:
    return next((each.calls for each in reversed(context.history) if each.calls), ())


def _changes_last(request: JudgedRequest, context: Context, policy: Policy) -> bool:
    facts = policy.catalogue.by_intent.get(request.outcome.intent)
    return facts is not None and facts.effect == "change" and _is_about_last(request, context, policy)


def _is_about_last(request: JudgedRequest, context: Context, policy: Policy) -> bool:
    """Whether it is about something that was named when the last change was told."""
    spoken = next((each.tasks for each in reversed(context.history) if each.calls), ())
    call = request.outcome.call or (request.outcome.pending.call if request.outcome.pending else None)
    return call is not None and policy.catalogue.target_of(call) in spoken


def _was_just_set(date: DateMatch, context: Context) -> bool:
    """ "undo that, tomorrow they are shut", about what was just moved to tomorrow."""
    values = [str(value) for call in _last_calls(context) for value in call.parameters.values()]
    return any(value.startswith(date.value) for value in values)


def _find_pause(utterance: Utterance, policy: Policy) -> int:
    """The first word after a pause with words of taking back before it: "sorry, undo that, it leaks again"."""
    if _PAUSES.isdisjoint(utterance.text):
        return 0
    words = utterance.words
    for place in range(1, min(len(words), _LONGEST_FIRST + 1)):
        between = utterance.text[utterance.tokens[place - 1].end : utterance.tokens[place].start]
        said = words[:place]
        if not _PAUSES.isdisjoint(between) and any(policy.lexicon.ends("cue_undo", said, at) for at in range(place)):
            return place
    return 0


def _find_last_pause(utterance: Utterance, policy: Policy) -> int:
    """The first of the last few words, after a pause, if they are all about taking back: "…, undo that please"."""
    if _PAUSES.isdisjoint(utterance.text):
        return 0
    words, tokens = utterance.words, utterance.tokens
    for place in range(len(words) - 1, max(0, len(words) - 1 - _LONGEST), -1):
        if _PAUSES.isdisjoint(utterance.text[tokens[place - 1].end : tokens[place].start]):
            continue
        return place if policy.lexicon.ends("cue_undo", words, place) else 0
    return 0


def _judge(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...]:
    weighed = weigh_request(utterance, context, policy)
    plain = judge(weighed, context, policy)
    heard = hear(utterance, weighed, plain, context, policy) or (plain,)
    return tuple(JudgedRequest(utterance, weighed, outcome) for outcome in heard)
