"""Which stretch of a message is the name of something, or the text of a note: each word is weighed, as learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

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
_TOLD = ("cue_", *_TELLING)
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
    """What is known of each word of a message, also of the piece between commas that it stands in."""
    pieces = _pieces(noticed)
    members: dict[int, list[int]] = {}
    for place, number in enumerate(pieces):
        members.setdefault(number, []).append(place)
    size = min(len(noticed.weighed.reading.scene.words), _MOST_WORDS)
    return [
        dict.fromkeys((*tell_word(noticed, place), *_tell_piece(noticed, place, pieces, members)))
        for place in range(size)
    ]


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


def _tell_piece(noticed: Noticed, place: int, pieces: list[int], members: Mapping[int, list[int]]) -> Iterator[str]:
    own = members[pieces[place]]
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    lead = 1 if words[own[0]] in noticed.told.policy.splitters and len(own) > 1 else 0
    several = min(pieces[-1], _MANY)
    yield f"piece {min(len(own) - lead, _LONG)} of {several}"
    yield f"piece no {min(pieces[place], _MANY)} of {several}"
    if place == own[lead]:
        yield f"piece begins of {several}"
    if place == own[-1]:
        yield f"piece ends of {several}"
    begins = classes.get(words[own[lead]], frozenset())
    yield from (f"piece of {name}" for name in _TELLING if name in begins)
    yield f"piece before {_told_of(words, members.get(pieces[place] - 1, []), classes)}"


def _told_of(words: tuple[str, ...], before: list[int], classes: Mapping[str, frozenset[str]]) -> str:
    """How long the piece before this one is, or that there is none."""
    if not before:
        return "none"
    chore = "chore" in classes.get(words[before[0]], ())
    return f"{min(len(before), _LONG)}{' chore' if chore else ''}"


def tell_word(noticed: Noticed, place: int) -> Iterator[str]:
    """What is known of one word: itself, its neighbours, its classes, the signs around it, where it stands."""
    words = noticed.weighed.reading.scene.words
    word = words[place]
    before = words[place - 1] if place else _BEFORE
    after = words[place + 1] if place + 1 < len(words) else _AFTER
    yield f"word {word}"
    yield f"before {before}"
    yield f"after {after}"
    yield f"pair {before} {word}"
    yield f"next {word} {after}"
    yield from _tell_classes(noticed, place)
    yield from _tell_signs(noticed, place)
    yield from _tell_meaning(noticed, place)
    if place == 0:
        yield "first"
    yield f"left {min(len(words) - place, 4)}"
    yield f"talk {noticed.told.situation.effect}"


def _tell_classes(noticed: Noticed, place: int) -> Iterator[str]:
    words, lexicon = noticed.weighed.reading.scene.words, noticed.told.policy.lexicon
    for name, length in lexicon.beginning(_TOLD, words, place):
        if name.startswith("cue_") or name in _TELLING:
            yield f"is {name}" if length == 1 else f"begins {name}"
    for name, length in lexicon.beginning(_TOLD, words, place - 1) if place else ():
        if length == 1 and (name.startswith("cue_") or name in _TELLING):
            yield f"after {name}"


def _tell_signs(noticed: Noticed, place: int) -> Iterator[str]:
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    gap = text[tokens[place - 1].end : tokens[place].start] if place else ""
    yield from (f"sign {_SIGNS[sign]}" for sign in dict.fromkeys(gap) if sign in _SIGNS)
    close = text[tokens[place].end : tokens[place + 1].start] if place + 1 < len(tokens) else "."
    yield from (f"then {_SIGNS[sign]}" for sign in dict.fromkeys(close) if sign in _SIGNS)
    colon = text.find(":")
    if colon >= 0 and (colon == 0 or not text[colon - 1].isdigit()):
        yield "past colon" if tokens[place].start > colon else "before colon"
    if noticed.utterance.is_quoted(place):
        yield "quoted"
    elif any(sign in text for sign in _QUOTES):
        yield "unquoted"


def _tell_meaning(noticed: Noticed, place: int) -> Iterator[str]:
    tokens, spans = noticed.utterance.tokens, date_spans(noticed.told.dates, noticed.utterance)
    for name, where in (("date", place), ("after date", place - 1), ("before date", place + 1)):
        if 0 <= where < len(tokens) and inside(tokens[where], spans):
            yield name
    if any(each.named and place in each.places for each in noticed.mentioned):
        yield "task"
