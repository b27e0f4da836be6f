"""From a reading to the arguments of a call, each with the words it was made of."""

from __future__ import annotations

from typing import NamedTuple

from engine.catalogue.facts import ToolFacts
from engine.dates import DateMatch
from engine.decision import Intent, Slot
from engine.policy.patterns import GAP
from engine.policy.values import Policy
from engine.reading.frames import FrameMatch
from engine.reading.leaving_out import leaves_out
from engine.reading.read import Reading
from engine.slots.changes import find_changes, find_words
from engine.slots.filters import find_filters
from engine.slots.levels import find_last_level, find_level, is_all_level, read_level
from engine.slots.new_names import name_and_note, sentence_end
from engine.slots.titles import clean, date_spans, find_quoted
from engine.targets.references import Mention
from engine.values import Argument, Provenance


class Draft(NamedTuple):
    """What a request says about its call, before anything is looked up."""

    intent: Intent
    arguments: tuple[Argument, ...] = ()
    slots: tuple[Slot, ...] = ()
    mention: Mention | None = None
    batch: bool = False
    """Many at once are asked for."""
    problem: str = ""
    """The argument whose value is too long."""
    repeats: DateMatch | None = None
    status: str = ""
    """The status that it shall have afterwards, where the request says one."""


def frame_for(reading: Reading, intent: Intent) -> FrameMatch | None:
    return next((match for match in reading.frames if match.frame.intent == intent), None)


def draft(reading: Reading, intent: Intent, policy: Policy, dates: tuple[DateMatch, ...]) -> Draft:
    lead = frame_for(reading, intent)
    facts = policy.catalogue.by_intent.get(intent)
    if facts is None:
        return Draft(intent)
    if facts.target:
        return _draft_on_target(reading, facts, policy, dates, lead)
    if facts.effect == "add":
        return _draft_new(reading, facts, policy, dates, lead)
    found = find_filters(reading.utterance, reading.scene, policy, facts, lead, dates)
    return Draft(intent, tuple(_argument(slot) for slot in found), found)


def _draft_new(
    reading: Reading, facts: ToolFacts, policy: Policy, dates: tuple[DateMatch, ...], lead: FrameMatch | None
) -> Draft:
    utterance = reading.utterance
    spans = date_spans(dates, utterance) if facts.argument("date") else ()
    due = _own_date(tuple(match for match in dates if match.span in spans), reading, lead)
    level = find_level(utterance, reading.scene, policy, facts, lead)
    if level is None and facts.argument("level"):
        level = find_last_level(utterance, reading.scene, policy, facts)
    name, note = name_and_note(reading, facts, policy, spans, level, lead)
    slots = {
        facts.argument("name"): Slot(facts.argument("name"), name.value, name.span) if name else None,
        facts.argument("note"): Slot(facts.argument("note"), note.value, note.span) if note else None,
        facts.argument("level"): Slot(facts.argument("level"), level.value, level.span) if level else None,
        facts.argument("date"): Slot(facts.argument("date"), due.value, due.span, due.alternatives) if due else None,
    }
    words = find_words(reading, facts, policy, lead)
    found = (*(slot for argument, slot in slots.items() if argument and slot), *words)
    repeats = next((match for match in dates if match.recurring), None)
    arguments = tuple(_argument(slot) for slot in found)
    return Draft(facts.intent, arguments, found, problem=_too_long(facts, found, policy), repeats=repeats)


def _own_date(dates: tuple[DateMatch, ...], reading: Reading, lead: FrameMatch | None) -> DateMatch | None:
    """The first one from where the request begins, else the first: "Jo comes on Friday. Add tidying for Thursday"."""
    since = reading.utterance.tokens[lead.start].start if lead and lead.start else 0
    return next((match for match in dates if match.span.start >= since), dates[0] if dates else None)


def _too_long(facts: ToolFacts, slots: tuple[Slot, ...], policy: Policy) -> str:
    """The last argument that has more letters than its tool takes."""
    limits = policy.catalogue.limits
    long = [
        slot.name
        for slot in slots
        if isinstance(slot.value, str) and len(slot.value) > limits.get((facts.name, slot.name), len(slot.value))
    ]
    return long[-1] if long else ""


