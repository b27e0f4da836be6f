"""Whether a message says in so many words that something is to be added."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.reading.read import Reading


def says_to_add(reading: Reading, policy: Policy) -> tuple[bool, bool]:
    """Whether it begins with a word for adding; and whether that word means nothing else, and nothing says that it goes
    somewhere: not "schedule …", not "add this song to my playlist"."""
    scene = reading.scene
    first, rest = scene.words[scene.opening : scene.opening + 1], scene.words[scene.opening + 1 :]
    kinds = frozenset().union(*(policy.word_classes.get(word, frozenset()) for word in first))
    says_add = "add" in kinds
    return says_add, says_add and "chore" not in kinds and not _goes_elsewhere(rest, policy)


def _goes_elsewhere(words: tuple[str, ...], policy: Policy) -> bool:
    """Into something: "add salt to the soup". For somebody, or for a day, is no place."""
    kinds = [policy.word_classes.get(word, frozenset()) for word in words]
    return any("into" in each and _FOR not in each for each in kinds)


_FOR = "for_whom"


def is_bare_order(reading: Reading, policy: Policy) -> bool:
    """ "add milk": a word that means adding and nothing else, and the name of a thing. Not "add more", not "add song",
    which other assistants are asked for."""
    scene = reading.scene
    begins = max(policy.lexicon.ends(_ADDS_ONLY, scene.words, scene.opening), default=len(scene.words))
    said = scene.words[begins : min(scene.ends)]
    if said and _PARTITIVE in policy.word_classes.get(said[0], ()):
        said = said[1:]  # "add some milk"
    return 0 < len(said) <= _MOST_WORDS and all(_names_a_thing(word, policy) for word in said)


def _names_a_thing(word: str, policy: Policy) -> bool:
    classes = policy.word_classes.get(word, frozenset())
    return word.isalpha() and word not in policy.small_words and _NO_THING.isdisjoint(classes)


_ADDS_ONLY, _PARTITIVE, _MOST_WORDS = "adds_only", "partitive", 2
_NO_THING = frozenset({"foreign", "light", "item", "list", "pronoun", "into", "closer", "det"})
