"""What words mean to the machines, loaded from the hint files of both languages into one table.

Both languages at once, because people mix them: an English sentence names "Frigo Cucina", an Italian one "defrost".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from engine.decision import Language
from engine.text.folding import fold
from engine.text.normalise import Utterance, normalise

_FOLDER = Path(__file__).parent.parent
_SPLIT = "…"
_ELISIONS = frozenset(("l", "dell", "all", "nell", "sull", "dall", "un", "d", "c", "com", "quant", "qual", "quell"))
_ENDINGS = ("mi", "lo", "la", "li", "le", "melo", "mela", "gli", "ci")
_SETS = (
    "fillers",
    "links",
    "joins",
    "articles",
    "relative",
    "towards",
    "later_before_number",
    "later_after_number",
    "hours_before",
    "because",
)
_LISTS = (
    "not_negations", "not_conditions", "corrections", "reads_if", "polite", "asks", "conditions", "negations", "later",
    "now", "lists", "reported", "states", "details", "data", "machines", "others", "all", "pronouns", "minus", "reads",
    "question_words",
)  # fmt: skip
"""Kinds whose phrases all mean the same. Where two kinds have the same phrase, the earlier one is tried first."""


class Phrase(NamedTuple):
    words: tuple[str, ...]
    kind: str
    meaning: str


class SplitVerb(NamedTuple):
    """A verb whose particle may stand apart from it: turn … on."""

    verb: str
    particle: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Lexicon:
    phrases: Mapping[str, tuple[Phrase, ...]]
    """By their first word, the longest first."""
    split_verbs: tuple[SplitVerb, ...]
    sets: Mapping[str, frozenset[str]]
    synonyms: Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]]
    """A kind of machine or a place by each of its names: all the others."""
    numbers: Mapping[str, float]
    hours: Mapping[str, int]
    connection: Mapping[str, bool]
    particles: Mapping[str, str]
    """After an object they are a verb: "light on"."""
    verbs: Mapping[str, str]
    """Verbs of one word with what they mean, for words that are almost one."""
    only_in: Mapping[str, Language]
    """Words that the hint files have in one language alone."""
    pronoun_verbs: frozenset[str] = field(default=frozenset())
    """Verb forms that carry their object: accendila."""


def read_words(text: str) -> Utterance:
    """As `normalise`, with Italian elisions split off and command names (turn_on_light) taken apart."""
    return normalise(text.replace("_", " "), elisions=_ELISIONS)


def _words(phrase: str) -> tuple[str, ...]:
    return tuple(token.norm for token in read_words(phrase).tokens)


@cache
def load_rules() -> dict[str, Any]:
    return yaml.safe_load((_FOLDER / "rules.yaml").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


@cache
def load_lexicon() -> Lexicon:
    files = [load_hints(language) for language in ("en", "it")]
    entries = [phrase for data in files for phrase in _phrases(data)]
    with_endings = dict(_with_endings(phrase for data in files[1:] for phrase in _phrases(data)))
    entries += [Phrase((form,), verb.kind, verb.meaning) for form, verb in with_endings.items()]
    phrases: defaultdict[str, dict[tuple[tuple[str, ...], str], Phrase]] = defaultdict(dict)
    for entry in entries:
        if entry.words and _SPLIT not in entry.words:
            phrases[entry.words[0]].setdefault((entry.words, entry.kind), entry)
    return Lexicon(
        phrases={
            first: tuple(sorted(found.values(), key=lambda phrase: (-len(phrase.words), _rank(phrase.kind))))
            for first, found in phrases.items()
        },
        split_verbs=tuple(_split_verbs(files[0])),
        sets={name: frozenset(_all_words(data.get(name, ()) for data in files)) for name in _SETS},
        synonyms=dict(_synonyms(files[0])),
        numbers={_words(word)[0]: float(number) for data in files for word, number in data["numbers"].items()},
        hours={word: int(hours) for data in files for hours, words in data["hours"].items() for word in words},
        particles=files[0]["particles"],
        connection={
            word: answer == "yes" for data in files for answer, words in data["connection"].items() for word in words
        },
        verbs={entry.words[0]: entry.meaning for entry in entries if entry.kind == "actions" and len(entry.words) == 1},
        only_in=_only_in(*files),
        pronoun_verbs=frozenset(
            form for form, verb in with_endings.items() if verb.kind == "actions" and not form.endswith(("mi", "ci"))
        ),
    )  # fmt: skip


def load_hints(language: str) -> dict[str, Any]:
    # Every word as it is written: a YAML loader with types would read "on", "off" and "no" as truth values.
    text = (_FOLDER / language / "hints.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))  # type: ignore[no-any-return]  # noqa: S506 - builds strings, lists and dicts only


def _only_in(english: Mapping[str, Any], italian: Mapping[str, Any]) -> dict[str, Language]:
    found: list[set[str]] = [
        {word for phrase in _phrases(data) for word in phrase.words} for data in (english, italian)
    ]
    both = found[0] & found[1]
    languages: tuple[Language, ...] = ("en", "it")
    return {word: language for language, words in zip(languages, found, strict=True) for word in words - both}


def _all_words(entries: Iterable[Iterable[str]]) -> Iterator[str]:
    # A word that is split off keeps its apostrophe in a message ("l'umidità"), but not alone.
    return (word for phrases in entries for phrase in phrases for word in (*_words(phrase), phrase))


def _phrases(data: Mapping[str, Any]) -> Iterator[Phrase]:
    for kind in _LISTS:
        for phrase in data.get(kind, ()):
            yield Phrase(_words(phrase), kind, kind)
    for kind in ("actions", "gerunds", "objects", "metrics", "units", "ordinals"):
        for meaning, phrases in data.get(kind, {}).items():
            for phrase in phrases:
                if _SPLIT not in phrase:
                    yield Phrase(_words(phrase), kind, meaning)
    for phrase, (action, of) in data.get("action_with_object", {}).items():
        yield Phrase(_words(phrase), "actions", f"{action} {of}")


def _with_endings(phrases: Iterable[Phrase]) -> Iterator[tuple[str, Phrase]]:
    """accendi: accendilo, accendimi; accendere: accenderlo."""
    for phrase in phrases:
        if phrase.kind not in ("actions", "reads") or len(phrase.words) > 1:
            continue
        word = phrase.words[0]
        stem = word[:-1] if word.endswith("re") else word if word.endswith(("i", "a")) else ""
        for ending in _ENDINGS if stem else ():
            yield stem + ending, phrase


def _split_verbs(data: Mapping[str, Any]) -> Iterator[SplitVerb]:
    for meaning, phrases in data["actions"].items():
        for phrase in phrases:
            if _SPLIT in phrase:
                verb, particle = (part.strip() for part in phrase.split(_SPLIT))
                yield SplitVerb(verb, particle, meaning)


def _synonyms(data: Mapping[str, Any]) -> Iterator[tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]]:
    for line in (*data["kinds"], *data["places"]):
        names = tuple(tuple(fold(word) for word in _words(name)) for name in line)
        for name in names:
            yield name, tuple(other for other in names if other != name)


def _rank(kind: str) -> int:
    order = (*_LISTS[:9], "units", "actions", "gerunds", "ordinals", "objects", "metrics", *_LISTS[9:])
    return order.index(kind) if kind in order else len(order)
