""" "Hang on, that's club night. Thursday then": what was just put on a day gets another one, because something else is
on that day already. What is named is the reason, and stays."""

from __future__ import annotations

from engine.dates import DateMatch
from engine.decision import Candidate, Context, Factor, Reference, Slot
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.weighing import dates_of, weigh_request
from engine.slots.draft import Draft
from engine.slots.keeping import join_dates
from engine.talking.basis import Basis, judge_with
from engine.talking.moves.noticing import begin
from engine.talking.names.mentions import MentionedTask, find_mentioned
from engine.talking.situation import read_situation
from engine.talking.values import Told
from engine.talking.ways.changing import last_target
from engine.text.folding import title_words
from engine.text.normalise import Utterance
from engine.values import DAY_LENGTH, Argument, Provenance, Task

_TAKEN = "day_taken"
_MOVING = frozenset({"cue_move", "move", "change", "make", "delete", "cue_off", "cue_done"})
_PUTS_RIGHT = frozenset({"no_word", "corrector", "cue_correct"})
_CORRECTS, _FITS = "cue_correct", "fits_day"
_LONGEST_TEXT = 160
_SURE = 0.88
_SIGNS = frozenset(".,;:!–—-")


def read_clash(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The other day for what was spoken of last. None for all other messages."""
    words = utterance.words
    facts = policy.catalogue.by_effect.get("change")
    if not context.history or facts is None or len(utterance.text) > _LONGEST_TEXT or "?" in utterance.own_text:
        return None
    if _TAKEN not in policy.lexicon.names(words) and not _says_two_days(words, policy):
        return None  # most messages
    if not facts.argument("date") or not _was_put_on_a_day(context, policy):
        return None
    whole = weigh_request(utterance, context, policy)
    told = begin(utterance, whole, context, policy)
    target = last_target(told)
    task = context.tasks.find_by_id(target) if target else None
    if not isinstance(task, Task) or not task.due_date:
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


def _was_put_on_a_day(context: Context, policy: Policy) -> bool:
    """Asked before the message is weighed, which takes its time."""
    situation = read_situation(context, policy)
    if situation.effect not in ("add", "change") or not situation.spoken_of:
        return False
    last = context.tasks.find_by_id(situation.spoken_of[-1])
    return isinstance(last, Task) and bool(last.due_date)


def _says_two_days(words: tuple[str, ...], policy: Policy) -> bool:
    days = [word for word in words if word[:1].isdigit() or "date_word" in policy.word_classes.get(word, ())]
    return len(days) > 1


def _find_reason(task: Task, words: tuple[str, ...], told: Told) -> MentionedTask | None:
    """What else is due on the same day, where the message says that it is, and moves nothing before that."""
    policy, utterance = told.policy, told.reading.utterance
    content = tuple(place for place, word in enumerate(words) if word not in policy.small_words)
    found = find_mentioned(utterance, words, content, told.context, policy)
    begins = _last_clause(told)  # "the train", among few words, is a thing and no verb
    before = tuple(place for place in content if place < begins)
    early = find_mentioned(utterance, words, before, told.context, policy)
    mentioned = {each.task.id: each for each in (*early, *found)}
    day, others = (task.due_date or "")[:DAY_LENGTH], [mentioned[each] for each in mentioned if each != task.id]
    reasons = [each for each in others if (each.task.due_date or "")[:DAY_LENGTH] == day]
    taken = len(reasons) == 1 and any(
        policy.lexicon.ends(_TAKEN, words, place) for place in range(max(reasons[0].places) + 2)
    )
    if not taken:
        reasons = [each for each in others if _is_said_to_be_then(each, day, told)]
        named = any(_is_named_after(max(each.places), task, words, policy) for each in reasons)
        taken = len(reasons) == len(others) == 1 and (named or _opens_with_no(words, policy))
    if not taken:
        return None
    said_first = [policy.word_classes.get(word, frozenset()) for word in words[: min(reasons[0].places)]]
    return reasons[0] if all(_MOVING.isdisjoint(names) for names in said_first) else None


def _last_clause(told: Told) -> int:
    """Where the clause with the last day begins."""
    tokens, start = told.reading.utterance.tokens, told.dates[-1].span.start if told.dates else 0
    last = sum(1 for token in tokens if token.start < start)
    new = (at for at in range(last, 0, -1) if _begins_anew(tokens[at - 1].end, start, told))
    return next(new, 0)


def _is_said_to_be_then(mentioned: MentionedTask, day: str, told: Told) -> bool:
    """ "I forgot, the train is on Monday", "no, on Friday I send the invoice": the day that was just set stands in the
    clause that names something else, whenever that is due."""
    for date in dates_of(told.reading.utterance, told.context, told.policy, in_talk=True):
        spans = sorted((date.span, mentioned.span), key=lambda span: span.start)
        if date.value[:DAY_LENGTH] == day and not _begins_anew(spans[0].end, spans[1].start, told):
            return True
    return False


def _is_named_after(place: int, task: Task, words: tuple[str, ...], policy: Policy) -> bool:
    titled = title_words(task.title)
    title = set(titled).difference(policy.small_words).union(titled[:1])  # "meeting" in "meeting with Tom"
    return not title.isdisjoint(words[place + 1 :])


def _opens_with_no(words: tuple[str, ...], policy: Policy) -> bool:
    return not _PUTS_RIGHT.isdisjoint(policy.word_classes.get(words[0], ()))


def _find_other(task: Task, reason: MentionedTask, told: Told) -> DateMatch | None:
    """The one day, or hour, that is said after the reason and is another one than is taken."""
    due = task.due_date or ""
    later = [date for date in told.dates if date.span.start >= reason.span.end and not date.range_end]
    other = [date for date in later if not date.has_day or date.value[:DAY_LENGTH] != due[:DAY_LENGTH]]
    if len(other) != 1 or (not other[0].has_day and "T" not in due):
        return None
    between = _classes_between(reason.span.end, other[0].span.start, told)
    if any(_CORRECTS in names and _FITS not in names for names in between):
        return None  # "the dentist is on Wednesday, sorry, on Thursday"
    return other[0] if _begins_anew(reason.span.end, other[0].span.start, told) else None


def _classes_between(start: int, end: int, told: Told) -> list[frozenset[str]]:
    utterance, classes = told.reading.utterance, told.policy.word_classes
    return [classes.get(token.norm, frozenset()) for token in utterance.tokens if start <= token.start < end]


def _begins_anew(start: int, end: int, told: Told) -> bool:
    """Whether a new clause begins between the two: "I have the dentist on Wednesday now" is about the dentist."""
    joined = any("clause_joiner" in names for names in _classes_between(start, end, told))
    return joined or not _SIGNS.isdisjoint(told.reading.utterance.text[start:end])
