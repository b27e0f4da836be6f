"""Something that was finished, open again."""

from __future__ import annotations

from engine.decision import Act, Candidate, Context, Factor, Reference, Slot
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.weighing import weigh_request
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.moves.noticing import begin
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance

_SURE = 0.93


def open_again(
    task_id: str, why: str, utterance: Utterance, context: Context, policy: Policy, act: Act = "correct"
) -> JudgedRequest | None:
    """The change of its state, as this message asks for it; None where the domain has no states to change."""
    facts = policy.catalogue.by_effect.get("change")
    state = facts.argument("status") if facts else ""
    if facts is None or not state:
        return None
    whole = weigh_request(utterance, context, policy)
    told = begin(utterance, whole, context, policy)
    span = utterance.span(0, len(utterance.tokens))
    slot = Slot(state, policy.catalogue.states[0], span)
    basis = Basis("move:reopen", act, _SURE, (Factor(why, _SURE),), 0, len(utterance.tokens))
    reference = Reference(utterance.text, span, (Candidate(task_id, 0.95, "pronoun"),), task_id)
    drafted = Draft(facts.intent, (Argument(slot.name, slot.value, Provenance("words", span)),), (slot,))
    return JudgedRequest(utterance, whole, judge_with(basis, facts, drafted, reference, told))
