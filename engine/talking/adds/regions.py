"""Where the names of new things stand in a message: where each begins and ends, and whether there are several."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from engine.slots.titles import date_spans, inside
from engine.talking.adds.name_ends import (
    begin_after_order,
    with_rest_after_date,
    with_rest_of_order,
    with_what_is_asked,
)
from engine.talking.adds.trimming import trim
from engine.talking.moves.noticed import Noticed
from engine.talking.names.naming import is_chore
from engine.talking.names.spans import Stretch, find_spans
from engine.text.normalise import Utterance

_LEAD = "add_lead"
_MOST = 10
_LONGEST_LINE = 10


class Region(NamedTuple):
    """The words of a name, and the stretch of the message that is about it."""

    first: int
    last: int
    since: int
    until: int


def find_note(noticed: Noticed) -> tuple[int, int] | None:
    """Where a note begins: at its word, if a colon follows ("…, note: second floor"), or where it is introduced in
    several words ("… with a note that it is under Miller")."""
    tokens, text = noticed.utterance.tokens, noticed.utterance.text
    for name, first, last in noticed.cues:
        if name == "note" and last < len(tokens) and ":" in text[tokens[last - 1].end : tokens[last].start]:
            return first, last
    scene = noticed.weighed.reading.scene
    return next(
        (
            (first, last)
            for first in range(1, scene.stop)
            for last in scene.lexicon.ends("note_intro", scene.words, first)
            if first + 1 < last < len(tokens)
        ),
        None,
    )


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
    found, learned = _learned_names(noticed, end)
    if found and not learned and cue:  # "take note: …": what is noted is the thing itself
        end = noticed.weighed.reading.scene.stop
        found, learned = _learned_names(noticed, end)
    if found and not learned:
        beside = () if noticed.has_cue("another") else _beside_dates(noticed, start, end)
        return [Region(*place, start, end) for place in beside]
    if len(learned) == _PAIR and _is_one_errand(noticed, *learned):
        learned = ((learned[0][0], learned[1][1]),)
    learned = _closed_up(noticed, learned)
    if learned:
        learned = _with_errand(noticed, _at_chores(noticed, learned))
        learned = _with_first(noticed, _with_joined(noticed, learned, end), start)
        learned = with_what_is_asked(noticed, begin_after_order(noticed, learned), end)
        learned = with_rest_after_date(noticed, with_rest_of_order(noticed, learned, end), end)
        cuts = [_cut_between(noticed, one[1], other[0]) for one, other in pairwise(learned)]
        since, until = [0, *cuts], [*cuts, end]
        named = [_neat(noticed, *place) for place in learned]
        return [Region(*place, *around) for place, *around in zip(named, since, until, strict=True)][:_MOST]
    return [Region(start, end, start, end)]  # nothing was learned


_PAIR = 2


def _beside_dates(noticed: Noticed, start: int, end: int) -> tuple[Stretch, ...]:
    """ "haircut friday at 4": a few words beside a day, and no others."""
    if not noticed.told.dates:
        return ()
    spans = date_spans(noticed.told.dates, noticed.utterance)
    said = [at for at in range(start, end) if not inside(noticed.utterance.tokens[at], spans)]
    together = bool(said) and said[-1] - said[0] == len(said) - 1 and said[0] in noticed.content
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    nameless = all("nameless" in classes.get(words[at], ()) for at in said)
    plain = together and len(said) <= _LONGEST_FIRST and not nameless and not _only_asks(noticed, said[0], said[-1] + 1)
    return ((said[0], said[-1] + 1),) if plain else ()


def _closed_up(noticed: Noticed, learned: tuple[Stretch, ...]) -> tuple[Stretch, ...]:
    """ "practise lines on fake skin": names with nothing but a preposition between them are one."""
    text, tokens, words = noticed.utterance.text, noticed.utterance.tokens, noticed.weighed.reading.scene.words
    policy, spans = noticed.told.policy, date_spans(noticed.told.dates, noticed.utterance)
    closed: list[Stretch] = []
    for first, last in learned:
        between = range(closed[-1][1], first) if closed else range(0)
        small = all(words[at] in policy.small_words and words[at] not in policy.splitters for at in between)
        signed = bool(closed) and text[tokens[closed[-1][1] - 1].end : tokens[first].start].strip(" ").count(",")
        dated = any(inside(tokens[at], spans) for at in between)
        if closed and len(between) == 1 and small and not signed and not dated:
            closed[-1] = (closed[-1][0], last)
        else:
            closed.append((first, last))
    return tuple(closed)


def _at_chores(noticed: Noticed, learned: tuple[Stretch, ...]) -> tuple[Stretch, ...]:
    """ "order clay, buy a bag of sand": after a comma a verb begins something else to do."""
    text, tokens, words = noticed.utterance.text, noticed.utterance.tokens, noticed.weighed.reading.scene.words
    pieces: list[Stretch] = []
    for first, last in learned:
        starts = [first]
        for place in range(first + 1, last):
            after_comma = "," in text[tokens[place - 1].end : tokens[place].start]
            begins = is_chore(words[place], noticed.told.policy) or _is_one_more(noticed, first, place, last)
            if after_comma and not noticed.utterance.is_quoted(place) and begins:
                starts.append(place)
        pieces += zip(starts, [*starts[1:], last], strict=True)
    return tuple(pieces)


def _is_one_more(noticed: Noticed, first: int, place: int, last: int) -> bool:
    """ "rollers, and a tray": after a comma an "and" begins one more, where both are a few words without a verb."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    few = place - first <= _LONGEST_FIRST and 1 < last - place <= _LONGEST_FIRST + 1
    return few and words[place] in policy.splitters and not is_chore(words[first], policy)


