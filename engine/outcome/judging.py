"""What is done about a request: act, confirm, ask back, or only reply. Every branch names its reason."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from engine.catalogue.facts import UNKNOWN, ToolFacts, base_name
from engine.decision import Candidate, Context, Factor, Pending, Reason, Reference
from engine.outcome.previews import preview
from engine.outcome.replies import choices, doing, name_of, say
from engine.outcome.sound_arguments import make_sound
from engine.outcome.values import Outcome
from engine.policy.values import Frame, Policy
from engine.reading.confidence import close_ledger
from engine.reading.leaving_out import leaves_out
from engine.reading.weighing import MadeOfWords, Weighed, complete_weighing
from engine.slots.draft import Draft
from engine.text.folding import title_words
from engine.values import Argument, Provenance, Source, ToolCall

_HARMLESS = 0.1
"""So much less sure than a change must the showing of something be."""


def judge(weighed: Weighed, context: Context, policy: Policy) -> Outcome:
    facts = policy.catalogue.by_intent.get(weighed.intent)
    if facts is None:
        return nothing(weighed, policy)
    drafted, reference = complete_weighing(weighed, context, policy)
    drafted = make_sound(drafted, facts, policy)
    outcome = Outcome(
        action="execute",
        intent=weighed.intent,
        reason=Reason.MATCHED_RULE,
        message="",
        call=_call(facts, drafted, reference),
        confidence=weighed.confidence,
        ledger=weighed.ledger,
        references=(reference,) if reference else (),
        slots=drafted.slots,
        seen=MadeOfWords(weighed, drafted, reference),
    )
    if facts.target:
        return _on_target(outcome, drafted, reference, weighed, context, policy)
    if facts.effect == "add":
        return _add(outcome, facts, drafted, weighed, context, policy)
    return _act(outcome, weighed, context, policy)


def nothing(weighed: Weighed, policy: Policy, remark: str = "") -> Outcome:
    """Nothing is done: the message asks for nothing, or for nothing that can be made out. `remark`: why it was found to
    tell something only, which is more than that no request was found."""
    guard = weighed.reading.guard
    # A guard is the reason only where there was something to guard against.
    guarded = guard and (weighed.reading.frames or _is_acting(weighed, policy) or guard[0] is Reason.NEGATED)
    reason = guard[0] if guard and guarded else Reason.NOT_ABOUT_TASKS
    if guard and guard[0] is Reason.NOT_ABOUT_TASKS:
        remark = remark or "a saying that asks for nothing"
    message = _thanks_back(weighed, policy) if reason is Reason.NOT_ABOUT_TASKS else ""
    found = remark if reason is Reason.NOT_ABOUT_TASKS else ""
    return Outcome(
        action="reply",
        intent=UNKNOWN,
        reason=Reason.REMARK if found else reason,
        message=message or say(policy, str(reason)),
        confidence=weighed.confidence,
        # It is no part of the sum: how sure the words are was weighed before.
        ledger=(*weighed.ledger, Factor(f"taken for a remark: {found}", 0.0)) if found else weighed.ledger,
        seen=MadeOfWords(weighed),
    )


def _is_acting(weighed: Weighed, policy: Policy) -> bool:
    return any("acting" in policy.word_classes.get(word, ()) for word in weighed.reading.scene.present)


def _thanks_back(weighed: Weighed, policy: Policy) -> str:
    """What is said to thanks; empty where nobody thanks."""
    words = weighed.reading.scene.words
    return say(policy, "welcome") if policy.lexicon.says("thanks", words) else ""


def _call(facts: ToolFacts, drafted: Draft, reference: Reference | None) -> ToolCall:
    arguments = drafted.arguments
    if reference and reference.task_id:
        arguments = (_identifier(facts, reference), *arguments)
    return ToolCall(facts.name, arguments)


def _identifier(facts: ToolFacts, reference: Reference) -> Argument:
    how = _winner(reference).how
    source: Source = "conversation" if how in ("pronoun", "ordinal", "recent") else "store"
    detail = f"{how}: {reference.mention}"
    return Argument(facts.target, reference.task_id, Provenance(source, reference.span, detail))


def _winner(reference: Reference) -> Candidate:
    first = reference.candidates[0]
    if first.task_id == reference.task_id:  # nearly always
        return first
    return next(each for each in reference.candidates if each.task_id == reference.task_id)


def ask(
    outcome: Outcome,
    reason: Reason,
    message: str,
    kind: Literal["confirm", "choose", "fill"],
    parameter: str | None = None,
    options: tuple[str, ...] = (),
) -> Outcome:
    """The outcome as a question: the call so far waits in `pending`."""
    pending = Pending(kind, outcome.intent, outcome.call or ToolCall(""), parameter, options, message)
    return outcome._replace(action="clarify", reason=reason, message=message, call=None, pending=pending)


def _add(
    outcome: Outcome, facts: ToolFacts, drafted: Draft, weighed: Weighed, context: Context, policy: Policy
) -> Outcome:
    call, name = outcome.call, facts.argument("name")
    if call and name in call.parameters and _names_nothing(str(call.parameters[name]), policy):
        call = replace(call, arguments=tuple(each for each in call.arguments if each.name != name))
        outcome = outcome._replace(call=call)
    if call is None or name not in call.parameters:
        return ask(outcome, Reason.MISSING_PARAMETER, say(policy, f"missing_{name}"), "fill", name)
    if drafted.problem:
        return _ask_for_less(outcome, facts, call, drafted.problem, drafted.problem, policy)
    acted = _act(outcome, weighed, context, policy)
    if drafted.repeats and acted.action == "execute":
        note = say(policy, "repeat", date=drafted.repeats.value, words=drafted.repeats.text.strip())
        return acted._replace(note=note)
    return acted


def _names_nothing(title: str, policy: Policy) -> bool:
    """ "put something down for Monday": what, is still to be said."""
    words = title_words(title)
    vague = [word for word in words if not policy.word_classes.get(word, _NONE).isdisjoint(_VAGUE)]
    return bool(vague) and all(word in vague or word in policy.small_words for word in words)


_VAGUE = frozenset({"vague", "item", "pronoun"})
_NONE: frozenset[str] = frozenset()


def _ask_for_less(
    outcome: Outcome, facts: ToolFacts, call: ToolCall, argument: str, parameter: str, policy: Policy
) -> Outcome:
    """Without the argument that is too long: `parameter` is what the answer supplies in its place."""
    kept = tuple(each for each in call.arguments if each.name != argument)
    shorter = outcome._replace(call=replace(call, arguments=kept))
    return ask(shorter, Reason.INVALID_PARAMETER, say_too_long(policy, facts, argument), "fill", parameter)


def say_too_long(policy: Policy, facts: ToolFacts, argument: str) -> str:
    return say(policy, f"{base_name(argument)}_too_long", limit=policy.catalogue.limits[facts.name, argument])


def _act(outcome: Outcome, weighed: Weighed, context: Context, policy: Policy) -> Outcome:
    """Act if the confidence allows; otherwise say what was understood and wait for a yes."""
    call = outcome.call
    if call is None:
        return outcome
    if _is_harmless(outcome, weighed, policy) or outcome.confidence >= policy.thresholds.act:
        return outcome._replace(message=doing(policy, outcome.intent, call, context))
    share = next((each.score for each in weighed.scores if each.intent == outcome.intent), outcome.confidence)
    if weighed.rival_share and share - weighed.rival_share < policy.thresholds.margin:
        other = say(policy, f"verb_{weighed.rival}")
        message = say(policy, "two_readings", verb=say(policy, f"verb_{outcome.intent}"), other=other)
        return ask(outcome, Reason.NARROW_MARGIN, message, "confirm")
    return offer(outcome, call, context, policy)


def _is_harmless(outcome: Outcome, weighed: Weighed, policy: Policy) -> bool:
    """To show something that a way of asking plainly asks for needs less certainty."""
    frames = weighed.reading.frames
    plainly = outcome.intent in policy.catalogue.lists and bool(frames) and _asks_for(frames[0].frame, outcome.intent)
    return plainly and outcome.confidence >= policy.thresholds.act - _HARMLESS


def _asks_for(frame: Frame, intent: str) -> bool:
    return frame.intent == intent and not frame.weak


def offer(outcome: Outcome, call: ToolCall, context: Context, policy: Policy) -> Outcome:
    """What would be done, with a question whether it shall be."""
    verb, shown = say(policy, f"verb_{outcome.intent}"), preview(policy, outcome.intent, call, context)
    return ask(outcome, Reason.BELOW_THRESHOLD, say(policy, "unsure", verb=verb, preview=shown), "confirm")


def _is_all_of_one(facts: ToolFacts, reference: Reference | None, words: tuple[str, ...], policy: Policy) -> bool:
    """ "all the chairs are stacked": all that one thing to do is about, and not all there is to do, nor all but one."""
    if reference is None or reference.task_id is None or facts.effect != "finish":
        return False
    if leaves_out(words, policy):
        return False
    return _winner(reference).how in ("exact", "partial")


def _on_target(
    outcome: Outcome, drafted: Draft, reference: Reference | None, weighed: Weighed, context: Context, policy: Policy
) -> Outcome:
    facts = policy.catalogue.by_intent[outcome.intent]
    intent, target = outcome.intent, facts.target
    if drafted.batch and not _is_all_of_one(facts, reference, weighed.reading.scene.words, policy):
        return ask(outcome, Reason.BATCH, say(policy, f"batch_{intent}"), "fill", target)
    if reference is None or (not reference.candidates and not has_name(drafted)):
        return ask(outcome, Reason.MISSING_PARAMETER, say(policy, f"which_{intent}"), "fill", target)
    if reference.task_id is None:
        return unresolved(outcome, reference, context, policy)
    outcome = with_target_cost(outcome, reference, policy)
    if drafted.problem and outcome.call:
        facts = policy.catalogue.by_intent[intent]
        return _ask_for_less(outcome, facts, outcome.call, drafted.problem, "change", policy)
    return settle(outcome, reference, weighed, context, policy)


def has_name(drafted: Draft) -> bool:
    return bool(drafted.mention and drafted.mention.name)


def with_target_cost(outcome: Outcome, reference: Reference, policy: Policy) -> Outcome:
    how = _winner(reference).how
    cost = policy.amounts.cost_of(how)
    if not cost:
        return outcome
    ledger, confidence = close_ledger([*outcome.ledger, Factor(f"task found: {how}", -cost, reference.span)])
    return outcome._replace(ledger=ledger, confidence=confidence)


def unresolved(outcome: Outcome, reference: Reference, context: Context, policy: Policy) -> Outcome:
    close = tuple(each.task_id for each in reference.candidates if each.score >= policy.thresholds.target)
    near = tuple(each.task_id for each in reference.candidates)[:5]
    mention, target = reference.mention, policy.catalogue.by_intent[outcome.intent].target
    if len(close) > 1:
        message = say(policy, "ambiguous", mention=mention, choices=choices(context, close, policy))
        return ask(outcome, Reason.AMBIGUOUS_TARGET, message, "choose", target, close)
    if near:
        key = "no_target_near" if len(near) > 1 else "no_target_nearest"
        message = say(policy, key, mention=mention, choices=choices(context, near, policy))
        return ask(outcome, Reason.NO_TARGET, message, "choose", target, near)
    message = say(policy, "no_target", mention=mention)
    return ask(outcome, Reason.NO_TARGET, message, "fill", target)


def settle(
    outcome: Outcome, reference: Reference, weighed: Weighed | None, context: Context, policy: Policy
) -> Outcome:
    """The target is known: are the values there, is it sure enough, does it need a yes?"""
    call, winner, facts = outcome.call, _winner(reference), policy.catalogue.by_intent[outcome.intent]
    if call is None:
        return outcome
    title = name_of(call, context, policy)
    if facts.effect == "change" and not any(name in call.parameters for name in facts.reads):
        return ask(outcome, Reason.MISSING_PARAMETER, say(policy, "missing_change", title=title), "fill", "change")
    if winner.how == "fuzzy" and (facts.needs_yes or winner.score < policy.thresholds.sure_target):
        shown = preview(policy, outcome.intent, call, context)
        message = say(policy, "uncertain", mention=reference.mention, title=title, preview=shown)
        if weighed and reference.mention == weighed.reading.utterance.text.strip():  # no name was said
            message = say(policy, "unsure_all", preview=shown)
        return ask(outcome, Reason.UNCERTAIN_TARGET, message, "confirm")
    # By the lower of the two: whoever lets the engine act early must not thereby let it delete without a question.
    limits, sure = policy.thresholds, outcome.confidence
    if facts.needs_yes and (sure >= limits.act or sure >= limits.read):
        return confirm_first(outcome, facts, call, context, policy)
    return _act(outcome, weighed, context, policy) if weighed else outcome


def confirm_first(outcome: Outcome, facts: ToolFacts, call: ToolCall, context: Context, policy: Policy) -> Outcome:
    """For a tool that always needs a yes."""
    task = context.tasks.find_by_id(str(call.parameters.get(facts.target, "")))
    key = f"confirm_{facts.intent}"
    message = say(policy, key, title=task.title if task else "", number=task.number if task else "")
    pending = Pending("confirm", facts.intent, call, None, (), message)
    return outcome._replace(action="confirm", reason=Reason.DESTRUCTIVE, message=message, pending=pending)
