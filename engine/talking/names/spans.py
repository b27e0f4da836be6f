"""Which stretch of a message is the name of something, or the text of a note: each word is weighed, as learned."""

from __future__ import annotations

from math import exp, log, log1p

from engine.slots.titles import Words, clean, date_spans, find_quoted, inside
from engine.talking.moves.noticed import Noticed, holds
from engine.talking.names.word_signs import tell_words

Stretch = tuple[int, int]
"""From the first word to before the last."""
_LIKELY, _SURELY = 0.5, 0.75
"""Without a word for a note, more must speak for one."""


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


def find_shares(kind: str, noticed: Noticed, first: int, last: int, *, several: bool = True) -> dict[Stretch, float]:
    """How likely each stretch from `first` to before `last` is one of those meant; none where nothing was learned."""
    weights = noticed.told.policy.talk.spans.get(kind)
    told = tell_words(noticed)[first:last] if weights else []
    if weights is None or not told:
        return {}
    shares = share_each_stretch(*weights.scores(told), several=several)
    return {(first + start, first + end): share for (start, end), share in shares.items()}


def share_each_stretch(
    inside: list[float], begins: list[float], ends: list[float], *, several: bool = True
) -> dict[Stretch, float]:
    """Over all ways to mark stretches that do not overlap, by what may stand before each and what may follow it; or
    over all ways to mark exactly one."""
    size = len(inside)
    before, after = _add_up_before(inside, begins, ends), _add_up_after(inside, begins, ends)
    worth: dict[Stretch, float] = {}
    for start in range(size):
        total = begins[start] + (before[start] if several else 0.0)
        for end in range(start + 1, size + 1):
            total += inside[end - 1] if end - 1 > start else 0.0
            worth[start, end] = total + ends[end - 1] + (after[end] if several else 0.0)
    most = max(worth.values(), default=0.0)
    whole = before[size] if several else most + log(sum([exp(each - most) for each in worth.values()]))
    return {stretch: exp(min(each - whole, 0.0)) for stretch, each in worth.items()}


def _add_up_before(inside: list[float], begins: list[float], ends: list[float]) -> list[float]:
    """How much all ways to mark the words before each place are worth together, as a logarithm."""
    closed, going = [0.0], float("-inf")
    for goes_on, begin, end in zip(inside, begins, ends, strict=True):
        going = _either(closed[-1] + begin, going + goes_on)
        closed.append(_either(closed[-1], going + end))
    return closed


def _add_up_after(inside: list[float], begins: list[float], ends: list[float]) -> list[float]:
    """The same of the words from each place on."""
    free, going = [0.0], float("-inf")
    for goes_on, begin, end in zip(reversed(inside), reversed(begins), reversed(ends), strict=True):
        left = _either(end + free[-1], going)
        going = goes_on + left
        free.append(_either(free[-1], begin + left))
    return free[::-1]


def _either(one: float, other: float) -> float:
    most, least = max(one, other), min(one, other)
    return most + log1p(exp(least - most))


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
