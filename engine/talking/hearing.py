"""From a way of saying that fits to what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.decision import Act, Context, Reason
from engine.outcome.judging import nothing, offer
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.frames import find_frames, make_scene
from engine.reading.weighing import Weighed, complete_weighing
from engine.talking import adding, asking, changing, narrowing, requesting, settling, undoing
from engine.talking.added_notes import adding_intents, adds_with_note
from engine.talking.asked_of_notes import tell_from_note
from engine.talking.basis import basis_of
from engine.talking.finding import find_ways
from engine.talking.listed_after_colon import each_listed
from engine.talking.moving import Shares, is_outvoted, may_ask, move, share_of_nothing, weigh_moves
from engine.talking.name_corrections import put_name_right
from engine.talking.noted_before import note_said_first
from engine.talking.noticed import Noticed, begun, holds
from engine.talking.noticing import begin, notice
from engine.talking.noting import drop_note, give_note, read_note
from engine.talking.number_corrections import put_number_right
from engine.talking.other_errands import names_stored
from engine.talking.paging import turn_page
from engine.talking.plain_adds import is_bare_order
from engine.talking.several_added import each_added
from engine.talking.several_named import each_named
from engine.talking.values import Heard, Told
from engine.talking.weak_adds import hear_weak_add
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
    told = begin(utterance, weighed, context, policy)
    plainly = put_number_right(told) or put_name_right(told) or _heard_plainly(weighed, judged, told)
    if plainly:
        return plainly
    ways = [heard for heard in find_ways(told)[:_MOST_TRIED] if heard.confidence >= policy.thresholds.read]
    pointed = told.dates != weighed.dates  # "that day": the words alone do not know which
    plain = _is_plain(weighed, judged, policy) and not pointed
    in_talk = begun(context) and (judged.intent in policy.catalogue.lists or _renames(judged, policy))
    noted = ":" in utterance.text and judged.intent in adding_intents(policy)
    if plain and not ways and not in_talk and not noted:
        return None
    noticed = notice(utterance, weighed, told)
    shares = weigh_moves(noticed)
    made = _by_a_way([each for each in ways if not _changes_named(each, judged, told)], weighed, noticed, shares)
    if made or (plain and not _asks_in_talk(judged, noticed) and not adds_with_note(judged, noticed)):
        return made
    made = _by_a_move(noticed, shares, weighed, judged)
    noted_down = tell_from_note(noticed, made or (judged,))
    if noted_down:
        return noted_down
    if made is None and _is_a_guess(weighed, judged, share_of_nothing(noticed, shares)):
        return hear_weak_add(noticed) or (nothing(weighed, policy),)
    if made is None and judged.call and _only_by_words(weighed, judged, policy):
        return (offer(judged, judged.call, context, policy),)
    offered = made or (judged,)
    unsure = (noticed.begun or is_bare_order(weighed.reading, policy)) and all(
        each.action == "clarify" and each.intent in adding_intents(policy) and each.confidence < _PLAIN
        for each in offered
    )
    return (hear_weak_add(noticed) if unsure or (made is None and judged.action == "reply") else None) or made


def _heard_plainly(weighed: Weighed, judged: Outcome, told: Told) -> tuple[Outcome, ...] | None:
    """What its form alone makes plain in a conversation: a note after a colon, the next page, several names."""
    if weighed.reading.guard is not None:
        return None
    return (
        give_note(told)
        or note_said_first(told)
        or drop_note(told)
        or read_note(told)
        or turn_page(told)
        or each_listed(told)
        or each_added(weighed, judged, told)
        or each_named(weighed, judged, told)
    )


def _asks_in_talk(judged: Outcome, noticed: Noticed) -> bool:
    """A list asked for in the middle of a conversation, of what is done or late, or of the last one: single words say
    that less well than everything together. Or "change it to …" about a note, which the words alone take for a name."""
    policy = noticed.told.policy
    notes = _renames(judged, policy) and holds("note", noticed) >= _LIKELY
    lists = judged.intent in policy.catalogue.lists
    kind = lists and max(holds(facet, noticed) for facet in ("done", "late", "keeps", "tells")) >= _LIKELY
    return noticed.begun and (kind or notes)


_LIKELY = 0.5


def _renames(judged: Outcome, policy: Policy) -> bool:
    facts = policy.catalogue.by_intent.get(judged.intent)
    name = facts.argument("name") if facts and facts.effect == "change" else None
    return bool(name and judged.call and name in judged.call.parameters)


def _by_a_way(
    ways: list[Heard], weighed: Weighed, noticed: Noticed, shares: Shares | None
) -> tuple[Outcome, ...] | None:
    """What comes of the surest way of saying that comes to anything, if not everything else speaks against it."""
    told = noticed.told
    for heard in ways:
        loose = heard.way.act in _LOOSE and "target" not in heard.way.needs
        if (loose or heard.way.act == "request") and _is_outvoted(heard, noticed, shares):
            continue
        if (loose or "target" in heard.way.needs) and noticed.has_cue("two", "three"):
            continue  # a way knows one thing at a time
        if not _says_more(heard, weighed, told):
            continue
        adds = heard.way.act == "continue" and _effect_of(heard, told) == "add"
        if heard.way.act == "continue" and _asks_otherwise(heard, told):
            continue
        stored = adds and names_stored(noticed)  # "finger paint tomorrow as well", which is on the list already
        made = settling.change(noticed, basis_of(heard)) if stored else None
        made = made or (adding.add(noticed, basis_of(heard)) if adds else _MAKERS[heard.way.act](heard, told))
        if made:
            return made
    return None


def _changes_named(heard: Heard, judged: Outcome, told: Told) -> bool:
    """ "shift the MOT to the tenth same time" goes on with nothing: it has a verb, and an MOT is there."""
    facts = told.policy.catalogue.by_intent.get(judged.intent)
    frames, starts = told.reading.frames, told.reading.scene.starts
    asks = any(each.frame.intent == judged.intent and each.start in starts for each in frames)
    if heard.way.act != "continue" or facts is None or facts.effect != "change" or not asks:
        return False
    found = [each.candidates[0].how for each in judged.references if each.task_id and each.candidates]
    return bool(found) and "pronoun" not in found


def _asks_otherwise(heard: Heard, told: Told) -> bool:
    """ "and make it high priority": what follows the "and" is no thing to do but a request of its own."""
    place = heard.slot("object", "title")
    if place is None:
        return False
    scene = make_scene(told.reading.scene.words[slice(*place)], frozenset({0}), told.policy)
    frames = find_frames(scene, told.policy)
    best = frames[0] if frames and frames[0].start in scene.starts and not frames[0].frame.weak else None
    facts = told.policy.catalogue.by_intent.get(best.frame.intent) if best else None
    return facts is not None and facts.effect != "add"


def _is_outvoted(heard: Heard, noticed: Noticed, shares: Shares | None) -> bool:
    """ "did I pay Callum" asks: what would be changed by it needs more than its own words. What would only be offered
    is not taken away by talk: "I need to phone the bank" may be said to anybody, and with us is something to do."""
    if heard.confidence < noticed.told.policy.thresholds.act and share_of_nothing(noticed, shares) >= _LIKELY:
        return False
    effect = _effect_of(heard, noticed.told)
    if heard.way.act == "request" and noticed.has_cue("ask_status") and effect == "finish":
        return may_ask(noticed, shares)
    return is_outvoted(effect, noticed, shares)


_LOOSE = ("correct", "answer", "narrow", "continue")
"""Ways whose words say little: what they mean hangs on everything else."""


def _by_a_move(
    noticed: Noticed, shares: Shares | None, weighed: Weighed, judged: Outcome
) -> tuple[Outcome, ...] | None:
    """What comes of the likeliest move; what is asked for in so many words is not offered instead."""
    made = move(noticed, _LEAST, shares)
    if made and _names_another(weighed, judged, made):
        return None
    acts = made and any(each.action in _ACTING for each in made)
    found = made and judged.reason in _NOT_FOUND and all(_has_task(each) for each in made)
    return made if acts or found or not _stands(weighed, judged) else None


def _names_another(weighed: Weighed, judged: Outcome, made: tuple[Outcome, ...]) -> bool:
    """ "mark the samlon as done, just ordered it": what is asked for in so many words is nearly named there, and "it"
    is that."""
    lead = next((each.frame for each in weighed.reading.frames if each.frame.intent == judged.intent), None)
    if judged.reason is not Reason.UNCERTAIN_TARGET or lead is None or lead.weak:
        return False
    named = {candidate.task_id for each in judged.references for candidate in each.candidates}
    return bool(named) and not any(each.task_id in named for outcome in made for each in outcome.references)


_NOT_FOUND = (Reason.NO_TARGET, Reason.BATCH, Reason.MISSING_PARAMETER)


def _has_task(outcome: Outcome) -> bool:
    return any(each.task_id for each in outcome.references)


def _only_by_words(weighed: Weighed, judged: Outcome, policy: Policy) -> bool:
    """Whether something would be finished that nobody said is: single words may offer that, not do it."""
    facts = policy.catalogue.by_intent.get(judged.intent)
    framed = any(each.frame.intent == judged.intent for each in weighed.reading.frames)
    return judged.action == "execute" and facts is not None and facts.effect == "finish" and not framed


_ACTING = ("execute", "confirm")


def _stands(weighed: Weighed, judged: Outcome) -> bool:
    """Whether the words alone come to something: they are acted on, or their way of asking is plain."""
    lead = next((each.frame for each in weighed.reading.frames if each.frame.intent == judged.intent), None)
    known = judged.reason is Reason.AMBIGUOUS_TARGET  # the words found several that fit
    return judged.action in _ACTING or known or (judged.action == "clarify" and lead is not None and not lead.weak)


_SAYS_NOTHING = 0.7
_GUESSES = (Reason.NO_TARGET, Reason.MISSING_PARAMETER, Reason.AMBIGUOUS_TARGET, Reason.BATCH)


def _is_a_guess(weighed: Weighed, judged: Outcome, nothing_wanted: float) -> bool:
    """Whether single words alone made a request of it, without a way of asking: then it is not asked about, and not
    done where everything together says that nothing is wanted."""
    lead = next((each.frame for each in weighed.reading.frames if each.frame.intent == weighed.intent), None)
    if judged.action == "reply" or (lead is not None and not lead.weak):
        return False
    if lead is not None and any(each.task_id for each in judged.references):
        return False
    unsettled = judged.action == "clarify" and judged.reason in _GUESSES
    return (unsettled and lead is None) or nothing_wanted >= _SAYS_NOTHING


_LEAST = 0.35
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
    if heard.way.act == "ask" and effect == "read":
        return True  # the words alone show the list; what is asked about it, only this way knows
    if heard.way.follows and heard.confidence >= _SURELY_SAID and _effect_of(heard, told) == effect:
        return True  # both come to the same kind of call, and this one knows what it goes on from
    if heard.way.intent == weighed.intent:
        found = heard.reference is not None and heard.reference.task_id is not None
        if found and not clear:  # the words alone ask for the same, of something that is not there
            reference = complete_weighing(weighed, context, policy)[1]
            found = reference is None or reference.task_id is None
        return not clear and (found or heard.confidence > weighed.confidence + _NEARLY)
    return not clear and heard.confidence > weighed.confidence - _NEARLY


_SURELY_SAID = 0.85


def _effect_of(heard: Heard, told: Told) -> str:
    """What would be done: a correction changes (or does the same to another), going on does the same again,
    narrowing reads."""
    if heard.way.act == "continue" or (heard.way.act == "correct" and "target" in heard.way.needs):
        return told.situation.effect
    facts = told.policy.catalogue.by_intent.get(heard.way.intent)
    return _EFFECTS.get(heard.way.act) or (facts.effect if facts else "")


_EFFECTS = {"correct": "change", "answer": "change", "narrow": "read", "ask": "read", "undo": "undo", "redo": "redo"}
