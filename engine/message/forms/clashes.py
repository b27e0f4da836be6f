""" "Hang on, that's club night. Thursday then": what was just put on a day gets another one, because something else is
on that day already. What is named is the reason, and stays."""

from __future__ import annotations

from engine.dates import DateMatch
from engine.decision import Candidate, Context, Factor, Reference, Slot
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.weighing import weigh_request
from engine.slots.draft import Draft
from engine.slots.keeping import join_dates
from engine.talking.basis import Basis, judge_with
from engine.talking.moves.noticing import begin
from engine.talking.names.mentions import MentionedTask, find_mentioned
from engine.talking.values import Told
from engine.talking.ways.changing import last_target
from engine.text.normalise import Utterance
from engine.values import DAY_LENGTH, Argument, Provenance, Task

_TAKEN = "day_taken"
_MOVING = frozenset({"cue_move", "move", "change", "make", "delete", "cue_off", "cue_done"})
_LONGEST_TEXT = 160
_SURE = 0.88
_SIGNS = frozenset(".,;:!–—-")


def read_clash(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The other day for what was spoken of last. None for all other messages."""
    words = tuple([token.norm for token in utterance.tokens])
    facts = policy.catalogue.by_effect.get("change")
    if not context.history or facts is None or len(utterance.text) > _LONGEST_TEXT or "?" in utterance.own_text:
        return None
    if _TAKEN not in policy.lexicon.names(words):
        return None  # most messages
    whole = weigh_request(utterance, context, policy)
    told = begin(utterance, whole, context, policy)
    target = last_target(told) if told.situation.effect in ("add", "change") else None
    task = context.tasks.find_by_id(target) if target else None
    if not isinstance(task, Task) or not task.due_date or not facts.argument("date"):
        return None
    reason = _find_reason(task, words, told)
    date = _find_other(task, reason, told) if reason else None
    if reason is None or date is None:
        return None
    slots = (Slot(facts.argument("date"), join_dates(date, task), date.span),)
    arguments = tuple(Argument(slot.name, slot.value, Provenance("words", slot.span)) for slot in slots)
    basis = Basis("move:clash", "correct", _SURE, (Factor("that day is taken", _SURE, reason.span),), 0, len(words))
    span = utterance.span(0, len(words))
    reference = Reference(utterance.text, span, (Candidate(task.id, 0.95, "pronoun"),), task.id)
    outcome = judge_with(basis, facts, Draft(facts.intent, arguments, slots), reference, told)
    return (JudgedRequest(utterance, whole, outcome),)


def _find_reason(task: Task, words: tuple[str, ...], told: Told) -> MentionedTask | None:
    """What else is due on the same day, where the message says that it is, and moves nothing before that."""
    policy, utterance = told.policy, told.reading.utterance
    content = tuple(place for place, word in enumerate(words) if word not in policy.small_words)
    found = find_mentioned(utterance, words, content, told.context, policy)
    day = (task.due_date or "")[:DAY_LENGTH]
    reasons = [each for each in found if each.task.id != task.id and (each.task.due_date or "")[:DAY_LENGTH] == day]
    if len(reasons) != 1:
        return None
    last = max(reasons[0].places)
    before = [policy.word_classes.get(word, frozenset()) for word in words[: min(reasons[0].places)]]
    taken = any(policy.lexicon.ends(_TAKEN, words, place) for place in range(last + 2))
    return reasons[0] if taken and all(_MOVING.isdisjoint(names) for names in before) else None


def _find_other(task: Task, reason: MentionedTask, told: Told) -> DateMatch | None:
    """The one day, or hour, that is said after the reason and is another one than is taken."""
    due = task.due_date or ""
    later = [date for date in told.dates if date.span.start >= reason.span.end and not date.range_end]
    other = [date for date in later if not date.has_day or date.value[:DAY_LENGTH] != due[:DAY_LENGTH]]
    if len(other) != 1 or (not other[0].has_day and "T" not in due):
        return None
    return other[0] if _begins_anew(reason.span.end, other[0].span.start, told) else None


def _begins_anew(start: int, end: int, told: Told) -> bool:
    """Whether a new clause begins between the two: "I have the dentist on Wednesday now" is about the dentist."""
    utterance, classes = told.reading.utterance, told.policy.word_classes
    between = [token.norm for token in utterance.tokens if start <= token.start < end]
    joined = any("clause_joiner" in classes.get(word, ()) for word in between)
    return joined or not _SIGNS.isdisjoint(utterance.text[start:end])
