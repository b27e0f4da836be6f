"""Which stretch of a message is the name of something, or the text of a note: each word is weighed, as learned."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.slots.titles import Words, clean, date_spans, find_quoted, inside
from engine.talking.moves.noticed import Noticed, holds

Stretch = tuple[int, int]
"""From the first word to before the last."""
_BEFORE, _AFTER = "<begins>", "<ends>"
_MOST_WORDS = 60
_LIKELY, _SURELY = 0.5, 0.75
"""Without a word for a note, more must speak for one."""
_QUOTES = '"“«'
_TELLING = ("chore", "errand", "opener", "closer", "det", "pronoun", "title_article", "small_word")
_CUE = "cue_"
_TOLD = (_CUE, *_TELLING)
_CUTS, _MANY, _LONG = ",;\n", 4, 6
_SIGNS = {":": "colon", ",": "comma", "\n": "line", ".": "stop", ";": "comma", "–": "dash", "-": "dash", "?": "asks"}


def find_spans(kind: str, noticed: Noticed, first: int, last: int) -> tuple[Stretch, ...]:
    """The likeliest stretches from `first` to before `last`, at least one; none where nothing was learned."""
    weights = noticed.told.policy.talk.spans.get(kind)
    told = tell_words(noticed)[first:last] if weights else []
    if weights is None or not told:
        return ()
    return tuple((first + start, first + end) for start, end in best_stretches(*weights.scores(told)))


def best_stretches(
    inside: list[float], begins: list[float], ends: list[float], *, several: bool = True
) -> tuple[Stretch, ...]:
    """The stretches that are worth most together, without overlap; at least one, and only one unless `several`."""
    size = len(inside)
    best: list[tuple[float, tuple[Stretch, ...]]] = [(0.0, ())] * (size + 1)
    single, alone = float("-inf"), (0, size)
    for start in reversed(range(size)):
        best[start] = best[start + 1]
        total = begins[start]
        for end in range(start, size):
            total += inside[end] if end > start else 0.0
            worth = total + ends[end]
            if worth > single:
                single, alone = worth, (start, end + 1)
            rest = best[end + 1]
            if worth > 0 and worth + rest[0] > best[start][0]:
                best[start] = worth + rest[0], ((start, end + 1), *rest[1])
    return best[0][1] if several and best[0][1] else (alone,)


def find_span(kind: str, noticed: Noticed, first: int, last: int) -> Stretch | None:
    """The likeliest one."""
    weights = noticed.told.policy.talk.spans.get(kind)
    told = tell_words(noticed)[first:last] if weights else []
    if weights is None or not told:
        return None
    ((start, end),) = best_stretches(*weights.scores(told), several=False)
    return first + start, first + end


def gives_note(noticed: Noticed) -> bool:
    """Whether the message as a whole says that it gives a note."""
    return holds("note", noticed) >= (_LIKELY if noticed.has_cue("note") else _SURELY)


def find_note_text(noticed: Noticed, first: int, last: int) -> Words | None:
    place = find_span("note", noticed, first, last)
    if place is None:
        return None
    tokens, spans = noticed.utterance.tokens, date_spans(noticed.told.dates, noticed.utterance)
    end = place[1]
    while end < last and inside(tokens[end], spans):
        end += 1  # "depot shuts at noon": what follows a note to the end of the message is part of it
    place = (place[0], end) if end == last else place
    words = tuple(token.norm for token in tokens[place[0] : place[1]])
    if len(words) in noticed.told.policy.lexicon.ends("jot_down", words, 0):
        return None  # "write it in the notes": what shall be written stands elsewhere
    return find_quoted(noticed.utterance, first, last) or clean(
        noticed.utterance, *place, noticed.told.policy, lead="note_lead", tail="closer"
    )


def tell_words(noticed: Noticed) -> list[dict[str, None]]:
    """What is known of each word of a message: itself, its neighbours, its classes, the signs around it, where it
    stands, and the piece between commas that it stands in."""
    words = noticed.weighed.reading.scene.words
    size, effect = min(len(words), _MOST_WORDS), noticed.told.situation.effect
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
