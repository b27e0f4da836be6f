"""Things to do one after the other: "ring Bo, buy tape and post it"."""

from __future__ import annotations

from engine.policy.values import Policy
from engine.talking.names.naming import is_chore
from engine.talking.values import Told


def cut_at_chores(first: int, last: int, told: Told, dated: frozenset[int] = frozenset()) -> list[tuple[int, int]]:
    """At commas and "and", before words that a thing to do begins with, and at these places, where both sides have a
    day of their own; a piece that says "him" goes with the one before it."""
    utterance, words, policy = told.reading.utterance, told.reading.scene.words, told.policy
    starts = [first]
    for place in range(first + 1, last):
        between = utterance.text[utterance.tokens[place - 1].end : utterance.tokens[place].start]
        after = words[place - 1] in policy.splitters
        if (after or "," in between) and (is_chore(words[place], policy) or place in dated):
            starts.append(place)
    if not is_chore(words[first], policy) and not dated.issuperset(starts[1:]) and not _has_day(first, starts, told):
        return []  # "swim club on Monday and dentist on Wednesday" are two without a verb
    ends = [*starts[1:], last]
    pieces = [
        (start, _without_joiner(start, end, words, policy.splitters)) for start, end in zip(starts, ends, strict=True)
    ]
    tails = _tails(words, policy)
    points = any(
        _points(place, end, words, policy)
        for start, end in pieces[1:]
        for place in range(start, end)
        if place not in tails
    )
    return [] if points else pieces


def _tails(words: tuple[str, ...], policy: Policy) -> set[int]:
    """The words of "no date for that" point to nobody."""
    return {
        inner
        for place in range(len(words))
        for end in policy.lexicon.ends("title_tail", words, place)
        if end - place > 1
        for inner in range(place, end)
    }


def _has_day(first: int, starts: list[int], told: Told) -> bool:
    """ "dentist on Tuesday at nine, call Anna": a day ends what has no verb, where a verb begins the next."""
    tokens = told.reading.utterance.tokens
    since, until = tokens[first].start, tokens[starts[1]].start if len(starts) > 1 else 0
    return any(since < each.span.start < until and each.has_day for each in told.dates)


def _points(place: int, end: int, words: tuple[str, ...], policy: Policy) -> bool:
    """ "ring him" points to somebody named before; "ring Mrs Pell about her gutter" says whose gutter it is."""
    classes = policy.word_classes.get(words[place], frozenset())
    owns = "det" in classes and place + 1 < end and words[place + 1] not in policy.small_words
    return "pronoun" in classes and not owns


def _without_joiner(start: int, end: int, words: tuple[str, ...], splitters: frozenset[str]) -> int:
    while end > start + 1 and words[end - 1] in splitters:
        end -= 1
    return end
