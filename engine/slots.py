"""From a reading to the arguments of a call, each with the words it was made of."""

from __future__ import annotations

from typing import NamedTuple

from engine.changes import find_changes
from engine.dates import DateMatch
from engine.decision import Intent, Slot
from engine.filters import find_filters
from engine.frames import FrameMatch
from engine.policy_values import Policy
from engine.priorities import find_priority
from engine.reading import Reading
from engine.references import Mention
from engine.titles import Words, clean, date_spans, find_quoted
from engine.values import DESCRIPTION_LIMIT, TITLE_LIMIT, Argument, Provenance, Span


class Draft(NamedTuple):
    """What a request says about its call, before any task is looked up."""

    intent: Intent
    arguments: tuple[Argument, ...] = ()
    slots: tuple[Slot, ...] = ()
    mention: Mention | None = None
    batch: bool = False
    """Many tasks at once are asked for."""
    problem: str = ""
    """The reply that says which value cannot be used."""
    repeats: DateMatch | None = None


def frame_for(reading: Reading, intent: Intent) -> FrameMatch | None:
    return next((match for match in reading.frames if match.frame.intent == intent), None)


def draft(reading: Reading, intent: Intent, policy: Policy, dates: tuple[DateMatch, ...]) -> Draft:
    lead = frame_for(reading, intent)
    if intent == "add_task":
        return _draft_add(reading, policy, dates, lead)
    if intent == "list_tasks":
        found = find_filters(reading.utterance, reading.scene, policy, lead, dates)
        return Draft(intent, tuple(_argument(slot) for slot in found), found)
    if intent == "identity_query":
        return Draft(intent)
    return _draft_on_task(reading, intent, policy, dates, lead)


def _draft_add(reading: Reading, policy: Policy, dates: tuple[DateMatch, ...], lead: FrameMatch | None) -> Draft:
    utterance = reading.utterance
    spans = date_spans(dates, utterance)
    due = next((match for match in dates if match.span in spans), None)
    priority = find_priority(utterance, reading.scene, policy, lead)
    title, description = _title_and_description(reading, policy, spans, priority, lead)
    slots = [
        Slot("title", title.value, title.span) if title else None,
        Slot("description", description.value, description.span) if description else None,
        Slot("priority", priority.value, priority.span) if priority else None,
        Slot("due_date", due.value, due.span, due.alternatives) if due else None,
    ]
    found = tuple(slot for slot in slots if slot)
    problem = "title_too_long" if title and len(title.value) > TITLE_LIMIT else ""
    if description and len(description.value) > DESCRIPTION_LIMIT:
        problem = "description_too_long"
    repeats = next((match for match in dates if match.recurring), None)
    return Draft("add_task", tuple(_argument(slot) for slot in found), found, problem=problem, repeats=repeats)


def _title_and_description(
    reading: Reading, policy: Policy, spans: tuple[Span, ...], priority: Words | None, lead: FrameMatch | None
) -> tuple[Words | None, Words | None]:
    place = lead.slot("title") if lead else None
    if place is None:
        return None, None
    utterance, (first, last) = reading.utterance, place
    last = _sentence_end(reading, first, last)
    split = _find_note(reading, first, last)
    description = None
    if split:
        description = find_quoted(utterance, split[1], last) or clean(
            utterance, split[1], last, policy, lead="note_lead"
        )
        last = split[0]
    quoted = find_quoted(utterance, first, last)
    if quoted and not description:
        return quoted, description
    without = (*spans, priority.span) if priority else spans
    title = quoted or clean(utterance, first, last, policy, without=without)
    # "remind me tomorrow" names no task; "add a task for Friday" neither. But "add Monday" adds a Monday.
    return title, description


def _sentence_end(reading: Reading, first: int, last: int) -> int:
    """A title ends with its sentence: "remind me to call. I keep forgetting" adds a call."""
    later = [place for place in reading.utterance.sentence_starts if first < place < last]
    return min(later) if later and min(later) - first > 1 else last


def _find_note(reading: Reading, first: int, last: int) -> tuple[int, int] | None:
    """Where "with description ..." begins and where its text does."""
    scene, tokens, text = reading.scene, reading.utterance.tokens, reading.utterance.text
    for place in range(first + 1, last - 1):
        for end in scene.lexicon.ends("note_intro", scene.words, place):
            # A bare "note" is a word of many titles; it introduces one only with its "with" or a colon.
            colon = end < last and ":" in text[tokens[end - 1].end : tokens[end].start]
            if end < last and (end - place > 1 or colon):
                return place, end
    return None


