"""Whether a message says in so many words that something is to be added."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.reading.read import Reading

_ADD_OR_CHORE = frozenset({"add", "chore"})


def says_to_add(reading: Reading, policy: Policy) -> tuple[bool, bool]:
    """Whether it begins with a word for adding; and whether that word means nothing else, and nothing says that it goes
    somewhere: not "schedule …", not "add this song to my playlist"."""
    scene = reading.scene
    first, rest = scene.words[scene.opening : scene.opening + 1], scene.words[scene.opening + 1 :]
    kinds = frozenset().union(*(_ADD_OR_CHORE & policy.word_classes.get(word, frozenset()) for word in first))
    says_add = "add" in kinds
    return says_add, says_add and "chore" not in kinds and not _goes_elsewhere(rest, policy)


def _goes_elsewhere(words: tuple[str, ...], policy: Policy) -> bool:
    """Into something: "add salt to the soup". For somebody, or for a day, is no place."""
    kinds = [policy.word_classes.get(word, frozenset()) for word in words]
    return any("into" in each and _FOR not in each for each in kinds)


def adds_for_somebody(reading: Reading, policy: Policy) -> bool:
    """ "add call to the bank", "add letter to Gran": whom it goes to may be part of its name. Not "add this to …",
    which points at something, and not to a playlist or to one's contacts, where other assistants put things."""
    scene = reading.scene
    rest = scene.words[scene.opening + 1 :]
    kinds = [policy.word_classes.get(word, frozenset()) for word in rest]
    places = [place for place, each in enumerate(kinds) if "into" in each and _FOR not in each]
    if len(places) != 1 or not 0 < places[0] < len(rest) - 1 or not says_to_add(reading, policy)[0]:
        return False
    points = not _POINTS.isdisjoint(kinds[0])
    whom = [place for place in range(places[0] + 1, len(rest)) if _POINTS.isdisjoint(kinds[place])]
    whose = len(whom) < len(rest) - places[0] - 2  # "to my …"
    return not points and not whose and bool(whom) and not any("foreign" in kinds[place] for place in whom)


_FOR = "for_whom"
_POINTS = frozenset({"det", "pronoun", "just_it"})


def is_bare_order(reading: Reading, policy: Policy, *, dated: bool = False) -> bool:
    """ "add milk", "add check the boiler", "add lunch with Bo tomorrow": a word that means adding and nothing else, and
    the name of a thing, something to do, or something with its day. Not "add more", not "add song", which other
    assistants are asked for."""
    scene = reading.scene
    begins = max(policy.lexicon.ends(_ADDS_ONLY, scene.words, scene.opening), default=len(scene.words))
    said = scene.words[begins : min(scene.ends)]
    if said and _PARTITIVE in policy.word_classes.get(said[0], ()):
        said = said[1:]  # "add some milk"
    if _is_something_to_do(said, policy) or (dated and _is_named_plainly(said, policy)):
        return True
    return 0 < len(said) <= _MOST_WORDS and all(_names_a_thing(word, policy) for word in said)


def _is_named_plainly(said: tuple[str, ...], policy: Policy) -> bool:
    kinds = [policy.word_classes.get(word, frozenset()) for word in said]
    named = any(word.isalpha() and word not in policy.small_words for word in said)
    return named and not _goes_elsewhere(said, policy) and all(_NOT_OURS.isdisjoint(each) for each in kinds)


def _is_something_to_do(said: tuple[str, ...], policy: Policy) -> bool:
    """A verb and more: "change the bulb in room 8", "spostare gli scatoloni"."""
    kinds = [policy.word_classes.get(word, frozenset()) for word in said]
    if len(said) < _LEAST_TO_DO or _DOING.isdisjoint(kinds[0]):
        return False
    if len(said) > _LEAST_TO_DO and "det" in kinds[1] and "just_it" not in kinds[1]:
        return all(_LISTS.isdisjoint(each) for each in kinds[1:])  # "clean the garage"
    return all(_NOT_OURS.isdisjoint(each) for each in kinds[1:])


def _names_a_thing(word: str, policy: Policy) -> bool:
    classes = policy.word_classes.get(word, frozenset())
    return word.isalpha() and word not in policy.small_words and _NO_THING.isdisjoint(classes)


_ADDS_ONLY, _PARTITIVE, _MOST_WORDS = "adds_only", "partitive", 2
_LEAST_TO_DO = 2
_DOING = frozenset({"chore", "errand", "move", "change", "complete", "delete", "show", "mark", "book", "strike"})
_LISTS = frozenset({"list", "item"})
_NOT_OURS = _LISTS | {"foreign", "pronoun"}
_NO_THING = frozenset({"foreign", "light", "item", "list", "pronoun", "into", "closer", "det"})
