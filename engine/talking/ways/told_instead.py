"""A deed that is told by its own verb, where something else in the message would be done, or shown, instead: "the hay
was ordered Monday" moves nothing to Monday, "I rang the choir, they are here on Sunday" neither."""

from __future__ import annotations

from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.talking.clauses import tells_deed
from engine.talking.values import Told
from engine.talking.ways.same_deed import tells_any_deed
from engine.talking.ways.told_done import ToldDone, find_told_done, finish
from engine.talking.ways.told_past import tells_past


def told_done_instead(outcomes: tuple[Outcome, ...], told: Told) -> tuple[Outcome, ...] | None:
    """What is told, finished instead of given a day; instead of a list that was not asked for it is offered."""
    done = find_told_done(told) if _begins_with_deed(told) else None
    if done and done.whole and not _goes_on_with_verb(done, told) and outcomes[0].intent in told.policy.catalogue.lists:
        return finish(done, told, surely=True)
    if not _only_shows_or_moves(outcomes, told):
        return None  # most messages
    done = done or find_told_done(told)
    if done is None or done.whole is None or not done.own or not _is_past(told):
        return None
    outcome, catalogue = outcomes[0], told.policy.catalogue
    shows = outcome.intent in catalogue.lists
    call = outcome.call or (outcome.pending.call if outcome.pending else None)
    if not shows and (call is None or catalogue.target_of(call) != done.task.id):
        return None  # "I walked the dog, and the watering has to be Sunday"
    return finish(done, told, surely=bool(done.whole) and not shows)


def _begins_with_deed(told: Told) -> bool:
    """ "did the oven this morning", which asks nothing without a question mark."""
    words = told.reading.scene.words
    return bool(words) and tells_any_deed(words[0], told.policy) and "?" not in told.reading.utterance.own_text


def _is_past(told: Told) -> bool:
    """Whether it is told as past at the beginning: "I've answered", "the hay was ordered", "rang the choir"."""
    words, policy = told.reading.scene.words, told.policy
    if not _ASKS.isdisjoint(policy.lexicon.names(words)):
        return False
    first = next((place for place, word in enumerate(words) if word not in policy.small_words), 0)
    return "did" in policy.word_classes.get(words[first], ()) or tells_past(words, policy) or _is_so_now(words, policy)


def _is_so_now(words: tuple[str, ...], policy: Policy) -> bool:
    """ "the van is booked for Monday": when it is, and not when it is to be booked."""
    return any(
        "now_is" in policy.word_classes.get(word, ()) and tells_deed(words[place + 1], policy)
        for place, word in enumerate(words[:-1])
    )


_ASKS = frozenset({"cue_move", "add", "cue_add", "clitic", "note_word"})
"""Words of a request: "I rang them, so move it"."""


def _only_shows_or_moves(outcomes: tuple[Outcome, ...], told: Told) -> bool:
    """Whether nothing but a list of what words name, or a day for one thing, came of it, without being asked for in so
    many words."""
    if len(outcomes) != 1 or "?" in told.reading.utterance.own_text or outcomes[0].answer:
        return False
    outcome, catalogue = outcomes[0], told.policy.catalogue
    facts = catalogue.by_intent.get(outcome.intent)
    call = outcome.call or (outcome.pending.call if outcome.pending else None)
    if facts is None or call is None:
        return False
    if outcome.intent in catalogue.lists:
        return set(call.parameters) == {facts.argument("search")}
    asked = any(each.frame.intent == outcome.intent and not each.frame.weak for each in told.reading.frames)
    moved = set(call.parameters) <= {facts.target, facts.argument("date")}
    return facts.effect == "change" and moved and not asked


def _goes_on_with_verb(done: ToldDone, told: Told) -> bool:
    """ "did the washing up get done": a question, whatever it ends with."""
    classes, words = told.policy.word_classes, told.reading.scene.words
    return any(_VERBS & classes.get(word, frozenset()) for word in words[max(done.named) + 1 :])


_VERBS = frozenset({"done_word", "finite", "past_aux"})
