"""Which messages an edit can touch at all, by the words that they must have.

A message that has none of the words of what changed is decided as before: every rule is looked up by words. Where that
cannot be said of a change, `everything` says why, and all messages are run again. `tests/evals/test_effect.py` holds
that no message is lost by this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, NamedTuple

from engine.editing.noting import DERIVED, KNOWN, TAG
from engine.policy.binding import Pattern, bind
from engine.policy.classes import HINT
from engine.policy.values import Frame, Guard, Policy, Way
from engine.text.folding import title_words


class Condition(NamedTuple):
    """What a message must have. An empty one holds for all messages."""

    words: tuple[frozenset[str], ...] = ()
    """Of each of these sets a word."""
    phrase: tuple[str, ...] = ()
    """These words, one after the other; empty: in any order."""
    pattern: Pattern | None = None
    """Words that this fits, wherever requests begin and end; None: any."""
    by_frames: bool = False
    """A pattern of a way of asking, which came or went and changed in nothing else: where the same ways of asking fit
    as before, nothing changes."""
    names: frozenset[str] = frozenset()
    """Classes, and tables made of them, in which the words are or are not now: nothing changes where nobody asked for
    one of these, and where the patterns that name them fit as before. Empty: any may have asked."""


_BY_PARTS = frozenset({"function", "light", "item", "list", "date_word"})
_DIRECT = frozenset({"numbered"})
"""Classes that are gone through phrase by phrase, like those of levels: nobody notes of which words."""
"""Classes whose phrases are also taken apart into their words."""
_MISSPELT = "misspelt"
_WORD_LISTS = ("spellings", "word_stems", "numbers")
"""Sections that are looked up by a word."""
_COVERED = frozenset({"words", "frames", "guards", "acts", "thresholds", *_WORD_LISTS})
_ANY_WORD = frozenset({"_", "^", "$", "0", "@date"})
"""What stands for other words in the names of weights."""


@dataclass(frozen=True, slots=True)
class Touch:
    """What a message must have to be touched: all of one condition, a word near one of these, an observation of one of
    these names, or a comparison with a threshold between these two values."""

    conditions: frozenset[Condition] = frozenset()
    near: frozenset[str] = frozenset()
    """Words that misspellings are read as: a message with something like one of them is touched."""
    weights: frozenset[str] = frozenset()
    thresholds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    everything: tuple[str, ...] = ()
    """Why every message is run again; empty: it need not be."""


def find_touch(base: Policy, draft: Policy) -> Touch:
    conditions = {
        *_of_words(base, draft),
        *_of_patterns(base.frames, draft.frames, base, draft, by_frames=True),
        *_of_patterns(base.guards, draft.guards, base, draft),
        *_of_patterns(base.ways, draft.ways, base, draft),
        *(_said(word.split()) for word in _of_lists(base, draft)),
    }
    weights, words = _of_weights(base, draft)
    return Touch(
        frozenset(conditions | words),
        frozenset(_corrected(base, draft)),
        weights,
        _of_thresholds(base, draft),
        tuple(_of_everything(base, draft)),
    )


def _of_words(base: Policy, draft: Policy) -> Iterator[Condition]:
    for name, phrase in _changed_phrases(base, draft):
        words = phrase.split()
        if name == _MISSPELT and _is_known(words, base) and _is_known(words, draft):
            continue  # it says what slips are read as (`near`), and what it says itself it says anyway
        if name in _DIRECT or any(name in classes for classes in base.level_classes.values()):
            yield _said(words)
            continue
        names = frozenset(_tables_of(name, phrase, base, draft))
        if name in _BY_PARTS:
            parts = {word for part in words for word in (part, *title_words(part))}
            yield from (Condition((frozenset({word}),), names=names - {name}) for word in parts)
        yield _said(words)._replace(names=names)


def _tables_of(name: str, phrase: str, base: Policy, draft: Policy) -> Iterator[str]:
    """Where the phrase is looked up, and not found as before."""
    yield name
    yield from (table for table, classes in DERIVED.items() if name in classes)
    if (phrase in base.word_classes) != (phrase in draft.word_classes):
        yield KNOWN
    if base.tags.get(phrase, phrase) != draft.tags.get(phrase, phrase):
        yield TAG


def _is_known(words: Sequence[str], policy: Policy) -> bool:
    """Whether it is a word of some other class, too: so a word that is known, and called by the same tag."""
    classes = policy.word_classes.get(words[0], frozenset()) if len(words) == 1 else frozenset()
    return bool(classes - {_MISSPELT}) and _MISSPELT not in policy.tag_order


def _changed_phrases(base: Policy, draft: Policy) -> Iterator[tuple[str, str]]:
    for name in {*base.words, *draft.words}:
        if not name.startswith(HINT):  # nothing is decided by these: completing reads them
            one, other = frozenset(base.words.get(name, ())), frozenset(draft.words.get(name, ()))
            yield from ((name, phrase) for phrase in one ^ other)


def _said(words: Sequence[str], *, together: bool = True) -> Condition:
    """Each word as it is written, or, where that is one word still, as titles are compared."""
    forms = tuple(frozenset({word, *(folded if len(folded := title_words(word)) == 1 else ())}) for word in words)
    return Condition(forms, tuple(words) if together and len(words) > 1 else ())


def _corrected(base: Policy, draft: Policy) -> Iterator[str]:
    """Words that others are corrected to, or no longer."""
    for name, phrase in _changed_phrases(base, draft):
        if name == _MISSPELT or name.startswith("cue_"):
            yield from phrase.split()


def _of_patterns(
    before: tuple[Frame, ...] | tuple[Guard, ...] | tuple[Way, ...],
    after: tuple[Frame, ...] | tuple[Guard, ...] | tuple[Way, ...],
    base: Policy,
    draft: Policy,
    *,
    by_frames: bool = False,
) -> Iterator[Condition]:
    """Of patterns that came, went, or belong to something that changed."""
    one, other = _entries(before), _entries(after)
    for entries, others, policy in ((one, other, base), (other, one, draft)):
        for source, owners in entries.items():
            if owners != others.get(source):
                yield _fitting(source, policy, by_frames=by_frames and source not in others)


def _fitting(source: str, policy: Policy, *, by_frames: bool = False) -> Condition:
    pattern = bind(source, policy.lexicon)
    return Condition(pattern.required, (), pattern, by_frames)


def _entries(owners: Iterable[Frame | Guard | Way]) -> dict[str, list[Any]]:
    """Each pattern with what it belongs to, but for that one's other patterns."""
    found: dict[str, list[Any]] = {}
    for owner in owners:
        rest = {each.name: getattr(owner, each.name) for each in fields(owner) if each.name != "patterns"}
        for source in owner.patterns:
            found.setdefault(source, []).append(rest)
    return found


