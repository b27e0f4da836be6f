"""Which ways of saying may be meant at all: their words are there, and they may be said in the situation."""

from __future__ import annotations

from engine.dates import find_shift
from engine.policy.binding import Pattern, places
from engine.policy.values import Way
from engine.talking.values import Told


def list_ways(told: Told) -> list[tuple[Way, Pattern]]:
    """Every way whose words are there and that may be said in the situation, with the pattern that they are of."""
    patterns, kinds = told.policy.way_patterns, told.policy.way_kinds
    possible = told.policy.way_index.possible(told.reading.scene.present)
    possible &= ~(kinds.telling if "?" in told.reading.utterance.own_text else kinds.asking)
    if not told.situation.effect and told.context.pending is None:
        possible &= ~kinds.follows
    if not told.dates:
        possible &= ~kinds.dated
    elif told.situation.effect in ("finish", "remove"):
        possible &= ~kinds.correcting_target  # "dentista mercoledì invece" is no other thing that is done: it says when
    if possible & kinds.correcting_target and _is_one_more(told):
        possible &= ~kinds.correcting_target  # "and the one for Conti" is done, too, and the one before stays so
    if possible & kinds.undoing and (told.dates or _moves(told)):
        possible &= ~kinds.undoing  # whoever says when does not only take something back
    follows = possible & kinds.follows
    misplaced = _find_misplaced(told) if follows and told.situation.effect == "read" else ()
    return [
        patterns[which]
        for which in places(possible)
        if not follows >> which & 1
        or (patterns[which][0].act not in misplaced and _follows_on(patterns[which][0], told))
    ]


def _follows_on(way: Way, told: Told) -> bool:
    """Whether it may be said after what was done, shown or asked last."""
    if way.act == "undo" and not told.situation.fresh:
        return False  # "forget that" is about what was said last
    asked = told.context.pending is not None
    return told.situation.effect in way.follows or (asked and "question" in way.follows)


def _is_one_more(told: Told) -> bool:
    """Whether it begins with "and" or "also", and no word that puts something right."""
    words, policy = told.reading.scene.words[:2], told.policy
    names = [policy.word_classes.get(word, frozenset[str]()) for word in words]
    more = bool(words) and (words[0] in policy.splitters or "cue_more" in names[0])
    return more and all(_PUTS_RIGHT.isdisjoint(each) for each in names)


_PUTS_RIGHT = frozenset({"no_word", "negation", "cue_correct"})


def _moves(told: Told) -> bool:
    """ "put it back a day"; "that day" moves nothing."""
    shift = find_shift(told.reading.utterance.text, told.policy.date_words)
    return shift is not None and bool(shift.days or shift.months or shift.minutes)


def _find_misplaced(told: Told) -> tuple[str, ...]:
    """What a message does not do after a list: a question changes nothing ("which is the most urgent?"), and what asks
    for a change ("move it to Friday") is no other list."""
    words, policy, utterance = told.reading.scene.words, told.policy, told.reading.utterance
    if "?" in utterance.own_text or any("wh" in policy.word_classes.get(word, ()) for word in words[:2]):
        return ("correct", "continue")
    if policy.lexicon.names(words).isdisjoint(_CHANGING):  # mostly
        return ()
    changes = any(policy.lexicon.among(_CHANGING, words, place) for place in range(min(len(words), _FIRST)))
    return ("narrow",) if changes else ()


_CHANGING = frozenset({"cue_move", "cue_off", "cue_undo", "cue_reopen"})


_FIRST = 40
"""Among so many words a change is looked for."""
