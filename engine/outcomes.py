"""What is done about a request: act, confirm, ask back, or only reply. Every branch names its reason."""

from __future__ import annotations

from dataclasses import replace

from engine.confidence import close_ledger
from engine.decision import Candidate, Context, Factor, Pending, Reason, Reference
from engine.judge import ON_TASK, UNKNOWN, Outcome, Weighed, complete_weighing, describe
from engine.mapping import find_tool
from engine.policy_values import Policy
from engine.reading import as_intent
from engine.replies import choices, doing, preview, say, title_of
from engine.slots import Draft
from engine.values import DESCRIPTION_LIMIT, TITLE_LIMIT, Argument, Provenance, Source, ToolCall

_TARGET_COST = {"fuzzy": 0.12, "pronoun": 0.03, "ordinal": 0.02, "recent": 0.08, "partial": 0.02}
_CHANGES = ("new_title", "new_description", "new_priority", "new_due_date", "new_status")


def judge(weighed: Weighed, context: Context, policy: Policy) -> Outcome:
    if weighed.winner == UNKNOWN:
        return _unknown(weighed, policy)
    drafted, reference = complete_weighing(weighed, context, policy)
    outcome = Outcome(
        action="execute",
        intent=weighed.intent,
        reason=Reason.MATCHED_RULE,
        message="",
        call=_call(drafted, reference),
        confidence=weighed.confidence,
        ledger=weighed.ledger,
        scores=weighed.scores,
        references=(reference,) if reference else (),
        slots=drafted.slots,
        steps=describe(weighed, drafted, reference),
    )
    if weighed.intent in ON_TASK:
        return _on_task(outcome, drafted, reference, weighed, context, policy)
    if weighed.intent == "add_task":
        return _add(outcome, drafted, weighed, context, policy)
    return _act(outcome, weighed, context, policy)


def _unknown(weighed: Weighed, policy: Policy) -> Outcome:
    guard = weighed.reading.guard
    # A guard is the reason only where there was something to guard against.
    present = weighed.reading.scene.present
    acting = any("acting" in policy.word_classes.get(word, ()) for word in present)
    guarded = guard and (weighed.reading.frames or acting or guard[0] is Reason.NEGATED)
    reason = guard[0] if guard and guarded else Reason.NOT_ABOUT_TASKS
    return Outcome(
        action="reply",
        intent="unknown",
        reason=reason,
        message=say(policy, str(reason)),
        confidence=weighed.confidence,
        ledger=weighed.ledger,
        scores=weighed.scores,
        steps=describe(weighed, None, None),
    )


def _call(drafted: Draft, reference: Reference | None) -> ToolCall:
    tool_name = find_tool(drafted.intent) or ""
    arguments = drafted.arguments
    if reference and reference.task_id:
        arguments = (_identifier(reference), *arguments)
    return ToolCall(tool_name, arguments)


def _identifier(reference: Reference) -> Argument:
    how = _winner(reference).how
    source: Source = "conversation" if how in ("pronoun", "ordinal", "recent") else "store"
    detail = f"{how}: {reference.mention}"
    return Argument("task_identifier", reference.task_id, Provenance(source, reference.span, detail))


def _winner(reference: Reference) -> Candidate:
    return next(each for each in reference.candidates if each.task_id == reference.task_id)


def ask(
    outcome: Outcome, reason: Reason, message: str, kind: str, parameter: str | None = None, **more: object
) -> Outcome:
    """The outcome as a question: the call so far waits in `pending`."""
    options = more.get("options", ())
    call = outcome.call or ToolCall(find_tool(outcome.intent) or "")
    pending = Pending(kind, outcome.intent, call, parameter, options, message)  # type: ignore[arg-type]
    return outcome._replace(action="clarify", reason=reason, message=message, call=None, pending=pending)


def _add(outcome: Outcome, drafted: Draft, weighed: Weighed, context: Context, policy: Policy) -> Outcome:
    call = outcome.call
    if call is None or "title" not in call.parameters:
        return ask(outcome, Reason.MISSING_PARAMETER, say(policy, "missing_title"), "fill", "title")
    if drafted.problem:
        name = drafted.problem.removesuffix("_too_long")
        return _ask_for_less(outcome, call, drafted.problem, name, name, policy)
    acted = _act(outcome, weighed, context, policy)
    if drafted.repeats and acted.action == "execute":
        note = say(policy, "repeat", date=drafted.repeats.value, words=drafted.repeats.text.strip())
        return acted._replace(message=f"{acted.message} {note}".strip())
    return acted


def _ask_for_less(
    outcome: Outcome, call: ToolCall, problem: str, argument: str, parameter: str, policy: Policy
) -> Outcome:
    """Without the argument that is too long: `parameter` is what the answer supplies in its place."""
    limit = TITLE_LIMIT if problem == "title_too_long" else DESCRIPTION_LIMIT
    kept = tuple(each for each in call.arguments if each.name != argument)
    shorter = outcome._replace(call=replace(call, arguments=kept))
    return ask(shorter, Reason.INVALID_PARAMETER, say(policy, problem, limit=limit), "fill", parameter)


