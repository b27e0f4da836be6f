"""Ways of asking, guards and ways of talking: all that has patterns, from plain data to values. Every mistake is
reported with its path, and reading goes on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_args

from engine.catalogue.facts import Catalogue
from engine.decision import Act, Reason
from engine.policy.limits import find_excess
from engine.policy.origin import Trail
from engine.policy.patterns import Node, PatternError, compile_pattern
from engine.policy.sections import Report, is_number, read_names, show
from engine.policy.values import Frame, Guard, Way

_FRAME_KEYS = frozenset({"intent", "patterns", "weak", "clear", "unless", "sets", "within"})
_WAY_KEYS = frozenset({"act", "intent", "patterns", "follows", "needs", "sets", "asks", "worth", "asked"})
_NEEDS = frozenset(
    {"chore", "did", "own_past", "supply", "target", "date", "dated", "new", "level", "filter", "nothing"}
)
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
    if not is_number(worth):
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
    return frozenset(_named_in(compile_pattern(pattern), "class"))


@lru_cache(maxsize=4096)
def slots_named(pattern: str) -> frozenset[str]:
    return frozenset(_named_in(compile_pattern(pattern), "slot"))


def _named_in(nodes: tuple[Node, ...], kind: str) -> set[str]:
    inner = {name for node in nodes for option in node.options for name in _named_in(option, kind)}
    return inner | {node.value for node in nodes if node.kind == kind}
