"""From a way of saying that fits to what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.decision import Act, Context, Intent, Reason
from engine.outcome.judging import nothing, offer
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.weighing import Weighed, complete_weighing, dates_of
from engine.talking import asking, changing, narrowing, requesting, undoing
from engine.talking.finding import find_ways
from engine.talking.moving import move, share_of_nothing
from engine.talking.noticing import Noticed, notice
from engine.talking.situation import read_situation
from engine.talking.values import Heard, Told
from engine.text.normalise import Utterance

_MOST_TRIED = 6
_NEARLY = 0.02
_MAKERS: Mapping[Act, Callable[[Heard, Told], tuple[Outcome, ...] | None]] = {
    "undo": undoing.undo,
    "redo": undoing.redo,
    "ask": asking.ask_about,
    "narrow": narrowing.narrow,
    "correct": changing.correct,
    "continue": changing.go_on,
    "request": requesting.request,
    "answer": changing.correct,
}


def hear(
    utterance: Utterance, weighed: Weighed, judged: Outcome, context: Context, policy: Policy
) -> tuple[Outcome, ...] | None:
    """What the message comes to by store and conversation; None where its words alone say more (`judged`)."""
    if not utterance.tokens or not (policy.ways or policy.talk.moves):
        return None
    situation = read_situation(context, policy)
    told = Told(weighed.reading, weighed.dates or dates_of(utterance, context, policy), situation, context, policy)
    made = _by_a_way(told, weighed)
    if made or _is_plain(weighed, judged, policy):
        return made
    noticed = notice(utterance, weighed, situation, context, policy)
    made = _by_a_move(noticed, weighed, judged)
    if made is None and _is_a_guess(weighed, judged, noticed, policy):
        return (nothing(weighed, policy),)
    if made is None and judged.call and _only_by_words(weighed, judged, policy):
        return (offer(judged, judged.call, context, policy),)
    return made


def _by_a_way(told: Told, weighed: Weighed) -> tuple[Outcome, ...] | None:
    """What comes of the surest way of saying that comes to anything."""
    for heard in find_ways(told)[:_MOST_TRIED]:
        if heard.confidence < told.policy.thresholds.read:
            break
        made = _MAKERS[heard.way.act](heard, told) if _says_more(heard, weighed, told) else None
        if made:
            return made
    return None


def _by_a_move(noticed: Noticed, weighed: Weighed, judged: Outcome) -> tuple[Outcome, ...] | None:
    """What comes of the likeliest move; what is asked for in so many words is not offered instead."""
    made = move(noticed, _LEAST)
    acts = made and any(each.action in _ACTING for each in made)
    return made if acts or not _stands(weighed, judged) else None


def _only_by_words(weighed: Weighed, judged: Outcome, policy: Policy) -> bool:
    """Whether something would be finished that nobody said is: single words may offer that, not do it."""
    facts = policy.catalogue.by_intent.get(judged.intent)
    framed = any(each.frame.intent == judged.intent for each in weighed.reading.frames)
    return judged.action == "execute" and facts is not None and facts.effect == "finish" and not framed


_ACTING = ("execute", "confirm")


def _stands(weighed: Weighed, judged: Outcome) -> bool:
    """Whether the words alone come to something: they are acted on, or their way of asking is plain."""
    lead = next((each.frame for each in weighed.reading.frames if each.frame.intent == judged.intent), None)
    return judged.action in _ACTING or (judged.action == "clarify" and lead is not None and not lead.weak)


_SAYS_NOTHING = 0.8
_GUESSES = (Reason.NO_TARGET, Reason.MISSING_PARAMETER, Reason.AMBIGUOUS_TARGET, Reason.BATCH)


def _is_a_guess(weighed: Weighed, judged: Outcome, noticed: Noticed, policy: Policy) -> bool:
    """Whether single words alone made a request of it, without a way of asking: then it is not asked about, and not
    done where everything together says that nothing is wanted."""
    lead = next((each.frame for each in weighed.reading.frames if each.frame.intent == weighed.intent), None)
    if judged.action == "reply" or (lead is not None and not lead.weak):
        return False
    if lead is not None and any(each.task_id for each in judged.references):
        return False
    unsettled = judged.action == "clarify" and judged.reason in _GUESSES
    return (unsettled and lead is None) or share_of_nothing(noticed) >= _SAYS_NOTHING


_LEAST = 0.45
"""From this share on a move is offered."""
_UNSETTLED = (Reason.NO_TARGET, Reason.MISSING_PARAMETER, Reason.NARROW_MARGIN)
_PLAIN = 0.7
"""From this confidence on the words alone are plain, wherever the threshold for acting stands."""


def _is_plain(weighed: Weighed, judged: Outcome, policy: Policy) -> bool:
    """Whether the words alone ask for something surely enough, and about something that there is."""
    lead = weighed.reading.frames[0].frame if weighed.reading.frames else None
    known = weighed.intent != policy.catalogue.intents[policy.catalogue.unknown]
    if judged.action == "clarify" and judged.reason in _UNSETTLED:
        return False
    return known and lead is not None and not lead.weak and weighed.confidence >= _PLAIN


def _says_more(heard: Heard, weighed: Weighed, told: Told) -> bool:
    """Whether the way of saying is heard rather than what the words alone ask for."""
    context, policy = told.context, told.policy
    if weighed.intent == policy.catalogue.intents[policy.catalogue.unknown]:
        return True
    lead = weighed.reading.frames[0] if weighed.reading.frames else None
    clear = lead is not None and lead.frame.clear
    effect = policy.catalogue.by_intent[weighed.intent].effect
    if heard.way.act in ("undo", "redo"):
        return not (clear and effect == "change")  # "undo the completion of …" names what it changes
    if heard.way.follows and heard.confidence >= _SURELY_SAID and _effect_of(heard, told) == effect:
        return True  # both come to the same kind of call, and this one knows what it goes on from
    if _same(heard.way.intent, weighed.intent):
        found = heard.reference is not None and heard.reference.task_id is not None
        if found and not clear:  # the words alone ask for the same, of something that is not there
            reference = complete_weighing(weighed, context, policy)[1]
            found = reference is None or reference.task_id is None
        return not clear and (found or heard.confidence > weighed.confidence + _NEARLY)
    return not clear and heard.confidence > weighed.confidence - _NEARLY


_SURELY_SAID = 0.85


def _effect_of(heard: Heard, told: Told) -> str:
    """What would be done: a correction changes, going on does the same again, narrowing reads."""
    return {"correct": "change", "narrow": "read", "continue": told.situation.effect}.get(heard.way.act, "")


def _same(one: Intent, other: Intent) -> bool:
    return one == other
