"""Whose note a message is about: what it names, or what was just spoken of."""

from __future__ import annotations

from engine.decision import Act, Candidate, Pending, Reference
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import content_words
from engine.talking.values import Told
from engine.talking.ways.changing import last_target

NOTE_SAYS, NOTE_SHOULD = "note_says", "note_should"
NOTE_VERB, NOTE_WRITE, NOTE_OFF, NOTE_READ = "note_verb", "note_write", "note_off", "note_read"
_PART_OF_NAME = 0.3


def whose_note(told: Told, word: int, colon: int) -> Reference | None:
    """What is named beside the word for a note; without a name, what was just spoken of."""
    before, after = find_said(told, 0, word), find_said(told, word + 1, colon)
    if before and after:
        return None  # "add lunch with Bo, with a note for the caterer: …": something new
    if before or after:
        # "add to the Marini note": beside the word for it, a part of the name will do
        found = name_target(before or after or (0, 0), told, least=_PART_OF_NAME)
        return found[0] if found else None
    return spoken_of_last(told, word)


def spoken_of_last(told: Told, word: int) -> Reference | None:
    """What was just spoken of, where this word points to it."""
    target = last_target(told)
    if target is None or _is_new(told.context.pending, told):
        return None
    span = told.reading.utterance.span(word, word + 1)
    return Reference(told.reading.utterance.slice(span), span, (Candidate(target, 0.95, "pronoun"),), target)


def _is_new(pending: Pending | None, told: Told) -> bool:
    """Whether it was just asked about something new: then that is spoken of, and nothing that there is."""
    facts = told.policy.catalogue.by_intent.get(pending.intent) if pending else None
    return facts is not None and facts.effect == "add"


def find_said(told: Told, first: int, last: int) -> tuple[int, int] | None:
    """From the first to the last of these words that say something; verbs of noting and polite words do not."""
    words, policy = told.reading.scene.words, told.policy
    said, place = [], first
    while place < last:
        polite = [length for _, length in policy.lexicon.among(_POLITE, words, place)]
        if (
            not polite
            and words[place] not in policy.splitters
            and (content_words(words[place : place + 1], policy) or words[place].isdigit())
        ):
            said.append(place)
        place += max(polite, default=1)
    return (said[0], said[-1] + 1) if said else None


_POLITE = (
    "opener",
    "closer",
    "interjection",
    "yes_word",
    "no_word",
    "corrector",
    NOTE_VERB,
    NOTE_WRITE,
    NOTE_OFF,
    NOTE_READ,
    NOTE_SAYS,
    NOTE_SHOULD,
)


def act_on(reference: Reference) -> Act:
    return "correct" if reference.candidates[0].how == "pronoun" else "request"


def has_class(told: Told, name: str, first: int, last: int) -> bool:
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    if name not in lexicon.names(words):  # nearly always
        return False
    return any(lexicon.among((name,), words, place) for place in range(first, last))
