"""The sections of a policy, from plain data to values. Every mistake is reported with its path, and reading goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any

from engine.catalogue.facts import Catalogue
from engine.decision import Thresholds
from engine.policy.amounts import Amounts
from engine.policy.origin import Trail

Report = Callable[[str, Trail], None]
"""What is wrong, and where in the plain data."""

SECTIONS = frozenset(
    {
        "language", "like", "name", "order", "thresholds", "amounts", "tag_order", "spellings", "elisions", "words",
        "frames",
        "guards", "acts", "replies", "numbers", "word_stems", "endings", "past_endings", "inner_endings", "doubled",
        "going_endings", "slot_needs", "small_words",
        "small_letters", "abbreviations", "clitics", "stems", "sayings",
    }
)  # fmt: skip
_MOST_PROBLEM_WORDS = 60


def show(value: object) -> str:
    """A value in a sentence, cut short: what is wrong may be very long, too."""
    shown = repr(value)
    return shown if len(shown) <= _MOST_PROBLEM_WORDS else shown[: _MOST_PROBLEM_WORDS - 1] + "…"


def take(data: Mapping[str, Any], name: str, form: type, report: Report) -> Any:
    """A section that must be a mapping or a list; an empty one where it is missing or something else."""
    value = data.get(name)
    if value is None:
        return form()
    if not isinstance(value, form):
        report(f"{name!r} must be a {'list' if form is list else 'mapping'}", (name,))
        return form()
    return value


def read_words(data: Mapping[str, Any], elisions: frozenset[str], report: Report) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, entries in data.items():
        if not isinstance(entries, list):
            report(f"the class {show(name)} must be a list of words", ("words", name))
            continue
        found[name] = _sound_class(tuple(entries), elisions) if set(map(type, entries)) == {str} else ()
        if not found[name]:
            found[name] = _read_class(name, entries, elisions, report)
    return found


@lru_cache(maxsize=4_096)
def _sound_class(entries: tuple[str, ...], elisions: frozenset[str]) -> tuple[str, ...]:
    """The words of a class with which nothing is wrong; none where something is. Kept: a draft has nearly all classes
    of the policy that it was made from, and thousands of words."""
    sound = len(set(entries)) == len(entries) and all(map(str.strip, entries))
    return tuple(_spaced(entry, elisions) for entry in entries) if sound else ()


def _read_class(name: str, entries: list[Any], elisions: frozenset[str], report: Report) -> tuple[str, ...]:
    """Word by word: what is wrong is reported for each."""
    seen: set[str] = set()
    for place, entry in enumerate(entries):
        if not isinstance(entry, str) or not entry.strip():
            problem = f"{show(entry)} is no word; quote it if it looks like a number or yes/no"
            report(problem, ("words", name, place))
        elif entry in seen:
            report(f"{show(entry)} stands twice in the class {name!r}", ("words", name, place))
        else:
            seen.add(entry)
    if not entries:
        report(f"the class {name!r} has no words", ("words", name))
    return tuple(_spaced(entry, elisions) for entry in entries if isinstance(entry, str) and entry.strip())


def _spaced(phrase: str, elisions: frozenset[str]) -> str:
    """ "l'attività" and "to-do" as the two words that a message is cut into."""
    if "'" not in phrase and "-" not in phrase:
        return " ".join(phrase.split())
    cut = (word.partition("'") for word in phrase.replace("-", " ").split())
    return " ".join(f"{head}' {tail}" if tail and head in elisions else head + mark + tail for head, mark, tail in cut)


def read_thresholds(data: Mapping[str, Any], report: Report) -> Thresholds:
    known = {each.name for each in fields(Thresholds)}
    good: dict[str, float] = {}
    for name, value in data.items():
        if name not in known:
            report(f"unknown threshold {show(name)}", ("thresholds", name))
        elif not is_number(value) or not 0 <= value <= 1:
            report(f"the threshold {name!r} must lie between 0 and 1", ("thresholds", name))
        else:
            good[name] = value
    return Thresholds(**good)


def read_amounts(data: Mapping[str, Any], report: Report) -> Amounts:
    good = {**dict.fromkeys(Amounts._fields, 0.0), **Amounts._field_defaults}
    for name in good:
        if name not in data and name not in Amounts._field_defaults:
            report(f"the amount {name!r} is missing", ("amounts",))
    for name, value in data.items():
        if name not in good:
            report(f"unknown amount {show(name)}", ("amounts", name))
        elif not is_number(value) or not 0 <= value <= 100:
            report(f"the amount {name!r} must lie between 0 and 100", ("amounts", name))
        else:
            good[name] = value
    return Amounts(**good)


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def read_texts(data: Mapping[str, Any], section: str, report: Report) -> dict[str, str]:
    """A mapping from words to words."""
    for name, value in data.items():
        if not isinstance(name, str) or not isinstance(value, str):
            report(f"{show(name)} and what stands for it must be words", (section, name))
    return {name: value for name, value in data.items() if isinstance(name, str) and isinstance(value, str)}


def read_numbers(data: Mapping[str, Any], report: Report) -> dict[str, int]:
    for name, value in data.items():
        if not isinstance(name, str) or not isinstance(value, int) or isinstance(value, bool):
            report(f"{show(name)} must stand for a whole number", ("numbers", name))
    return {name: value for name, value in data.items() if isinstance(name, str) and isinstance(value, int)}


def read_names(data: list[Any], section: Trail, report: Report) -> tuple[str, ...]:
    for place, name in enumerate(data):
        if not isinstance(name, str):
            report(f"{show(name)} is no name", (*section, place))
        elif name in data[:place]:
            report(f"{show(name)} stands here twice", (*section, place))
    return tuple(name for name in data if isinstance(name, str))


def read_slot_needs(data: Mapping[str, Any], report: Report) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for name, classes in data.items():
        if isinstance(classes, list):
            found[name] = frozenset(read_names(classes, ("slot_needs", name), report))
        else:
            report(f"{show(name)} needs a list of classes", ("slot_needs", name))
    return found


def check_sayings(data: Mapping[str, Any], catalogue: Catalogue, report: Report) -> None:
    """Intent -> how people ask for it, for the guidance: a list of texts."""
    for intent, sentences in data.items():
        if intent not in catalogue.intents:
            report(f"no intent is called {show(intent)}", ("sayings", intent))
        elif not isinstance(sentences, list) or not all(isinstance(each, str) and each.strip() for each in sentences):
            report(f"the sayings of {show(intent)} must be a list of texts", ("sayings", intent))
