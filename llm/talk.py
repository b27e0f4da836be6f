"""What only a conversation asks for: taking back, making again, and what there is to know about one task."""

from __future__ import annotations

from engine.catalogue.facts import UNKNOWN
from engine.decision import Candidate, Context, Reason, Reference, Slot
from engine.outcome.judging import ask
from engine.outcome.replies import say
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.talking.ways.undoing import RESTORED
from engine.targets.references import Mention, resolve
from engine.values import Argument, Provenance, Span, Task, ToolCall
from llm.copied import find_target
from llm.telling import tell_all
from llm.tool_list import GONE, TELL, find_target_name


def talk(call: ToolCall, context: Context, policy: Policy) -> Outcome:
    if call.tool_name == TELL:
        return _tell(call, context, policy)
    act, gone = call.tool_name, call.parameters.get(GONE)
    slots = (Slot(RESTORED, str(gone), Span(0, 0)),) if gone else ()
    message = say(policy, f"doing_{act}")
    return Outcome(
        "execute", UNKNOWN, Reason.MODEL_CALLED, message, confidence=1.0, slots=slots, act=act,  # type: ignore[arg-type]
    )  # fmt: skip


def _tell(call: ToolCall, context: Context, policy: Policy) -> Outcome:
    """The task is listed, and what is known of it is said."""
    facts = next(tool for tool in policy.catalogue.tools if tool.intent in policy.catalogue.lists)
    named = str(call.parameters.get(find_target_name(policy.catalogue), ""))
    reference = _find(named, context, policy)
    task = context.tasks.find_by_id(reference.task_id) if reference.task_id else None
    search = task.title if isinstance(task, Task) else named
    given = (Argument(facts.argument("search"), search, Provenance("store" if task else "llm", None, named)),)
    outcome = Outcome(
        "execute", facts.intent, Reason.MODEL_CALLED, "", ToolCall(facts.name, given), confidence=1.0,
        references=(reference,), act="ask",
    )  # fmt: skip
    if not named:
        changing = next(tool.intent for tool in policy.catalogue.tools if tool.target and tool.effect == "change")
        return ask(outcome._replace(call=None), Reason.MISSING_PARAMETER, say(policy, f"which_{changing}"), "fill")
    if not isinstance(task, Task):
        return outcome._replace(asks="several")
    return outcome._replace(answer=tell_all(task, policy, context.now), asks="all")


def _find(named: str, context: Context, policy: Policy) -> Reference:
    task = find_target(named, context)
    if task:
        return Reference(named, None, (Candidate(task.id, 1.0, "number"),), task.id)
    return resolve(Mention(named, named, None), context, policy, policy.catalogue.states[0])
