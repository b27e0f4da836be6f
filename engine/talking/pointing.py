"""What a message is about: tasks that it mentions, places in a list, or what was just spoken of."""

from __future__ import annotations

from typing import NamedTuple

from engine.decision import Candidate, Reference
from engine.policy.classes import ORDINALS
from engine.slots.titles import date_spans, inside
from engine.talking.mentions import MentionedTask
from engine.talking.noticing import Noticed
from engine.targets.identifiers import find_numbered

_CLEAR_LEAD = 0.15
_POINTED_AT = 0.95
_MOST = 8
_BOTH = 2


class Targets(NamedTuple):
    references: tuple[Reference, ...] = ()
    """One for each thing that is meant; one without a task where several fit the same words."""
    pointed: bool = False
    """Whether the conversation says what is meant, not the words."""


def find_targets(noticed: Noticed, *, settled: bool = False) -> Targets:
    """With `settled`, what is done already is meant rather than what is open."""
    numbered = _by_number(noticed)
    if numbered:
        return Targets(numbered)
    named = _by_words(noticed, settled=settled)
    if named:
        return Targets(named)
    placed = _by_place(noticed)
    if placed is None:
        return Targets()  # "the fifth" of two
    if placed:
        return Targets(placed, pointed=True)
    if not noticed.points and _names_something_else(noticed):
        return Targets()
    return Targets(_by_talk(noticed), pointed=True)


def _names_something_else(noticed: Noticed) -> bool:
    """Words that are neither cue nor value: they name something, which is not there."""
    return bool(unexplained(noticed))


def unexplained(noticed: Noticed) -> list[int]:
    """The places of words that are neither a cue, a value, nor the name of something stored."""
    cued = {place for _, first, last in noticed.cues for place in range(first, last)}
    named = {place for each in noticed.mentioned for place in each.places}
    words, classes = noticed.weighed.reading.scene.words, noticed.told.policy.word_classes
    filtering = {
        where
        for place in noticed.content
        for name, length in noticed.told.policy.lexicon.classes(words, place)
        if name.startswith(_FILTERS)
        for where in range(place, place + length)
    }
    return [
        place
        for place in noticed.content
        if place not in cued | named | filtering and classes.get(words[place], frozenset()).isdisjoint(_VALUES)
    ]


_FILTERS = ("status_", "due_", "ordinal_")
_VALUES = frozenset(
    {"priority_high", "priority_medium", "priority_low", "level_high", "level_low", "level_medium", "level_noun"}
    | {"opener", "closer", "corrector", "quality", "priority_state", "item", "items", "list", "vague"}
)


def _by_number(noticed: Noticed) -> tuple[Reference, ...]:
    number = find_numbered(noticed.utterance.text, noticed.told.policy.words["numbered"])
    task = noticed.told.context.tasks.find_by_number(number) if number is not None else None
    return (_reference(noticed, task.id, 1.0, "number"),) if task else ()


def _by_words(noticed: Noticed, *, settled: bool) -> tuple[Reference, ...]:
    state = noticed.told.policy.catalogue.states[1 if settled else 0]
    named = [each for each in noticed.mentioned if each.named] or list(noticed.mentioned)
    references: list[Reference] = []
    for group in _groups(named):
        preferred = [each for each in group if each.task.status == state] or group
        best, rest = preferred[0], preferred[1:]
        alone = not rest or best.fit - rest[0].fit >= _CLEAR_LEAD
        spoken = [each for each in preferred if each.task.id in noticed.told.situation.spoken_of]
        if not alone and len(spoken) == 1 and noticed.points:
            best, alone = spoken[0], True
        places = set(best.places)
        others = [each for each in noticed.mentioned if each not in group and places & set(each.places)]
        ordered = [best, *(each for each in group if each is not best), *others]
        candidates = tuple(
            Candidate(each.task.id, _as_score(each.fit), "exact" if each.fit == 1 else "partial") for each in ordered
        )
        references.append(
            Reference(noticed.utterance.slice(best.span), best.span, candidates[:6], best.task.id if alone else None)
        )
    return tuple(references[:_MOST])


def _as_score(fit: float) -> float:
    """From the share of a title to how well a mention fits it: whoever says one word that only it has means it."""
    return round(0.6 + 0.4 * fit, 4)


def _groups(mentioned: list[MentionedTask]) -> list[list[MentionedTask]]:
    """Tasks that the same words may mean stand together."""
    groups: list[list[MentionedTask]] = []
    for each in mentioned:
        home = next((group for group in groups if set(group[0].places) & set(each.places)), None)
        if home is None:
            groups.append([each])
        else:
            home.append(each)
    groups.sort(key=lambda group: group[0].places[0])
    return groups


def _by_place(noticed: Noticed) -> tuple[Reference, ...] | None:
    """ "the first and the third": of what was shown last. None: a place is said that it does not have."""
    listed = noticed.told.situation.listed or noticed.told.situation.spoken_of
    words = noticed.weighed.reading.scene.words
    found: list[str] = []
    spans = date_spans(noticed.told.dates, noticed.utterance)
    for place in range(len(words)):
        if inside(noticed.utterance.tokens[place], spans):
            continue  # "the third" of March
        for name, _ in noticed.told.policy.lexicon.classes(words, place):
            if name in ORDINALS and ORDINALS.index(name) >= max(len(listed), 1):
                return None
            if name == "ordinal_last" and found and _is_ordinal(words, place - 2, noticed):
                return None  # "the second to last"
            if len(listed) > 1 and (name in ORDINALS or name == "ordinal_last"):
                found.append(listed[-1 if name == "ordinal_last" else ORDINALS.index(name)])
    standing = [each for each in dict.fromkeys(found) if noticed.told.context.tasks.find_by_id(each)]
    return tuple(_reference(noticed, each, _POINTED_AT, "ordinal") for each in standing)


def _is_ordinal(words: tuple[str, ...], place: int, noticed: Noticed) -> bool:
    return place >= 0 and not noticed.told.policy.word_classes.get(words[place], frozenset()).isdisjoint(ORDINALS)


_COUNTED = (("two", 2), ("three", 3))


def _by_talk(noticed: Noticed) -> tuple[Reference, ...]:
    situation = noticed.told.situation
    standing = [each for each in situation.spoken_of if noticed.told.context.tasks.find_by_id(each)]
    count = next((amount for cue, amount in _COUNTED if noticed.has_cue(cue)), 0)
    if count > len(standing):  # "both", of what was named one after the other
        lately = [each for each in situation.recent if noticed.told.context.tasks.find_by_id(each)]
        standing = lately[:count][::-1]
    if not standing:
        return ()
    # "them": what was just changed, or both that are shown; of more, whoever means all of them says so.
    them = noticed.has_cue("them") and (situation.effect not in ("read", "") or len(standing) == _BOTH)
    if len(standing) > 1 and not noticed.has_cue("all") and not them:
        if situation.effect in ("read", ""):
            candidates = tuple(Candidate(each, 0.7, "pronoun") for each in standing[:6])
            return (Reference(noticed.utterance.text.strip(), noticed.whole, candidates, None),)
        standing = standing[-1:]
    return tuple(_reference(noticed, each, _POINTED_AT, "pronoun") for each in standing[:_MOST])


def _reference(noticed: Noticed, task_id: str, score: float, how: str) -> Reference:
    span = noticed.whole
    return Reference(noticed.utterance.slice(span), span, (Candidate(task_id, score, how),), task_id)
