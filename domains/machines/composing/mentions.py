"""Which machine the words name: by id, serial number, name, part of the name, keyword or description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from domains.machines.composing.lexicon import load_lexicon
from domains.machines.composing.marking import mark_words
from domains.machines.composing.marks import Mark, Marked
from domains.machines.memory_fleet import Group, MemoryFleet
from engine.completing.values import Level

LEVELS: tuple[Level, ...] = get_args(Level)[:6]
_NAMING = ("device", "serial", "misspelt", "described")
_BETWEEN = ("links", "fillers", "pronouns")


@dataclass(frozen=True, slots=True)
class Mention:
    marks: tuple[Mark, ...]
    level: Level | None
    """None: no machine fits the words."""
    group: Group
    weaker: tuple[tuple[Level, Group], ...] = ()
    """Machines that fit at a weaker level, and lost to the better one."""

    @property
    def first(self) -> int:
        return self.marks[0].first

    @property
    def last(self) -> int:
        return self.marks[-1].last

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(word for mark in self.marks for word in mark.meaning.split())


def find_mentions(marked: Marked, fleet: MemoryFleet) -> list[Mention]:
    """Neighbouring words name one machine ("frigo della cucina"), words joined by "and" two."""
    runs: list[list[Mark]] = []
    open_run = False
    for mark in marked.marks:
        if mark.kind in _NAMING:
            if open_run:
                runs[-1].append(mark)
            else:
                runs.append([mark])
            open_run = True
        elif mark.kind not in _BETWEEN:
            open_run = False
    # A word that only stands in a description names nothing where a real name is near.
    named = [run for run in runs if any(mark.kind != "described" for mark in run)]
    mentions = [resolve(tuple(run), marked, fleet) for run in (named or runs)]
    return _merge(mentions, marked, fleet)


def _merge(mentions: list[Mention], marked: Marked, fleet: MemoryFleet) -> list[Mention]:
    """ "in the kitchen … the fridge": two places in the sentence, one machine, if one has both."""
    merged: list[Mention] = []
    for mention in mentions:
        joined = merged and any(
            mark.kind in ("joins", "actions") for mark in marked.marks if merged[-1].last <= mark.first < mention.first
        )
        both = resolve((*merged[-1].marks, *mention.marks), marked, fleet) if merged and not joined else None
        if both and both.group and both.group != merged[-1].group | mention.group:
            merged[-1] = both
        else:
            merged.append(mention)
    return merged


def resolve(marks: tuple[Mark, ...], marked: Marked, fleet: MemoryFleet) -> Mention:
    by_level = _by_level(marks, marked, fleet)
    found = [(level, group) for level, group in by_level if group]
    if not found:
        return Mention(marks, None, 0)
    level, group = found[0]
    seen, weaker = group, []
    for other, more in found[1:]:
        if more & ~seen:
            weaker.append((other, more & ~seen))
            seen |= more
    return Mention(marks, level, group, tuple(weaker))


def resolve_name(said: str, fleet: MemoryFleet) -> Mention | None:
    """A name that a call gives, looked up like one that a user says."""
    marked = mark_words(said, fleet)
    naming = tuple(mark for mark in marked.marks if mark.kind in _NAMING)
    rest = [mark for mark in marked.marks if mark.kind not in (*_NAMING, *_BETWEEN)]
    if not naming or rest:
        # A name may consist of words that mean something else to the composer.
        words = tuple(word for mark in marked.marks for word in (marked.said(mark.first, mark.last)).lower().split())
        whole = fleet.with_name(words)
        return Mention((Mark("device", " ".join(words), 0, len(words)),), "name", whole) if whole else None
    found = resolve(naming, marked, fleet)
    return found if found.group else None


def _by_level(marks: Sequence[Mark], marked: Marked, fleet: MemoryFleet) -> list[tuple[Level, Group]]:
    everyone = fleet.everyone
    exact = everyone if any(mark.kind == "serial" for mark in marks) else 0
    for first, _last, group in marked.exact:
        if any(mark.first == first for mark in marks):
            exact &= group
    part, keyword, described = everyone, everyone, everyone
    # A slip of the pen costs nothing where the other words name one machine by themselves.
    told = _all_of([word for mark in marks if mark.kind == "device" for word in mark.meaning.split()], fleet)
    told = told if told.bit_count() == 1 and any(mark.kind == "device" for mark in marks) else 0
    for mark in marks:
        if mark.kind == "serial":
            continue
        words = tuple(mark.meaning.split())
        by_part = _all_of(words, fleet) if mark.kind == "device" or (mark.kind == "misspelt" and told) else 0
        by_keyword = by_part | _by_synonym(words, mark, fleet)
        by_description = by_keyword
        for word in words:
            by_description |= fleet.with_description_word(word)
        part, keyword, described = part & by_part, keyword & by_keyword, described & by_description
    named = 0
    if all(mark.kind == "device" for mark in marks):
        named = fleet.with_name(tuple(dict.fromkeys(word for mark in marks for word in mark.meaning.split())))
    if exact:
        return [("serial", exact & (part if len(marks) > 1 and exact & part else everyone))]
    groups = (named, part, keyword, described)
    return list(zip(LEVELS[2:], groups, strict=True))


def _all_of(words: Sequence[str], fleet: MemoryFleet) -> Group:
    group = fleet.everyone
    for word in words:
        group &= fleet.with_name_word(word)
    return group


def _by_synonym(words: tuple[str, ...], mark: Mark, fleet: MemoryFleet) -> Group:
    if mark.kind == "misspelt":
        return fleet.with_name_word(mark.meaning)
    group = 0
    for other in load_lexicon().synonyms.get(words, ()):
        group |= _all_of(other, fleet)
    return group
