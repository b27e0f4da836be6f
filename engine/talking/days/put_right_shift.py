"""By how much something was moved, put right: "push it back a week", then "no sorry, two weeks"."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from engine.dates import DateShift, find_shift
from engine.dates.amounts import DAYS, MINUTES, MONTHS, read_quantity
from engine.dates.days import Reader
from engine.dates.tokens import tokenize
from engine.decision import Candidate, Factor, Reference, Slot
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.values import Told
from engine.talking.ways.changing import changing_tool, last_target
from engine.values import Argument, Provenance, Span, Task

_LONGEST = 8
_SURE = 0.9
_BESIDE = frozenset(
    {"cue_correct", "corrector", "no_word", "interjection", "opener", "closer", "just_it", "det", "small_word"}
)


def put_shift_right(told: Told) -> tuple[Outcome, ...] | None:
    words = told.reading.scene.words
    if len(words) > _LONGEST or told.dates or not _follows_change(told):
        return None
    moved = find_shift(_said_before(told), told.policy.date_words)
    target, facts = last_target(told), changing_tool(told)
    task = told.context.tasks.find_by_id(target) if target else None
    if moved is None or facts is None or not isinstance(task, Task) or not _led_there(task, told):
        return None
    amount = _amount_alone(told, _direction(moved))
    before = _scaled(moved, -1).move(task.due_date or "")
    due = amount.move(before) if amount and before else None
    if amount is None or due is None:
        return None
    slot = Slot(facts.argument("date"), due, amount.span)
    drafted = Draft(facts.intent, (Argument(slot.name, due, Provenance("words", slot.span)),), (slot,))
    reference = Reference(told.reading.utterance.text, slot.span, (Candidate(task.id, 0.95, "pronoun"),), task.id)
    factors = (Factor("by how much it is moved, put right", _SURE),)
    basis = Basis("move:amount", "correct", _SURE, factors, 0, len(words))
    return (judge_with(basis, facts, drafted, reference, told),)


def _follows_change(told: Told) -> bool:
    return told.situation.fresh and told.situation.effect == "change" and not told.context.pending


def _said_before(told: Told) -> str:
    return next((each.content for each in reversed(told.context.history) if each.role == "user"), "")


def _led_there(task: Task, told: Told) -> bool:
    """Whether the last change gave it the day that it has."""
    due = task.due_date
    return due is not None and any(due in call.parameters.values() for call in told.situation.calls)


def _amount_alone(told: Told, direction: int) -> DateShift | None:
    """The amount that is said with a word of correction, and with nothing else."""
    utterance, policy = told.reading.utterance, told.policy
    reader = Reader(tokenize(utterance.text), policy.date_words, _ANY_MOMENT)
    for position in range(len(reader.tokens)):
        found = read_quantity(reader, position)
        if found is None:
            continue
        end, unit, count = found
        span = Span(reader.tokens[position].start, reader.tokens[end - 1].end)
        if not _only_corrects_beside(span, told):
            return None
        amount = DateShift(
            span,
            utterance.slice(span),
            minutes=MINUTES.get(unit, 0) * count,
            days=DAYS.get(unit, 0) * count,
            months=MONTHS.get(unit, 0) * count,
        )
        return _scaled(amount, direction)
    return None


def _only_corrects_beside(amount: Span, told: Told) -> bool:
    utterance, policy = told.reading.utterance, told.policy
    corrects, place = False, 0
    while place < len(utterance.tokens):
        token = utterance.tokens[place]
        if amount.start <= token.start < amount.end:
            place += 1
            continue
        found = [(length, name) for name, length in policy.lexicon.classes(utterance.words, place) if name in _BESIDE]
        if not found:
            return False
        corrects = corrects or any(name in _CORRECTING for _, name in found)
        place += max(length for length, _ in found)
    return corrects


_CORRECTING = frozenset({"cue_correct", "corrector", "no_word"})
_ANY_MOMENT = datetime(2000, 1, 1)  # noqa: DTZ001 - an amount is the same at every moment


def _direction(shift: DateShift) -> int:
    return -1 if shift.minutes < 0 or shift.days < 0 or shift.months < 0 else 1


def _scaled(shift: DateShift, factor: int) -> DateShift:
    return replace(
        shift, minutes=shift.minutes * factor, days=shift.days * factor, months=shift.months * factor, time=""
    )
