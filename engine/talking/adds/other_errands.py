"""Another thing to do, or the stored one: "give Rex his tablet at 5" only mentions "Walk Rex"; "the paint tomorrow,
too" is "Buy paint"."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.talking.moves.noticed import Noticed
from engine.talking.names.naming import is_chore
from engine.talking.names.pointing import unexplained
from engine.targets.stems import stem
from engine.text.folding import title_words

_CHANGING = ("move", "note", "off", "reopen", "correct", "same", "undo", "less", "done")

_OF_ANOTHER = tuple(name for name in _CHANGING if name not in ("less", "correct"))
""" "no rush" is said of what is added."""


def is_other_errand(noticed: Noticed) -> bool:
    """Whether it begins with what is to be done, which no title that it mentions has, and is about more than these."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    first = _first_word(words, policy)
    if first is None or not is_chore(words[first], policy) or noticed.has_cue(*_CHANGING) or noticed.shift:
        return False  # "bring the ferry forward a week"
    verb = stem(words[first], policy)
    named = [each for each in noticed.mentioned if each.named]
    if not named or any(each.fit == 1.0 or verb in _stems(each.task.title, policy) for each in noticed.mentioned):
        return False
    return any(place > first for place in unexplained(noticed))


def asks_to_add(noticed: Noticed) -> bool:
    """ "add restring the upright monday, low prio": it begins with a word that means nothing but adding, and names what
    is not there. Whatever was spoken of before is not changed by that."""
    reading, policy = noticed.weighed.reading, noticed.told.policy
    begins = policy.lexicon.ends("adds_only", reading.scene.words, reading.scene.opening)
    if not begins or noticed.points or noticed.has_cue(*_OF_ANOTHER):
        return False  # "add 2pm to it"
    return len(unexplained(noticed)) > 1 and not any(each.named for each in noticed.mentioned)


def _first_word(words: tuple[str, ...], policy: Policy) -> int | None:
    """After "and", "oh", "please"."""
    for place, word in enumerate(words):
        if word not in policy.splitters and _OPENING.isdisjoint(policy.word_classes.get(word, ())):
            return place
    return None


_OPENING = frozenset({"opener", "interjection"})


def _stems(title: str, policy: Policy) -> set[str]:
    return {stem(word, policy) for word in title_words(title)}


def names_stored(noticed: Noticed) -> bool:
    """Whether one thing that is still to be done is named, and nothing but a day or a level said of it."""
    named, still_open = noticed.mentioned, noticed.told.policy.catalogue.states[0]
    if len(named) != 1 or not named[0].named or named[0].slips or named[0].task.status != still_open:
        return False
    return (bool(noticed.told.dates) or noticed.level is not None) and not unexplained(noticed)
