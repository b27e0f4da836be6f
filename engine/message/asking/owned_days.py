""" "Put Tuesday's meeting on Wednesday", "metti la cena di domenica a sabato": what has a day and gets another is there
already. Where nothing is called so, it is asked which one is meant, and nothing is added."""

from __future__ import annotations

from engine.decision import Context, Factor, Reference, Slot
from engine.message.clauses_together import effect_of
from engine.message.judged import acts
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.moves.noticing import begin
from engine.values import Argument, Provenance

_OWN_DAY, _PUTS = "day_own", "puts_on_day"
_SURE = 0.88


def ask_whose_day(requests: tuple[JudgedRequest, ...], context: Context, policy: Policy) -> tuple[JudgedRequest, ...]:
    """The requests, a new thing with two days among them as a change of something that is not found."""
    return tuple(_as_change(each, context, policy) or each for each in requests)


def _as_change(request: JudgedRequest, context: Context, policy: Policy) -> JudgedRequest | None:
    facts = policy.catalogue.by_effect.get("change")
    utterance, scene = request.utterance, request.weighed.reading.scene
    words = scene.words[: len(utterance.tokens)]
    if facts is None or effect_of(request, policy) != "add" or not acts(request.outcome):
        return None
    if not policy.lexicon.names(words) >= {_OWN_DAY, _PUTS} or utterance.quotes:
        return None  # nearly always
    owned = next((end for at in range(len(words)) for end in policy.lexicon.ends(_OWN_DAY, words, at)), len(words))
    starts = utterance.tokens[owned - 1].end
    later = [each for each in request.weighed.dates if each.has_day and each.span.start >= starts]
    argument = facts.argument("date")
    puts = policy.lexicon.ends(_PUTS, words, scene.opening)
    if not puts or len(later) != 1 or not argument:
        return None
    told = begin(utterance, request.weighed, context, policy)
    span = utterance.span(
        max(puts), next(at for at, each in enumerate(utterance.tokens) if each.end > later[0].span.start)
    )
    slot = Slot(argument, later[0].value, later[0].span)
    drafted = Draft(facts.intent, (Argument(argument, slot.value, Provenance("words", slot.span)),), (slot,))
    basis = Basis("move:own day", "request", _SURE, (Factor("it has a day, and gets another", _SURE),), 0, len(words))
    reference = Reference(utterance.slice(span), span, (), None)
    return request._replace(outcome=judge_with(basis, facts, drafted, reference, told))
