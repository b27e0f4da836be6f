"""A thing to do behind a verb that also sets things: "put order the worktop for Monday, high priority"."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.decision import Factor
from engine.outcome.values import Outcome
from engine.slots.levels import find_level
from engine.talking.basis import Basis, draft_with, judge_with
from engine.talking.named_targets import name_target
from engine.talking.naming import is_chore
from engine.talking.values import Told

_PUTS, _SETS, _SURE = frozenset({"mark", "add"}), "into", 0.85
_JOINS = frozenset({"clause_joiner", "splitter", "reason_word", "opener"})


def put_errand(judged: Outcome, told: Told) -> tuple[Outcome, ...] | None:
    """Added, where the words alone would give a level to something of that name, and there is none."""
    policy, reading = told.policy, told.reading
    facts = next((tool for tool in policy.catalogue.tools if tool.effect == "add"), None)
    asked = policy.catalogue.by_intent.get(judged.intent)
    added = judged.action == "execute" and asked is not None and asked.effect == "add"
    if facts is None or added or reading.utterance.quotes:
        return None
    place, stop = _find_errand(told), reading.scene.stop
    if place is None or not _has_level_apart(told, facts):
        return None
    if name_target((place, stop), told):
        return None  # "put call Bo at high priority", and that is what is stored
    basis = Basis("move:add", "request", _SURE, (Factor("a thing to do, put down", _SURE),), place, stop)
    basis = basis._replace(slots=((facts.argument("name"), place, stop),))
    return (judge_with(basis, facts, draft_with(basis, facts, told), None, told),)


def _has_level_apart(told: Told, facts: ToolFacts) -> bool:
    """ "…, high priority", and not "to high priority", which sets it."""
    utterance, scene, classes = told.reading.utterance, told.reading.scene, told.policy.word_classes
    level = find_level(utterance, scene, told.policy, facts, None)
    first = next((token.norm for token in utterance.tokens if level and token.start >= level.span.start), "")
    before = next((token.norm for token in reversed(utterance.tokens) if level and token.end <= level.span.start), "")
    return level is not None and not any(_SETS in classes.get(word, ()) for word in (first, before))


def _find_errand(told: Told) -> int | None:
    """The verb of what is to be done, right after the one that puts it down, at the beginning of a clause."""
    words, policy, tokens = told.reading.scene.words, told.policy, told.reading.utterance.tokens
    for place in range(told.reading.scene.opening, len(words) - 1):
        puts = policy.word_classes.get(words[place], frozenset()) >= _PUTS
        if not puts or not is_chore(words[place + 1], policy):
            continue
        gap = told.reading.utterance.text[tokens[place - 1].end : tokens[place].start] if place else "."
        joined = place > 0 and not _JOINS.isdisjoint(policy.word_classes.get(words[place - 1], ()))
        if place == told.reading.scene.opening or joined or gap.strip():
            return place + 1
    return None
