"""Corrections (the last call with other arguments) and going on (the last kind of call with another object)."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import ToolFacts
from engine.decision import Candidate, Pending, Reason, Reference, Slot
from engine.outcome.judging import ask
from engine.outcome.previews import preview
from engine.outcome.replies import say
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.slots.draft import Draft
from engine.slots.keeping import join_due, keep_rest
from engine.slots.levels import read_level
from engine.slots.titles import clean, date_spans, find_quoted
from engine.talking.adds.more_of_it import add_more
from engine.talking.days.as_before import as_before
from engine.talking.days.choosing_dates import only_repeats, without_old
from engine.talking.days.day_alone import read_day_alone
from engine.talking.names.mentions import find_mentioned
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import content_words, is_chore
from engine.talking.names.renaming import find_new_name, turns
from engine.talking.values import Heard, Told, add_up
from engine.talking.ways.finding import is_all
from engine.talking.ways.requesting import judge_as, values_set
from engine.targets.by_day import find_called_by_day
from engine.values import Argument, Provenance, Task, ToolCall


def correct(heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    pending = told.context.pending
    if pending and pending.call.tool_name:
        return _correct_question(heard, pending, told)
    if heard.way.needs and "target" in heard.way.needs:
        return _correct_target(heard, told)
    facts = changing_tool(told)
    target = named_before(heard, told) or last_target(told)
    if facts is None or target is None or not _denies_a_date(heard, told) or _is_called_by_day(told):
        return None
    slots = read_values(heard, facts, told)
    if not slots:
        return None
    task = told.context.tasks.find_by_id(target)
    slots = keep_rest(_put_right(heard, slots, task, facts, told), told.dates, task, facts)
    if not slots:
        return None
    span = told.reading.utterance.span(heard.start, heard.end)
    reference = Reference(told.reading.utterance.slice(span), span, (Candidate(target, 0.95, "pronoun"),), target)
    drafted = Draft(
        facts.intent, tuple(Argument(each.name, each.value, Provenance("words", each.span)) for each in slots), slots
    )
    return (judge_as(heard, facts, drafted, reference, told),)


def _is_called_by_day(told: Told) -> bool:
    """ "put Thursday's one on Monday": it is said which, so that what was spoken of last is not meant."""
    open_state = told.policy.catalogue.states[0]
    called = len(told.dates) > 1 and find_called_by_day(
        told.reading.utterance, told.dates, told.context, told.policy, open_state
    )
    return bool(called)


def _denies_a_date(heard: Heard, told: Told) -> bool:
    """ "today, not Friday" puts a day right; "today not a soul came in" tells how the day was."""
    place = heard.slot("old")
    if place is None or "date" not in heard.way.needs:
        return True
    region = told.reading.utterance.span(*place)
    return any(region.start <= each.span.start < region.end for each in told.dates)


def named_before(heard: Heard, told: Told) -> str | None:
    """ "Mr Patel cannot in the morning, make it half past two": the one thing that is named before the new value is
    meant, rather than what was spoken of last."""
    value = heard.slot("value", "when")
    words = told.reading.scene.words
    content = tuple(place for place in range(value[0] if value else 0) if words[place] not in told.policy.small_words)
    found = find_mentioned(told.reading.utterance, words, content, told.context, told.policy) if content else ()
    named = [each for each in found if each.named and not each.slips]
    return named[0].task.id if len(named) == 1 and len(found) == 1 else None


def _put_right(
    heard: Heard, slots: tuple[Slot, ...], task: Task | None, facts: ToolFacts, told: Told
) -> tuple[Slot, ...]:
    """ "it's Pam, not Sam": a part of the name is another one, the rest stays. "add to the note that …": so does what
    it says already."""
    if task is None:
        return slots
    name, note = facts.argument("name"), facts.argument("note")
    mended = find_new_name(told, facts, task.title) if any(slot.name == name for slot in slots) else None
    if mended is None:
        words = told.reading.scene.words
        names = [(first, last) for kind, first, last in heard.slots if kind == "name"]
        if any(turns(words[first:last], told.policy) for first, last in names):
            slots = tuple(slot for slot in slots if slot.name != name)
    kept = task.description if _says_more(told) else ""
    return tuple(
        mended
        if mended and slot.name == name
        else replace(slot, value=f"{kept}\n{slot.value}")
        if kept and slot.value and slot.name == note
        else slot
        for slot in slots
    )


def _says_more(told: Told) -> bool:
    words = told.reading.scene.words
    return any(name == _MORE for place in range(len(words)) for name, _ in told.policy.lexicon.classes(words, place))


_MORE = "cue_more"


def go_on(heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    """The last kind of call again: another thing to do, or the same for another task."""
    call = told.situation.calls[-1] if told.situation.calls else None
    facts = told.policy.catalogue.by_name.get(call.tool_name) if call else None
    place = heard.slot("object", "target", "title")
    if call is None or facts is None or place is None:
        return None
    found = name_target(place, told) if facts.target else None
    if told.situation.mended and found is None:  # "and bread", after "no, on Friday" about milk
        facts = next((tool for tool in told.policy.catalogue.tools if tool.effect == "add"), facts)
    if facts.effect == "add":
        return add_more(heard, place, call, facts, told)
    if not facts.target:
        return None
    if found is None or found[0].task_id in told.situation.spoken_of[-1:]:
        return None
    reference, sign = found
    heard = heard._replace(signs=(*heard.signs, sign))
    again = as_before(call, facts, told.context.tasks.find_by_id(reference.task_id or ""), told)
    said = tuple(_value(*place, facts, told))
    if said:  # "and the dentist to Saturday": another with a value of its own, and no other
        again = tuple(Argument(slot.name, slot.value, Provenance("words", slot.span)) for slot in said)
    drafted = Draft(facts.intent, again, said)
    return (judge_as(heard, facts, drafted, reference, told),)


def _correct_target(heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    """ "not that one, the blue one": what was done is taken back, and done to the other."""
    call = told.situation.calls[-1] if told.situation.calls else None
    facts = told.policy.catalogue.by_name.get(call.tool_name) if call else None
    if call is None or facts is None or not facts.target or heard.reference is None:
        return None
    if heard.reference.task_id == last_target(told):
        return None
    again = as_before(call, facts, told.context.tasks.find_by_id(heard.reference.task_id or ""), told)
    outcome = judge_as(heard, facts, Draft(facts.intent, again), heard.reference, told)
    return (outcome._replace(undoes=True),)


def _correct_question(heard: Heard, pending: Pending, told: Told) -> tuple[Outcome, ...] | None:
    """What is asked about changes before it is done: the new call is offered, or done where it needs no yes."""
    facts = told.policy.catalogue.by_name.get(pending.call.tool_name)
    if facts is None or facts.effect == "read":
        return None
    if "target" in heard.way.needs and facts.target and heard.reference and heard.reference.task_id:
        return (judge_as(heard, facts, _asked_of_other(heard, pending, facts, told), heard.reference, told),)
    slots = _kept_in(pending.call, read_values(heard, facts, told), facts, told)
    if not slots:
        return None
    names = {each.name for each in slots}
    given = tuple(Argument(each.name, each.value, Provenance("words", each.span)) for each in slots)
    kept = tuple(each for each in pending.call.arguments if each.name not in names)
    call = ToolCall(pending.call.tool_name, (*kept, *given))
    outcome = Outcome(
        "execute",
        facts.intent,
        Reason.MATCHED_RULE,
        "",
        call,
        confidence=add_up(heard.ledger()),
        ledger=heard.ledger(),
        slots=slots,
        act="correct",
    )
    if pending.kind == "fill" and pending.parameter in names:
        return (outcome,)  # that was what was asked for
    if pending.kind != "confirm" or facts.needs_yes:
        return (replace_pending(outcome, pending, call, told),)
    return (outcome,)


def _asked_of_other(heard: Heard, pending: Pending, facts: ToolFacts, told: Told) -> Draft:
    """ "sorry, I meant the school, to Friday": what was asked for the one is asked for the other, with what is said."""
    task = told.context.tasks.find_by_id(heard.reference.task_id or "") if heard.reference else None
    said = _value(0, len(told.reading.scene.words), facts, told) if facts.effect == "change" else []
    slots = keep_rest(tuple(said), told.dates, task, facts)
    names = {facts.target, *(each.name for each in slots)}
    kept = tuple(each for each in pending.call.arguments if each.name not in names)
    given = tuple(Argument(each.name, each.value, Provenance("words", each.span)) for each in slots)
    return Draft(facts.intent, (*kept, *given), slots)


def _kept_in(call: ToolCall, slots: tuple[Slot, ...], facts: ToolFacts, told: Told) -> tuple[Slot, ...]:
    """A new time keeps the day that is asked about, a new day the time; else those that the task has."""
    asked, target = facts.argument("date"), told.policy.catalogue.target_of(call)
    task = told.context.tasks.find_by_id(target) if target else None
    given = call.parameters.get(asked) if asked else None
    due = given if isinstance(given, str) else task.due_date if task else None
    dates = {each.span: each for each in told.dates}
    return tuple(
        replace(slot, value=join_due(dates[slot.span], due)) if slot.name == asked and slot.span in dates else slot
        for slot in slots
    )


def replace_pending(outcome: Outcome, pending: Pending, call: ToolCall, told: Told) -> Outcome:
    verb, shown = say(told.policy, f"verb_{outcome.intent}"), preview(told.policy, outcome.intent, call, told.context)
    message = say(told.policy, "unsure", verb=verb, preview=shown) if pending.kind == "confirm" else pending.question
    return ask(outcome, Reason.BELOW_THRESHOLD, message, pending.kind, pending.parameter, pending.options)


def changing_tool(told: Told) -> ToolFacts | None:
    return told.policy.catalogue.by_effect.get("change")


def last_target(told: Told) -> str | None:
    """What was just spoken of, where that is one thing that still exists."""
    spoken = told.situation.spoken_of
    if len(spoken) != 1 and told.situation.effect == "read":
        return None
    last = spoken[-1] if spoken else None
    return last if last and told.context.tasks.find_by_id(last) else None


def read_values(heard: Heard, facts: ToolFacts, told: Told) -> tuple[Slot, ...]:
    """New values for the arguments of a tool in the slots of a way: by what they are, or by their slot's name."""
    found: list[Slot] = []
    for name, first, last in heard.slots:
        if last <= first:
            continue
        pause = _first_pause(first, last, told) if name == "name" else last
        day = read_day_alone(first, pause, facts, told) if name == "name" else None
        if day:
            found.append(day)
        elif name in ("value", "when") or (name == "name" and _says_when(first, pause, facts, told)):
            found += _value(first, pause, facts, told)
        elif name in ("name", "note"):
            words = find_quoted(told.reading.utterance, first, last) or clean(
                told.reading.utterance, first, last, told.policy, lead="value_lead"
            )
            argument = facts.argument("name" if name == "name" else "note")
            if words and argument and _is_text(told.reading.scene.words[first:last], told.policy):
                found.append(Slot(argument, words.value, words.span))
    for name, value in values_set(heard, facts, told).items():
        span = told.reading.utterance.span(heard.start, heard.end)
        found.append(Slot(name, value, span))
    return tuple({slot.name: slot for slot in found}.values())


