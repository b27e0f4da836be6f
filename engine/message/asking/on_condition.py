"""What shall only be done if something else happens: "if it rains, move the match to Sunday".

Nobody here watches the sky. Such a change is offered, not done: it is for the person to say when it is so.
"""

from __future__ import annotations

from engine.decision import Context
from engine.message.clauses_together import effect_of
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import offer
from engine.policy.values import Policy
from engine.text.normalise import Utterance
from engine.values import Span

_OPEN, _POLITE = "open_condition", "polite_condition"
_CHANGES = ("finish", "change")


def offer_on_condition(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests, with those offered that would change something under a condition of the same sentence."""
    held = [each for each in requests if each.outcome.action == "execute" and effect_of(each, policy) in _CHANGES]
    if not held or not any(_is_open(place, utterance, held, policy) for place in _conditions(utterance, policy)):
        return requests
    return tuple(
        each._replace(outcome=offer(each.outcome, each.outcome.call, context, policy))
        if each in held and each.outcome.call
        else each
        for each in requests
    )


def _conditions(utterance: Utterance, policy: Policy) -> list[int]:
    words = utterance.words
    if _OPEN not in policy.lexicon.names(words):  # nearly always
        return []
    return [
        place
        for place in range(len(words))
        if policy.lexicon.ends(_OPEN, words, place) and not policy.lexicon.ends(_POLITE, words, place)
    ]


def _is_open(place: int, utterance: Utterance, held: list[JudgedRequest], policy: Policy) -> bool:
    """Whether a condition begins here, and not inside a name or after a verb of asking ("see if", "I wonder if")."""
    tokens = utterance.tokens
    said = [span for each in held for span in _said(each)]
    if any(span.start <= tokens[place].start < span.end for span in said):
        return False
    if place == 0 or utterance.text[tokens[place - 1].end : tokens[place].start].strip():
        return True
    opens = not {"opener", "interjection", "clause_joiner", "splitter"}.isdisjoint(
        policy.word_classes.get(tokens[place - 1].norm, ())
    )
    return opens or any(span.end == tokens[place - 1].end for span in said)


def _said(request: JudgedRequest) -> list[Span]:
    """Where what the call is about, and its values, stand in the message."""
    outcome = request.outcome
    arguments = outcome.call.arguments if outcome.call else ()
    spans = [each.span for each in outcome.references]
    spans += [each.provenance.span for each in arguments]
    spans += [each.span for each in request.weighed.dates]
    return [span for span in spans if span is not None]
