"""The sections of a policy, from plain data to values. Every mistake is reported with its path, and reading goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import lru_cache
from typing import Any, get_args

from engine.catalogue.facts import Catalogue
from engine.decision import Act, Reason, Thresholds
from engine.policy.amounts import Amounts
from engine.policy.limits import find_excess
from engine.policy.origin import Trail
from engine.policy.patterns import Node, PatternError, compile_pattern
from engine.policy.values import Frame, Guard, Way

Report = Callable[[str, Trail], None]
"""What is wrong, and where in the plain data."""

SECTIONS = frozenset(
    {
        "language", "like", "name", "order", "thresholds", "amounts", "tag_order", "spellings", "elisions", "words",
        "frames",
        "guards", "acts", "replies", "numbers", "word_stems", "endings", "slot_needs", "small_words", "small_letters",
        "clitics", "stems", "sayings",
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
        found[name] = tuple(_spaced(entry, elisions) for entry in entries if isinstance(entry, str) and entry.strip())
    return found


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
        elif not _is_number(value) or not 0 <= value <= 1:
            report(f"the threshold {name!r} must lie between 0 and 1", ("thresholds", name))
        else:
            good[name] = value
    return Thresholds(**good)


def read_amounts(data: Mapping[str, Any], report: Report) -> Amounts:
    good = dict.fromkeys(Amounts._fields, 0.0)
    for name in good:
        if name not in data:
            report(f"the amount {name!r} is missing", ("amounts",))
    for name, value in data.items():
        if name not in good:
            report(f"unknown amount {show(name)}", ("amounts", name))
        elif not _is_number(value) or not 0 <= value <= 100:
            report(f"the amount {name!r} must lie between 0 and 100", ("amounts", name))
        else:
            good[name] = value
    return Amounts(**good)


def _is_number(value: object) -> bool:
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


_FRAME_KEYS = frozenset({"intent", "patterns", "weak", "clear", "unless", "sets", "within"})
_WAY_KEYS = frozenset({"act", "intent", "patterns", "follows", "needs", "sets", "asks", "worth", "asked"})
_NEEDS = frozenset({"chore", "did", "supply", "target", "date", "level", "filter", "nothing"})
_EFFECTS = frozenset({"add", "change", "finish", "remove", "read", "question"})
_GUARD_KEYS = frozenset({"reason", "patterns", "frames", "asked"})


def read_frames(data: Mapping[str, Any], catalogue: Catalogue, report: Report) -> tuple[Frame, ...]:
    known: dict[str, str] = {}
    frames = (_read_frame(str(name), entry, catalogue, known, report) for name, entry in data.items())
    return tuple(frame for frame in frames if frame)


def _read_frame(name: str, entry: Any, catalogue: Catalogue, known: dict[str, str], report: Report) -> Frame | None:
    if not _is_entry(entry, _FRAME_KEYS, ("frames", name), report):
        return None
    if entry.get("intent") not in catalogue.intents:
        report(f"unknown intent {show(entry.get('intent'))}", ("frames", name))
        return None
    sets = entry.get("sets") or {}
    if not isinstance(sets, dict) or not all(isinstance(each, str) for pair in sets.items() for each in pair):
        report("'sets' must be a mapping of arguments to words", ("frames", name, "sets"))
        sets = {}
    _check_flags(entry, ("weak", "clear"), ("frames", name), report)
    return Frame(
        id=name,
        intent=entry["intent"],
        patterns=_read_patterns(entry, ("frames", name), known, report),
        weak=bool(entry.get("weak")),
        clear=bool(entry.get("clear")),
        unless=str(entry.get("unless") or ""),
        sets=sets,
        within=str(entry.get("within") or ""),
    )


def read_guards(data: list[Any], report: Report) -> tuple[Guard, ...]:
    guards: list[Guard] = []
    for place, entry in enumerate(data):
        path: Trail = ("guards", place)
        if not _is_entry(entry, _GUARD_KEYS, path, report):
            continue
        if entry.get("reason") not in list(Reason):
            report(f"unknown reason {show(entry.get('reason'))}", path)
            continue
        _check_flags(entry, ("asked",), path, report)
        patterns = _read_patterns(entry, path, {}, report)
        frames = entry.get("frames") or []
        if not isinstance(frames, list):
            report("'frames' must be a list of beginnings", (*path, "frames"))
            frames = []
        begins = read_names(frames, (*path, "frames"), report)
        guards.append(Guard(Reason(entry["reason"]), patterns, begins, bool(entry.get("asked"))))
    return tuple(guards)


def read_ways(data: Mapping[str, Any], catalogue: Catalogue, report: Report) -> tuple[Way, ...]:
    ways = (_read_way(str(name), entry, catalogue, report) for name, entry in data.items())
    return tuple(way for way in ways if way)


def _read_way(name: str, entry: Any, catalogue: Catalogue, report: Report) -> Way | None:
    path: Trail = ("acts", name)
    if not _is_entry(entry, _WAY_KEYS, path, report):
        return None
    if entry.get("act") not in get_args(Act):
        report(f"unknown act {show(entry.get('act'))}", path)
        return None
    intent = entry.get("intent") or ""
    if intent and intent not in catalogue.intents:
        report(f"unknown intent {show(intent)}", path)
        return None
    lists: dict[str, tuple[str, ...]] = {}
    for key, known in (("follows", _EFFECTS), ("needs", _NEEDS)):
        given = entry.get(key) or []
        lists[key] = read_names(given if isinstance(given, list) else [given], (*path, key), report)
        for each in sorted(set(lists[key]) - known):
            report(f"{show(each)} is none of: {', '.join(sorted(known))}", (*path, key))
    worth = entry.get("worth", 2.5)
    if not _is_number(worth):
        report("'worth' must be a number", (*path, "worth"))
        worth = 0.0
    _check_flags(entry, ("asked",), path, report)
    return Way(
        id=name,
        act=entry["act"],
        patterns=_read_patterns(entry, path, {}, report),
        intent=intent,
        sets=entry.get("sets") or {},
        asks=str(entry.get("asks") or ""),
        worth=float(worth),
        asked=entry.get("asked"),
        **lists,
    )


def _is_entry(entry: Any, keys: frozenset[str], path: Trail, report: Report) -> bool:
    if not isinstance(entry, dict):
        report("must be a mapping", path)
        return False
    for key in entry:
        if key not in keys:
            report(f"{show(key)} is not known here", (*path, key))
    return True


def _check_flags(entry: Mapping[str, Any], names: tuple[str, ...], path: Trail, report: Report) -> None:
    for name in names:
        if not isinstance(entry.get(name, False), bool):
            report(f"{name!r} must be true or false", (*path, name))


def _read_patterns(entry: Mapping[str, Any], path: Trail, known: dict[str, str], report: Report) -> tuple[str, ...]:
    patterns = entry.get("patterns") or []
    if not isinstance(patterns, list) or not patterns:
        report("patterns are missing", path)
        return ()
    good: list[str] = []
    for place, pattern in enumerate(patterns):
        where: Trail = (*path, "patterns", place)
        problem = find_pattern_problem(pattern)
        if problem:
            report(problem, where)
        elif pattern in good or known.get(pattern) == entry.get("intent", ""):
            report(f"the pattern {show(pattern)} stands there twice", where)
        else:
            known[pattern] = entry.get("intent", "")
            good.append(pattern)
    return tuple(good)


def find_pattern_problem(pattern: object) -> str | None:
    return _find_problem_in(pattern) if isinstance(pattern, str) else f"{show(pattern)} is no pattern"


@lru_cache(maxsize=8192)
def _find_problem_in(pattern: str) -> str | None:
    """Kept: a draft has nearly all patterns of the policy that it was made from."""
    try:
        return find_excess(pattern) or find_excess(pattern, compile_pattern(pattern))
    except PatternError as error:
        return str(error)


@lru_cache(maxsize=4096)
def classes_named(pattern: str) -> frozenset[str]:
    """The classes that a pattern names."""
    return frozenset(_classes_in(compile_pattern(pattern)))


def _classes_in(nodes: tuple[Node, ...]) -> set[str]:
    inner = {name for node in nodes for option in node.options for name in _classes_in(option)}
    return inner | {node.value for node in nodes if node.kind == "class"}


def check_sayings(data: Mapping[str, Any], catalogue: Catalogue, report: Report) -> None:
    """Intent -> how people ask for it, for the guidance: a list of texts."""
    for intent, sentences in data.items():
        if intent not in catalogue.intents:
            report(f"no intent is called {show(intent)}", ("sayings", intent))
        elif not isinstance(sentences, list) or not all(isinstance(each, str) and each.strip() for each in sentences):
            report(f"the sayings of {show(intent)} must be a list of texts", ("sayings", intent))
