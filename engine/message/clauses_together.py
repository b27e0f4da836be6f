"""The clauses of a message read together: who asks for one thing is speaking to us with the others as well."""

from __future__ import annotations

from dataclasses import replace

from engine.decision import Context, Message, Reason
from engine.message.judged import acts, is_nothing, judge_in_order, points
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import nothing
from engine.outcome.replies import doing
from engine.policy.values import Policy
from engine.talking.clauses import split_clauses
from engine.text.normalise import Utterance
from engine.values import ToolCall

SURE_IN_A_STORY = 0.85
"""How sure a part must be where the message as a whole asks for nothing."""
SURE_TO_ASK = 0.6
"""What is asked about before it is done needs less, once a conversation goes on."""
BEYOND_DOUBT = ("exact", "id", "number")
_CERTAIN = 0.9
_IN_PASSING = "it goes on from what was told in passing"


def read_together(clauses: tuple[Utterance, ...], context: Context, policy: Policy) -> tuple[JudgedRequest, ...]:
    """Each by itself, but who asks for one thing in so many words is speaking to us with the other as well: "Ann is
    called, and add milk" reports what "Ann is called" alone would only be asked about."""
    read = judge_in_order(clauses, context, policy)
    plain = [each for each in read if _asks_plainly(each)]
    if not plain or len(plain) == len(read):
        return read
    if not context.history and context.pending is None:
        read = judge_in_order(clauses, replace(context, history=(Message("user", ""),)), policy)
    done = [_done_if_named(read[0], context, policy)]
    for place, request in enumerate(read[1:], start=1):
        if _goes_on_plainly(read, place, policy):
            done.append(request)  # "add buy bread and milk": the milk is a part of what is added
            continue
        done.append(_done_with(done[-1], _done_if_named(request, context, policy), context, policy))
    return tuple(done)


def _goes_on_plainly(read: tuple[JudgedRequest, ...], place: int, policy: Policy) -> bool:
    """Whether the clause follows something new, without a comma or the like in between."""
    if effect_of(read[place - 1], policy) != "add":
        return False
    before, here = read[place - 1].utterance, read[place].utterance
    between = here.text[before.tokens[-1].end : here.tokens[0].start] if before.tokens and here.tokens else ""
    return not any(sign in between for sign in ",;:.!?\n–—…")


def _asks_plainly(request: JudgedRequest) -> bool:
    """In so many words; in a way that is said for other reasons, too, only beyond doubt and about something named."""
    outcome = request.outcome
    frames = [each.frame for each in request.weighed.reading.frames if each.frame.intent == outcome.intent]
    if outcome.action != "execute" or not frames:
        return False
    if all(frame.weak for frame in frames):
        return outcome.confidence >= _CERTAIN and (is_named(request) or not outcome.references)
    return outcome.confidence >= SURE_IN_A_STORY


def _done_if_named(request: JudgedRequest, context: Context, policy: Policy) -> JudgedRequest:
    """What would be offered is done where it is said of something that is named."""
    outcome = request.outcome
    facts, pending = policy.catalogue.by_intent.get(outcome.intent), outcome.pending
    if facts is None or facts.effect != "finish" or facts.needs_yes or outcome.reason is not Reason.BELOW_THRESHOLD:
        return request
    if (
        pending is None
        or outcome.confidence < SURE_TO_ASK
        or not is_named(request)
        or not says_something(request, policy)
    ):
        return request
    return _done(request, pending.call, context, policy)


def says_something(request: JudgedRequest, policy: Policy) -> bool:
    """A name alone reports nothing."""
    spans = [each.span for each in request.outcome.references if each.span]
    tokens = request.utterance.tokens
    beside = any(not any(span.start <= each.start < span.end for span in spans) for each in tokens)
    tells = any(not _TELLS.isdisjoint(policy.word_classes.get(each.norm, ())) for each in tokens)
    return len(tokens) > _LEAST_WORDS and (beside or tells)


def _done_with(before: JudgedRequest, request: JudgedRequest, context: Context, policy: Policy) -> JudgedRequest:
    """ "make the invoice medium priority and due on Friday": a second value for what was just changed."""
    outcome, short = request.outcome, len(request.utterance.tokens) <= _SHORT
    if not short or outcome.reason is not Reason.BELOW_THRESHOLD or not points(request) or not _asks_plainly(before):
        return request
    changes = effect_of(before, policy) == effect_of(request, policy) == "change"
    pending = outcome.pending
    if not changes or pending is None or policy.catalogue.target_of(pending.call) != target_of(before, policy):
        return request
    return _done(request, pending.call, context, policy)