def _of_lists(base: Policy, draft: Policy) -> Iterator[str]:
    for name in _WORD_LISTS:
        one, other = getattr(base, name), getattr(draft, name)
        yield from (word for word in {*one, *other} if one.get(word) != other.get(word))


def _of_thresholds(base: Policy, draft: Policy) -> dict[str, tuple[float, float]]:
    one, other = asdict(base.thresholds), asdict(draft.thresholds)
    return {
        name: (min(one[name], other[name]), max(one[name], other[name])) for name in one if one[name] != other[name]
    }


def _of_weights(base: Policy, draft: Policy) -> tuple[frozenset[str], set[Condition]]:
    """The names whose weights changed; where a name tells the words that it is observed of, these instead."""
    one, other = base.weights.evidence, draft.weights.evidence
    if one is other:
        return frozenset(), set()
    names: set[str] = set()
    conditions: set[Condition] = set()
    frames = {frame.id: (frame, policy) for policy in (base, draft) for frame in policy.frames}
    in_both = {frame.id for frame in base.frames} & {frame.id for frame in draft.frames}
    for name in {name for name in one if one[name] != other.get(name)} | (other.keys() - one.keys()):
        kind, _, rest = name.partition(":")
        if kind in ("frame", "lead") and rest in frames:
            frame, policy = frames[rest]
            new = rest not in in_both  # its weight is asked for where it fits, and it fits nowhere in the other policy
            conditions |= {_fitting(source, policy, by_frames=new) for source in frame.patterns}
        elif kind in ("word", "object", "pair"):
            conditions.add(_said([word for word in rest.split() if word not in _ANY_WORD], together=False))
        else:
            names.add(name)
    return frozenset(names), conditions


def _of_everything(base: Policy, draft: Policy) -> Iterator[str]:
    sections = {*base.source, *draft.source} - _COVERED
    yield from (name for name in sorted(sections) if base.source.get(name) != draft.source.get(name))
    if base.dates != draft.dates:
        yield "dates"
    for name in ("bias", "calibration", "vocabulary"):
        if getattr(base.weights, name) != getattr(draft.weights, name):
            yield name
    for kind in ("frames", "guards", "ways"):
        one, other = (_entries(getattr(policy, kind)) for policy in (base, draft))
        if [source for source in one if source in other] != [source for source in other if source in one]:
            yield f"the order of the {kind}"
    if len(_of_thresholds(base, draft)) > 1:
        yield "thresholds"  # what each of them does may hang on the other
