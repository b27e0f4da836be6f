"""How likely a change is wrong although the words seemed clear: learned from what was done wrong in conversations that
nobody had tuned to (`facets.doubt` in `talk.json`, by `python -m training.learn_doubt`).

The confidence says how well the words fit a way of asking. Whether the name was cut in the right place, the right thing
found, or half of the message left unread, it does not say. What is noticed here names no tool and no intent.
"""

from __future__ import annotations

from dataclasses import replace

from engine.decision import Context, Decision, Factor, Reason, Step
from engine.doubting.signs import notice_doubts
from engine.doubting.values import DoubtSign
from engine.outcome.routing import ask_first
from engine.policy.values import Policy
from engine.text.normalise import Utterance

FACET = "doubt"


def ask_if_doubtful(decision: Decision, utterance: Utterance, context: Context, policy: Policy) -> Decision:
    """Where such changes were wrong more often than not, the same change as a question."""
    if len(utterance.tokens) <= _SHORT or utterance.quotes or _is_called(decision, utterance, policy):
        return decision  # what stands in quotes is a name, whatever it is
    if not is_doubtable(decision, policy):
        return decision
    noticed = notice_doubts(decision, utterance, context, policy)
    doubt = round(policy.talk.facet(FACET, noticed) or 0.0, 3)
    if doubt < policy.amounts.doubt:
        return replace(decision, doubt=doubt)
    told = ", ".join(_reasons(noticed, policy))
    confidence = min(decision.confidence or 0.0, round(1 - doubt, 3))
    factor = Factor(FACET, round(confidence - (decision.confidence or 0.0), 6), None, told)
    steps = (*decision.steps, Step(FACET, f"{doubt:.0%} of changes like this one were wrong: {told}"))
    return replace(
        ask_first(decision, policy, "doubted", context),
        action="clarify",
        calls=(),
        call_confidences=(),
        reason=Reason.BELOW_THRESHOLD,
        doubt=doubt,
        confidence=confidence,
        ledger=(*decision.ledger, factor),
        steps=steps,
    )


def find_doubt(decision: Decision) -> Factor | None:
    """The line of its ledger that made a question of it."""
    return next((factor for factor in decision.ledger if factor.name == FACET), None)


def is_doubtable(decision: Decision, policy: Policy) -> bool:
    """Whether it changes something by itself, and doubt was learned. An answer to a question was asked for; what is
    taken back first cannot be asked about together with what comes after it."""
    if FACET not in policy.talk.facets:
        return False
    if decision.action != "execute" or decision.reason is Reason.ANSWERED or decision.pending:
        return False
    if decision.undoes or decision.act in _TAKES_BACK:
        return False
    changing = policy.catalogue.changing_tools
    return bool(decision.calls) and all(call.tool_name in changing for call in decision.calls)


def _is_called(decision: Decision, utterance: Utterance, policy: Policy) -> bool:
    """ "add a task called chore number 3"."""
    adds = [policy.catalogue.by_name[call.tool_name].effect == "add" for call in decision.calls]
    words = utterance.words
    if adds != [True] or _CALLED not in policy.lexicon.names(words):
        return False
    spans = [each.provenance.span for each in decision.calls[0].arguments if each.provenance.span]
    ends = {end for at in range(len(words)) for end in policy.lexicon.ends(_CALLED, words, at)}
    return any(utterance.tokens[end].start == span.start for end in ends if end < len(words) for span in spans)


_CALLED = "names_it"
_SHORT = 6
"""Words: in so few there is little to be cut wrongly, and what was doubted there was right more often than not."""
_MOST_TOLD = 3
_TAKES_BACK = ("undo", "redo")


def _reasons(noticed: list[DoubtSign], policy: Policy) -> list[str]:
    """What speaks most for the doubt."""
    weights = policy.talk.facets[FACET]
    worth = sorted(((weights.get(name, 0.0) * value, name) for name, value in noticed), reverse=True)
    return [name for amount, name in worth[:_MOST_TOLD] if amount > 0]
