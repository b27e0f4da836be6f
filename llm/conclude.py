"""From a model's sound calls to a Decision, under the engine's rules: which task, and what needs a yes first."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from domains.deciders import make_engine
from engine.completing.values import DEFAULT_SETTINGS, ComposerSettings, Composition
from engine.decider import combine
from engine.decision import (
    Action,
    Candidate,
    Context,
    Decider,
    Decision,
    Factor,
    Intent,
    Pending,
    Reason,
    Reference,
    Sentence,
)
from engine.domain import Domain
from engine.outcome.judging import settle, unresolved
from engine.outcome.replies import doing
from engine.outcome.values import Outcome
from engine.policy.loading import Policy
from engine.slots.titles import clean
from engine.targets.references import Mention, resolve
from engine.text.normalise import normalise
from engine.values import Argument, Provenance, ToolCall, make_call
from llm.calls import ReadAnswer

DECIDER_NAME = "llm"
CONFIDENCE_SOURCE = "mean probability of the answer's tokens"


def conclude(
    read: ReadAnswer,
    text: str,
    context: Context,
    policy: Policy,
    confidence: float | None,
    domain: Domain | None = None,
    settings: ComposerSettings = DEFAULT_SETTINGS,
    engine: Decider | None = None,
) -> Decision:
    """A call that is broken is never run, and neither is what stands beside it in the same answer."""
    if read.broken:
        first = read.broken[0]
        message = f"The model asked for a call that cannot be made. {first.message}"
        return _plain("reply", policy.catalogue.intent_of(first.name), Reason.BROKEN_CALL, message, policy)
    conduct = domain.conduct if domain else None
    if read.asking:
        if conduct:
            asked = conduct.judge(read.asking, text, settings)
            return replace(asked, decider=DECIDER_NAME, confidence=None, call_confidences=(), ledger=(), scores=())
        return _ask(read.asking, policy)
    if not read.calls:
        message = read.reply or "The model did not ask for any tool and said nothing."
        return _plain("reply", "unknown", Reason.MODEL_REPLIED, message, policy)
    if conduct:
        decision = _call(read.calls, context, policy)
    else:
        decision = combine([_judge(call, text, context, policy) for call in read.calls], policy)
        decision = _accept_answer(decision, text, context, engine or make_engine())
    ledger = () if confidence is None else (Factor(f"LLM: {CONFIDENCE_SOURCE}", confidence),)
    return replace(
        decision,
        decider=DECIDER_NAME,
        confidence=confidence,
        call_confidences=tuple(confidence for _ in decision.calls),
        ledger=ledger,
    )


def _call(calls: tuple[ToolCall, ...], context: Context, policy: Policy) -> Decision:
    """Calls whose targets were resolved when they were completed."""
    decision = _plain("execute", policy.catalogue.intent_of(calls[0].tool_name), Reason.MODEL_CALLED, "", policy)
    return replace(decision, calls=calls, references=tuple(_references(calls, context, policy)))


def _references(calls: tuple[ToolCall, ...], context: Context, policy: Policy) -> Iterator[Reference]:
    for call in calls:
        target = policy.catalogue.target_of(call)
        if target and context.tasks.find_by_id(target):
            origin = next(each.provenance for each in call.arguments if each.value == target)
            yield Reference(origin.detail, origin.span, (Candidate(target, 1.0, origin.source),), target)


def _ask(composed: Composition, policy: Policy) -> Decision:
    """The composer's question, in the form in which the engine asks: an answer in words or a click settles it."""
    options = composed.suggestions
    tool_name = composed.tool_name
    intent = policy.catalogue.intent_of(tool_name)
    if len(options) == 1:
        call = make_call(tool_name, options[0].value, "composer")
        pending = Pending("confirm", intent, call, None, (), composed.message)
        decision = _plain("confirm", intent, Reason.UNCERTAIN_TARGET, composed.message, policy)
        return replace(decision, calls=(call,), call_confidences=(None,), pending=pending)
    rest = {name: value for name, value in composed.partial.items() if name != "task_identifier"}
    call = make_call(tool_name, rest, "composer")
    chosen = tuple(str(option.value["task_identifier"]) for option in options)
    reason = Reason.AMBIGUOUS_TARGET if options else Reason.MISSING_PARAMETER
    kind, parameter = ("choose", "task_identifier") if options else ("fill", composed.asked_for)
    pending = Pending(kind, intent, call, parameter, chosen, composed.message)  # type: ignore[arg-type]
    return replace(_plain("clarify", intent, reason, composed.message, policy), pending=pending)


