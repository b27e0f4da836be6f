"""A date told from the one spoken of last: "the Saturday after", "and an hour before, set up the hall"."""

from __future__ import annotations

from engine.dates import DateMatch, DateShift, find_shift
from engine.policy.values import Policy
from engine.reading.read import Reading
from engine.talking.names.naming import is_chore
from engine.text.normalise import Utterance


def date_told_from_last(
    dates: tuple[DateMatch, ...], utterance: Utterance, reading: Reading, last: str | None, policy: Policy
) -> tuple[DateMatch, ...] | None:
    """The dates of the message with the one that it tells from the last; None where it tells none so."""
    shift = find_shift(utterance.text, policy.date_words) if last else None
    if shift is None or last is None:
        return None
    if shift.weekday is None and (dates or not _is_for_errand(shift, utterance, reading, policy)):
        return None  # by how much something shall be moved is another matter
    value = shift.move(last)
    if value is None:
        return None
    match = DateMatch(shift.span, value, shift.text, f"{value}, as said before")
    others = tuple(each for each in dates if each.span.end <= shift.span.start or each.span.start >= shift.span.end)
    return tuple(sorted((match, *others), key=lambda each: each.span.start))


def _is_for_errand(shift: DateShift, utterance: Utterance, reading: Reading, policy: Policy) -> bool:
    """Whether something to do is said besides, to be done so long before: its verb comes first, or a word that adds
    it. "The day before" is looked at elsewhere."""
    if not (shift.minutes < 0 or shift.days < -1):
        return False
    lead = reading.frames[0].frame if reading.frames else None
    if lead:
        return policy.catalogue.by_intent[lead.intent].effect == "add" and not lead.weak
    said = [
        word
        for word, token in zip(reading.scene.words, utterance.tokens, strict=False)
        if not shift.span.start <= token.start < shift.span.end
        and word not in policy.splitters
        and "opener" not in policy.word_classes.get(word, ())
    ]
    return bool(said) and is_chore(said[0], policy)
