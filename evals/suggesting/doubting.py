"""How little an edit looks like something that a person would write: a rule of somebody's own words is none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rapidfuzz.distance import OSA

from engine.editing.edits import AddGuard, AddPattern, AddPhrase, AddWay, Edit, RemovePhrase, SeveralEdits
from engine.policy.values import Policy
from engine.reading.frames import make_scene
from engine.targets.stems import stem
from engine.text.folding import fold, title_words
from engine.text.normalise import normalise
from evals.suggesting.generalising import guess_name
from evals.suggesting.misread import Misread

_MOST_THINGS = 50
_MISLEADS = 1.5
"""What a word means elsewhere, somebody wrote down for a reason."""


def find_doubt(edit: Edit, misread: Misread, policy: Policy) -> float | None:
    """None: the edit makes a rule of what is the user's own, the name of a thing or a date."""
    if isinstance(edit, AddGuard):
        return _doubt_guard(edit, misread, policy)
    if isinstance(edit, AddPhrase):
        words = tuple(edit.phrase.split())
        if all("det" in policy.word_classes.get(word, ()) for word in words):
            return None  # an article asks for nothing
        said = {token.norm for token in normalise(misread.text, policy.spellings, policy.elisions).tokens}
        if not said.issuperset(words) or _own_words(misread, policy) & set(words):
            return None  # also not of what a slip was read as: that is a matter of spelling
        if any("date_word" in policy.word_classes.get(word, ()) for word in words):
            return None  # "on thursday" is no polite word
        return _doubt_phrase(words, edit.class_name, misread, policy)
    if isinstance(edit, SeveralEdits):
        doubts = [find_doubt(each, misread, policy) for each in edit.edits]
        return None if None in doubts else sum(doubt or 0.0 for doubt in doubts)
    if isinstance(edit, RemovePhrase):
        return _MISLEADS
    if isinstance(edit, AddPattern | AddWay):
        return _doubt_pattern(edit, misread, policy)
    return 0.0


def _doubt_pattern(edit: AddPattern | AddWay, misread: Misread, policy: Policy) -> float | None:
    literal = set(re.findall(r"(?<![<{\w'])[\w']+(?![>}\w'])", edit.pattern))
    if _own_words(misread, policy) & literal:
        return None
    # What fits anywhere in a message, with one small word of its own, fits too much. A way of talking is heard where a
    # message begins, and there a question word tells enough.
    asks = {word for word in literal if isinstance(edit, AddWay) and "wh" in policy.word_classes.get(word, ())}
    telling = [word for word in literal if word not in policy.small_words or word in asks]
    clear = isinstance(edit, AddPattern) and edit.clear
    return (0.0 if telling else 1.0) + (0.3 if ".." in edit.pattern else 0.0) + 0.1 * clear


def _doubt_guard(edit: AddGuard, misread: Misread, policy: Policy) -> float:
    """A guard of nothing but words that requests are made of ("when is", "mark a"), or that things are called by ("when
    is my rent"), stops requests, unless it is the whole message."""
    words = [word for word in edit.pattern.split() if word.isalpha()]
    titles = {word for task in misread.context.tasks.recent(_MOST_THINGS) for word in title_words(task.title)}
    strange = [
        word
        for word in words
        if word not in policy.small_words and word not in policy.word_classes and fold(word) not in titles
    ]
    return 0.0 if strange else 0.4 if edit.pattern.endswith("$") else 1.5


def _doubt_phrase(words: tuple[str, ...], class_name: str, misread: Misread, policy: Policy) -> float:
    utterance = normalise(misread.text, policy.spellings, policy.elisions)
    said = utterance.words
    start = next((place for place in range(len(said)) if said[place : place + len(words)] == words), 0)
    opening = make_scene(said, utterance.sentence_starts, policy).opening
    # "through" in "run me through": words before it that belong to it are left out.
    doubt = 0.4 * max(0, start - opening)
    small = [word in policy.small_words or "det" in policy.word_classes.get(word, ()) for word in words]
    if all(small):
        return doubt + 1.0
    alike = any(phrase[-1] == words[-1] for phrase in policy.lexicon.phrases.get(class_name, ()))  # "remind me"
    return doubt + 0.5 * (small[-1] and not alike) + 0.3 * small[0]


def _own_words(misread: Misread, policy: Policy) -> set[str]:
    """The words of the message that name the thing it is about, or give its values."""
    named = [*misread.targets, *(value for values in misread.values.values() for value in values)]
    adds = any(facts.effect == "add" for facts in policy.catalogue.tools if facts.intent in misread.wanted)
    if adds and not named:
        utterance = normalise(misread.text, policy.spellings, policy.elisions)
        named = [
            utterance.text[utterance.tokens[first].start : utterance.tokens[last - 1].end]
            for first, last in guess_name(utterance, policy)
        ]
    stems = {stem(word, policy) for text in named for word in title_words(text) if word not in policy.small_words}
    if not misread.targets and policy.catalogue.lists.issuperset(misread.wanted):
        stems |= set(_names_stored(misread, policy))  # "what is there for Yusuf?" is about what has that name
    said = (token.norm for token in normalise(misread.text, policy.spellings, policy.elisions).tokens)
    own = {word for word in said if stem(fold(word), policy) in stems or _is_slip(word, stems, policy)}
    # What a value is said by ("urgent") is no name.
    return {word for word in own if not any(name.startswith(_VALUES) for name in policy.word_classes.get(word, ()))}


def _names_stored(misread: Misread, policy: Policy) -> Iterator[str]:
    """Words of stored titles that no class has: names, and what only somebody's things are called by."""
    for task in misread.context.tasks.recent(_MOST_THINGS):
        words = (word for word in title_words(task.title) if word not in policy.small_words)
        yield from (stem(word, policy) for word in words if word not in policy.word_classes)


def _is_slip(word: str, names: set[str], policy: Policy) -> bool:
    """Whether it is no word that anybody knows, and looks like one of these: "pracel" is somebody's parcel."""
    if len(word) < _SHORTEST_SLIP or word in policy.word_classes or word in policy.weights.vocabulary:
        return False
    form = stem(fold(word), policy)
    return any(OSA.distance(form, name) <= 1 + (len(name) > _SHORTEST_SLIP) for name in names)


_SHORTEST_SLIP = 4
_VALUES = ("priority_", "level_", "status_")
