""" "The next three": the list that was just shown goes on where it ended."""

from __future__ import annotations

from engine.decision import Factor
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.lists.narrowing import list_tool
from engine.talking.lists.remainder import list_rest
from engine.talking.names.naming import content_words
from engine.talking.values import Told
from engine.values import Argument, Provenance

_NEXT, _LONGEST, _SURE = "next_word", 7, 0.9
_SAYS_NOTHING = ("opener", "closer", "show", "item", "items", "list", "option_word")


def turn_page(told: Told) -> tuple[Outcome, ...] | None:
    if told.situation.effect != "read" or told.situation.list_call is None:
        return None
    facts, words = list_tool(told), told.reading.scene.words
    if facts is None:
        return None
    classes, numbers = told.policy.word_classes, told.policy.numbers
    following = [place for place, word in enumerate(words) if _NEXT in classes.get(word, ())]
    if len(following) != 1 or len(words) > _LONGEST:
        return None
    beside = [place for place in (following[0] + 1, following[0] - 1) if 0 <= place < len(words)]
    number = next((place for place in beside if words[place].isdigit() or words[place] in numbers), None)
    if number is None:
        return None
    count = int(words[number]) if words[number].isdigit() else numbers[words[number]]
    page = (min(number, following[0]), max(number, following[0]) + 1)
    rest = [word for place, word in enumerate(words) if not page[0] <= place < page[1]]
    if not count or not isinstance(count, int) or any(_says_something(word, told) for word in rest):
        return None
    limit, end = facts.argument("limit"), len(told.reading.utterance.tokens)
    span = told.reading.utterance.span(*page)
    asked = Argument(limit, count, Provenance("words", span))
    basis = Basis("move:next page", "narrow", _SURE, (Factor("the list goes on", _SURE),), 0, end)
    pages = [(*(each for each in kept if each.name != limit), asked) for kept in list_rest(facts, told)]
    return tuple(judge_with(basis, facts, Draft(facts.intent, kept), None, told) for kept in pages[:1])


def _says_something(word: str, told: Told) -> bool:
    classes = told.policy.word_classes.get(word, frozenset())
    return bool(content_words((word,), told.policy)) and classes.isdisjoint(_SAYS_NOTHING)
