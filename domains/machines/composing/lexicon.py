"""What words mean to the machines, of all their languages in one table.

All languages at once, because people mix them: an English sentence names "Frigo Cucina", an Italian one "defrost".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from domains.machines.in_force import load_policies, once_a_policy
from domains.machines.language import COMMANDS, READING_KINDS, SLOT, spell_out, split_name
from domains.machines.rules import load_rules
from engine.completing.hints import (
    Cutting,
    Phrase,
    PhraseIndex,
    hint_phrases,
    index_phrases,
    make_cutting,
    single_words,
)
from engine.decision import Language
from engine.policy.classes import HINT
from engine.policy.values import Frame, Policy
from engine.text.folding import fold
from engine.text.normalise import Utterance

_SETS = (
    "fillers", "links", "joins", "articles", "relative", "towards", "later_before_number", "later_after_number",
    "hours_before", "because", "or", "but", "minding",
)  # fmt: skip
KINDS = (
    "not_negations", "not_conditions", "corrections", "reads_if", "polite", "asks", "conditions", "negations", "later",
    "units", "actions", "gerunds", "ordinals", "objects", "metrics", "now", "lists", "reported", "states", "details",
    "data", "machines", "others", "all", "pronouns", "minus", "reads", "question_words",
)  # fmt: skip
"""Where two kinds have the same phrase, the earlier one is tried first."""
CLASSES = {"objects": "object_", "metrics": "metric_", "units": "unit_"}
"""Kinds whose classes say what their phrases mean."""


_Name = tuple[str, ...]


class SplitVerb(NamedTuple):
    """A verb whose particle may stand apart from it: turn … on."""

    verb: str
    particle: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    cutting: Cutting
    phrases: PhraseIndex
    split_verbs: tuple[SplitVerb, ...]
    sets: Mapping[str, frozenset[str]]
    synonyms: Mapping[_Name, tuple[_Name, ...]]
    """A kind of machine or a place by each of its names: all the others."""
    numbers: Mapping[str, float]
    hours: Mapping[str, int]
    connection: Mapping[str, bool]
    states: Mapping[str, str]
    """How a machine is that is asked for: "which ones are on?"."""
    particles: Mapping[str, str]
    """After an object they are a verb: "light on"."""
    verbs: Mapping[str, str]
    """Verbs of one word with what they mean, for words that are almost one."""
    only_in: Mapping[str, Language]
    """Words that one language alone has."""
    pronoun_verbs: frozenset[str] = frozenset()
    """Verb forms that carry their object: accendila."""


def read_words(text: str) -> Utterance:
    return load_lexicon().cutting.read(text)


@once_a_policy
def load_lexicon() -> Lexicon:
    policies = tuple(load_policies().values())
    cutting = make_cutting(policies)
    ways = [way for policy in policies for way in _ways_of_asking(policy)]
    plain = {policy.language: tuple(_phrases(policy, cutting)) for policy in policies}
    entries = [phrase for phrases in plain.values() for phrase in phrases]
    carrying = [each for policy in policies for each in _with_clitics(plain[policy.language], policy)]
    entries += [Phrase((form,), verb.kind, verb.meaning) for form, verb, _ in carrying]
    return Lexicon(
        cutting=cutting,
        phrases=index_phrases(entries, KINDS),
        split_verbs=tuple(SplitVerb(words[0], words[2], way) for words, _, way in ways if words[1:2] == (SLOT,)),
        sets={name: single_words(policies, name, cutting) for name in _SETS},
        synonyms=dict(_synonyms(policies, cutting)),
        numbers={word: float(number) for policy in policies for word, number in policy.numbers.items()},
        hours={word: int(hours) for hours, word in _named(policies, "hours_")},
        states={word: state for state, word in _named(policies, "state_")},
        connection={word: answer == "yes" for answer, word in _named(policies, "connected_")},
        particles={words[1]: way for words, _, way in ways if words[0] == SLOT},
        verbs={entry.words[0]: entry.meaning for entry in entries if entry.kind == "actions" and len(entry.words) == 1},
        only_in=_only_in(plain, policies),
        pronoun_verbs=frozenset(form for form, verb, means in carrying if verb.kind == "actions" and means == "thing"),
    )  # fmt: skip


def _ways_of_asking(policy: Policy) -> Iterator[tuple[tuple[str, ...], str, str]]:
    """The words of each way, its kind, and what it means: an action, with the part that it carries."""
    for frame in policy.frames:
        kind, meaning = _kind_of(frame)
        yield from ((words, kind, meaning) for pattern in frame.patterns for words in spell_out(pattern))


def _kind_of(frame: Frame) -> tuple[str, str]:
    if frame.intent != COMMANDS:
        return READING_KINDS[frame.intent], READING_KINDS[frame.intent]
    return "gerunds" if frame.weak else "actions", " ".join(split_name(frame)).strip()


def read_way(frame: Frame, pattern: str) -> list[tuple[str, str, str]]:
    """What a way of asking is marked as and means, for each form of it that stands in one piece."""
    return [(*_kind_of(frame), " ".join(words)) for words in spell_out(pattern) if SLOT not in words]


def read_class(name: str) -> tuple[str, str] | None:
    """What the words of a class are marked as, and what they mean."""
    if name.startswith(HINT):
        kind = name.removeprefix(HINT)
        return (kind, kind) if kind in KINDS else None
    if name.startswith("ordinal_"):
        place = name.removeprefix("ordinal_")
        return "ordinals", "-1" if place == "last" else place
    kind, begin = next(((kind, begin) for kind, begin in CLASSES.items() if name.startswith(begin)), ("", ""))
    meaning = name.removeprefix(begin)
    return (kind, load_rules()["unit_signs"][meaning] if kind == "units" else meaning) if kind else None


def _phrases(policy: Policy, cutting: Cutting) -> Iterator[Phrase]:
    yield from hint_phrases(policy, KINDS, cutting)
    for words, kind, meaning in _ways_of_asking(policy):
        if SLOT not in words:
            yield Phrase(cutting.words(" ".join(words)), kind, meaning)
    for name, phrases in policy.words.items():
        found = None if name.startswith(HINT) else read_class(name)
        if found:
            yield from (Phrase(cutting.words(phrase), *found) for phrase in phrases)


def ordinal_class(place: int) -> str:
    """The class for a place in a list; the last one is -1."""
    return "ordinal_last" if place < 0 else f"ordinal_{place}"


def _named(policies: Iterable[Policy], begin: str) -> Iterator[tuple[str, str]]:
    """Phrases of the classes that begin so, each with the rest of the class's name."""
    for policy in policies:
        for name, phrases in policy.words.items():
            if name.startswith(begin):
                yield from ((name.removeprefix(begin), phrase) for phrase in phrases)