def _is_text(words: tuple[str, ...], policy: Policy) -> bool:
    """Not the "one back" of "put that one back"."""
    said = [word for word in words if content_words((word,), policy)]
    return bool(said) and not (len(words) <= _FEW and all(is_chore(word, policy) for word in said) and said != [*words])


_FEW = 2


def _first_pause(first: int, last: int, told: Told) -> int:
    """Up to where the first clause reaches: "I meant Friday, they are shut on Thursdays"."""
    text, tokens = told.reading.utterance.text, told.reading.utterance.tokens
    return next((at for at in range(first + 1, last) if _PAUSES & {*text[tokens[at - 1].end : tokens[at].start]}), last)


_PAUSES = frozenset(",;.!–—")


def _says_when(first: int, last: int, facts: ToolFacts, told: Told) -> bool:
    """ "I meant Monday", about something that was just given a day."""
    call, argument = told.situation.calls[-1] if told.situation.calls else None, facts.argument("date")
    dated = call is not None and any(
        isinstance(value, str) and value[:4].isdigit() for value in call.parameters.values()
    )
    return bool(argument) and dated and is_all("date", first, last, told)


def _value(first: int, last: int, facts: ToolFacts, told: Told) -> list[Slot]:
    utterance, found = told.reading.utterance, []
    region = utterance.span(first, last)
    spans = date_spans(told.dates, utterance)
    said = [each for each in told.dates if each.span in spans and not only_repeats(each, told.context)]
    here = [each for each in said if each.span.start < region.end and each.span.end > region.start]
    new = without_old(said, told.reading, told.policy)
    # "at two, not at one": where all that stands here is the old one, the new one stands elsewhere, if anywhere.
    date = next(iter([each for each in here if each in new] or new), None) if here else None
    if date and facts.argument("date"):
        found.append(Slot(facts.argument("date"), date.value, date.span, date.alternatives))
    level = read_level(told.reading.scene.words[first:last], told.policy, facts) if facts.argument("level") else None
    if level:
        found.append(Slot(facts.argument("level"), level, region))
    return found