def unavailable(sentence: str, policy: Policy) -> Decision:
    return _plain("reply", "unknown", Reason.UNAVAILABLE, sentence, policy)


def confidence_of(log_probabilities: tuple[float, ...]) -> float | None:
    """The geometric mean of the tokens' probabilities; None where the endpoint gave none."""
    if not log_probabilities:
        return None
    return round(math.exp(sum(log_probabilities) / len(log_probabilities)), 4)


def _judge(call: ToolCall, text: str, context: Context, policy: Policy) -> Outcome:
    intent = policy.catalogue.intent_of(call.tool_name)
    # The engine's own confidence has no say here: 1.0 lets its rules about targets and deleting decide alone.
    outcome = Outcome("execute", intent, Reason.MODEL_CALLED, "", call=call, confidence=1.0)
    if "task_identifier" not in call.parameters:
        return outcome._replace(message=doing(policy, intent, call, context))
    named = str(call.parameters["task_identifier"])
    prefer = "completed" if call.parameters.get("new_status") == "pending" else "pending"
    origin = next(argument.provenance for argument in call.arguments if argument.name == "task_identifier")
    # The composer passes an id on; what people want to see is the words that it stands for.
    said = text[origin.span.start : origin.span.end] if origin.source == "composer" and origin.span else named
    reference = _find(Mention(said, named, origin.span), context, policy, prefer)
    outcome = outcome._replace(references=(reference,))
    if reference.task_id is None:
        rest = tuple(argument for argument in call.arguments if argument.name != "task_identifier")
        return unresolved(outcome._replace(call=replace(call, arguments=rest)), reference, context, policy)
    how = next(each.how for each in reference.candidates if each.task_id == reference.task_id)
    detail = origin.detail if origin.source == "composer" else f"{how}: {named}"
    target = Argument("task_identifier", reference.task_id, Provenance(origin.source, origin.span, detail))
    others = tuple(argument for argument in call.arguments if argument.name != "task_identifier")
    settled = settle(
        outcome._replace(call=replace(call, arguments=(target, *others))), reference, None, context, policy
    )
    if settled.action == "execute" and settled.call:
        return settled._replace(message=doing(policy, intent, settled.call, context))
    return settled


def _find(mention: Mention, context: Context, policy: Policy, prefer: str) -> Reference:
    """As the model named it; if that is nobody, without frills: "task three" is 3, "the rent one" is the rent."""
    found = resolve(mention, context, policy, prefer)
    if found.task_id is None:
        utterance = normalise(mention.said, policy.spellings, policy.elisions)
        last = len(utterance.tokens)
        bare = clean(utterance, 0, last, policy, lead="mention_lead", tail="mention_tail")
        again = resolve(mention._replace(name=bare.value), context, policy, prefer) if bare else found
        return again if again.task_id else found
    return found


def _accept_answer(decision: Decision, text: str, context: Context, engine: Decider) -> Decision:
    """A delete that waited for a yes may run once the user's own words say yes, by the engine's reading.

    The model's word is not enough: it would also repeat the call after a no.
    """
    waiting = context.pending
    if decision.action != "confirm" or waiting is None or waiting.kind != "confirm":
        return decision
    same = len(decision.calls) == 1 and _same_call(decision.calls[0], waiting.call)
    heard = engine.decide(text, context)
    if not same or heard.reason is not Reason.ANSWERED or heard.calls[:1] != (waiting.call,):
        return decision
    return replace(decision, action="execute", reason=Reason.ANSWERED, pending=None, message="", sentences=())


def _same_call(one: ToolCall, other: ToolCall) -> bool:
    return one.tool_name == other.tool_name and one.parameters == other.parameters


def _plain(action: Action, intent: Intent, reason: Reason, message: str, policy: Policy) -> Decision:
    return Decision(
        decider=DECIDER_NAME,
        action=action,
        intent=intent,
        reason=reason,
        message=message,
        sentences=(Sentence("question" if action != "reply" else "reply", message),) if message else (),
        policy_version=policy.version,
        language=policy.language,
        thresholds=policy.thresholds,
    )
