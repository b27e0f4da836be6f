"""Which stored things the words of a message name. Small words are no evidence: "the" stands in many titles."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from engine.decision import Context
from engine.policy.values import Policy
from engine.targets.numbers import is_other_number
from engine.targets.stems import SHORTEST_STEM, stem
from engine.text.folding import fold, title_words
from engine.values import Task

_LOOKED_AT = 8
_MOST_WORDS = 48
"""As many as a slot takes."""
SHORTEST_LIKE = 5
_SMALL = "small_word"


Made = TypeVar("Made")


class Named(NamedTuple):
    task: Task
    fit: float
    """0 to 1: how much of the words, and of the title, the other has."""
    whole: bool
    """Whether every word that says something stands in the title."""


def content_words(words: Iterable[str], policy: Policy) -> tuple[str, ...]:
    """Without the small words, each by its stem."""
    small = policy.small_words
    return tuple([stem(word, policy) for word in words if word not in small and any(map(str.isalnum, word))])


def find_named(words: tuple[str, ...], context: Context, policy: Policy) -> tuple[Named, ...]:
    """The tasks that these words may mean, the best first. Nobody names one by hundreds of words."""
    words = words[:_MOST_WORDS]
    folded = [fold(word) for word in words]
    asked = frozenset(content_words(folded, policy))
    if not asked:
        return ()
    verbs = frozenset([stem(word, policy) for word in folded if is_chore(word, policy)])
    real = frozenset([stem(word, policy) for word in folded if is_real(word, policy)])
    looked_for = " ".join((*words, *sorted(asked.difference(words))))  # the store knows no endings
    found = [_fit(task, asked, policy, verbs, real) for task in context.tasks.candidates(looked_for, _LOOKED_AT)]
    return tuple(sorted((each for each in found if each), key=lambda each: -each.fit))


def is_real(word: str, policy: Policy) -> bool:
    """Whether it is a word of the language, and so no slip for another: "carico" is not "scarico"."""
    return word in policy.weights.vocabulary or word in policy.real_words


def is_chore(word: str, policy: Policy) -> bool:
    """Whether a thing to do can begin with this word: the class `chore`, and `errand` where a language has it."""
    return not policy.word_classes.get(word, _NONE).isdisjoint(_CHORES)


_NONE: frozenset[str] = frozenset()
_CHORES = frozenset({"chore", "errand"})


def keep_of_title(use: str, title: str, policy: Policy, make: Callable[[str, Policy], Made]) -> Made:
    """What is made of a title for some use, by its words and the policy alone: made once for many messages."""
    known = policy.titles
    found: Made | None = known.get((use, title))
    if found is None:
        if len(known) >= _TITLES_KEPT:
            known.clear()
        found = known[use, title] = make(title, policy)
    return found


_TITLES_KEPT = 8192


def _content_of_title(title: str, policy: Policy) -> frozenset[str]:
    return frozenset(content_words(title_words(title), policy))


def _fit(
    task: Task, asked: frozenset[str], policy: Policy, verbs: frozenset[str], real: frozenset[str]
) -> Named | None:
    titled = keep_of_title("content", task.title, policy, _content_of_title)
    if not titled or (asked <= verbs and not titled <= asked):  # a verb alone names nothing: "call", "pagare"
        return None
    numbers = frozenset(filter(str.isdigit, asked))
    if numbers and is_other_number(numbers, titled):
        return None
    common = {word for word in asked if word in titled or is_like_one(word, titled, slips=word not in real)}
    if not common:
        return None
    said, covered = len(common) / len(asked), min(1.0, len(common) / len(titled))
    return Named(task, round(0.6 * said + 0.4 * covered, 4), said == 1.0)


def is_like_one(word: str, titled: frozenset[str], *, slips: bool = True) -> bool:
    """The beginning of a longer word, or a slip of the finger; a word that is one is no slip for another."""
    length = len(word)
    if length >= SHORTEST_LIKE:
        for other in titled:  # asked of every word and title: twice as quick as `any`
            if other.startswith(word):
                return True
    if not slips or length < SHORTEST_STEM:
        return False
    likely = [other for other in titled if -1 <= len(other) - length <= 1 and _may_slip(word, other)]
    if not likely:
        return False
    from rapidfuzz.distance import OSA  # late: slow to import, and most words stand there as they are

    return any(OSA.distance(word, other, score_cutoff=1) <= 1 for other in likely)


def _may_slip(word: str, other: str) -> bool:
    """A short word may be a slip for one that begins alike and is longer: "sok" for "sock", not "cat" for "bat"."""
    if min(len(word), len(other)) >= SHORTEST_LIKE:
        return True
    return len(other) > SHORTEST_STEM and len(other) >= len(word) and word[0] == other[0]
