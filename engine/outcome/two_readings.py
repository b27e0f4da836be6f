"""Where the two lanes want different changes and neither is sure: one question with both as its answers, each a button,
and the answer to it."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import Catalogue
from engine.decision import Choice, Context, Decision, Factor, Pending, Reason, Sentence
from engine.outcome.previews import preview_all
from engine.outcome.replies import say
from engine.outcome.values import Outcome
from engine.outcome.yes_no import LONGEST_YES, is_all
from engine.policy.values import Policy
from engine.targets.references import find_position
from engine.text.folding import fold
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance, Span, ToolCall, each_once

_ENOUGH_TO_TELL = 60
"""Characters in which the two must differ: a button is no longer."""


def wanted_changes(decision: Decision, catalogue: Catalogue) -> tuple[ToolCall, ...]:
    """What a lane would change at a yes, if that is all that it wants and nothing of it needs a yes of its own."""
    if decision.undoes or decision.act in ("undo", "redo"):
        return ()
    pending = decision.pending
    if pending is None:
        calls = decision.calls if decision.action == "execute" else ()
    else:
        whole = pending.kind == "confirm" and decision.action != "execute"
        calls = each_once((pending.call, *pending.then)) if whole else ()
    called = [catalogue.by_name.get(call.tool_name) for call in calls]
    plain = all(facts and facts.name in catalogue.changing_tools and not facts.needs_yes for facts in called)
    return calls if plain else ()


def ask_which(likelier: Decision, other: Decision, context: Context, policy: Policy) -> Decision | None:
    """The question; None where one of the two is nothing that could be chosen, or nobody could tell them apart."""
    readings = [wanted_changes(each, policy.catalogue) for each in (likelier, other)]
    if not all(readings):
        return None
    shown = [preview_all(calls, context, policy) for calls in readings]
    if not all(shown) or shown[0][:_ENOUGH_TO_TELL] == shown[1][:_ENOUGH_TO_TELL]:
        return None
    question = say(policy, "which_reading", preview=shown[0], other=shown[1])
    if not question:
        return None
    pending = Pending(
        "choose",
        likelier.intent,
        readings[0][0],
        question=question,
        choices=tuple(_choice(label, calls) for label, calls in zip(shown, readings, strict=True)),
    )
    return replace(
        likelier,
        action="clarify",
        reason=Reason.NARROW_MARGIN,
        calls=(),
        call_confidences=(),
        message=question,
        sentences=(Sentence("question", question),),
        pending=pending,
    )


def take_reading(pending: Pending, utterance: Utterance, policy: Policy) -> Pending | None:
    """What the answer chooses, as a question that only waits for its yes; None where it chooses neither."""
    if pending.kind != "choose" or not pending.choices:
        return None
    said = fold(utterance.text).strip()
    chosen = next((each for each in pending.choices if fold(each.label).strip() == said), None)
    chosen = chosen or _by_place(pending, utterance, policy)
    if chosen is None:
        return None
    first, *rest = (ToolCall(chosen.tool_name, _arguments(chosen)), *chosen.then)
    return Pending("confirm", policy.catalogue.intent_of(first.tool_name), first, then=tuple(rest))


def ask_again(pending: Pending, words: tuple[str, ...], utterance: Utterance, policy: Policy) -> Outcome | None:
    """A yes says which of two no more than silence does."""
    if not is_all(words, policy, ("yes_word",)):
        return None
    certainty = policy.amounts.answered
    ledger = (Factor("answers the question", certainty, Span(0, len(utterance.text))),)
    asked = (Reason.NARROW_MARGIN, pending.question)
    return Outcome("clarify", pending.intent, *asked, pending=pending, confidence=certainty, ledger=ledger)


def _by_place(pending: Pending, utterance: Utterance, policy: Policy) -> Choice | None:
    words = utterance.words
    if not 0 < len(words) <= LONGEST_YES:
        return None
    place = int(words[0]) - 1 if len(words) == 1 and words[0] in ("1", "2") else find_position(words, policy)
    return pending.choices[place] if place is not None and -2 <= place < len(pending.choices) else None


def _choice(label: str, calls: tuple[ToolCall, ...]) -> Choice:
    return Choice(f"{label[:1].upper()}{label[1:]}", calls[0].tool_name, calls[0].parameters, calls[1:])


def _arguments(chosen: Choice) -> tuple[Argument, ...]:
    return tuple(Argument(name, value, Provenance("answer")) for name, value in chosen.arguments.items())
