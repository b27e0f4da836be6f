"""What shall be written on something, in one breath: "write on the Patterson cake no nuts". What names the thing ends
where its words do; the rest is the note."""

from __future__ import annotations

from collections.abc import Callable

from engine.decision import Reference
from engine.policy.patterns import Lexicon
from engine.policy.values import Policy
from engine.talking.names.named_targets import NAMED_FROM
from engine.talking.names.naming import content_words
from engine.talking.values import Sign, Told
from engine.targets.stems import stem
from engine.text.folding import title_words

_WRITE, _ON, _TO, _HERE = "note_write", "note_on", "note_to", "note_here"
_PUT, _THAT, _PART_OF_NAME = "note_put", "that_says", 0.3
_LATEST, _LONGEST_NAME = 4, 7

_OPENING = frozenset({"opener", "interjection", "splitter", "yes_word"})

NameTarget = Callable[..., tuple[Reference, Sign] | None]


def find_written_on(told: Told, name_target: NameTarget) -> tuple[int, int] | None:
    """The verb, and the first word of what shall be written."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    if lexicon.names(words).isdisjoint((_WRITE, _TO, _HERE, _PUT)):  # nearly always
        return None
    for verb in range(min(_LATEST, len(words))):
        asked = any(verb in lexicon.ends("asks_you", words, at) for at in range(verb))  # "can you write on …"
        if verb and not asked and told.policy.word_classes.get(words[verb - 1], frozenset()).isdisjoint(_OPENING):
            continue  # "what does the note on the cake say"
        here = [end for end in lexicon.ends(_HERE, words, verb) if end < len(words)]
        if here:
            return verb, _after_note_phrase(max(here), told)  # "add a note there that …", "write on it: …"
        for end in lexicon.ends(_WRITE, words, verb):
            starts = [after for after in lexicon.ends(_ON, words, end) if after < len(words)]
            text = _find_end(max(starts), told, name_target) if starts else 0
            if text:
                return verb, text
        text = _find_put_that(verb, told, name_target)
        if text:
            return verb, text
        for start in lexicon.ends(_TO, words, verb):  # "add a note to the vet one a ewe limps"
            text = _find_end(start, told, name_target) if start < len(words) else 0
            if text:
                return verb, text
    return None


def _find_put_that(verb: int, told: Told, name_target: NameTarget) -> int:
    """ "put on the coat one that I'm a size 16": with a verb that also puts things on a list, only before "that"."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    starts = [start for end in lexicon.ends(_PUT, words, verb) for start in lexicon.ends(_ON, words, end)]
    text = _find_end(max(starts), told, name_target) if starts and max(starts) < len(words) else 0
    return text if text and any(end < len(words) for end in lexicon.ends(_THAT, words, text)) else 0


def _after_note_phrase(place: int, told: Told) -> int:
    """ "write there in the note 60 pieces": the word for it is no part of it."""
    words = told.reading.scene.words
    ends = [end for end in told.policy.lexicon.ends("note_phrase", words, place) if end < len(words)]
    return max(ends, default=place)


def _find_end(start: int, told: Told, name_target: NameTarget) -> int:
    """Where the name that begins here ends: after the last word in a row that the one it fits is called by."""
    words, policy, best = told.reading.scene.words, told.policy, 0
    for end in range(start + 1, min(start + _LONGEST_NAME, len(words))):
        named = name_target((start, end), told, least=least_of_name((start, end), told))
        task = told.context.tasks.find_by_id(named[0].task_id or "") if named else None
        titled = set(content_words(title_words(task.title), policy)) if task else set()
        if stem(words[end - 1], policy) in titled or (best == end - 1 and _is_one(words[best], policy)):
            best = end
    return best


def least_of_name(place: tuple[int, int], told: Told) -> float:
    """How much of a name will do: with "the caterer one" something stored is meant, whatever else it is called."""
    words, lexicon = told.reading.scene.words[place[0] : place[1] + 1], told.policy.lexicon
    return _PART_OF_NAME if any(lexicon.ends("the_one", words, at) for at in range(len(words))) else NAMED_FROM


def _is_one(word: str, policy: Policy) -> bool:
    """ "the clinic one", "the clinic task": words that stand for the thing itself."""
    return not policy.word_classes.get(word, frozenset()).isdisjoint(("item", "mention_tail"))


def end_of_text(told: Told, first: int) -> int:
    """Where what shall be written ends: courtesy after its last comma is no part of it."""
    utterance, lexicon = told.reading.utterance, told.policy.lexicon
    tokens, words = utterance.tokens, utterance.words
    for place in range(len(tokens) - 1, max(first, len(tokens) - 1 - _LONGEST_COURTESY), -1):
        if "," in utterance.text[tokens[place - 1].end : tokens[place].start]:
            return place if _is_courtesy(words[place:], lexicon) else len(tokens)
    for place in range(first + 1, len(tokens) - 1):  # "… or I'll forget"
        if len(words) in lexicon.ends("closer", words, place) and len(words) - place > _SHORT_CLOSER:
            return place
    return len(tokens)


def _is_courtesy(words: tuple[str, ...], lexicon: Lexicon) -> bool:
    place = 0
    while place < len(words):
        found = tuple(lexicon.classes(words, place))
        polite = [length for name, length in found if name in ("closer", "thanks")]
        if not polite or any(name == "cue_more" for name, _ in found):
            return False  # "…, too"
        place += max(polite)
    return True


_LONGEST_COURTESY, _SHORT_CLOSER = 4, 2
