"""A name put right: "15 bouquets, not 12", "with Priya instead of Dawn", "with Tom, sorry"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.catalogue.facts import ToolFacts
from engine.decision import Slot
from engine.policy.values import Policy
from engine.slots.titles import date_spans, inside
from engine.talking.values import Told
from engine.text.folding import fold, split_words
from engine.values import Span

_OLD, _LONGEST = "old_value", 3
_CORRECTING = "cue_correct"
_SAID, _BUT = "said_before", "but_word"
_IT_IS, _WHO = "it_is", "relative_word"
_MOST_WORDS = 6
_AT_THE_BEGINNING = 1


class _Contrast(NamedTuple):
    old: Span
    """In the title."""
    new: Span
    """In the message."""


def find_new_note(told: Told, facts: ToolFacts, note: str) -> Slot | None:
    """ "16, not 14": the note with the old words replaced, where the message has both."""
    argument = facts.argument("note")
    found = next(_find_contrasts(told, note), None) if argument and note and len(fold(note)) == len(note) else None
    if not argument or found is None:
        return None
    new = told.reading.utterance.slice(found.new)
    return Slot(argument, note[: found.old.start] + new + note[found.old.end :], found.new)


def find_new_name(told: Told, facts: ToolFacts, title: str) -> Slot | None:
    """The title with the old words replaced by the new ones, where the message has both, or says the new ones after
    the same small word."""
    argument = facts.argument("name")
    if not argument or len(fold(title)) != len(title):
        return None
    found = find_contrast(told, title) or find_after_same_word(told, title)
    if found is None:
        return None
    old, new = found
    renamed = title[: old.start] + told.reading.utterance.slice(new) + title[old.end :]
    return Slot(argument, renamed, new) if renamed != title else None


def find_contrast(told: Told, title: str) -> tuple[Span, Span] | None:
    """Where the old words stand in the title, and the new ones in the message, which has both."""
    return next(_find_contrasts(told, title), None)


def _find_contrasts(told: Told, title: str) -> Iterator[_Contrast]:
    words, policy = told.reading.scene.words, told.policy
    dated = date_spans(told.dates, told.reading.utterance)
    turned = _find_said_wrongly(told, title)
    if turned:
        yield turned
    for place in range(len(words)):
        for first in sorted(policy.lexicon.ends(_OLD, words, place), reverse=True):
            for last in range(min(len(words), first + _LONGEST), first, -1):
                since = next((each for each in range(first, last) if _is_telling(each, told)), last)
                if since == last or any(
                    inside(told.reading.utterance.tokens[each], dated) for each in (since, last - 1)
                ):
                    continue
                old = _find_in_title(words[since:last], title)
                new = _new_words(told, place, last, words[since:last], title) if old else None
                if old and new:
                    yield _Contrast(old, new)


def _find_said_wrongly(told: Told, title: str) -> _Contrast | None:
    """ "I said four but it's room five": the old words, then a word that turns it, then what it is."""
    words, policy, lexicon = told.reading.scene.words, told.policy, told.policy.lexicon
    if not lexicon.names(words) >= {_SAID, _BUT}:  # nearly always
        return None
    said = max((end for place in range(_MOST_WORDS) for end in lexicon.ends(_SAID, words, place)), default=0)
    turn = next((at for at in range(said, len(words)) if _BUT in policy.word_classes.get(words[at], ())), 0)
    is_so = {end for name in (_IT_IS, _CORRECTING) for end in lexicon.ends(name, words, turn + 1)} if said else set()
    if not is_so or not 0 < turn - said <= _LONGEST:
        return None
    kept = set(split_words(fold(title)))
    new = [at for at in range(max(is_so), len(words)) if words[at] not in kept and words[at] not in policy.small_words]
    old = _find_in_title(words[turn - len(new) : turn], title) if new and turn - len(new) >= said else None
    if old is None or new[-1] - new[0] != len(new) - 1 or len(new) > _LONGEST:
        return None
    return _Contrast(old, told.reading.utterance.span(new[0], new[-1] + 1))


def turns(words: tuple[str, ...], policy: Policy) -> bool:
    """Whether a word turns what is said before it: "four but it's room five" is no name."""
    return any(_BUT in policy.word_classes.get(word, ()) for word in words[1:])


def _is_telling(place: int, told: Told) -> bool:
    """Whether the word says something; as a name ("Mia", "Will") also one that else does not."""
    utterance = told.reading.utterance
    named = place > 0 and utterance.text[utterance.tokens[place].start].isupper()
    return named or told.reading.scene.words[place] not in told.policy.small_words


def _find_in_title(said: tuple[str, ...], title: str) -> Span | None:
    """The stretch of a title that has exactly these words."""
    if not any(word.isalnum() for word in said):
        return None
    text = fold(" ".join(said))
    start = f" {fold(title)} ".find(f" {text} ")
    return Span(start, start + len(text)) if start >= 0 else None


def _last_together(places: list[int], least: int) -> list[int]:
    """ "a lemon drizzle cake, not a sponge": so many at least, and those that stand right before them."""
    first = len(places) - least
    while first > 0 and places[first - 1] == places[first] - 1:
        first -= 1
    return places[max(first, 0) :]


def _new_words(told: Told, before: int, after: int, old: tuple[str, ...], title: str) -> Span | None:
    """As many words, right before the contrast or right after it: "gold, not red", "not red but gold". A figure is
    replaced by the nearest other figure: "15 bouquets, not 12"."""
    words, utterance, size = told.reading.scene.words, told.reading.utterance, len(old)
    if size == 1 and old[0].isdigit():
        figures = [place for place, word in enumerate(words) if word.isdigit() and place != after - 1]
        nearest = min(figures, key=lambda place: abs(place - before), default=None)
        return utterance.span(nearest, nearest + 1) if nearest is not None else None
    forward = _put_forward(told, before)
    if forward:
        return utterance.span(*forward)
    kept = set(split_words(title)) - set(old)  # "grey paint, not white": paint it stays
    mere = {
        place
        for start in range(len(words))
        for end in told.policy.lexicon.ends(_CORRECTING, words, start)
        for place in range(start, end)
    }
    plain = [
        place
        for place, word in enumerate(words)
        if word not in kept and place not in mere and _says_something(word, told.policy)
    ]
    ahead = _last_together([place for place in plain if place < before], size)
    between = [words[place] for place in range(ahead[-1] + 1, before) if place not in mere] if ahead else []
    if any(word not in kept and _BESIDE.isdisjoint(told.policy.word_classes.get(word, ())) for word in between):
        ahead = []  # "I mixed that up, it is still to be called": a sentence of its own begins in between
    behind = [place for place in plain if place >= after][:size]
    if behind and any(_TOLD & told.policy.word_classes.get(words[at], frozenset()) for at in range(after, behind[0])):
        behind = []  # "not the masks, they were out of stock"
    if behind and behind[-1] + 1 < len(words) and "telling" in told.policy.word_classes.get(words[behind[-1] + 1], ()):
        behind = []  # "not the cutters, the shop was shut"
    for places in (behind, ahead) if before <= _AT_THE_BEGINNING else (ahead, behind):
        if len(places) >= size and places[-1] - places[0] == len(places) - 1:
            return utterance.span(places[0], places[-1] + 1)
    return None


def puts_forward(told: Told) -> bool:
    """Whether one thing may be put forward, with more told of it."""
    return told.policy.lexicon.names(told.reading.scene.words) >= {_IT_IS, _WHO, _OLD}


def _put_forward(told: Told, before: int) -> tuple[int, int] | None:
    """ "it's Leo I'm fetching, not Mia": what is put forward, and then told of, is what the other is replaced by."""
    words, lexicon, policy = told.reading.scene.words, told.policy.lexicon, told.policy
    text = told.reading.utterance.text
    if not lexicon.names(words) >= {_IT_IS, _WHO}:  # nearly always
        return None
    for start in (end for place in range(before) for end in lexicon.ends(_IT_IS, words, place)):
        for last in range(start + 1, min(start + _LONGEST, before - 1) + 1):
            said = zip(words[start:last], told.reading.utterance.tokens[start:last], strict=True)
            names = all(text[token.start].isupper() or _says_something(word, policy) for word, token in said)
            if names and lexicon.ends(_WHO, words, last):
                return start, last
    return None


def find_after_same_word(told: Told, title: str) -> _Contrast | None:
    """ "with Tom, sorry": what stands in the title after the same small word."""
    words, policy = told.reading.scene.words, told.policy
    said = [place for place, word in enumerate(words) if _says_something(word, policy) or _leads(word, policy)]
    if told.dates or len(words) > _MOST_WORDS or not said or words[said[0]] not in policy.small_words:
        return None
    lead = said[0]
    stop = next(
        (place for place in range(lead + 1, len(words)) if not _says_something(words[place], policy)), len(words)
    )
    in_title = fold(title).split(" ")
    if stop == lead + 1 or words[lead] not in in_title[1:-1]:
        return None
    start = in_title.index(words[lead], 1) + 1
    end = next((place for place in range(start, len(in_title)) if in_title[place] in policy.small_words), len(in_title))
    first = len(" ".join(in_title[:start])) + 1
    old = Span(first, first + len(" ".join(in_title[start:end])))
    return _Contrast(old, told.reading.utterance.span(lead + 1, stop)) if end > start else None


def _says_something(word: str, policy: Policy) -> bool:
    return word not in policy.small_words and policy.word_classes.get(word, frozenset()).isdisjoint(_LEADING)


def _leads(word: str, policy: Policy) -> bool:
    """A small word, but none that only says no."""
    return word in policy.small_words and "no_word" not in policy.word_classes.get(word, ())


_BESIDE = frozenset({"opener", "closer", "interjection"})
_TOLD = frozenset({"past_aux", "past_main", "finite"})
_LEADING = frozenset({"opener", "corrector", "interjection", "closer", "pronoun", "subject", "telling"})