def _with_errand(noticed: Noticed, learned: tuple[Stretch, ...]) -> tuple[Stretch, ...]:
    """ "friday buy bread": the verb after a day that the message begins with is part of what is to be done."""
    (first, last), *others = learned
    spans = date_spans(noticed.told.dates, noticed.utterance)
    dated = [inside(noticed.utterance.tokens[place], spans) for place in range(max(first - 1, 0))]
    verb = bool(dated) and all(dated) and is_chore(noticed.weighed.reading.scene.words[first - 1], noticed.told.policy)
    return ((first - 1, last), *others) if verb else learned


def _with_first(noticed: Noticed, learned: tuple[Stretch, ...], start: int) -> tuple[Stretch, ...]:
    """ "we need nappies and wipes": what stands between the words that lead to names and the first of the names, and is
    joined to it by "and" or a comma, is one more."""
    text, tokens, splitters = noticed.utterance.text, noticed.utterance.tokens, noticed.told.policy.splitters
    first = learned[0][0]
    last = first - 1 if first and tokens[first - 1].norm in splitters else first
    joined = last < first or (first and "," in text[tokens[first - 1].end : tokens[first].start])
    between = [place for place in range(start, last) if place in noticed.content]
    near = bool(between) and between[-1] == last - 1 and len(between) <= _LONGEST_FIRST
    led = bool(start) and any(
        start in noticed.told.policy.lexicon.ends(_LEAD, noticed.weighed.reading.scene.words, place)
        for place in range(start)
    )
    return ((between[0], last), *learned) if led and joined and near else learned


_LONGEST_FIRST = 3


def _with_joined(noticed: Noticed, learned: tuple[Stretch, ...], end: int) -> tuple[Stretch, ...]:
    """ "milk and the eggs", "ring Bo about my back": what is joined to a name, and would be lost, belongs to it; a
    thing to do is one of its own."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    grown = []
    for place, (first, last) in enumerate(learned):
        until = learned[place + 1][0] if place + 1 < len(learned) else end
        joins = last < until and (words[last] in policy.splitters or _is(words[last], "about", noticed))
        said = last + 1
        while joins and said < until and _is(words[said], "det", noticed):
            said += 1
        if joins and said < until and said in noticed.content and not is_chore(words[said], policy):
            last = next((each for each in range(said, until) if each not in noticed.content), until)
        grown.append((first, last))
    return tuple(grown)


def _is(word: str, kind: str, noticed: Noticed) -> bool:
    return kind in noticed.told.policy.word_classes.get(word, ())


def _cut_between(noticed: Noticed, last: int, first: int) -> int:
    """Where what is said about one thing ends and the next begins: "the tree on Saturday, | tomorrow call Bo"."""
    text, tokens, splitters = noticed.utterance.text, noticed.utterance.tokens, noticed.told.policy.splitters
    for place in range(last, first):
        between = text[tokens[place - 1].end : tokens[place].start]
        if tokens[place].norm in splitters or any(sign in between for sign in ",;\n"):
            return place
    return first


def _learned_names(noticed: Noticed, end: int) -> tuple[tuple[Stretch, ...], tuple[Stretch, ...]]:
    """The likeliest stretches, and those of them that name something."""
    spans, tokens = date_spans(noticed.told.dates, noticed.utterance), noticed.utterance.tokens
    found = find_spans("name", noticed, 0, end)
    dated = [each for each in found if all(inside(tokens[at], spans) for at in range(*each))]
    named = [place for place in found if place not in dated and not _only_asks(noticed, *place)]
    return found, tuple(
        each for at, each in enumerate(named) if not (at and _says_when(noticed, *named[at - 1 : at + 1]))
    )


def _says_when(noticed: Noticed, before: Stretch, here: Stretch) -> bool:
    """ "need wipes too when I get the milk": what is done anyway, and only tells when."""
    words, policy = noticed.weighed.reading.scene.words, noticed.told.policy
    leads = [at for at in range(before[1], here[0]) if words[at] not in policy.splitters]
    return any("condition" in policy.word_classes.get(words[at], _NONE) for at in leads[-_TO_VERB:])


def _only_asks(noticed: Noticed, first: int, last: int) -> bool:
    """ "add", "put down a task": words that ask for something new name nothing."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    asking = {place for name, start, end in noticed.cues if name == "add" for place in range(start, end)}
    asking |= {place for place in range(first, last) if not classes.get(words[place], _NONE).isdisjoint(_MERE_WORDS)}
    return all(place in asking or place not in noticed.content for place in range(first, last))


_TO_VERB = 3
"""Words from "when" to the verb: "when I next go"."""
_NONE: frozenset[str] = frozenset()
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
    back = max(0, place - 3)
    if not place or any(tokens[each].norm in noticed.told.policy.splitters for each in range(back, place + 1)):
        return True
    gaps = [text[tokens[each].end : tokens[each + 1].start] for each in range(back, place)]
    return any(gap != " " and not _ENDS_CLAUSE.isdisjoint(gap) for gap in gaps)


_ENDS_CLAUSE = frozenset(",.;:!?\n…-")


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
