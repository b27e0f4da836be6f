"""Levels, such as priorities: "urgent", "high priority", "asap", "whenever".

The words for a level stand in classes called after the argument and the level (`priority_high`), bare words that name
a level only where one is expected in `level_high`.
"""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.policy.patterns import Scene
from engine.policy.values import Policy
from engine.reading.frames import FrameMatch
from engine.slots.titles import Words
from engine.text.normalise import Utterance
from engine.values import Span


def find_level(
    utterance: Utterance, scene: Scene, policy: Policy, facts: ToolFacts, lead: FrameMatch | None
) -> Words | None:
    """A level said about something. A word inside the name counts only where it names the matter
    itself or stands at an end of it: "send the important papers" keeps its important papers."""
    if policy.level_words[facts.name].isdisjoint(scene.present):
        return None
    levels = policy.level_classes[facts.name]
    for place in range(scene.stop):
        for name, length in scene.lexicon.among(levels, scene.words, place):
            if not utterance.is_quoted(place) and _is_about_it(scene, place, length, lead, policy):
                return Words(levels[name], _with_joiners(utterance, scene, place, place + length, policy))
    return None


def find_last_level(utterance: Utterance, scene: Scene, policy: Policy, facts: ToolFacts) -> Words | None:
    """ "call Ann on Monday, high please": a bare level, alone after the last comma."""
    text, tokens = utterance.text, utterance.tokens
    end = _before_no_date(utterance, scene, policy)
    for place in range(end - 1, max(0, end - _LONGEST_LAST - 1), -1):
        if "," in text[tokens[place - 1].end : tokens[place].start]:
            said = scene.words[place:end]
            words = tuple(word for word in said if "closer" not in policy.word_classes.get(word, ()))
            level = read_level(words, policy, facts) if words and is_all_level(words, policy, facts) else None
            return Words(level, utterance.span(place, scene.stop)) if level and not utterance.is_quoted(place) else None
    return None


_LONGEST_LAST = 2


def _before_no_date(utterance: Utterance, scene: Scene, policy: Policy) -> int:
    """ "call Ann, high, no date": where the last piece begins, if it says that there is no day."""
    text, tokens = utterance.text, utterance.tokens
    for place in range(scene.stop - 1, max(0, scene.stop - _LONGEST_LAST - 1), -1):
        if "," in text[tokens[place - 1].end : tokens[place].start]:
            return place if scene.stop in policy.lexicon.ends("due_none", scene.words, place) else scene.stop
    return scene.stop


def _is_about_it(scene: Scene, place: int, length: int, lead: FrameMatch | None, policy: Policy) -> bool:
    words = scene.words[place : place + length]
    names_it = any("level_noun" in policy.word_classes.get(word, ()) for word in words)
    if names_it or lead is None or not lead.covers(place):
        return True
    slot = next((start, end) for _, start, end in lead.slots if start <= place < end)
    at_end = place + length in scene.ends or place + length == slot[1]
    return (at_end and place > slot[0]) or (place == slot[0] and slot[1] > place + length and length > 1)


def _with_joiners(utterance: Utterance, scene: Scene, start: int, end: int, policy: Policy) -> Span:
    """ "with high priority" goes as a whole."""
    while start > 1 and "level_joiner" in policy.word_classes.get(scene.words[start - 1], ()):
        start -= 1
    return utterance.span(start, end)


def read_level(words: tuple[str, ...], policy: Policy, facts: ToolFacts) -> str | None:
    """The level that an answer or a new value names: "high", "urgent", "bassa"."""
    levels = policy.level_classes[facts.name]
    bare = {f"level_{level}": level for level in levels.values()}
    if policy.lexicon.names(words).isdisjoint((*levels, *bare)):  # most messages
        return None
    may_be_off, taken_off = policy.lexicon.says(_OFF, words), False
    for place in range(len(words)):
        for name, _ in policy.lexicon.among((*levels, *bare), words, place):
            if not may_be_off or not is_taken_off(words, place, policy):
                return levels.get(name) or bare[name]
            taken_off = True
    return _usual_level(policy) if taken_off else None


def is_taken_off(words: tuple[str, ...], place: int, policy: Policy) -> bool:
    """ "take the high priority off", "it doesn't need high priority": the level that begins here is the one that it
    shall not have."""
    while place and not _BEFORE_LEVEL.isdisjoint(policy.word_classes.get(words[place - 1], ())):
        place -= 1
    return any(place in policy.lexicon.ends(_OFF, words, start) for start in range(max(0, place - _LONGEST_OFF), place))


_OFF, _LONGEST_OFF = "off_level", 4
_BEFORE_LEVEL = frozenset({"det", "level_noun"})


def _usual_level(policy: Policy) -> str | None:
    """What has no level said has this one."""
    facts = policy.catalogue.by_effect.get("add")
    return policy.catalogue.defaults[facts.name].get(facts.argument("level")) if facts else None


def is_all_level(words: tuple[str, ...], policy: Policy, facts: ToolFacts) -> bool:
    """Whether the words say a level and nothing else: "a very high priority"."""
    levels = policy.level_classes[facts.name]
    known = {*levels, *(f"level_{level}" for level in levels.values()), "level_filler"}
    return all(known & policy.word_classes.get(word, frozenset()) for word in words)


def level_beside(words: tuple[str, ...], policy: Policy, facts: ToolFacts) -> str | None:
    """ "not that urgent any more, medium will do": the level that is named beside the highest, which it is not."""
    highest = list(policy.level_classes[facts.name].values())[-1]
    named = [read_level((word,), policy, facts) for word in words]
    return next((level for level in reversed(named) if level and level != highest), None)


def find_level_apart(utterance: Utterance, facts: ToolFacts, policy: Policy) -> Words | None:
    """ "pump up the balls, Saturday, high priority": a level said apart, after the last comma."""
    tokens, text = utterance.tokens, utterance.text
    commas = [place for place in range(1, len(tokens)) if "," in text[tokens[place - 1].end : tokens[place].start]]
    if not commas or not facts.argument("level"):
        return None
    words = tuple(token.norm for token in tokens[commas[-1] :])
    level = read_level(words, policy, facts) if len(words) <= _LONGEST_LEVEL else None
    return Words(level, utterance.span(commas[-1], len(tokens))) if level else None


_LONGEST_LEVEL = 3
