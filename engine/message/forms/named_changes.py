""" "Do the flowers a day earlier", "the quote has to be moved": something in the list is named, and all else only
says by how much it is moved, or that it is. A new thing has no day yet that could be moved."""

from __future__ import annotations

from engine.dates import DateShift, find_dates, find_shift
from engine.decision import Candidate, Context, Factor, Reference, Slot
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.reading.weighing import weigh_request
from engine.slots.draft import Draft
from engine.slots.titles import inside
from engine.talking.basis import Basis, judge_with
from engine.talking.moves.noticing import begin
from engine.talking.names.mentions import MentionedTask, find_mentioned
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance, Span

_NEEDS_CHANGE = "needs_change"
_BESIDE = frozenset({"opener", "closer", "interjection", "courtesy", "thanks", "make", "cue_move", "move", "corrector"})
_LONGEST, _LONGEST_TEXT = 12, 160
"""Words, and characters: nobody says so little in more."""
_SURE = 0.88


def read_named_change(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The change of what is named; for what only has to be moved it is asked to when. None for all other messages."""
    words = utterance.words
    if len(utterance.text) > _LONGEST_TEXT or len(words) > _LONGEST:
        return None
    shift = find_shift(utterance.text, policy.date_words)
    said = shift.span if shift else _find_needs_change(utterance, words, policy)
    facts = policy.catalogue.by_effect.get("change")
    if said is None or "?" in utterance.own_text or facts is None or not facts.argument("date"):
        return None  # most messages
    if find_dates(utterance.text, context.now, policy.date_words):
        return None  # where a day is told by itself, others read that
    named = _find_named(utterance, words, said, context, policy)
    if named is None or (shift is not None and not (shift.days or shift.months or shift.minutes)):
        return None
    due = named.task.due_date
    moved = shift.move(due) if shift and due else None
    if shift and (moved is None or _gives_first_hour(shift, due)):
        return None
    whole = weigh_request(utterance, context, policy)
    told = begin(utterance, whole, context, policy)
    slots = (Slot(facts.argument("date"), moved, shift.span),) if shift and moved else ()
    arguments = tuple(Argument(slot.name, slot.value, Provenance("words", slot.span)) for slot in slots)
    basis = Basis("move:named", "request", _SURE, (Factor("named, and moved", _SURE),), 0, len(words))
    reference = Reference(named.task.title, named.span, (Candidate(named.task.id, 0.9, "partial"),), named.task.id)
    outcome = judge_with(basis, facts, Draft(facts.intent, arguments, slots), reference, told)
    return (JudgedRequest(utterance, whole, outcome),)


def _find_needs_change(utterance: Utterance, words: tuple[str, ...], policy: Policy) -> Span | None:
    """Where that is said, at the end of the message."""
    if _NEEDS_CHANGE not in policy.lexicon.names(words):  # nearly always
        return None
    for place in range(1, len(words)):
        if len(words) in policy.lexicon.ends(_NEEDS_CHANGE, words, place):
            return utterance.span(place, len(words))
    return None


def _find_named(
    utterance: Utterance, words: tuple[str, ...], said: Span, context: Context, policy: Policy
) -> MentionedTask | None:
    """The one open task that all other words name."""
    content = tuple(
        place
        for place, token in enumerate(utterance.tokens)
        if not inside(token, (said,)) and token.norm not in policy.small_words
    )
    named = {place for place in content if _BESIDE.isdisjoint(policy.word_classes.get(words[place], ()))}
    found = find_mentioned(utterance, words, tuple(sorted(named)), context, policy) if named else ()
    if len(found) != 1 or found[0].slips or named - set(found[0].places):
        return None
    return found[0] if found[0].task.status == policy.catalogue.states[0] else None


def _gives_first_hour(shift: DateShift, due: str | None) -> bool:
    """ "an hour earlier" of something that only has a day."""
    return bool(shift.minutes) and "T" not in (due or "")
