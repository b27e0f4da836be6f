"""Where the names of new things stand in a message: where each begins and ends, and whether there are several."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from engine.talking.noticed import Noticed
from engine.talking.spans import Stretch, find_spans
from engine.talking.trimming import trim
from engine.text.normalise import Utterance

_LEAD = "add_lead"
_MOST = 10
_LONGEST_LINE = 10
_LONGEST_ITEM = 5
_LONGEST_ASIDE = 6
_TELLS = "telling"


class Region(NamedTuple):
    """The words of a name, and the stretch of the message that is about it."""

    first: int
    last: int
    since: int
    until: int


def find_note(noticed: Noticed) -> tuple[int, int] | None:
    """Where a note begins: at its word, if a colon or something else follows ("…, note: second floor")."""
    tokens, text = noticed.utterance.tokens, noticed.utterance.text
    for name, first, last in noticed.cues:
        if name == "note" and last < len(tokens) and ":" in text[tokens[last - 1].end : tokens[last].start]:
            return first, last
    return None


def is_list(utterance: Utterance) -> bool:
    """Several short lines, with or without a heading: things to do, written down one by one."""
    lines = [line for line in utterance.text.splitlines() if line.strip()]
    return len(lines) > 1 and "?" not in utterance.text and all(len(line.split()) <= _LONGEST_LINE for line in lines)


def find_regions(noticed: Noticed) -> list[Region]:
    """The stretches of words that each name one thing."""
    start = _after_leads(noticed)
    end = noticed.weighed.reading.scene.stop
    cue = find_note(noticed)
    if cue and cue[0] > start:
        end = cue[0]
    if "\n" in noticed.utterance.text:
        lines = _lines(noticed, start)
        if len(lines) > 1:
            return [Region(*line, *line) for line in lines[:_MOST]]
    later = [place for place in noticed.utterance.sentence_starts if start < place < end]
    pieces = _pieces(noticed, start, min(later, default=end))
    while not pieces and later:  # "Excuse me. …": the first sentence names nothing
        start = later.pop(0)
        pieces = _pieces(noticed, start, min(later, default=end))
    if len(pieces) > 1 and not all(_is_item(noticed, piece) for piece in pieces):
        pieces = [_likeliest(noticed, pieces)]
    found, learned = _learned_names(noticed, end)
    if found and not learned and cue:  # "take note: …": what is noted is the thing itself
        end = noticed.weighed.reading.scene.stop
        found, learned = _learned_names(noticed, end)
    if found and not learned:
        return []
    if len(learned) == _PAIR and _is_one_errand(noticed, *learned):
        learned = ((learned[0][0], learned[1][1]),)
    if learned:
        since = [0, *(last for _, last in learned[:-1])]
        until = [*(first for first, _ in learned[1:]), end]
        named = [_neat(noticed, *place) for place in learned]
        return [Region(*place, *around) for place, *around in zip(named, since, until, strict=True)][:_MOST]
    return pieces[:_MOST] or [Region(start, end, start, end)]


_PAIR = 2


def _learned_names(noticed: Noticed, end: int) -> tuple[tuple[Stretch, ...], tuple[Stretch, ...]]:
    """The likeliest stretches, and those of them that name something."""
    found = find_spans("name", noticed, 0, end)
    return found, tuple(place for place in found if not _only_asks(noticed, *place))


def _only_asks(noticed: Noticed, first: int, last: int) -> bool:
    """ "add", "put down a task": words that ask for something new name nothing."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    asking = {place for name, start, end in noticed.cues if name == "add" for place in range(start, end)}
    asking |= {place for place in range(first, last) if not _MERE_WORDS.isdisjoint(classes.get(words[place], ()))}
    return all(place in asking or place not in noticed.content for place in range(first, last))


_MERE_WORDS = frozenset({"item", "items", "list", "vague"})


def _neat(noticed: Noticed, first: int, last: int) -> tuple[int, int]:
    """Without words that only lead to a name or follow it; a quotation is taken whole."""
    quoted = noticed.utterance.is_quoted
    while first and quoted(first) and quoted(first - 1):
        first -= 1
    while last < len(noticed.utterance.tokens) and quoted(last - 1) and quoted(last):
        last += 1
    neat = trim(noticed.told, first, last)
    return neat if neat[0] < neat[1] and any(neat[0] <= place < neat[1] for place in noticed.content) else (first, last)


