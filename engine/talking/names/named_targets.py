"""Which one of the stored things a stretch of words means, with how much that says."""

from __future__ import annotations

from engine.decision import Candidate, Reference
from engine.policy.values import Policy
from engine.slots.titles import clean, date_spans, find_quoted
from engine.talking.names.naming import Named, find_named
from engine.talking.values import Sign, Told
from engine.targets.references import Mention, resolve
from engine.text.folding import title_words

NAMED_FROM = 0.6
_NAMED_SCALE = 4.0
_MIDDLE = 0.5
_CLEAR_LEAD = 0.15
"""How much better than the next a task must fit to be the one that is meant."""


def name_target(place: tuple[int, int], told: Told, *, least: float = NAMED_FROM) -> tuple[Reference, Sign] | None:
    """What these words mean among what is stored: by number, place or pronoun, else by their words."""
    utterance, policy, context = told.reading.utterance, told.policy, told.context
    ending = told.reading.scene.words[max(place[0], place[1] - 2) : place[1]]
    if any("negation" in policy.word_classes.get(word, ()) for word in ending):
        return None  # "the report is not done": what is denied belongs to the verb
    quoted = find_quoted(utterance, *place)
    words = quoted or clean(
        utterance, *place, policy, without=date_spans(told.dates, utterance), lead="mention_lead", tail="mention_tail"
    )
    words = words or clean(utterance, *place, policy, lead="mention_lead", tail="mention_tail")
    if words is None or (words.value.lower() in policy.numbers and words.value.lower() in policy.small_words):
        return None  # "una" and "one" count nothing here
    span = utterance.span(*place)
    mention = Mention(utterance.slice(span), words.value, words.span)
    pointed = resolve(mention, context, policy, policy.catalogue.states[0], whole=True)
    if pointed.task_id and pointed.candidates[0].how not in ("partial", "fuzzy"):
        return pointed, Sign("store:named", _NAMED_SCALE * _MIDDLE, words.span, pointed.candidates[0].how)
    named = find_named(title_words(words.value), context, policy)
    named = _open_first(named, policy)
    if not named or named[0].fit < least:
        return None
    best = named[0]
    alone = len(named) == 1 or best.fit - named[1].fit >= _CLEAR_LEAD or best.task.status != named[1].task.status
    candidates = tuple(Candidate(each.task.id, each.fit, "partial" if each.fit < 1 else "exact") for each in named[:6])
    reference = Reference(words.value, words.span, candidates, best.task.id if alone else None)
    return reference, Sign("store:named", _NAMED_SCALE * (best.fit - _MIDDLE), words.span, best.task.title)


def _open_first(named: tuple[Named, ...], policy: Policy) -> tuple[Named, ...]:
    """Of two that fit alike, the one that is still to be done."""
    still_open = policy.catalogue.states[0]
    return tuple(sorted(named, key=lambda each: (-each.fit, each.task.status != still_open)))


def spoken_of(told: Told) -> tuple[Reference, Sign] | None:
    """Nothing is named ("done!", "l'ho pagata"): what was just spoken of, where that is one thing that exists."""
    spoken, utterance = told.situation.spoken_of, told.reading.utterance
    if len(spoken) != 1 or told.context.tasks.find_by_id(spoken[0]) is None:
        return None
    span = utterance.span(0, len(utterance.tokens))
    reference = Reference(utterance.slice(span), span, (Candidate(spoken[0], 0.95, "pronoun"),), spoken[0])
    return reference, Sign("store:named", _NAMED_SCALE * _MIDDLE, span, "pronoun")