def _draft_on_target(
    reading: Reading, facts: ToolFacts, policy: Policy, dates: tuple[DateMatch, ...], lead: FrameMatch | None
) -> Draft:
    lead, dated = _date_before_value(reading, facts, policy, dates, lead)
    if not dated:
        lead, dated = _level_before_value(reading, facts, policy, lead)
    mention = _find_mention(reading, facts, policy, dates, lead)
    batch = _is_batch(reading, policy, mention, lead)
    changes = find_changes(reading, facts, policy, dates, lead) if lead and facts.reads else ()
    changes = (*dated, *changes) if changes else ()
    if not changes:
        return Draft(facts.intent, mention=mention, batch=batch)
    arguments = tuple([_argument(slot) for slot in changes])
    status = next((str(slot.value) for slot in changes if facts.reads.get(slot.name) == "status"), "")
    return Draft(facts.intent, arguments, changes, mention, batch, _too_long(facts, changes, policy), status=status)


def _date_before_value(
    reading: Reading, facts: ToolFacts, policy: Policy, dates: tuple[DateMatch, ...], lead: FrameMatch | None
) -> tuple[FrameMatch | None, tuple[Slot, ...]]:
    """ "make it Tuesday and high priority", "move the shelf to Friday, high priority": a day at the end of what is
    named, before another value, is a value, too. The frame without it, and its slot."""
    place = lead.slot("target") if lead else None
    argument = facts.argument("date")
    if lead is None or place is None or not argument or not dates or _says_when(lead, facts):
        return lead, ()
    (first, last), tokens = place, reading.utterance.tokens
    joined = tokens[last - 1].norm in policy.splitters
    if last - first < 2 or not (joined or _pauses(reading, last) or _moves(reading, lead, policy)):
        return lead, ()
    match = next((each for each in dates if each.span.end == tokens[last - (2 if joined else 1)].end), None)
    ends = next((where for where in range(first, last) if match and tokens[where].start >= match.span.start), first)
    if match is None or ends == first:
        return lead, ()
    slots = tuple((name, start, ends if name == "target" else end) for name, start, end in lead.slots)
    return lead._replace(slots=slots), (Slot(argument, match.value, match.span, match.alternatives),)


def _pauses(reading: Reading, place: int) -> bool:
    """Whether a comma stands before this word."""
    text, tokens = reading.utterance.text, reading.utterance.tokens
    return 0 < place < len(tokens) and "," in text[tokens[place - 1].end : tokens[place].start]


def _moves(reading: Reading, lead: FrameMatch, policy: Policy) -> bool:
    """Whether it begins with a word for moving: the day after the name is then where it goes."""
    return "cue_move" in policy.word_classes.get(reading.scene.words[lead.start], ())


def _level_before_value(
    reading: Reading, facts: ToolFacts, policy: Policy, lead: FrameMatch | None
) -> tuple[FrameMatch | None, tuple[Slot, ...]]:
    """ "make the invoice high priority and due on Friday": likewise a level at the end of what is named."""
    place, argument, words = lead.slot("target") if lead else None, facts.argument("level"), reading.scene.words
    if lead is None or place is None or not argument or words[place[1] - 1] not in policy.splitters:
        return lead, ()
    (first, last) = place
    begins = [
        where
        for where in range(first + 1, last - 1)
        if is_all_level(words[where : last - 1], policy, facts) and words[where] not in policy.small_words
    ]
    level = read_level(words[begins[0] : last - 1], policy, facts) if begins else None
    if level is None:
        return lead, ()
    slots = tuple((name, start, begins[0] if name == "target" else end) for name, start, end in lead.slots)
    return lead._replace(slots=slots), (Slot(argument, level, reading.utterance.span(begins[0], last - 1)),)


def _says_when(lead: FrameMatch, facts: ToolFacts) -> bool:
    return any(facts.reads.get(name) in ("date", "name") and start < end for name, start, end in lead.slots)