def _draft_on_task(
    reading: Reading, intent: Intent, policy: Policy, dates: tuple[DateMatch, ...], lead: FrameMatch | None
) -> Draft:
    mention = _find_mention(reading, policy, dates, lead)
    batch = _is_batch(reading, policy, mention, lead)
    changes = find_changes(reading, policy, dates, lead) if intent == "update_task" else ()
    limits = {"new_title": TITLE_LIMIT, "new_description": DESCRIPTION_LIMIT}
    too_long = [slot.name for slot in changes if slot.name in limits and len(str(slot.value)) > limits[slot.name]]
    problem = f"{too_long[0].removeprefix('new_')}_too_long" if too_long else ""
    return Draft(intent, tuple(_argument(slot) for slot in changes), changes, mention, batch, problem)


def _find_mention(
    reading: Reading, policy: Policy, dates: tuple[DateMatch, ...], lead: FrameMatch | None
) -> Mention | None:
    place = lead.slot("target") if lead else None
    if lead is None or place is None:
        return _find_pointer(reading, policy, lead)
    utterance, (first, last) = reading.utterance, place
    last = _sentence_end(reading, first, last)
    said = utterance.slice(utterance.span(first, last))
    quoted = find_quoted(utterance, first, last)
    if quoted:
        return Mention(quoted.value, quoted.value, quoted.span)
    pointing = _pointing_words(reading, policy, first, last)
    if pointing:
        span = utterance.span(first, first + pointing)
        return Mention(utterance.slice(span), _clause_before(reading, policy, lead), span)
    words = clean(utterance, first, last, policy, lead="mention_lead", tail="mention_tail")
    spans = date_spans(dates, utterance)
    undated = words
    if spans:
        undated = clean(utterance, first, last, policy, without=spans, lead="mention_lead", tail="mention_tail")
    if words is None:
        return None
    name = undated.value if undated and lead.frame.intent != "complete_task" else words.value
    if all(
        {"item", "mention_lead", "mention_tail"} & policy.word_classes.get(word, frozenset()) for word in _norms(words)
    ):
        name = ""
    return Mention(said, name, words.span)


def _find_pointer(reading: Reading, policy: Policy, lead: FrameMatch | None) -> Mention | None:
    """Where the frame itself says "it": "delete that", Italian "eliminala", "finish the second one"."""
    scene = reading.scene
    if lead is None:
        return None
    for place in range(lead.start, min(lead.end, scene.stop)):
        for name, length in scene.lexicon.classes(scene.words, place):
            if name in ("clitic", "just_it"):
                span = reading.utterance.span(place, place + length)
                return Mention(reading.utterance.slice(span), "", span)
            if name.startswith("ordinal_"):
                span = reading.utterance.span(place, min(lead.end, scene.stop))
                return Mention(reading.utterance.slice(span), "", span)
    return None


def _pointing_words(reading: Reading, policy: Policy, first: int, last: int) -> int:
    """How many words of the slot say "it" or "that one", if nothing but small words follows them; else 0."""
    scene = reading.scene
    for end in scene.lexicon.ends("pronoun", scene.words, first):
        rest = scene.words[end:last]
        if end <= last and all("mention_tail" in policy.word_classes.get(word, ()) for word in rest):
            return end - first
    return 0


def _clause_before(reading: Reading, policy: Policy, lead: FrameMatch) -> str:
    """ "got the milk, mark it done": it is what was just said."""
    words = (
        clean(reading.utterance, 0, lead.start, policy, lead="before_lead", tail="before_tail")
        if lead.start > 1
        else None
    )
    return words.value if words else ""


def _norms(words: Words) -> list[str]:
    return words.value.lower().split()


def _is_batch(reading: Reading, policy: Policy, mention: Mention | None, lead: FrameMatch | None) -> bool:
    """ "all", "everything", or plain plurals without a name: "delete my reminders"."""
    if lead is None:
        return False
    words, classes = reading.scene.words, policy.word_classes
    own = set(range(lead.start, min(lead.end, reading.scene.stop))) - lead.covered()
    carrier = [classes.get(words[place], ()) for place in own]
    every = any("every" in each for each in carrier)
    target = lead.slot("target")
    if target and not every:
        every = "every" in classes.get(words[target[0]], ())
    plural = any("items" in each for each in carrier)
    return (
        every
        or lead.frame.id.endswith(".everything")
        or (plural and mention is None and lead.frame.id.endswith(".item"))
    )


def _argument(slot: Slot) -> Argument:
    return Argument(slot.name, slot.value, Provenance("words", slot.span))
