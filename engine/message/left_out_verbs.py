"""Requests that share a verb: "move the bank to 3 pm and the sign to Saturday".

As a whole both days would fall upon the first thing; the second part alone has no verb and asks for nothing.
"""

from __future__ import annotations

from dataclasses import replace

from engine.decision import Context, Message
from engine.message.judged import judge_in_order
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.frames import find_frames, make_scene
from engine.reading.requests import part
from engine.talking.clauses import only_values
from engine.text.normalise import Token, Utterance

_MOST = 5


def read_shared_verb(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """Each part with the verb of the first, where each changes another thing; else None."""
    pieces = _cut(utterance, policy)
    if not 2 <= len(pieces) <= _MOST:
        return None
    verb = _verb_of(pieces[0], policy)
    if not verb or any(
        _has_verb(each, policy) or _is_value(each, policy) or _tells(each, policy) for each in pieces[1:]
    ):
        return None
    more = _adds_more(utterance, pieces, verb, context, policy)
    if more:
        return more
    whole = [pieces[0], *(_joined(utterance, verb, piece.tokens) for piece in pieces[1:])]
    return _each_changed(whole, context, policy) or _each_changed(
        _with_last_value(whole, context, policy), context, policy
    )


def _adds_more(
    utterance: Utterance, pieces: tuple[Utterance, ...], verb: tuple[Token, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """ "Add baler twine. And diesel.": what a new sentence goes on with is added as well."""
    rest = pieces[1:]
    after_and = {
        utterance.tokens[place + 1].start
        for place in utterance.sentence_starts
        if place + 1 < len(utterance.tokens) and utterance.tokens[place].norm in policy.splitters
    }
    if any(piece.tokens[0].start not in after_and or len(piece.tokens) > _LONGEST_ADDED for piece in rest):
        return None
    whole = [pieces[0], *(_joined(utterance, verb, piece.tokens) for piece in rest)]
    talking = replace(context, history=context.history or (Message("user", ""),))  # the verb is said to us
    read = tuple(each for piece in whole for each in judge_in_order((piece,), talking, policy))
    added = [each for each in read if each.outcome.action == "execute" and _effect(each, policy) == "add"]
    return read if len(added) == len(read) == len(pieces) else None


_LONGEST_ADDED = 6


def _effect(request: JudgedRequest, policy: Policy) -> str:
    facts = policy.catalogue.by_intent.get(request.outcome.intent)
    return facts.effect if facts else ""


def _each_changed(pieces: list[Utterance], context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    read = tuple(each for piece in pieces for each in judge_in_order((piece,), context, policy))
    targets = {target for each in read if (target := _changed(each, policy))}
    return read if pieces and len(read) == len(targets) == len(pieces) else None


def _with_last_value(pieces: list[Utterance], context: Context, policy: Policy) -> list[Utterance]:
    """ "put the bank and the sign on Saturday": what is said of the last is said of all."""
    last = judge_in_order((pieces[-1],), context, policy)
    named = [each.span for each in last[0].outcome.references if each.span] if len(last) == 1 else []
    if not named or not _changed(last[0], policy):
        return []
    value = tuple(token for token in pieces[-1].tokens if token.start >= named[0].end)
    return [*(_joined(piece, piece.tokens, value) for piece in pieces[:-1]), pieces[-1]] if value else []


def _tells(piece: Utterance, policy: Policy) -> bool:
    """ "make it Wednesday, as on Thursday I want to teach it", "…, Anna has them": why, and no further request."""
    begins, *others = [policy.word_classes.get(token.norm, frozenset[str]()) for token in piece.tokens]
    return not _TELLING.isdisjoint(begins) or any("finite" in names for names in others)


_TELLING = frozenset({"reason_word", "relative_word", "subject"})


def _is_value(piece: Utterance, policy: Policy) -> bool:
    """ "…, high priority" is said of what is named before it."""
    return only_values(piece.words, policy)


def _cut(utterance: Utterance, policy: Policy) -> tuple[Utterance, ...]:
    """At "and" and at commas."""
    text, tokens = utterance.text, utterance.tokens
    if "," not in text and policy.splitters.isdisjoint([token.norm for token in tokens]):
        return (utterance,)  # most messages
    cuts = [0]
    for place in range(1, len(tokens)):
        between = text[tokens[place - 1].end : tokens[place].start]
        joins = tokens[place].norm in policy.splitters
        if (joins or "," in between) and not utterance.is_quoted(place) and place - cuts[-1] > 1:
            cuts.append(place)
    ends = [*cuts[1:], len(tokens)]
    return tuple(part(utterance, start, end, policy) for start, end in zip(cuts, ends, strict=True))


def _verb_of(piece: Utterance, policy: Policy) -> tuple[Token, ...]:
    """The words of a request before what it is about: "please move"."""
    scene = make_scene(piece.words, piece.sentence_starts, policy)
    lead = next((each for each in find_frames(scene, policy) if each.start in scene.starts), None)
    effect = policy.catalogue.by_intent[lead.frame.intent].effect if lead else ""
    about = min((start for _, start, end in lead.slots if end > start), default=0) if lead else 0
    return piece.tokens[:about] if effect in _CHANGING else ()


_CHANGING = ("change", "add")
""" "put the sign on Friday" adds, if there is no such thing yet."""


def _has_verb(piece: Utterance, policy: Policy) -> bool:
    """Also "he's got a match on Saturday", which tells something."""
    words = piece.words
    classes = [policy.word_classes.get(word, frozenset()) for word in words[:2]]
    if "subject" in classes[0] and any("finite" in each for each in classes):
        return True
    if any(not _CHANGES_IT.isdisjoint(each) for each in classes):
        return True  # "… e spostale a domenica"
    scene = make_scene(words, piece.sentence_starts, policy)
    return any(each.start in scene.starts for each in find_frames(scene, policy))


_CHANGES_IT = frozenset({"cue_move", "clitic"})


def _joined(utterance: Utterance, first: tuple[Token, ...], then: tuple[Token, ...]) -> Utterance:
    """Words that do not stand beside each other. Each keeps its place in the text; what stands between is blank."""
    since, until = first[-1].end, then[0].start
    text = utterance.text[:since] + " " * (until - since) + utterance.text[until:]
    return Utterance(text, (*first, *then), utterance.quotes, frozenset({0}))


def _changed(request: JudgedRequest, policy: Policy) -> str | None:
    """What is named and gets a value; None where it is neither."""
    outcome = request.outcome
    call = outcome.call if outcome.action == "execute" else None
    target = policy.catalogue.target_of(call) if call else None
    facts = policy.catalogue.by_intent.get(outcome.intent)
    named = any(each.task_id == target and each.span is not None for each in outcome.references)
    gives = call is not None and len(call.parameters) > 1
    return target if facts and facts.effect == "change" and named and gives else None
