"""From a model's sound calls to a Decision, under the engine's rules: which task, and what needs a yes first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from domains.deciders import make_decider
from domains.loading import load_domain
from engine.catalogue.facts import Reads
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
from engine.outcome.judging import ask, settle, unresolved
from engine.outcome.replies import doing, say
from engine.outcome.routing import ask_first
from engine.outcome.values import Outcome
from engine.policy.loading import Policy
from engine.slots.titles import clean
from engine.targets.references import Mention, resolve
from engine.text.folding import split_words
from engine.text.normalise import normalise
from engine.values import Argument, Provenance, Task, ToolCall, make_call
from llm.calibration import Confidence
from llm.calls import ReadAnswer
from llm.copied import NOT_SAID, find_options
from llm.talk import talk
from llm.tool_list import TALK_TOOLS

DECIDER_NAME = "llm"


def conclude(
    read: ReadAnswer,
    text: str,
    context: Context,
    policy: Policy,
    stated: Confidence | None,
    domain: Domain | None = None,
    settings: ComposerSettings = DEFAULT_SETTINGS,
    engine: Decider | None = None,
) -> Decision:
    """A call that is broken is never run, and neither is what stands beside it in the same answer."""
    if read.broken:
        first = read.broken[0]
        message = f"The model asked for a call that cannot be made. {first.message}"
        return _plain("reply", policy.catalogue.intent_of(first.name), Reason.BROKEN_CALL, message, policy)
    domain = domain or load_domain()
    conduct = domain.conduct
    if read.asking:
        if conduct:
            asked = conduct.judge(read.asking, text, settings)
            return replace(asked, decider=DECIDER_NAME, confidence=None, call_confidences=(), ledger=(), scores=())
        return _ask(read.asking, policy)
    if not read.calls:
        message = read.reply or "The model did not ask for any tool and said nothing."
        return _plain("reply", "unknown", Reason.MODEL_REPLIED, message, policy)
    if conduct:
        back = next((call for call in read.calls if call.tool_name in TALK_TOOLS), None)
        plan = conduct.plan(read.calls, context, policy.language) if conduct.plan else ""
        decision = combine([talk(back, context, policy)], policy) if back else _call(read.calls, context, policy, plan)
    else:
        decision = combine([_judge(call, text, context, policy) for call in read.calls], policy)
        engine = engine or make_decider(domain)
        decision = _accept_answer(decision, text, context, engine)
        decision = _as_asked(decision, text, context, policy, engine)
        if decision.action == "execute" and any(map(_is_made_up, decision.calls)):
            decision = ask_first(decision, policy, "unasked_change", context)
    confidence = stated.value if stated else None
    ledger = (Factor(f"LLM: {stated.source}", stated.value),) if stated else ()
    return replace(
        decision,
        decider=DECIDER_NAME,
        confidence=confidence,
        call_confidences=tuple(confidence for _ in decision.calls),
        ledger=ledger,
    )


def ask_in_doubt(decision: Decision, likely: float, policy: Policy, context: Context) -> Decision:
    """What the model called although it nearly said something instead, as a question. Taking back has no call that
    could be offered, and a yes is the user's own."""
    if decision.action != "execute" or not decision.calls or decision.reason is Reason.ANSWERED:
        return decision
    asked = ask_first(decision, policy, "doubted", context)
    return replace(
        asked,
        ledger=(*asked.ledger, Factor("LLM: hardly sure that anything is asked for", 0.0, detail=f"{likely:.2f}")),
    )


def _call(calls: tuple[ToolCall, ...], context: Context, policy: Policy, plan: str) -> Decision:
    """Calls whose targets were resolved when they were completed. `plan`: what they would change."""
    decision = _plain("execute", policy.catalogue.intent_of(calls[0].tool_name), Reason.MODEL_CALLED, "", policy)
    decision = replace(decision, message=plan)
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
    target = policy.catalogue.by_name[tool_name].target
    rest = {name: value for name, value in composed.partial.items() if name != target}
    call = make_call(tool_name, rest, "composer")
    chosen = tuple(str(option.value[target]) for option in options)
    reason = Reason.AMBIGUOUS_TARGET if options else Reason.MISSING_PARAMETER
    kind, parameter = ("choose", target) if options else ("fill", composed.asked_for)
    pending = Pending(kind, intent, call, parameter, chosen, composed.message)  # type: ignore[arg-type]
    return replace(_plain("clarify", intent, reason, composed.message, policy), pending=pending)


