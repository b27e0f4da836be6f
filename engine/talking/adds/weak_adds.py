"""A word for adding, and little else that speaks for it: "add salt to the water" may be a line of a recipe."""

from __future__ import annotations

from engine.decision import Factor
from engine.outcome.judging import judge, offer
from engine.outcome.values import Outcome
from engine.talking.adds.adding import add
from engine.talking.adds.plain_adds import adds_for_somebody, is_bare_order, says_to_add
from engine.talking.basis import Basis
from engine.talking.moves.noticed import Noticed

_WORTH_OFFERING, _BRIEF, _LONG = 0.2, 5, 12
_SAID_SO = 0.8
_IN_TALK = "a word for adding, in a conversation about tasks"


def hear_weak_add(noticed: Noticed) -> tuple[Outcome, ...] | None:
    """In the middle of a conversation with us it is something to do, and so is a thing alone; else, to begin one
    with, that is likely, and offered."""
    weighed, (context, policy) = noticed.weighed, (noticed.told.context, noticed.told.policy)
    lead = weighed.reading.frames[0].frame if weighed.reading.frames else None
    facts = policy.catalogue.by_intent.get(lead.intent) if lead else None
    if lead is None or facts is None or facts.effect != "add" or weighed.reading.guard:
        return None
    share = next((each.score for each in weighed.scores if each.intent == lead.intent), 0.0)
    scene = weighed.reading.scene
    rest = scene.words[scene.opening + 1 :]
    says_add, only_add = says_to_add(weighed.reading, policy)
    named = [word for word in rest if word.isalpha() and word not in policy.small_words]
    pronoun = any("pronoun" in policy.word_classes.get(word, ()) for word in rest[:1])  # "make it stop"
    likely = (share >= _WORTH_OFFERING and len(rest) <= _BRIEF) or (only_add and len(rest) <= _LONG)
    likely = likely or (len(rest) <= _BRIEF and adds_for_somebody(weighed.reading, policy))
    bare = is_bare_order(weighed.reading, policy, dated=bool(noticed.told.dates))
    if not says_add or not (likely or bare) or not named or pronoun:
        return None
    if bare or (noticed.begun and only_add):
        said = Factor("a word for adding, and a thing" if bare else _IN_TALK, _SAID_SO)
        return add(noticed, Basis("move:add", "request", _SAID_SO, (said,), 0, len(scene.words)))
    meant = judge(weighed._replace(intent=lead.intent, draft=None, reference=None), context, policy)
    call = meant.call or (meant.pending.call if meant.pending and meant.pending.kind == "confirm" else None)
    return (offer(meant._replace(call=call), call, context, policy),) if call else None
