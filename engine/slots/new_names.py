"""What something new shall be called, and the note that is given with it."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.policy.values import Policy
from engine.reading.frames import FrameMatch
from engine.reading.read import Reading
from engine.slots.titles import Words, clean, find_quoted, find_quoted_name, inside
from engine.text.normalise import Token
from engine.values import Span


def name_and_note(
    reading: Reading,
    facts: ToolFacts,
    policy: Policy,
    spans: tuple[Span, ...],
    level: Words | None,
    lead: FrameMatch | None,
) -> tuple[Words | None, Words | None]:
    place = lead.slot(facts.argument("name")) if lead else None
    if place is None:
        return None, None
    utterance, (first, last) = reading.utterance, place
    last = _reason_after_date(reading, first, sentence_end(reading, first, last), spans)
    split = _find_note(reading, first, last) if facts.argument("note") else None
    note = None
    if split:
        note = find_quoted(utterance, split[1], last) or clean(utterance, split[1], last, policy, lead="note_lead")
        last = split[0]
    without = (*spans, level.span) if level else spans
    quoted = find_quoted_name(utterance, first, last, policy, without)
    if quoted and not note:
        return quoted, note
    name = quoted or clean(utterance, first, last, policy, without=without)
    if name and not quoted:
        name = _with_particle(name, first, reading, policy, without)
    if name and lead and not lead.frame.clear and not any(letter.isalpha() for letter in name.value):
        return None, note  # "add 17 and 25"
    # "remind me tomorrow" names no task; "add a task for Friday" neither. But "add Monday" adds a Monday.
    return (None if name and not quoted and _names_nothing(name, reading, policy) else name), note


def _with_particle(name: Words, first: int, reading: Reading, policy: Policy, without: tuple[Span, ...]) -> Words:
    """ "remind me to hand the form in on Friday": the little word is one of the errand."""
    text, tokens, classes = reading.utterance.text, reading.utterance.tokens, policy.word_classes
    after = next((token for token in tokens if token.start >= name.span.end), None)
    begins = next((token.norm for token in tokens if token.start >= name.span.start), "")
    led = first > 0 and "takes_particle" in classes.get(tokens[first - 1].norm, ())
    if after is None or inside(after, without) or text[name.span.end : after.start].strip():
        return name
    of_errand = not led and not _ERRANDS.isdisjoint(classes.get(begins, ()))
    if not (of_errand and "verb_particle" in classes.get(after.norm, ())) and not _is_stranded(after, reading, policy):
        return name
    return Words(f"{name.value} {text[after.start : after.end]}", Span(name.span.start, after.end))


def _is_stranded(word: Token, reading: Reading, policy: Policy) -> bool:
    """ "get the heater looked at, for Wednesday": right before a sign it leads to nothing, and is one of the verb."""
    text, tokens, place = reading.utterance.text, reading.utterance.tokens, reading.utterance.tokens.index(word)
    if "stranded" not in policy.word_classes.get(word.norm, ()):
        return False
    follows = text[word.end : tokens[place + 1].start].strip() if place + 1 < len(tokens) else "."
    before = tokens[place - 1].norm
    past = "did" in policy.word_classes.get(before, ()) or before in policy.word_stems
    return bool(follows) and (past or before.endswith(policy.past_endings or ("\n",)))


_ERRANDS = frozenset({"chore", "errand"})


def _names_nothing(name: Words, reading: Reading, policy: Policy) -> bool:
    """ "vorrei aggiungere una cosa": what it is comes next."""
    within = [token.norm for token in reading.utterance.tokens if name.span.start <= token.start < name.span.end]
    return len(within) > 1 and all("nameless" in policy.word_classes.get(word, ()) for word in within)


def sentence_end(reading: Reading, first: int, last: int) -> int:
    """A title ends with its sentence: "remind me to call. I keep forgetting" adds a call."""
    starts = reading.utterance.sentence_starts
    later = [place for place in starts if first < place < last] if len(starts) > 1 else []
    return min(later) if later and min(later) - first > 1 else last


def _reason_after_date(reading: Reading, first: int, last: int, dates: tuple[Span, ...]) -> int:
    """ "buy corks on Wednesday because the market is on": why it is that day is no part of the title."""
    tokens, scene = reading.utterance.tokens, reading.scene
    for place in range(first + 1, last):
        dated = inside(tokens[place - 1], dates) and not inside(tokens[place], dates)
        if dated and scene.lexicon.ends("reason_word", scene.words, place):
            return place
    return last


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
