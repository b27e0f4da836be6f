"""What was to be done, told with another verb: "got the nappies" for "Buy nappies", "answered the Norwegians" for
"Reply to the Norwegians". Groups of verbs for one deed are classes of words; a word like "did" tells any deed."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.targets.stems import SHORTEST_STEM, stem

_DEEDS = frozenset({"deed_getting", "deed_answering", "deed_calling"})
_ANY = "deed_any"
_TOLD = _DEEDS | {"did", "settled"}


def is_same_deed(words: tuple[str, ...], place: int, title: tuple[str, ...], policy: Policy) -> bool:
    """Whether the verb told here is one for what the title begins with."""
    if not title:
        return False
    begun = {name for name, _ in policy.lexicon.among(_DEEDS, title, 0)}
    if not begun:
        return False
    return bool(policy.lexicon.among(begun, words, place))


def is_form_of(said: str, verb: str, policy: Policy) -> bool:
    """Whether a stem is the verb's own: also "labell", of "labelled"."""
    return said in (verb, stem(verb, policy)) or (said[:-1] == verb and said[-1:] == verb[-1:])


def tells_any_deed(word: str, policy: Policy) -> bool:
    """ "did the coats": whatever was to be done with them."""
    return _ANY in policy.word_classes.get(word, ())


def tells_state(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    """ "the oven is clean", "the bin's out": what things are once it is done is a word of what is to be done, too."""
    if not place or "deed_state" not in policy.word_classes.get(words[place], ()):
        return False
    before = words[place - 1]
    return "now_is" in policy.word_classes.get(before, ()) or 0 < len(before.partition("'")[2]) < SHORTEST_STEM


def has_helped(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    """ "my brother has fixed the gate": somebody else did what was to be done. Whoever calls or answers does it for
    themselves."""
    alone = bool(policy.lexicon.among(_FOR_ONESELF, words, place))
    return place > 0 and not alone and "past_aux" in policy.word_classes.get(words[place - 1], ())


_FOR_ONESELF = frozenset({"deed_answering", "deed_calling"})


def end_of_deed(words: tuple[str, ...], place: int, policy: Policy) -> int:
    """The place after the verb: "written back", "picked up"."""
    lengths = [length for _, length in policy.lexicon.among(_TOLD, words, place)]
    return place + max(lengths, default=1)


def is_object(after: int, stop: int, named: frozenset[int], beside: frozenset[int]) -> bool:
    """Whether what is named follows the verb at once, and alone: not "flour for the cake", nor "mum's dentist"."""
    place = after
    while place < stop and place not in named and place not in beside:
        place += 1
    if place >= stop or place not in named:
        return False
    while place < stop and place in named:
        place += 1
    return place >= stop or place not in beside