def _act(outcome: Outcome, weighed: Weighed, context: Context, policy: Policy) -> Outcome:
    """Act if the confidence allows; otherwise say what was understood and wait for a yes."""
    call = outcome.call
    if call is None:
        return outcome
    if outcome.confidence >= policy.thresholds.act:
        return outcome._replace(message=doing(policy, outcome.intent, call, context))
    share = next(each.score for each in weighed.scores if each.intent == outcome.intent)
    if weighed.rival_share and share - weighed.rival_share < policy.thresholds.margin:
        other = say(policy, f"verb_{as_intent(weighed.rival)}")
        message = say(policy, "two_readings", verb=say(policy, f"verb_{outcome.intent}"), other=other)
        return ask(outcome, Reason.NARROW_MARGIN, message, "confirm")
    verb, shown = say(policy, f"verb_{outcome.intent}"), preview(policy, outcome.intent, call, context)
    return ask(outcome, Reason.BELOW_THRESHOLD, say(policy, "unsure", verb=verb, preview=shown), "confirm")


def _on_task(
    outcome: Outcome, drafted: Draft, reference: Reference | None, weighed: Weighed, context: Context, policy: Policy
) -> Outcome:
    intent = outcome.intent
    if drafted.batch:
        return ask(outcome, Reason.BATCH, say(policy, f"batch_{intent}"), "fill", "task_identifier")
    if reference is None or (not reference.candidates and not has_name(drafted)):
        return ask(outcome, Reason.MISSING_PARAMETER, say(policy, f"which_{intent}"), "fill", "task_identifier")
    if reference.task_id is None:
        return unresolved(outcome, reference, context, policy)
    outcome = with_target_cost(outcome, reference)
    if drafted.problem and outcome.call:
        argument = f"new_{drafted.problem.removesuffix('_too_long')}"
        return _ask_for_less(outcome, outcome.call, drafted.problem, argument, "change", policy)
    return settle(outcome, reference, weighed, context, policy)


def has_name(drafted: Draft) -> bool:
    return bool(drafted.mention and drafted.mention.name)


def with_target_cost(outcome: Outcome, reference: Reference) -> Outcome:
    how = _winner(reference).how
    cost = _TARGET_COST.get(how, 0.0)
    if not cost:
        return outcome
    ledger, confidence = close_ledger([*outcome.ledger, Factor(f"task found: {how}", -cost, reference.span)])
    return outcome._replace(ledger=ledger, confidence=confidence)


def unresolved(outcome: Outcome, reference: Reference, context: Context, policy: Policy) -> Outcome:
    close = tuple(each.task_id for each in reference.candidates if each.score >= policy.thresholds.target)
    near = tuple(each.task_id for each in reference.candidates)[:5]
    mention = reference.mention
    if len(close) > 1:
        message = say(policy, "ambiguous", mention=mention, choices=choices(context, close, policy))
        return ask(outcome, Reason.AMBIGUOUS_TARGET, message, "choose", "task_identifier", options=close)
    if near:
        key = "no_target_near" if len(near) > 1 else "no_target_nearest"
        message = say(policy, key, mention=mention, choices=choices(context, near, policy))
        return ask(outcome, Reason.NO_TARGET, message, "choose", "task_identifier", options=near)
    message = say(policy, "no_target", mention=mention)
    return ask(outcome, Reason.NO_TARGET, message, "fill", "task_identifier")


def settle(
    outcome: Outcome, reference: Reference, weighed: Weighed | None, context: Context, policy: Policy
) -> Outcome:
    """The task is known: are the values there, is it sure enough, does it need a yes?"""
    call, winner = outcome.call, _winner(reference)
    if call is None:
        return outcome
    title = title_of(call, context)
    if outcome.intent == "update_task" and not any(name in call.parameters for name in _CHANGES):
        return ask(outcome, Reason.MISSING_PARAMETER, say(policy, "missing_change", title=title), "fill", "change")
    if winner.how == "fuzzy" and (outcome.intent == "delete_task" or winner.score < policy.thresholds.sure_target):
        message = say(policy, "uncertain", mention=reference.mention, title=title)
        return ask(outcome, Reason.UNCERTAIN_TARGET, message, "confirm")
    # By the lower of the two: whoever lets the engine act early must not thereby let it delete without a question.
    if outcome.intent == "delete_task" and outcome.confidence >= min(policy.thresholds.read, policy.thresholds.act):
        return confirm_delete(outcome, call, context, policy)
    return _act(outcome, weighed, context, policy) if weighed else outcome


def confirm_delete(outcome: Outcome, call: ToolCall, context: Context, policy: Policy) -> Outcome:
    task = context.tasks.find_by_id(str(call.parameters.get("task_identifier", "")))
    message = say(policy, "confirm_delete", title=task.title if task else "", number=task.number if task else "")
    pending = Pending("confirm", "delete_task", call, None, (), message)
    return outcome._replace(action="confirm", reason=Reason.DESTRUCTIVE, message=message, pending=pending)
