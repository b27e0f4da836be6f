"""What comes of the ways of saying that a policy lists: which of those that fit is heard, and which is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.decision import Act, Reason
from engine.outcome.values import Outcome
from engine.policy.values import Way
from engine.reading.frames import find_frames, make_scene
from engine.reading.questions import begins_as_one
from engine.reading.weighing import Weighed, complete_weighing
from engine.talking.adds import adding
from engine.talking.adds.other_errands import names_stored
from engine.talking.basis import basis_of
from engine.talking.lists import narrowing
from engine.talking.moves import settling
from engine.talking.moves.moving import Shares, is_outvoted, may_ask, share_of_nothing
from engine.talking.moves.noticed import Noticed
from engine.talking.values import Heard, Told
from engine.talking.ways import asking, changing, requesting, undoing

NEARLY = 0.02
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
_LIKELY = 0.5


def by_a_way(
    ways: list[Heard], weighed: Weighed, noticed: Noticed, shares: Shares | None
) -> tuple[Outcome, ...] | None:
    """What comes of the surest way of saying that comes to anything, if not everything else speaks against it."""
    told = noticed.told
    for heard in ways:
        loose = heard.way.act in _LOOSE and heard.way.follows and "target" not in heard.way.needs
        if (loose or heard.way.act == "request") and _is_outvoted(heard, noticed, shares):
            continue
        if (loose or "target" in heard.way.needs) and noticed.has_cue("two", "three"):
            continue  # a way knows one thing at a time
        if heard.way.act == "correct" and "date" in heard.way.needs and noticed.has_cue("done", "reopen"):
            continue  # "I'm done for today", "reopen that one and put it on tomorrow"
        if not says_more(heard, weighed, told):
            continue
        adds = heard.way.act == "continue" and effect_of(heard.way, told) == "add"
        if heard.way.act == "continue" and _asks_otherwise(heard, told):
            continue
        stored = adds and names_stored(noticed)  # "finger paint tomorrow as well", which is on the list already
        made = settling.change(noticed, basis_of(heard)) if stored else None
        made = made or (adding.add(noticed, basis_of(heard)) if adds else _MAKERS[heard.way.act](heard, told))
        if made and heard.way.act == "continue" and all(each.reason is Reason.MISSING_PARAMETER for each in made):
            continue  # "not on Friday after all, Sunday same time" goes on with nothing that has a name
        if made:
            return made
    return None


def changes_named(heard: Heard, judged: Outcome, told: Told) -> bool:
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
    effect = effect_of(heard.way, noticed.told)
    if effect == "finish" and begins_as_one(noticed.weighed.reading.scene.words, noticed.told.policy):
        return True  # "is the rent paid"
    if heard.confidence < noticed.told.policy.thresholds.act and share_of_nothing(noticed, shares) >= _LIKELY:
        return False
    if heard.way.act == "request" and noticed.has_cue("ask_status") and effect == "finish":
        return may_ask(noticed, shares)
    return is_outvoted(effect, noticed, shares)


_LOOSE = ("correct", "answer", "narrow", "continue")
"""Ways whose words say little: what they mean hangs on everything else."""


def says_more(heard: Heard, weighed: Weighed, told: Told) -> bool:
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
    if heard.way.follows and heard.confidence >= _SURELY_SAID and effect_of(heard.way, told) == effect:
        return True  # both come to the same kind of call, and this one knows what it goes on from
    if heard.way.intent == weighed.intent:
        if "new" in heard.way.needs:
            return True  # it knows where the name begins: "vet" in "put vet wednesday"
        found = heard.reference is not None and heard.reference.task_id is not None
        if found and not clear:  # the words alone ask for the same, of something that is not there
            reference = complete_weighing(weighed, context, policy)[1]
            found = reference is None or reference.task_id is None
        return not clear and (found or heard.confidence > weighed.confidence + NEARLY)
    return not clear and heard.confidence > weighed.confidence - NEARLY


_SURELY_SAID = 0.85


def effect_of(way: Way, told: Told) -> str:
    """What would be done: a correction changes (or does the same to another), going on does the same again,
    narrowing reads."""
    if way.act == "continue" or (way.act == "correct" and "target" in way.needs):
        return told.situation.effect
    facts = told.policy.catalogue.by_intent.get(way.intent)
    return _EFFECTS.get(way.act) or (facts.effect if facts else "")


_EFFECTS = {"correct": "change", "answer": "change", "narrow": "read", "ask": "read", "undo": "undo", "redo": "redo"}
