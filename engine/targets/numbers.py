"""A number among other words: "sprint task 3" is a name, "task 3" is a number, "#5 call Anna" may be two tasks."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from engine.decision import Candidate, Context
from engine.policy.values import Policy
from engine.targets.identifiers import find_numbered_place, parse_identifier
from engine.text.folding import title_words
from engine.values import Task

_LOOKED_AT = 10


class Numbered(NamedTuple):
    """A number that may be that of a task, and the words that stand beside it in the same name."""

    number: int
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    plain: bool = False
    """Said with a "#": no title is meant."""


def read_number(said: str, name: str, policy: Policy) -> Numbered | None:
    """The number that a mention says: `name` is what it says without its frills."""
    nouns = policy.words["numbered"]
    if not any(map(str.isdigit, said)):
        number = policy.numbers.get(name.lower())  # "task three"
        return Numbered(number, plain=True) if number is not None else None
    whole = parse_identifier(name, nouns).number
    if whole is not None:
        return Numbered(whole, plain="#" in name)
    for text in (name, said):
        found = find_numbered_place(text, nouns)
        if found:
            number, first, last = found
            before, after = _telling(text[:first], policy), _telling(text[last:], policy)
            return Numbered(number, before, after, "#" in text[first:last])
    return None


def find_called(words: tuple[str, ...], number: int, context: Context) -> Task | None:
    """The task whose whole title, with the number in it, is said in these words: "Sprint task 3"."""
    asked, called = " ".join(words), None
    for task in context.tasks.candidates(asked, _LOOKED_AT):
        titled = title_words(task.title)
        longer = called is None or len(titled) > len(title_words(called.title))
        if str(number) in titled and len(titled) > 1 and longer and _runs_in(titled, words):
            called = task
    return called


def weigh_number(
    task: Task, numbered: Numbered, titled: tuple[Candidate, ...], policy: Policy
) -> tuple[Candidate, ...]:
    """The task of that number beside those that the other words name (`titled`). Where they disagree, none of them
    wins; where words before the number name nothing, the number alone is not enough."""
    words, title = (*numbered.before, *numbered.after), title_words(task.title)
    if _has_another(title, numbered):
        return (Candidate(task.id, policy.thresholds.target - _TOO_LITTLE, "number"),)
    if all(any(each.startswith(word) for each in title) for word in words):
        return (Candidate(task.id, 1.0, "number"),)
    others = tuple(each for each in titled if each.task_id != task.id and each.score >= policy.thresholds.target)
    if others:
        return (Candidate(task.id, others[0].score, "number"), *others)
    if numbered.before and not numbered.plain:
        return (Candidate(task.id, policy.thresholds.target - _TOO_LITTLE, "number"),)
    return (Candidate(task.id, 1.0, "number"),)


_TOO_LITTLE = 0.01


def _has_another(title: tuple[str, ...], numbered: Numbered) -> bool:
    """ "imported task 3" does not mean "Imported task 56", whatever its number is."""
    figures = [word for word in title if word.isdigit()]
    called = bool(numbered.before) and not numbered.plain
    return called and bool(figures) and str(numbered.number) not in figures


def is_called_otherwise(text: str, task: Task, policy: Policy) -> bool:
    """Whether a word right before "task 3" names something that this task is not: "the invoice task 3"."""
    found = find_numbered_place(text, policy.words["numbered"])
    if found is None or "#" in text[found[1] : found[2]]:
        return False
    before = title_words(text[: found[1]])[-1:]
    telling = [word for word in before if policy.word_classes.get(word, frozenset()) <= _THINGS]
    return any(word not in title_words(task.title) for word in telling)


_THINGS = frozenset({"chore", "errand", "supply"})
""" "order" is also a verb."""


def _telling(text: str, policy: Policy) -> tuple[str, ...]:
    nouns, small = policy.words["numbered"], policy.function_words
    return tuple(word for word in title_words(text) if word not in small and word not in nouns and not word.isdigit())


def _runs_in(titled: tuple[str, ...], words: tuple[str, ...]) -> bool:
    return any(words[place : place + len(titled)] == titled for place in range(len(words) - len(titled) + 1))


def is_other_number(numbers: frozenset[str], titled: Collection[str]) -> bool:
    """Whether a title has numbers, and none of these: "chapter 7" is not "chapter 6"."""
    return any(map(str.isdigit, titled)) and numbers.isdisjoint(titled)