def _done(request: JudgedRequest, call: ToolCall, context: Context, policy: Policy) -> JudgedRequest:
    said = doing(policy, request.outcome.intent, call, context)
    done = request.outcome._replace(action="execute", reason=Reason.MATCHED_RULE, message=said, call=call, pending=None)
    return request._replace(outcome=done)


def reports(utterance: Utterance, context: Context, policy: Policy) -> bool:
    """Whether a clause says of something named that it is done, or would be asked about it."""
    talking = replace(context, history=context.history or (Message("user", ""),))
    read = judge_in_order(split_clauses(utterance, policy), talking, policy)
    return any(acts(_done_if_named(each, context, policy).outcome) and is_named(each) for each in read)


def is_named(request: JudgedRequest) -> bool:
    found = [each.candidates[0].how for each in request.outcome.references if each.candidates]
    return bool(found) and all(how in _NAMED for how in found)


def is_said_of(request: JudgedRequest, understood: tuple[JudgedRequest, ...]) -> bool:
    """ "I called the bank, ten minutes on hold. Done at last": what is done is named in another clause."""
    unsaid = [each for each in request.outcome.references if each.candidates and each.candidates[0].how == "recent"]
    alike = [each for each in understood if each.outcome.intent == request.outcome.intent and is_named(each)]
    return bool(unsaid) and bool(alike)


def echoes(request: JudgedRequest, understood: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "tick off the invoice, it's sent": what is asked about is what another clause asks for already."""
    pending = request.outcome.pending if request not in understood else None
    asked = policy.catalogue.target_of(pending.call) if pending and pending.kind == "confirm" else None
    return asked is not None and any(
        each.outcome.intent == request.outcome.intent
        and each.outcome.call
        and policy.catalogue.target_of(each.outcome.call) == asked
        for each in understood
    )


def effect_of(request: JudgedRequest, policy: Policy) -> str:
    facts = policy.catalogue.by_intent.get(request.outcome.intent)
    return facts.effect if facts else ""


def target_of(request: JudgedRequest, policy: Policy) -> str | None:
    return policy.catalogue.target_of(request.outcome.call) if request.outcome.call else None


_LEAST_WORDS, _SHORT = 2, 6
_TELLS = frozenset({"telling", "cue_done"})
_NAMED = (*BEYOND_DOUBT, "partial")


def said_in_passing(read: tuple[JudgedRequest, ...], policy: Policy) -> list[JudgedRequest]:
    """ "a bad night again, up and down till four, then he wanted breakfast": what only its shortness makes a correction
    is none in the middle of other remarks, for whoever puts something right begins or ends with it. And "they ate it
    all, the broccoli too": what goes on from a remark is no further task."""
    nothing = [is_nothing(each.outcome) for each in read]
    short = [place for place, each in enumerate(read) if not each.weighed.reading.frames]
    corrects = [
        place
        for place in short
        if read[place].outcome.act == "correct"
        and points(read[place])
        and any(nothing[:place])
        and any(nothing[place + 1 :])
    ]
    goes_on = [place for place in short if place and _goes_on_from_remark(read[place - 1], read[place], policy)]
    return [read[place] for place in (*corrects, *goes_on)]


def _goes_on_from_remark(before: JudgedRequest, request: JudgedRequest, policy: Policy) -> bool:
    return request.outcome.act == "continue" and not acts(before.outcome) and effect_of(before, policy) != "add"


def swallows_remark(request: JudgedRequest, in_passing: list[JudgedRequest]) -> bool:
    """ "the neighbours painted the fence today, the gate too": read as one, the remark would be a new task's name."""
    call = request.outcome.call
    if request.outcome.act != "continue" or call is None:
        return False
    begins = [each.provenance.span.start for each in call.arguments if each.provenance.span]
    parts = [each.utterance.tokens[0].start for each in in_passing if each.outcome.act == "continue"]
    return bool(begins and parts) and min(begins) < min(parts)


def as_nothing(request: JudgedRequest, policy: Policy) -> JudgedRequest:
    return request._replace(outcome=nothing(request.weighed, policy, _IN_PASSING))
