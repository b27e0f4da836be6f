"""One request about several things that it names one after the other: "put the call and the bulbs on Monday".

The words alone take all of it for one name, and would change the one that it resembles most.
"""

from __future__ import annotations

from engine.decision import Reason, Reference
from engine.outcome.judging import judge
from engine.outcome.values import Outcome
from engine.reading.weighing import Weighed, complete_weighing
from engine.talking.names.named_targets import name_target
from engine.talking.values import Told

_WHOLE = ("exact", "id", "number")
_MOST = 5


def each_named(weighed: Weighed, judged: Outcome, told: Told) -> tuple[Outcome, ...] | None:
    """What becomes of each; None where only one is named."""
    policy, utterance = told.policy, told.reading.utterance
    known = judged.action in ("execute", "confirm") or judged.reason is Reason.AMBIGUOUS_TARGET
    if weighed.intent not in policy.catalogue.on_target or not known:
        return None
    if "," not in utterance.text and policy.splitters.isdisjoint(told.reading.scene.words):
        return None  # most messages
    drafted, found = complete_weighing(weighed, told.context, policy)
    if drafted.mention is None or drafted.mention.span is None or (found and is_whole(found)):
        return None
    span, tokens = drafted.mention.span, utterance.tokens
    places = [place for place, token in enumerate(tokens) if span.start <= token.start < span.end]
    pieces = cut_pieces(places, told)
    if not 2 <= len(pieces) <= _MOST or any(_points_back(piece, told) for piece in pieces[1:]):
        return None
    references = [named[0] for piece in pieces if (named := name_target(piece, told))]
    targets = {each.task_id for each in references if each.task_id}
    if len(targets) != len(pieces):
        return None
    alone = weighed._replace(draft=drafted)
    return tuple(judge(alone._replace(reference=each), told.context, policy) for each in references)


def is_whole(reference: Reference) -> bool:
    """ "buy bread and butter" is the name of one thing."""
    best = reference.candidates[0] if reference.candidates else None
    return best is not None and best.how in _WHOLE


def _points_back(piece: tuple[int, int], told: Told) -> bool:
    """ "trays, those are done": a second word for the same, and not one more."""
    words, text, tokens = told.reading.scene.words, told.reading.utterance.text, told.reading.utterance.tokens
    points = all("pronoun" in told.policy.word_classes.get(word, ()) for word in words[slice(*piece)])
    return points and "," in text[tokens[piece[0] - 1].end : tokens[piece[0]].start]


def cut_pieces(places: list[int], told: Told) -> list[tuple[int, int]]:
    """At "and" and at commas."""
    utterance, splitters = told.reading.utterance, told.policy.splitters
    pieces: list[list[int]] = [[]]
    for place in places:
        token = utterance.tokens[place]
        between = utterance.text[utterance.tokens[place - 1].end : token.start] if place else ""
        if token.norm in splitters or "," in between:
            pieces.append([])
        if token.norm not in splitters:
            pieces[-1].append(place)
    return [(piece[0], piece[-1] + 1) for piece in pieces if piece]
