"""A note whose text stands before what it is put on: "it is 120 euros, put that in the note", "note gate two on it"."""

from __future__ import annotations

from collections.abc import Sequence

from engine.decision import Candidate, Reference
from engine.outcome.values import Outcome
from engine.talking.names.mentions import find_mentioned
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import content_words, is_chore
from engine.talking.notes.noted_in_place import noted_in_place
from engine.talking.notes.noting import find_colon, write_note
from engine.talking.notes.whose_note import spoken_of_last
from engine.talking.notes.written_on import least_of_name
from engine.talking.values import Told

_THAT, _WRITE, _ON, _IT, _PUTS_THAT = "note_that", "note_only", "note_on", "just_it", "puts_that"
_ASIDE = "interjection"
_OPENING = frozenset({"opener", "interjection", "splitter", "yes_word"})
_MORE, _LONGEST_TEXT, _LONGEST_NAME, _PART_OF_NAME = "cue_more", 24, 6, 0.3
_PAUSES = frozenset(",;.–—-")


def note_said_first(told: Told) -> tuple[Outcome, ...] | None:
    """The note set on what is named at the end, or on what was just spoken of."""
    found = _put_that(told) or _put_that_on(told) or _between(told) or noted_in_place(told)
    if found is None:
        return None
    text, reference = _without_aside(found[0], told), found[1]
    words = told.reading.scene.words
    more = any(
        name == _MORE for place in range(text[1], len(words)) for name, _ in told.policy.lexicon.classes(words, place)
    )
    return write_note(told, reference, text, more=more)


def _without_aside(text: tuple[int, int], told: Told) -> tuple[int, int]:
    """ "she takes a 13 now by the way": how it is said in passing is no part of it."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    asides = (place for place in range(text[0] + 1, text[1] - 1) if text[1] in lexicon.ends(_ASIDE, words, place))
    return text[0], next(asides, text[1])


def _put_that(told: Told) -> tuple[tuple[int, int], Reference | None] | None:
    """ "…, put that in the note", at the end: what was said before it."""
    words, utterance, splitters = told.reading.scene.words, told.reading.utterance, told.policy.splitters
    if _THAT not in told.policy.lexicon.names(words):  # nearly always
        return None
    for place in range(1, len(words)):
        if not _is_last(_and_polite(told.policy.lexicon.ends(_THAT, words, place), told), told):
            continue
        first = _before_asking(place, told)
        joined = words[first - 1] in splitters
        before = utterance.text[utterance.tokens[first - 1].end : utterance.tokens[first].start]
        text = _after_openers(told), first - joined
        meant = _named_first(text, told) or spoken_of_last(told, first)
        paused = joined or not _PAUSES.isdisjoint(before) or _states(text, meant, told)
        if paused and _says_something(text, told):
            return _after_name(text, told) or (text, meant)
    return None


def _put_that_on(told: Told) -> tuple[tuple[int, int], Reference | None] | None:
    """ "she takes a 13 now, put that on the shoes": what was said before it, on what is named after it."""
    words, lexicon, text = told.reading.scene.words, told.policy.lexicon, told.reading.utterance.text
    names = lexicon.names(words)
    if _PUTS_THAT not in names or names.isdisjoint((_ON, _BY)):  # nearly always
        return None
    tokens = told.reading.utterance.tokens
    for place in range(1, len(words)):
        starts = [
            at
            for end in lexicon.ends(_PUTS_THAT, words, place)
            for name in (_ON, _BY)
            for at in lexicon.ends(name, words, end)
        ]
        joined = words[place - 1] in told.policy.splitters
        paused = not _PAUSES.isdisjoint(text[tokens[place - 1].end : tokens[place].start])
        said = _after_openers(told), place - joined
        if not starts or not _says_something(said, told):
            continue
        if (joined or paused) and _is_somebodys(max(starts), told):
            return _of_somebody(said, told)
        named = max(starts), next((at for at in range(max(starts), len(words)) if _is_polite(at, told)), len(words))
        found = name_target(named, told, least=least_of_name(named, told)) if named[0] < named[1] else None
        if found and (joined or paused or _states(said, found[0], told)):
            return said, found[0]
    return None


def _states(text: tuple[int, int], meant: Reference | None, told: Told) -> bool:
    """ "the wifi is 18.50 put that with it": typed in a hurry, without a sign after what is told."""
    words, policy, utterance = told.reading.scene.words[slice(*text)], told.policy, told.reading.utterance
    if text[0] >= text[1] or policy.lexicon.names(words[:-1]).isdisjoint(_STATING):
        return False
    said = utterance.text[utterance.tokens[text[0]].start : utterance.tokens[text[1] - 1].end]
    return _PAUSES.isdisjoint(said.replace(".", "", 1)) and not _names_others(text, meant, told)


def _names_others(text: tuple[int, int], meant: Reference | None, told: Told) -> bool:
    """Whether it is said of something else."""
    words, small = told.reading.scene.words, told.policy.small_words
    content = tuple(place for place in range(*text) if words[place] not in small)
    found = find_mentioned(told.reading.utterance, words, content, told.context, told.policy)
    return any(meant is None or each.task.id != meant.task_id for each in found)


_STATING = frozenset({"finite", "note_should", "told_state"})


def _is_last(ends: set[int], told: Told) -> bool:
    """Whether nothing follows but why: "write that with it or I'll get the wrong one"."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    return any(end == len(words) or lexicon.ends(_REASON, words, end) for end in ends)


