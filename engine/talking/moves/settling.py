"""Changes to what exists, where message, store and conversation together say which and how."""

from __future__ import annotations

from engine.catalogue.facts import Effect, ToolFacts
from engine.dates import DateMatch
from engine.decision import Factor, Reference, Slot
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.slots.keeping import join_dates
from engine.slots.levels import level_beside, read_level
from engine.talking.basis import Basis, judge_with
from engine.talking.days.choosing_dates import find_bare_hour, is_moved_after_why, pick_date
from engine.talking.days.dates_of_several import with_own_dates
from engine.talking.moves.asked_change import change_what_is_asked
from engine.talking.moves.noticed import Noticed
from engine.talking.names.naming import is_chore
from engine.talking.names.pointing import find_last_spoken_of, find_targets
from engine.talking.names.renaming import find_new_name, find_new_note
from engine.talking.names.spans import find_note_text, gives_note
from engine.talking.values import add_up
from engine.talking.ways.news import brings_news
from engine.targets.stems import stem
from engine.text.folding import title_words
from engine.values import Argument, Provenance, Span, Task


def finish(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    return _each(noticed, basis, "finish")


def remove(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    return _each(noticed, basis, "remove")


def _each(noticed: Noticed, basis: Basis, effect: Effect) -> tuple[Outcome, ...] | None:
    facts = _tool(noticed, effect)
    references = [each for each in find_targets(noticed, effect) if effect != "finish" or not _is_done(each, noticed)]
    if facts is None or not references or (effect == "finish" and brings_news(noticed, references)):
        return None
    return tuple(
        judge_with(_unsure(basis, effect, each, noticed), facts, Draft(facts.intent), each, noticed.told)
        for each in references
    )


def _unsure(basis: Basis, effect: Effect, reference: Reference, noticed: Noticed) -> Basis:
    """ "Mrs Patterson rang", where "Bake the Patterson cake" is stored: what is told is another deed, so that this one
    is at most asked about."""
    task, policy = noticed.told.context.tasks.find_by_id(reference.task_id or ""), noticed.told.policy
    if effect == "finish" and _is_others_own(noticed):
        return _only_likely(basis, "somebody else's is told of")
    title = title_words(task.title) if task else ()
    partly = bool(reference.candidates) and reference.candidates[0].how == "partial"
    if effect != "finish" or not partly or not title or not is_chore(title[0], policy):
        return basis
    classes = [(word, policy.word_classes.get(word, frozenset())) for word in noticed.weighed.reading.scene.words]
    told = {stem(word, policy) for word, names in classes if "did" in names and "all_purpose" not in names}
    same = {form for word in title for form in (word, stem(word, policy))}
    if not told or not told.isdisjoint(same):
        return basis
    return _only_likely(basis, "another deed is told")


def _is_others_own(noticed: Noticed) -> bool:
    """ "the neighbours had their carpet replaced": whose it is, is said, and it is not the one who speaks."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    named = {place for each in noticed.mentioned for place in each.places}
    theirs = any("third_own" in classes.get(words[place - 1], ()) for place in named if place and 0 not in named)
    return theirs or noticed.told.policy.lexicon.says("others_own", words)


def _only_likely(basis: Basis, why: str) -> Basis:
    against = Factor(why, min(0.0, _ONLY_LIKELY - add_up(basis.ledger)))
    return basis._replace(ledger=(*basis.ledger, against))


_ONLY_LIKELY = 0.67
"""Enough to ask, not to act."""


def _is_done(reference: Reference, noticed: Noticed) -> bool:
    task = noticed.told.context.tasks.find_by_id(reference.task_id) if reference.task_id else None
    return task is not None and task.status == noticed.told.policy.catalogue.states[1]


def change(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    facts = _tool(noticed, "change")
    if facts is None:
        return None
    asked = change_what_is_asked(noticed, basis)
    if asked:
        return asked
    reopens = _reopens(noticed)
    references = find_targets(noticed, "change")
    if not references:
        return None
    outcomes = []
    for reference, beside in zip(references, with_own_dates(noticed, references), strict=True):
        slots = find_changes(beside, facts, reference, reopens=reopens)
        if not slots:
            return None
        arguments = tuple(Argument(each.name, each.value, Provenance("words", each.span)) for each in slots)
        outcomes.append(judge_with(basis, facts, Draft(facts.intent, arguments, slots), reference, noticed.told))
    return tuple(outcomes)


def note_down(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    """What would most likely be a note, on what the message is most likely about: only to be offered."""
    facts = _tool(noticed, "change")
    argument = facts.argument("note") if facts else ""
    words = find_note_text(noticed, 0, noticed.weighed.reading.scene.stop) if argument else None
    reference = next(iter(find_targets(noticed, "change")), None) or find_last_spoken_of(noticed)
    if facts is None or words is None or reference is None:
        return None
    slot = Slot(argument, words.value, words.span)
    said = Argument(argument, words.value, Provenance("words", words.span))
    return (judge_with(basis, facts, Draft(facts.intent, (said,), (slot,)), reference, noticed.told),)


def find_changes(
    noticed: Noticed, facts: ToolFacts, reference: Reference, *, reopens: bool = False
) -> tuple[Slot, ...]:
    """All that the message says shall be different."""
    told, found = noticed.told, []
    task = told.context.tasks.find_by_id(reference.task_id) if reference.task_id else None
    note = _note(noticed, facts, task)
    if note:
        found.append(note)
    date = pick_date(noticed, task)
    hour = find_bare_hour(noticed, task) if isinstance(task, Task) else None
    if hour and (date is None or (date.approximate and not date.has_day) or is_moved_after_why(hour, date, noticed)):
        date = hour  # "make it 11, the bus is late in the morning"
    argument = facts.argument("date")
    said = date is not None and "T" in date.value  # "an hour earlier, so at five": what is said in full counts
    if argument and noticed.shift and not said and isinstance(task, Task) and task.due_date:
        moved = noticed.shift.move(task.due_date)
        if moved:
            found.append(Slot(argument, moved, noticed.shift.span))
    elif argument and date and not (note and _inside(date, note)):
        found.append(Slot(argument, join_dates(date, task), date.span, date.alternatives))
    level = pick_level(noticed)
    if level and facts.argument("level") and not (note and _is_only_said_in(note, noticed)):
        found.append(Slot(facts.argument("level"), level, noticed.whole))
    names = isinstance(task, Task) and not found and not _denies_done(noticed, task)
    renamed = find_new_name(noticed.told, facts, task.title) if names and isinstance(task, Task) else None
    mended = renamed or (find_new_note(told, facts, task.description) if isinstance(task, Task) and not found else None)
    if mended:
        found.append(mended)
    settled = isinstance(task, Task) and task.status == told.policy.catalogue.states[1]
    if (reopens and settled and found) or (not found and (reopens or _denies_done(noticed, task))):
        found.append(Slot(facts.argument("status"), told.policy.catalogue.states[0], noticed.whole))
    return tuple({slot.name: slot for slot in found}.values())


def _inside(date: DateMatch, slot: Slot) -> bool:
    return slot.span.start <= date.span.start < slot.span.end


def _is_only_said_in(note: Slot, noticed: Noticed) -> bool:
    """ "the middle pedal sticks, write that down": no word beside the note says how urgent it is."""
    facts, tokens = _tool(noticed, "change"), noticed.utterance.tokens
    words = noticed.weighed.reading.scene.words
    beside = [words[at] for at in range(len(words)) if not note.span.start <= tokens[at].start < note.span.end]
    return facts is not None and read_level(tuple(beside), noticed.told.policy, facts) is None


def _reopens(noticed: Noticed) -> bool:
    return noticed.has_cue("reopen")


def _denies_done(noticed: Noticed, task: object) -> bool:
    """ "no, not the milk" right after it was ticked off."""
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    denied = any(not {"negation", "no_word"}.isdisjoint(classes.get(word, ())) for word in words)
    settled = isinstance(task, Task) and task.status == noticed.told.policy.catalogue.states[1]
    return denied and settled and noticed.told.situation.effect == "finish"


def pick_level(noticed: Noticed) -> str | None:
    """ "not so urgent" is the lowest level, not the highest."""
    level = noticed.level
    if level is None:
        return None
    said = _said_levels(noticed)
    if len(set(said)) > 1:
        return said[-1]  # "no longer low, high"
    levels = [value for name, value in _levels(noticed)]
    if noticed.has_cue("less") and levels:
        facts = _tool(noticed, "change")
        beside = level_beside(noticed.weighed.reading.scene.words, noticed.told.policy, facts) if facts else None
        return beside or levels[0]
    return level


def _said_levels(noticed: Noticed) -> list[str]:
    words, lexicon = noticed.weighed.reading.scene.words, noticed.told.policy.lexicon
    levels = dict(_levels(noticed))
    said, place = [], 0
    while place < len(words):
        found = [(length, name) for name, length in lexicon.classes(words, place) if name in levels]
        if found:
            said.append(levels[max(found)[1]])  # "not important" is one level, not two
        place += max(found)[0] if found else 1
    return said


def _levels(noticed: Noticed) -> list[tuple[str, str]]:
    facts = _tool(noticed, "change")
    return list(noticed.told.policy.level_classes[facts.name].items()) if facts else []


def _note(noticed: Noticed, facts: ToolFacts, task: object) -> Slot | None:
    """The text that a message gives as a note; nothing where it takes the note away."""
    argument = facts.argument("note")
    cue, gives = noticed.has_cue("note"), gives_note(noticed)
    if not argument:
        return None
    if cue and not gives and noticed.has_cue("off") and ":" not in noticed.utterance.text:
        return Slot(argument, "", noticed.whole)  # "take the note off it"
    if not gives or (noticed.shift and not cue):
        return None  # "e dagli una settimana in più"
    words = find_note_text(noticed, 0, noticed.weighed.reading.scene.stop)
    if words is None or _only_asks_for_note(words.span, noticed):
        return None
    kept = getattr(task, "description", "") if noticed.has_cue("more") else ""
    return Slot(argument, f"{kept}\n{words.value}" if kept else words.value, words.span)


def _only_asks_for_note(span: Span, noticed: Noticed) -> bool:
    """ "update the note" alone: the verb is no text for it."""
    words, tokens, lexicon = noticed.weighed.reading.scene.words, noticed.utterance.tokens, noticed.told.policy.lexicon
    if _ASKS_FOR_NOTE not in lexicon.names(words):  # nearly always
        return False
    return any(
        tokens[first].start <= span.start and span.end <= tokens[end - 1].end
        for first in range(len(words))
        for end in lexicon.ends(_ASKS_FOR_NOTE, words, first)
    )


_ASKS_FOR_NOTE = "note_that"


def _tool(noticed: Noticed, effect: Effect) -> ToolFacts | None:
    return next((tool for tool in noticed.told.policy.catalogue.tools if tool.effect == effect), None)