def unavailable(sentence: str, policy: Policy) -> Decision:
    return _plain("reply", "unknown", Reason.UNAVAILABLE, sentence, policy)


def _as_asked(decision: Decision, text: str, context: Context, policy: Policy, engine: Decider) -> Decision:
    """A list is told as it was asked for: how many, what comes next. A call cannot say that; the words do."""
    tools = {call.tool_name for call in decision.calls}
    lists = {tool.name: tool for tool in policy.catalogue.tools if tool.intent in policy.catalogue.lists}
    if decision.action != "execute" or decision.asks or not tools or not tools <= lists.keys():
        return decision
    heard = engine.decide(text, context)
    if heard.asks and {call.tool_name for call in heard.calls} <= lists.keys():
        return replace(decision, asks=heard.asks if heard.asks in _OF_A_LIST else "several")
    few = any(
        call.parameters.get(lists[call.tool_name].argument(kind)) for call in decision.calls for kind in _OF_A_FEW
    )
    return replace(decision, asks="several") if few else decision


_OF_A_FEW: tuple[Reads, ...] = ("limit", "level_filter", "search")
"""What makes a list a few things, which are told by their names."""
_OF_A_LIST = frozenset({"count", "next", "urgent", "several", "list"})


def _is_made_up(call: ToolCall) -> bool:
    """Whether it has a name or a note that nobody said: a word was miscopied, or made up."""
    return any(argument.provenance.detail == NOT_SAID for argument in call.arguments)


def _judge(call: ToolCall, text: str, context: Context, policy: Policy) -> Outcome:
    if call.tool_name in TALK_TOOLS:
        return talk(call, context, policy)
    intent = policy.catalogue.intent_of(call.tool_name)
    # The engine's own confidence has no say here: 1.0 lets its rules about targets and deleting decide alone.
    outcome = Outcome("execute", intent, Reason.MODEL_CALLED, "", call=call, confidence=1.0)
    facts = policy.catalogue.by_name[call.tool_name]
    if facts.effect == "add" and facts.argument("name") not in call.parameters:
        name = facts.argument("name")
        return ask(outcome, Reason.MISSING_PARAMETER, say(policy, f"missing_{name}"), "fill", name)
    if facts.target and facts.target not in call.parameters:
        return ask(outcome, Reason.MISSING_PARAMETER, say(policy, f"which_{intent}"), "fill", facts.target)
    if not facts.target:
        return outcome._replace(message=doing(policy, intent, call, context))
    named = str(call.parameters[facts.target])
    others = tuple(argument for argument in call.arguments if argument.name != facts.target)
    options = find_options(named, context)
    if options:
        return _ask_which(outcome._replace(call=replace(call, arguments=others)), options, context, policy)
    is_open, is_settled = policy.catalogue.states
    status = facts.argument("status")
    prefer = is_settled if status and call.parameters.get(status) == is_open else is_open
    origin = next(argument.provenance for argument in call.arguments if argument.name == facts.target)
    # The composer passes an id on; what people want to see is the words that it stands for.
    said = text[origin.span.start : origin.span.end] if origin.source == "composer" and origin.span else named
    reference = _find(Mention(said, named, origin.span), context, policy, prefer)
    outcome = outcome._replace(references=(reference,))
    if reference.task_id is None:
        return unresolved(outcome._replace(call=replace(call, arguments=others)), reference, context, policy)
    how = next(each.how for each in reference.candidates if each.task_id == reference.task_id)
    detail = origin.detail if origin.source == "composer" else f"{how}: {named}"
    target = Argument(facts.target, reference.task_id, Provenance(origin.source, origin.span, detail))
    settled = settle(
        outcome._replace(call=replace(call, arguments=(target, *others))), reference, None, context, policy
    )
    if settled.action == "execute" and settled.call:
        return settled._replace(message=doing(policy, intent, settled.call, context))
    return settled


def _ask_which(outcome: Outcome, options: tuple[Task, ...], context: Context, policy: Policy) -> Outcome:
    """The model named several of which one is meant."""
    candidates = tuple(Candidate(task.id, 1.0, "number") for task in options)
    reference = Reference(_shared_words(options), None, candidates, None)
    return unresolved(outcome._replace(references=(reference,)), reference, context, policy)


def _shared_words(options: tuple[Task, ...]) -> str:
    """What the tasks have in common, as far as they do."""
    words = [split_words(task.title) for task in options]
    return " ".join(word for word in words[0] if all(word in other for other in words[1:])) or options[0].title


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
