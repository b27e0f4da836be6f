"""A note whose text stands before what it is put on: "it is 120 euros, put that in the note", "note gate two on it"."""

from __future__ import annotations

from collections.abc import Sequence

from engine.decision import Candidate, Reference
from engine.outcome.values import Outcome
from engine.talking.names.mentions import find_mentioned
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import content_words, is_chore
from engine.talking.notes.noting import find_colon, spoken_of_last, write_note
from engine.talking.values import Told

_THAT, _WRITE, _ON, _IT = "note_that", "note_only", "note_on", "just_it"
_OPENING = frozenset({"opener", "interjection", "splitter", "yes_word"})
_MORE, _LONGEST_TEXT, _LONGEST_NAME = "cue_more", 24, 6
_PAUSES = frozenset(",;.–—-")


def note_said_first(told: Told) -> tuple[Outcome, ...] | None:
    """The note set on what is named at the end, or on what was just spoken of."""
    found = _put_that(told) or _between(told)
    if found is None:
        return None
    text, reference = found
    words = told.reading.scene.words
    more = any(
        name == _MORE for place in range(text[1], len(words)) for name, _ in told.policy.lexicon.classes(words, place)
    )
    return write_note(told, reference, text, more=more)


def _put_that(told: Told) -> tuple[tuple[int, int], Reference | None] | None:
    """ "…, put that in the note", at the end: what was said before it."""
    words, utterance, splitters = told.reading.scene.words, told.reading.utterance, told.policy.splitters
    if _THAT not in told.policy.lexicon.names(words):  # nearly always
        return None
    for place in range(1, len(words)):
        if len(words) not in _and_polite(told.policy.lexicon.ends(_THAT, words, place), told):
            continue
        first = _before_asking(place, told)
        joined = words[first - 1] in splitters
        before = utterance.text[utterance.tokens[first - 1].end : utterance.tokens[first].start]
        text = _after_openers(told), first - joined
        if (joined or not _PAUSES.isdisjoint(before)) and _says_something(text, told):
            return text, _named_first(text, told) or spoken_of_last(told, first)
    return None


def _named_first(text: tuple[int, int], told: Told) -> Reference | None:
    """ "for Chiara's fitting her mother comes, too; write it down": the one thing that it begins with."""
    words, small = told.reading.scene.words, told.policy.small_words
    content = tuple(place for place in range(*text) if words[place] not in small)
    found = find_mentioned(told.reading.utterance, words, content, told.context, told.policy)
    named = [each for each in found if each.named]
    if len(named) != 1 or named[0].places[0] != content[0]:
        return None
    task = named[0].task
    return Reference(task.title, named[0].span, (Candidate(task.id, named[0].fit, "partial"),), task.id)


def _before_asking(place: int, told: Told) -> int:
    """ "… Would you write that with it?": where the asking begins."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    for first in range(max(1, place - _LONGEST_ASKING), place):
        if any(place in lexicon.ends(name, words, first) for name in _ASKING):
            return first
    return place


_ASKING, _LONGEST_ASKING = ("opener", "courtesy"), 4


def _between(told: Told) -> tuple[tuple[int, int], Reference | None] | None:
    """ "note terminal two on it", "jot down gold lids on the jars"."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    if not lexicon.names(words) >= {_WRITE, _ON}:  # nearly always
        return None
    verb = _after_openers(told)
    since = max(lexicon.ends(_WRITE, words, verb), default=0)
    if since == find_colon(told) and since < len(words) and is_chore(words[since], told.policy):
        return None  # "write: buy boots for Anna" is something to do
    for place in range(len(words) - 2, since, -1) if since else ():
        for start in lexicon.ends(_ON, words, place):
            named = start, len(words)
            text = since, place
            if start >= len(words) or len(words) - start > _LONGEST_NAME or not _says_something(text, told):
                continue
            if all(_IT in told.policy.word_classes.get(word, ()) for word in words[start:]):
                return text, spoken_of_last(told, start)
            found = name_target(named, told)
            if found:
                return text, found[0]
    return None


def _says_something(text: tuple[int, int], told: Told) -> bool:
    words = told.reading.scene.words[slice(*text)]
    return 0 < len(words) <= _LONGEST_TEXT and bool(content_words(words, told.policy) or any(map(str.isdigit, words)))


def _and_polite(ends: Sequence[int], told: Told) -> set[int]:
    words = told.reading.scene.words
    return {after for end in ends for after in (end, *told.policy.lexicon.ends("closer", words, end))}


def _after_openers(told: Told) -> int:
    words, classes = told.reading.scene.words, told.policy.word_classes
    return next((at for at, word in enumerate(words) if _OPENING.isdisjoint(classes.get(word, ()))), 0)
