"""Answers to the question that waits. The question travels in the Context; nothing is kept here."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import UNKNOWN, ToolFacts
from engine.decision import Candidate, Context, Factor, Pending, Reason, Reference, Slot
from engine.outcome.asked import name_of
from engine.outcome.chosen_dates import with_rest
from engine.outcome.judging import say_too_long, settle, unresolved, with_target_cost
from engine.outcome.replies import doing, say
from engine.outcome.two_readings import ask_again
from engine.outcome.values import Outcome
from engine.outcome.yes_no import LONGEST_YES, asks_back, is_all, yes_or_no
from engine.policy.values import Policy
from engine.reading.weighing import Weighed, complete_weighing, dates_of
from engine.slots.keeping import join_due, says_only_when
from engine.slots.levels import find_level_apart, read_level
from engine.slots.titles import Words, clean, date_spans, find_quoted_name
from engine.targets.references import Mention, find_position, is_only_name, resolve
from engine.text.normalise import Utterance, normalise
from engine.values import Argument, Provenance, Span, ToolCall


def answer(
    pending: Pending, utterance: Utterance, weighed: Weighed, context: Context, policy: Policy
) -> Outcome | None:
    """The outcome if the message answers the question; None if it is about something else."""
    words = utterance.words
    if is_all(words, policy, ("cancel_word",)):
        return _cancelled(utterance, policy)
    if pending.kind == "confirm":
        return _answer_confirm(pending, words, utterance, context, policy)
    if is_all(words, policy, ("no_word",)):
        return _cancelled(utterance, policy)
    if pending.kind == "choose":
        return _answer_choice(pending, words, utterance, weighed, context, policy)
    return _answer_fill(pending, utterance, weighed, context, policy)


def _answer_confirm(
    pending: Pending, words: tuple[str, ...], utterance: Utterance, context: Context, policy: Policy
) -> Outcome | None:
    # "no" is looked at first: "no, please" must not count as the polite half of a yes.
    if is_all(words, policy, ("no_word",)):
        return _cancelled(utterance, policy)
    said = yes_or_no(utterance, policy, name_of(pending, context, policy))
    if said is None and not is_all(words, policy, ("yes_word",)):
        return None
    return settle_confirm(pending, utterance, context, policy, yes=said != "no_word")


def settle_confirm(pending: Pending, utterance: Utterance, context: Context, policy: Policy, *, yes: bool) -> Outcome:
    """What comes of a yes or a no to the question."""
    if not yes:
        return _cancelled(utterance, policy)
    outcome = _answered(pending, pending.call, utterance, policy)
    return outcome._replace(message=doing(policy, pending.intent, pending.call, context))


def _answered(pending: Pending, call: ToolCall, utterance: Utterance, policy: Policy) -> Outcome:
    span = Span(0, len(utterance.text))
    ledger = (Factor("answers the question", policy.amounts.answered, span),)
    return Outcome(
        "execute", pending.intent, Reason.ANSWERED, "", call, confidence=policy.amounts.answered, ledger=ledger
    )


def _cancelled(utterance: Utterance, policy: Policy) -> Outcome:
    span = Span(0, len(utterance.text))
    ledger = (Factor("answers the question", policy.amounts.answered, span),)
    message = say(policy, "cancelled")
    return Outcome("reply", UNKNOWN, Reason.CANCELLED, message, confidence=policy.amounts.answered, ledger=ledger)


def _answer_choice(
    pending: Pending,
    words: tuple[str, ...],
    utterance: Utterance,
    weighed: Weighed,
    context: Context,
    policy: Policy,
) -> Outcome | None:
    """By place, by number, or by words that fit one of the choices."""
    if pending.choices:
        return ask_again(pending, words, utterance, policy)
    chosen = _by_place(pending, words, policy) if len(words) <= LONGEST_YES else None
    if chosen is None and len(pending.options) == 1 and is_all(words, policy, ("yes_word",)):
        chosen = pending.options[0]
    if chosen:
        return settle_choice(pending, chosen, utterance, context, policy)
    return _answer_with_mention(pending, utterance, weighed, context, policy)


def settle_choice(pending: Pending, chosen: str, utterance: Utterance, context: Context, policy: Policy) -> Outcome:
    """What comes of picking this one of the choices: that is as good as naming it."""
    mention = Mention(utterance.text.strip(), chosen, Span(0, len(utterance.text)))
    reference = resolve(mention, context, policy, policy.catalogue.states[0])
    if reference.task_id != chosen:
        picked = Candidate(chosen, policy.amounts.answered, "ordinal")
        reference = replace(reference, candidates=(picked, *reference.candidates), task_id=chosen)
    return _with_task(pending, reference, utterance, context, policy)


def _by_place(pending: Pending, words: tuple[str, ...], policy: Policy) -> str | None:
    position = find_position(words, policy)
    if position is None and len(words) == 1 and words[0].isdigit() and 1 <= int(words[0]) <= len(pending.options):
        position = int(words[0]) - 1
    if position is None or not -len(pending.options) <= position < len(pending.options):
        return None
    return pending.options[position]


def _with_task(
    pending: Pending, reference: Reference, utterance: Utterance, context: Context, policy: Policy
) -> Outcome:
    """The call with the task it was waiting for; deleting still asks for its yes."""
    span = Span(0, len(utterance.text))
    target = policy.catalogue.by_intent[pending.intent].target
    argument = Argument(target, reference.task_id, Provenance("answer", span, reference.mention))
    facts = policy.catalogue.by_intent[pending.intent]
    task = context.tasks.find_by_id(reference.task_id) if reference.task_id and facts.effect == "change" else None
    due = task.due_date if task else None
    kept = tuple(
        replace(each, value=with_rest(each, due, context, policy)) if each.name == facts.argument("date") else each
        for each in pending.call.arguments
        if each.name != target
    )
    outcome = _answered(pending, replace(pending.call, arguments=(argument, *kept)), utterance, policy)
    outcome = with_target_cost(outcome._replace(references=(reference,)), reference, policy)
    settled = settle(outcome, reference, None, context, policy)
    if settled.action == "execute" and settled.call:
        return settled._replace(message=doing(policy, pending.intent, settled.call, context))
    return settled


def _answer_with_mention(
    pending: Pending, utterance: Utterance, weighed: Weighed, context: Context, policy: Policy
) -> Outcome | None:
    words = clean(utterance, 0, len(utterance.tokens), policy, lead="answer_lead", tail="mention_tail")
    if words is None or asks_back(utterance, policy):
        return None
    named = clean(utterance, 0, len(utterance.tokens), policy, lead="mention_lead", tail="mention_tail")
    mention = Mention(words.value, named.value if named else words.value, words.span)
    reference = resolve(mention, context, policy, policy.catalogue.states[0])
    fresh = is_fresh_request(weighed) or _names_tasks(weighed, context, policy)
    if _gives_value(pending, weighed, context, policy):
        return None
    if reference.task_id and (not fresh or is_only_name(reference, context, policy, mention.name)):
        return _with_task(pending, reference, utterance, context, policy)
    if fresh:
        return None  # "set renew passport to low priority" is no answer to "delete which one?"
    outcome = Outcome(
        "clarify",
        pending.intent,
        Reason.NO_TARGET,
        "",
        pending.call,
        confidence=policy.amounts.answered,
        references=(reference,),
    )
    outcome = outcome._replace(
        ledger=(Factor("answers the question", policy.amounts.answered, Span(0, len(utterance.text))),)
    )
    return unresolved(outcome, reference, context, policy)


def is_fresh_request(weighed: Weighed) -> bool:
    """A message that asks for something by itself changes the subject."""
    lead = weighed.reading.frames[0] if weighed.reading.frames else None
    return weighed.intent != UNKNOWN and lead is not None and not lead.frame.weak


def _gives_value(pending: Pending, weighed: Weighed, context: Context, policy: Policy) -> bool:
    """ "set the legion wreath to high": something else than what was asked about, with what it shall be."""
    other = weighed.intent != pending.intent and weighed.intent in policy.catalogue.on_target
    drafted, reference = complete_weighing(weighed, context, policy) if other else (None, None)
    return is_fresh_request(weighed) and bool(drafted and drafted.slots and reference and reference.task_id)


def _names_tasks(weighed: Weighed, context: Context, policy: Policy) -> bool:
    """Whether the message by itself asks for something about what exists: "delete buy" after "which one?"."""
    if weighed.intent not in policy.catalogue.on_target or not weighed.reading.frames:
        return False
    reference = complete_weighing(weighed, context, policy)[1]
    return bool(reference and reference.candidates)


def _answer_fill(
    pending: Pending, utterance: Utterance, weighed: Weighed, context: Context, policy: Policy
) -> Outcome | None:
    facts = policy.catalogue.by_intent.get(pending.intent)
    if facts is None:
        return None
    if pending.parameter == facts.target:
        return _answer_with_mention(pending, utterance, weighed, context, policy)
    if is_fresh_request(weighed) or not utterance.tokens:
        return None
    if pending.parameter == "change" and _says_duty(utterance, policy):
        return None
    last = len(utterance.tokens)
    words = find_quoted_name(utterance, 0, last, policy) or clean(utterance, 0, last, policy, lead="answer_lead")
    if words is None:
        return None
    if pending.parameter == "change":
        return _answer_change(pending, facts, words, utterance, context, policy)
    parameter = str(pending.parameter)
    dated = facts.reads.get(parameter) == "name" and facts.argument("date")
    dates = dates_of(utterance, context, policy) if dated else ()
    if dates and not utterance.quotes:
        undated = clean(utterance, 0, last, policy, without=date_spans(dates, utterance), lead="answer_lead")
        words = undated or words
    if len(words.value) > policy.catalogue.limits.get((facts.name, parameter), len(words.value)):
        return _ask_again(pending, say_too_long(policy, facts, parameter), words, policy)
    level = find_level_apart(utterance, facts, policy) if dated else None
    if level:
        words = clean(utterance, 0, last, policy, without=(*date_spans(dates, utterance), level.span)) or words
    slot = Slot(parameter, words.value, words.span)
    due = Slot(facts.argument("date"), dates[0].value, dates[0].span, dates[0].alternatives) if dates else None
    urgent = Slot(facts.argument("level"), level.value, level.span) if level else None
    return _filled(pending, slot, utterance, context, policy, *(each for each in (due, urgent) if each))


def _says_duty(utterance: Utterance, policy: Policy) -> bool:
    """ "need to mark the lines on Wednesday, put it down": who says what he has to do names no new value."""
    words = utterance.words
    return not utterance.quotes and bool(policy.lexicon.ends("wish_lead", words, 0))


def _ask_again(pending: Pending, message: str, words: Words, policy: Policy) -> Outcome:
    again = replace(pending, question=message)
    ledger = (Factor("answers the question", policy.amounts.answered, words.span),)
    return Outcome(
        "clarify",
        pending.intent,
        Reason.INVALID_PARAMETER,
        message,
        pending=again,
        confidence=policy.amounts.answered,
        ledger=ledger,
    )


def _answer_change(
    pending: Pending, facts: ToolFacts, words: Words, utterance: Utterance, context: Context, policy: Policy
) -> Outcome | None:
    """What shall be different: a date, a level, or else a new name, or the words that the tool asks for."""
    text = facts.argument("name") or facts.argument("words")
    dates = dates_of(utterance, context, policy) if facts.argument("date") else ()
    level = read_level(utterance.words, policy, facts)
    if dates and (len(dates[0].text) >= len(words.value) - 4 or says_only_when(utterance, dates, policy)):
        task = context.tasks.find_by_id(str(pending.call.parameters.get(facts.target or "", "")))
        slot = Slot(facts.argument("date"), join_due(dates[0], getattr(task, "due_date", None)), dates[0].span)
    elif level and len(utterance.tokens) <= 4:
        slot = Slot(facts.argument("level"), level, Span(0, len(utterance.text)))
    elif not text or (facts.reads[text] == "name" and not _is_about_name(pending, facts, utterance, context, policy)):
        return None  # anything may be said here; a name only where somebody says that it is one
    elif len(words.value) > policy.catalogue.limits.get((facts.name, text), len(words.value)):
        return _ask_again(pending, say_too_long(policy, facts, text), words, policy)
    else:
        slot = Slot(text, words.value, words.span)
    return _filled(pending, slot, utterance, context, policy)


def _is_about_name(pending: Pending, facts: ToolFacts, utterance: Utterance, context: Context, policy: Policy) -> bool:
    """Whether what is said can be a name: in quotes, after a word for one, or because a shorter one was asked for."""
    shorter = pending.question == say_too_long(policy, facts, facts.argument("name"))
    return shorter or bool(utterance.quotes) or _renames(utterance, context, policy)


def _renames(utterance: Utterance, context: Context, policy: Policy) -> bool:
    """Whether the message, or the request that it answers, is about a name."""
    asked = next((each.content for each in reversed(context.history) if each.role == "user"), "")
    before = normalise(asked, policy.spellings, policy.elisions).tokens
    words = tuple(token.norm for token in (*before, *utterance.tokens))
    return any(
        name in ("cue_rename", "title_field", "rename")
        for place in range(len(words))
        for name, _ in policy.lexicon.classes(words, place)
    )


def _filled(
    pending: Pending, slot: Slot, utterance: Utterance, context: Context, policy: Policy, *more: Slot
) -> Outcome:
    slots = (slot, *more)
    given = tuple(Argument(each.name, each.value, Provenance("answer", each.span)) for each in slots)
    names = {each.name for each in slots}
    kept = tuple(each for each in pending.call.arguments if each.name not in names)
    call = ToolCall(pending.call.tool_name or policy.catalogue.tool_of(pending.intent) or "", (*given, *kept))
    message = doing(policy, pending.intent, call, context)
    return _answered(pending, call, utterance, policy)._replace(slots=slots, message=message)