def _is_one_errand(noticed: Noticed, one: tuple[int, int], other: tuple[int, int]) -> bool:
    """ "buy bread and butter": two things of one verb, with nothing but "and" between them."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    joined = other[0] - one[1] == 1 and words[one[1]] in policy.splitters
    begin = [policy.word_classes.get(words[first], frozenset()) for first, _ in (one, other)]
    return joined and "chore" in begin[0] and begin[1].isdisjoint({"chore", "errand", "det"})


def _pieces(noticed: Noticed, start: int, end: int) -> list[Region]:
    """What stands between commas and "and", without what only leads to it or follows it, if something is left."""
    cuts = [start, *_cuts(noticed, start, end), end]
    pieces = [Region(*trim(noticed.told, first, last), first, last) for first, last in pairwise(cuts) if last > first]
    named = [each for each in pieces if any(each.first <= place < each.last for place in noticed.content)]
    return [piece for place, piece in enumerate(named) if place == 0 or not _is_aside(noticed, piece)]


def _is_item(noticed: Noticed, piece: Region) -> bool:
    """Whether these words name a thing to do as a list does: briefly, or beginning with what is to be done."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    if _begins_chore(noticed, piece):
        return True
    said = words[piece.first : piece.last]
    return len(said) <= _LONGEST_ITEM and not any(_TELLS in classes.get(word, ()) for word in said)


def _begins_chore(noticed: Noticed, piece: Region) -> bool:
    classes = noticed.told.policy.word_classes.get(noticed.weighed.reading.scene.words[piece.first], frozenset())
    return not classes.isdisjoint({"chore", "errand"})


def _likeliest(noticed: Noticed, pieces: list[Region]) -> Region:
    """Of a story's pieces the one that says what is to be done, else the first."""
    return next((each for each in pieces if _begins_chore(noticed, each)), pieces[0])


def _after_leads(noticed: Noticed) -> int:
    """After the last words that lead to a name, if something is left after them; else after the polite opening."""
    scene, lexicon = noticed.weighed.reading.scene, noticed.told.policy.lexicon
    best = 0
    for place in range(scene.stop):
        if best and place > best and not _begins_clause(noticed, place):
            continue
        for end in lexicon.ends(_LEAD, scene.words, place):
            if end < scene.stop and end > best and any(each >= end for each in noticed.content):
                best = end
                break
    return best or min(scene.opening, max(0, scene.stop - 1))


def _begins_clause(noticed: Noticed, place: int) -> bool:
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    between = text[tokens[place - 1].end : tokens[place].start] if place else "."
    back = max(0, place - 3)
    joined = any(tokens[each].norm in noticed.told.policy.splitters for each in range(back, place + 1))
    return (
        joined
        or any(sign in between for sign in ",.;:!?\n…-")
        or any(
            sign in text[tokens[each].end : tokens[each + 1].start]
            for each in range(back, place)
            for sign in ",.;:!?\n…-"
        )
    )


def _cuts(noticed: Noticed, start: int, end: int) -> list[int]:
    """Where one name ends and the next begins: at commas, and at an "and" after commas or before another chore."""
    text, tokens, policy = noticed.utterance.text, noticed.utterance.tokens, noticed.told.policy
    commas = [
        place for place in range(start + 1, end)
        if any(sign in text[tokens[place - 1].end : tokens[place].start] for sign in ",;")
        and not noticed.utterance.is_quoted(place)
    ]  # fmt: skip
    joins = [
        place for place in range(start + 1, end - 1)
        if tokens[place].norm in policy.splitters and not noticed.utterance.is_quoted(place)
    ]  # fmt: skip
    chores = [
        place for place in joins
        if "chore" in policy.word_classes.get(tokens[place + 1].norm, ())
        and "chore" in policy.word_classes.get(tokens[start].norm, ())
    ]  # fmt: skip
    supplies = [
        place
        for place in joins
        if "chore" not in policy.word_classes.get(tokens[start].norm, ())  # "buy bread and butter" is one errand
        and any("supply" in policy.word_classes.get(token.norm, ()) for token in tokens[start:place])
        and any("supply" in policy.word_classes.get(token.norm, ()) for token in tokens[place:end])
    ]
    lists = joins if commas or len(joins) > 1 else chores or supplies
    return sorted({*commas, *lists})


def _is_aside(noticed: Noticed, piece: Region) -> bool:
    """ "…, what a palaver": a remark, no other thing to do."""
    classes = noticed.told.policy.word_classes.get(noticed.weighed.reading.scene.words[piece.since], frozenset())
    content = [place for place in noticed.content if piece.first <= place < piece.last]
    return not classes.isdisjoint({"wh", "aside", "closer"}) or len(content) > _LONGEST_ASIDE


def _lines(noticed: Noticed, start: int) -> list[tuple[int, int]]:
    """A heading with a list under it: each line is one; the heading, which ends in a colon, is none."""
    text, tokens = noticed.utterance.text, noticed.utterance.tokens
    starts = [
        place
        for place in range(start, len(tokens))
        if place == start or "\n" in text[tokens[place - 1].end : tokens[place].start]
    ]
    ends = [*starts[1:], len(tokens)]
    lines = list(zip(starts, ends, strict=True))
    headed = [line for line in lines if ":" in text[tokens[line[1] - 1].end : tokens[line[1] - 1].end + 2]]
    return [line for line in lines if line not in headed[:1]] if headed else lines
