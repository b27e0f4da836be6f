"""What is known of each word of a message, by which a name's or a note's words are told from the others: learned.

Words alone do not carry far: most names are of words that nobody said before. What kind of word stands beside them, and
what kinds the message has at all, holds for those as well.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from engine.slots.titles import date_spans, inside
from engine.talking.moves.noticed import Noticed

_BEFORE, _AFTER = "<begins>", "<ends>"
_MOST_WORDS = 60
_QUOTES = '"“«'
_TELLING = ("chore", "errand", "opener", "closer", "det", "pronoun", "title_article", "small_word")
_KINDS = frozenset(
    {
        "acting", "chore", "clause_joiner", "closer", "connector", "corrector", "count", "courtesy", "date_word",
        "deed_calling", "deed_getting", "deed_state", "det", "errand", "finite", "for_whom", "function",
        "heading_amount", "interjection", "into", "it_is", "light", "negation", "no_word", "note_verb", "now_is",
        "occasion", "opener", "partitive", "past_aux", "pronoun", "puts_named", "quality", "relative_word",
        "since_when", "small_word", "splitter", "story_word", "subject", "supply", "telling", "wh", "where_at",
        "yes_word",
    }
)  # fmt: skip
"""Kinds of words that tell where a name or a note begins, goes on and ends. Any edit of these may move one."""
_CUE = "cue_"
_TOLD = (_CUE, *_TELLING)
_CUTS, _MANY, _LONG = ",;\n", 4, 6
_SIGNS = {":": "colon", ",": "comma", "\n": "line", ".": "stop", ";": "comma", "–": "dash", "-": "dash", "?": "asks"}


def tell_words(noticed: Noticed) -> list[dict[str, None]]:
    """What is known of each word of a message: itself, its neighbours, its classes, the signs around it, where it
    stands, and the piece between commas that it stands in."""
    words = noticed.weighed.reading.scene.words
    size, effect = min(len(words), _MOST_WORDS), noticed.told.situation.effect
    kinds, among = _kinds_of(words[:size], noticed.told.policy.word_classes)
    pieces, classes = _pieces(noticed), _classes_told(noticed, size)
    of_pieces = _tell_pieces(noticed, pieces)
    signs, meaning = _tell_signs(noticed, size), _tell_meaning(noticed, size)
    told: list[dict[str, None]] = []
    before = _BEFORE
    for place in range(size):
        word = words[place]
        after = words[place + 1] if place + 1 < len(words) else _AFTER
        names = [f"word {word}", f"before {before}", f"after {after}", f"pair {before} {word}", f"next {word} {after}"]
        names += [f"is {name}" if length == 1 else f"begins {name}" for name, length in classes[place]]
        if place:
            names += [f"after {name}" for name, length in classes[place - 1] if length == 1]
        names += kinds[place].here
        if place:
            names += kinds[place - 1].behind
        if place + 1 < size:
            names += kinds[place + 1].ahead
        names += among
        names += signs[place]
        names += meaning[place]
        if place == 0:
            names.append("first")
        names.append(f"left {min(len(words) - place, 4)}")
        names.append(f"talk {effect}")
        piece = of_pieces[pieces[place]]
        names += piece.stands
        if place == piece.first:
            names.append(f"piece begins of {piece.several}")
        if place == piece.last:
            names.append(f"piece ends of {piece.several}")
        names += piece.begins
        told.append(dict.fromkeys(names))
        before = word
    return told


class _Kinds(NamedTuple):
    """What the kinds of a word tell of itself, of the word after it, of the word before it, and of every word."""

    here: tuple[str, ...]
    behind: tuple[str, ...]
    ahead: tuple[str, ...]
    among: tuple[str, ...]


@lru_cache(maxsize=4096)
def _tell_kinds(kinds: frozenset[str]) -> _Kinds:
    ways = ("kind {}", "past kind {}", "to kind {}", "among kind {}")
    return _Kinds(*(tuple([way.format(kind) for kind in sorted(kinds)]) for way in ways))


def _kinds_of(words: tuple[str, ...], classes: Mapping[str, frozenset[str]]) -> tuple[list[_Kinds], list[str]]:
    """Of each word, and of the message as a whole."""
    found = [_tell_kinds(_KINDS & classes.get(word, frozenset())) for word in words]
    return found, list(dict.fromkeys([name for each in found for name in each.among]))


def _pieces(noticed: Noticed) -> list[int]:
    """For each word the number of its piece: pieces end at commas, lines and "and"."""
    text, tokens, splitters = noticed.utterance.text, noticed.utterance.tokens, noticed.told.policy.splitters
    pieces, number = [], 0
    for place, word in enumerate(noticed.weighed.reading.scene.words):
        gap = text[tokens[place - 1].end : tokens[place].start] if place else ""
        cut = any(sign in gap for sign in _CUTS)
        if place and (cut or word in splitters):
            number += 1
        pieces.append(number)
    return pieces


class _Piece(NamedTuple):
    """What every word of a piece is told by it."""

    first: int
    """Its first word, "and" left alone."""
    last: int
    several: int
    stands: tuple[str, str]
    begins: list[str]


def _tell_pieces(noticed: Noticed, pieces: list[int]) -> list[_Piece]:
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    members: dict[int, list[int]] = {}
    for place, number in enumerate(pieces):
        members.setdefault(number, []).append(place)
    told: list[_Piece] = []
    several, before = min(pieces[-1], _MANY) if pieces else 0, list[int]()
    for number, own in members.items():
        lead = 1 if words[own[0]] in noticed.told.policy.splitters and len(own) > 1 else 0
        size, opening = min(len(own) - lead, _LONG), classes.get(words[own[lead]], frozenset())
        stands = (f"piece {size} of {several}", f"piece no {min(number, _MANY)} of {several}")
        begins = [f"piece of {name}" for name in _TELLING if name in opening]
        begins.append(f"piece before {_told_of(words, before, classes)}")
        told.append(_Piece(own[lead], own[-1], several, stands, begins))
        before = own
    return told


def _told_of(words: tuple[str, ...], before: list[int], classes: Mapping[str, frozenset[str]]) -> str:
    """How long the piece before this one is, or that there is none."""
    if not before:
        return "none"
    chore = "chore" in classes.get(words[before[0]], ())
    return f"{min(len(before), _LONG)}{' chore' if chore else ''}"


def _classes_told(noticed: Noticed, size: int) -> list[list[tuple[str, int]]]:
    words, lexicon = noticed.weighed.reading.scene.words, noticed.told.policy.lexicon
    found = [lexicon.beginning(_TOLD, words, place) for place in range(size)]
    return [
        [each for each in here if each[0] in _TELLING or each[0].startswith(_CUE)] if here else [] for here in found
    ]


def _tell_signs(noticed: Noticed, size: int) -> list[list[str]]:
    utterance = noticed.utterance
    text, tokens = utterance.text, utterance.tokens
    colon = text.find(":")
    if colon > 0 and text[colon - 1].isdigit():
        colon = -1
    quoted = any(sign in text for sign in _QUOTES)
    told: list[list[str]] = []
    gap = ""
    for place in range(size):
        token = tokens[place]
        close = text[token.end : tokens[place + 1].start] if place + 1 < len(tokens) else "."
        # Between most words stands a blank.
        names = [f"sign {_SIGNS[sign]}" for sign in dict.fromkeys(gap) if sign in _SIGNS] if gap != " " else []
        if close != " ":
            names += [f"then {_SIGNS[sign]}" for sign in dict.fromkeys(close) if sign in _SIGNS]
        if colon >= 0:
            names.append("past colon" if token.start > colon else "before colon")
        if utterance.is_quoted(place):
            names.append("quoted")
        elif quoted:
            names.append("unquoted")
        told.append(names)
        gap = close
    return told


def _tell_meaning(noticed: Noticed, size: int) -> list[list[str]]:
    tokens, spans = noticed.utterance.tokens, date_spans(noticed.told.dates, noticed.utterance)
    named = {place for each in noticed.mentioned if each.named for place in each.places}
    dated = {place for place in range(min(size + 1, len(tokens))) if inside(tokens[place], spans)} if spans else set()
    if not (named or dated):
        return [[]] * size
    told: list[list[str]] = []
    for place in range(size):
        names = [name for name, where in _DATED if place + where in dated]
        if place in named:
            names.append("task")
        told.append(names)
    return told


_DATED = (("date", 0), ("after date", -1), ("before date", 1))
