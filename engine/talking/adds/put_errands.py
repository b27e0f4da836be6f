"""A thing to do behind a verb that also sets things: "put order the worktop for Monday, high priority"."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.decision import Factor
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.slots.levels import find_level
from engine.talking.basis import Basis, draft_with, judge_with
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import is_chore
from engine.talking.values import Told
from engine.targets.stems import stem
from engine.text.folding import title_words

_PUTS, _SETS, _SURE = frozenset({"mark", "add"}), "into", 0.85
_JOINS = frozenset({"clause_joiner", "splitter", "reason_word", "opener"})


def put_errand(judged: Outcome, told: Told) -> tuple[Outcome, ...] | None:
    """Added, where the words alone would give a level to something of that name, and there is none."""
    policy, reading = told.policy, told.reading
    facts = policy.catalogue.by_effect.get("add")
    asked = policy.catalogue.by_intent.get(judged.intent)
    added = judged.action == "execute" and asked is not None and asked.effect == "add"
    if facts is None or added or reading.utterance.quotes:
        return None
    place, stop = _find_errand(told), reading.scene.stop
    if place is None or not (told.dates or _has_level_apart(told, facts)) or _is_stored((place, stop), told):
        return None
    basis = Basis("move:add", "request", _SURE, (Factor("a thing to do, put down", _SURE),), place, stop)
    basis = basis._replace(slots=((facts.argument("name"), place, stop),))
    return (judge_with(basis, facts, draft_with(basis, facts, told), None, told),)


def _is_stored(place: tuple[int, int], told: Told) -> bool:
    """ "put call Bo at high priority", and that is what is stored; "email Bo" would be something else."""
    named = name_target(place, told)
    task = told.context.tasks.find_by_id(named[0].task_id or "") if named else None
    title = title_words(task.title) if task else ()
    verb = told.reading.scene.words[place[0]]
    other = bool(title) and is_chore(title[0], told.policy) and stem(title[0], told.policy) != stem(verb, told.policy)
    return named is not None and not other


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
    if not policy.lexicon.names(words) >= _PUTS:  # most messages
        return None
    for place in range(told.reading.scene.opening, len(words) - 1):
        puts = policy.word_classes.get(words[place], frozenset()) >= _PUTS  # "put", "put in", "put down"
        errand = place + 1 + (puts and _is_particle(words[place + 1], policy))
        if not puts or errand >= len(words) or not is_chore(words[errand], policy):
            continue
        gap = told.reading.utterance.text[tokens[place - 1].end : tokens[place].start] if place else "."
        joined = place > 0 and not _JOINS.isdisjoint(policy.word_classes.get(words[place - 1], ()))
        if place == told.reading.scene.opening or joined or gap.strip():
            return errand
    return None


def _is_particle(word: str, policy: Policy) -> bool:
    """The "in" of "put in call Bo", and no article."""
    classes = policy.word_classes.get(word, frozenset())
    return word in policy.small_words and not is_chore(word, policy) and classes.isdisjoint({"det", "pronoun"})