def _with_clitics(phrases: Iterable[Phrase], policy: Policy) -> Iterator[tuple[str, Phrase, str]]:
    """accendi: accendilo, accendimi; accendere: accenderlo; each with what its ending stands for."""
    for phrase in phrases:
        if phrase.kind not in ("actions", "reads") or len(phrase.words) > 1:
            continue
        word = phrase.words[0]
        ending = next((each for each in policy.stems if word.endswith(each)), "")
        stem = word.removesuffix(ending) + policy.stems[ending] if ending else ""
        for clitic, stands_for in policy.clitics.items() if stem else ():
            yield stem + clitic, phrase, stands_for


def _synonyms(policies: tuple[Policy, ...], cutting: Cutting) -> Iterator[tuple[_Name, tuple[_Name, ...]]]:
    for begin in ("kind_", "place_"):
        groups: dict[str, list[_Name]] = {}
        for name, phrase in _named(policies, begin):
            groups.setdefault(name, []).append(tuple(fold(word) for word in cutting.words(phrase)))
        for names in groups.values():
            for each in names:
                yield each, tuple(other for other in names if other != each)


def _only_in(plain: Mapping[Language, tuple[Phrase, ...]], policies: Iterable[Policy]) -> dict[str, Language]:
    """What a language has from one that it is like tells nothing."""
    like = {policy.language: plain.get(str(policy.source.get("like")), ()) for policy in policies}
    own = {
        language: {word for phrase in set(phrases) - set(like[language]) for word in phrase.words}
        for language, phrases in plain.items()
    }
    return {
        word: language
        for language, words in own.items()
        for word in words
        if not any(word in others for other, others in own.items() if other != language)
    }
