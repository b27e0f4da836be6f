"""A decision taken apart for Inspect: each request of the message with everything that was observed in it.

A Decision keeps only the strongest evidence, so that deciding stays quick. Here all of it comes back, read
by the same functions; `tests/engine/test_anatomy.py` holds that the two never differ. A decider with a reading of its
own takes itself apart (`OwnDecider.dissect`), into the same values.
"""

from __future__ import annotations

from engine.decider import RuleDecider
from engine.decision import Context, Reason
from engine.explaining.values import Anatomy, EvidencePiece, OwnDecider, RequestAnatomy
from engine.message.judged_request import JudgedRequest
from engine.message.read import read_message
from engine.policy.values import Policy
from engine.reading.frames import FrameMatch
from engine.text.normalise import TEXT_LIMIT, Utterance, normalise
from engine.values import Span

__all__ = ["Anatomy", "EvidencePiece", "OwnDecider", "ReadingDecider", "RequestAnatomy", "dissect"]

ReadingDecider = RuleDecider | OwnDecider


def dissect(text: str, context: Context, decider: ReadingDecider) -> Anatomy:
    if not isinstance(decider, RuleDecider):
        return decider.dissect(text, context)
    policy = decider.policy_of(text, context)
    decision = decider.decide(text, context)
    requests: tuple[RequestAnatomy, ...] = ()
    if decision.reason not in (Reason.EMPTY, Reason.TOO_LONG) and len(text) <= TEXT_LIMIT:
        requests = _requests(normalise(text, policy.spellings, policy.elisions, policy.abbreviations), context, policy)
    return Anatomy(text, policy.language, policy, decision, requests)


def _requests(utterance: Utterance, context: Context, policy: Policy) -> tuple[RequestAnatomy, ...]:
    judged, answered = read_message(utterance, context, policy)
    if answered:
        return (RequestAnatomy(utterance, judged[0].outcome, policy.catalogue.intents),)
    return tuple(_request(each, policy) for each in judged)


def _request(judged: JudgedRequest, policy: Policy) -> RequestAnatomy:
    utterance, reading = judged.utterance, judged.weighed.reading
    carriers = {match.frame.id: _carrier(match, utterance) for match in reading.frames}
    pieces = tuple(
        EvidencePiece(
            each.name,
            utterance.span(each.first, each.last),
            vector,
            carriers.get(each.name.partition(":")[2], ()) if each.name.startswith(("frame:", "lead:")) else (),
        )
        for each, vector in zip(reading.observations, reading.vectors, strict=True)
    )
    corrections = tuple((utterance.span(each.place, each.place + 1), each.meant) for each in reading.corrections)
    return RequestAnatomy(utterance, judged.outcome, policy.catalogue.intents, pieces, corrections)


def _carrier(match: FrameMatch, utterance: Utterance) -> tuple[Span, ...]:
    """The words of the frame itself, those in its slots left out."""
    inside = match.covered()
    spans: list[Span] = []
    previous = -2
    for place in range(match.start, min(match.end, len(utterance.tokens))):
        if place in inside:
            continue
        here = utterance.span(place, place + 1)
        if place == previous + 1:
            spans[-1] = Span(spans[-1].start, here.end)
        else:
            spans.append(here)
        previous = place
    return tuple(spans)