_BY, _REASON = "note_by", "note_reason"


def _is_somebodys(place: int, told: Told) -> bool:
    """ "… on her job", "… sulla sua": whose it is was said before."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    ends = lexicon.ends(_THEIRS, words, place)
    after = [end for own in ends for end in (own, *lexicon.ends(_ONE, words, own))]
    return any(end == len(words) or _is_polite(end, told) for end in after)


def _of_somebody(text: tuple[int, int], told: Told) -> tuple[tuple[int, int], Reference] | None:
    """What is told, on the one thing that its words name."""
    words, small = told.reading.scene.words, told.policy.small_words
    content = tuple(place for place in range(*text) if words[place] not in small)
    found = find_mentioned(told.reading.utterance, words, content, told.context, told.policy)
    best = [each for each in found if len(each.places) > 1] or [each for each in found if each.named]
    if len(best) != 1 or best[0].slips or (len(found) > 1 and len(best[0].places) == 1):
        return None
    task = best[0].task
    return text, Reference(task.title, best[0].span, (Candidate(task.id, best[0].fit, "partial"),), task.id)


_THEIRS, _ONE = "third_own", "the_one"


def _is_polite(place: int, told: Told) -> bool:
    """Whether nothing but courtesy follows."""
    words = told.reading.scene.words
    return len(words) in told.policy.lexicon.ends("closer", words, place)


def _after_name(text: tuple[int, int], told: Told) -> tuple[tuple[int, int], Reference | None] | None:
    """ "licence: bring two photos, write that down": what stands before the colon is what it is written on."""
    colon = find_colon(told)
    named = name_target((text[0], colon), told, least=_PART_OF_NAME) if text[0] < colon < text[1] else None
    return ((colon, text[1]), named[0]) if named and named[0].task_id else None


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
    text, tokens = told.reading.utterance.text, told.reading.utterance.tokens
    if not _PAUSES.isdisjoint(text[tokens[place - 1].end : tokens[place].start]):
        return place  # "it's 14 teams now, update the note"
    for first in range(max(1, place - _LONGEST_ASKING), place):
        if any(place in lexicon.ends(name, words, first) for name in _ASKING):
            return first
    return place


_ASKING, _LONGEST_ASKING = ("opener", "courtesy", "asks_you"), 4


def _between(told: Told) -> tuple[tuple[int, int], Reference | None] | None:
    """ "note terminal two on it", "jot down gold lids on the jars"."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    if not lexicon.names(words) >= {_WRITE, _ON}:  # nearly always
        return None
    opened = _after_openers(told)
    verb = max(lexicon.ends("asks_you", words, opened), default=opened)
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
            found = name_target(named, told, least=least_of_name(named, told))
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
    return next((at for at in range(len(told.reading.scene.words)) if not _opens(at, told)), 0)


def _opens(place: int, told: Told) -> bool:
    """Whether it only opens what is said; a yes that is also a small word of a sentence ("si") only before a sign."""
    text, tokens = told.reading.utterance.text, told.reading.utterance.tokens
    classes = told.policy.word_classes.get(tokens[place].norm, frozenset())
    signed = place + 1 < len(tokens) and text[tokens[place].end : tokens[place + 1].start].strip()
    small = {"yes_word", "story_word"} <= classes and not signed
    return not small and not _OPENING.isdisjoint(classes)
