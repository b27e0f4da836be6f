"""Several things told as done in one breath: "the cards are backed up and the contract went out", "ordered the flour
and the boxes", "tablets and reminders both done". Each piece tells of a task of its own, with a verb of its own or the
one that the others have; alone, only one of them would be heard."""

from __future__ import annotations

from typing import NamedTuple

from engine.decision import Context
from engine.message.judged import is_nothing, judge_in_order
from engine.message.judged_request import JudgedRequest
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.questions import begins_as_one
from engine.reading.requests import part
from engine.reading.weighing import Weighed, weigh_request
from engine.talking.clauses import tells_deed
from engine.talking.moves.noticing import begin
from engine.talking.names.naming import content_words
from engine.talking.values import Told
from engine.talking.ways.told_done import ToldDone, find_told_done, finish
from engine.targets.stems import stem
from engine.text.folding import title_words
from engine.text.normalise import Token, Utterance

_MOST, _LONGEST = 5, 32
_PAUSES = frozenset(",;:.!\n–—")


class _Piece(NamedTuple):
    utterance: Utterance
    weighed: Weighed
    told: Told
    done: ToldDone | None
    shares: bool = False
    """Whether its verb is said with another piece."""


def read_each_told_done(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """Each of them finished, or all of them offered; None where fewer than two are told, or something else is said."""
    words = utterance.words
    if len(words) > _LONGEST or "?" in utterance.text or not any(tells_deed(word, policy) for word in words):
        return None  # most messages
    cut = _cut(utterance, policy) if not begins_as_one(words, policy) else []
    if not 2 <= len(cut) <= _MOST:
        return None
    pieces = [_read(each, context, policy) for each in cut]
    if all(each.done is None for each in pieces):
        return None
    pieces = [_with_shared_verb(pieces, place, context, policy) for place in range(len(pieces))]
    told = [each for each in pieces if each.done]
    tasks = {each.done.task.id for each in told if each.done}
    if not 2 <= len(tasks) == len(told) or any(_is_in_name_of(each, told, policy) for each in told if each.shares):
        return None
    if any(not _says_nothing(each, context, policy) for each in pieces if each.done is None):
        return None
    surely = any(each.done.whole for each in told if each.done)
    outcomes = [_finish(each, surely) for each in told]
    return tuple(
        JudgedRequest(each.utterance, each.weighed, outcome)
        for each, outcome in zip(told, outcomes, strict=True)
        if outcome
    )


def _finish(piece: _Piece, surely: bool) -> Outcome | None:
    """What is told beside something sure is sure with less."""
    if piece.done is None:
        return None
    sure = piece.done.whole or (surely and piece.done.own)
    made = finish(piece.done, piece.told, surely=bool(sure))
    return made[0] if made else None


def _read(utterance: Utterance, context: Context, policy: Policy, *, shares: bool = False) -> _Piece:
    weighed = weigh_request(utterance, context, policy)
    told = begin(utterance, weighed, context, policy)
    done = find_told_done(told)
    counts = done and (done.whole if shares else done.whole is not None)
    return _Piece(utterance, weighed, told, done if counts else None, shares)


def _with_shared_verb(pieces: list[_Piece], place: int, context: Context, policy: Policy) -> _Piece:
    """ "ordered the flour and *the boxes*", "*tablets* and reminders both done"."""
    piece = pieces[place]
    if piece.done or any(tells_deed(word, policy) for word in piece.utterance.words):
        return piece
    for other, after in ((pieces[at], at > place) for at in _nearest(place, len(pieces))):
        joined = _joined(piece.utterance, other.utterance, policy, after=after)
        found = _read(joined, context, policy, shares=True) if joined else piece
        if found.done:
            return found
    return piece


def _nearest(place: int, count: int) -> list[int]:
    return [*range(place - 1, -1, -1), *range(place + 1, count)]


def _joined(piece: Utterance, other: Utterance, policy: Policy, *, after: bool) -> Utterance | None:
    """The piece with the other one's verb, where that stands at the end that lies towards the piece's place in it."""
    words = other.words
    deeds = [at for at, word in enumerate(words) if tells_deed(word, policy)]
    if not deeds:
        return None
    said = [at for at, word in enumerate(words) if content_words((word,), policy) and at not in deeds]
    first, last = deeds[0], deeds[-1]
    if not after and (not said or first < said[0]):
        return _spliced(piece, other.tokens[: first + 1], piece.tokens)
    if after and (not said or last > said[-1]):
        return _spliced(piece, piece.tokens, other.tokens[last:])
    return None


def _spliced(piece: Utterance, first: tuple[Token, ...], then: tuple[Token, ...]) -> Utterance:
    """Words that do not stand beside each other. Each keeps its place in the text; what stands between is blank."""
    since, until = first[-1].end, then[0].start
    text = piece.text[:since] + " " * (until - since) + piece.text[until:]
    return Utterance(text, (*first, *then), piece.quotes, frozenset({0}))


def _is_in_name_of(piece: _Piece, told: list[_Piece], policy: Policy) -> bool:
    """ "tablets for Rex and Bella are in": the second word is in the name of the first as well."""
    said = {stem(word, policy) for word in _own_words(piece, policy)}
    others = [each.done.task for each in told if each.done and each is not piece]
    return any(said <= {stem(word, policy) for word in title_words(task.title)} for task in others)


def _own_words(piece: _Piece, policy: Policy) -> tuple[str, ...]:
    named = piece.done.named if piece.done else frozenset()
    return tuple(content_words(tuple(piece.utterance.words[at] for at in named), policy))


def _says_nothing(piece: _Piece, context: Context, policy: Policy) -> bool:
    return all(is_nothing(each.outcome) for each in judge_in_order((piece.utterance,), context, policy))


def _cut(utterance: Utterance, policy: Policy) -> list[Utterance]:
    """At "and", at commas and at the ends of sentences."""
    text, tokens = utterance.text, utterance.tokens
    cuts = [0]
    for place in range(1, len(tokens)):
        between = text[tokens[place - 1].end : tokens[place].start]
        joins = tokens[place].norm in policy.splitters
        begins = joins or place in utterance.sentence_starts or not _PAUSES.isdisjoint(between)
        if begins and not utterance.is_quoted(place) and place > cuts[-1]:
            cuts.append(place)
    ends = [*cuts[1:], len(tokens)]
    pieces = [part(utterance, start, end, policy) for start, end in zip(cuts, ends, strict=True)]
    return [each for each in pieces if any(token.norm not in policy.splitters for token in each.tokens)]