def _find_mention(
    reading: Reading, facts: ToolFacts, policy: Policy, dates: tuple[DateMatch, ...], lead: FrameMatch | None
) -> Mention | None:
    place = lead.slot("target") if lead else None
    if lead is None or place is None:
        return _find_pointer(reading, policy, lead)
    utterance, (first, last) = reading.utterance, place
    first, last = with_number(reading, first, sentence_end(reading, first, last), policy)
    said = utterance.slice(utterance.span(first, last))
    quoted = find_quoted(utterance, first, last)
    if quoted:
        return Mention(quoted.value, quoted.value, quoted.span)
    pointing = _pointing_words(reading, policy, first, last)
    if pointing:
        span = utterance.span(first, first + pointing)
        before = _clause_before(reading, policy, lead)
        return Mention(utterance.slice(span), before, span, before)
    words = clean(utterance, first, last, policy, lead="mention_lead", tail="mention_tail")
    spans = date_spans(dates, utterance)
    undated = words
    if spans:
        undated = clean(utterance, first, last, policy, without=spans, lead="mention_lead", tail="mention_tail")
    if words is None:
        return None
    # What is finished may well have a day in its name: "done with the Friday report".
    name = undated.value if undated and facts.effect != "finish" else words.value
    if _names_nothing(words.value, policy):
        name = ""
    return Mention(said, name, words.span)


def with_number(reading: Reading, first: int, last: int, policy: Policy) -> tuple[int, int]:
    """A name goes on over "task 3" at its end, and begins with the "task" before its number: "delete sprint task 3"."""
    words, classes = reading.scene.words, policy.word_classes
    if last + 1 < len(words) and words[last + 1].isdigit() and "numbered" in classes.get(words[last], ()):
        last += 2
    if first and words[first].isdigit() and "numbered" in classes.get(words[first - 1], ()):
        first -= 1
    return first, last


def _find_pointer(reading: Reading, policy: Policy, lead: FrameMatch | None) -> Mention | None:
    """Where the frame itself says "it": "delete that", Italian "eliminala", "finish the second one"."""
    scene = reading.scene
    if lead is None:
        return None
    for place in range(lead.start, min(lead.end, scene.stop)):
        for name, length in scene.lexicon.beginning(_POINTERS, scene.words, place):
            if name in ("clitic", "just_it"):
                span = reading.utterance.span(place, place + length)
                return Mention(reading.utterance.slice(span), "", span, _clause_before(reading, policy, lead))
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


_NONE: frozenset[str] = frozenset()
_POINTERS = ("clitic", "just_it", "ordinal_")
_SAYS_NOTHING = frozenset({"item", "mention_lead", "mention_tail"})


def _names_nothing(mentioned: str, policy: Policy) -> bool:
    """ "the task", "that one": not a word that could be in a name."""
    classes = policy.word_classes
    return all(not classes.get(word, _NONE).isdisjoint(_SAYS_NOTHING) for word in mentioned.lower().split())


def _is_batch(reading: Reading, policy: Policy, mention: Mention | None, lead: FrameMatch | None) -> bool:
    """ "all", "everything", or plain plurals without a name: "delete my reminders"."""
    if lead is None:
        return False
    words, classes = reading.scene.words, policy.word_classes
    if policy.lexicon.names(words).isdisjoint(_COUNTING):
        return lead.frame.id.endswith(".everything")  # most messages
    places = set(range(lead.start, min(lead.end, reading.scene.stop)))
    places.difference_update(*[range(start, end) for name, start, end in lead.slots if name != GAP])
    carrier = {name for place in places for name in classes.get(words[place], ())}
    target = lead.slot("target")
    until = target[0] if target and _has_name(words[slice(*target)], policy) else len(words)
    # "the buckets are all washed": after a name it says how far they are, not how many.
    every = any("every" in classes.get(words[place], ()) for place in places if place < until)
    if target and not every:
        every = "every" in classes.get(words[target[0]], ())
    return (
        every
        or leaves_out(words, policy)
        or lead.frame.id.endswith(".everything")
        or ("items" in carrier and mention is None and lead.frame.id.endswith(".item"))
    )


def _has_name(words: tuple[str, ...], policy: Policy) -> bool:
    """Whether a word could be in a name: not "the tasks", not "they"."""
    classes = policy.word_classes
    return any(word not in policy.small_words and classes.get(word, _NONE).isdisjoint(_PLURALS) for word in words)


_PLURALS = frozenset({"item", "items", "list"})
_COUNTING = frozenset({"every", "items"})


def _argument(slot: Slot) -> Argument:
    return Argument(slot.name, slot.value, Provenance("words", slot.span))
