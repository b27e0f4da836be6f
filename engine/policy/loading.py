"""A policy: words, frames, guards, thresholds and replies of one language, read from a file.

Loading validates and names the line of a mistake. The fast path reads plain data; only when something
is wrong is the file read again with its line marks.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, cast

import yaml

from engine.catalogue.mapping import INTENTS
from engine.catalogue.tools import CATALOGUE
from engine.decision import Language, Reason, Thresholds
from engine.policy.patterns import Node, PatternError, compile_pattern
from engine.policy.values import Frame, Guard, Policy
from engine.policy.weights import Weights, read_weights, weigh_new_frames

__all__ = [
    "Frame",
    "Guard",
    "Policy",
    "PolicyError",
    "compare",
    "load_policy",
    "load_policy_file",
    "serialise",
]

POLICY_FOLDER = Path(__file__).parent.parent / "policies"
_QUICK_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SECTIONS = frozenset(
    {
        "version",
        "language",
        "weights",
        "thresholds",
        "spellings",
        "elisions",
        "words",
        "frames",
        "guards",
        "replies",
        "numbers",
        "slot_needs",
    }
)


class PolicyError(ValueError):
    """A mistake in a policy file, with its line."""


class _Loader(_QUICK_LOADER):  # type: ignore[misc]
    """Safe, quick, and without YAML's old surprise that no, on and off are booleans: here they are words."""

    yaml_implicit_resolvers = {  # noqa: RUF012 - PyYAML's own layout
        first: [(tag, pattern) for tag, pattern in resolvers if first in "tTfF" or not tag.endswith(":bool")]
        for first, resolvers in _QUICK_LOADER.yaml_implicit_resolvers.items()
    }


@cache
def load_policy(language: Language) -> Policy:
    """The policy that Twolane brings along for a language."""
    return load_policy_file(POLICY_FOLDER / f"{language}.yaml")


def load_policy_file(path: Path) -> Policy:
    text = path.read_text(encoding="utf-8")
    return read_policy(text, path.name, path.parent)


def read_policy(text: str, name: str = "policy", folder: Path = POLICY_FOLDER) -> Policy:
    """A policy from its text; PolicyError says what is wrong and in which line."""
    try:
        data = yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader, the quick one where there is one
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise PolicyError(f"{name}, line {line}: {error.problem}") from None
    try:
        return _make_policy(data, folder)
    except _Misfit as misfit:
        raise PolicyError(f"{name}, line {find_line(text, misfit.path)}: {misfit.problem}") from None


class _Misfit(Exception):  # noqa: N818 - never leaves this module
    def __init__(self, problem: str, *path: str | int) -> None:
        super().__init__(problem)
        self.problem, self.path = problem, path


def _make_policy(data: object, folder: Path) -> Policy:
    if not isinstance(data, dict):
        raise _Misfit("a policy is a mapping of sections")
    for section in data:
        if section not in _SECTIONS:
            raise _Misfit(f"unknown section {section!r}", section)
    for section in ("version", "language", "words", "frames"):
        if section not in data:
            raise _Misfit(f"the section {section!r} is missing")
    if data["language"] not in ("en", "it"):
        raise _Misfit("language must be en or it", "language")
    elisions = frozenset(data.get("elisions") or ())
    words = _read_words(data["words"], elisions)
    frames = tuple(_read_frame(name, entry, words) for name, entry in data["frames"].items())
    weights = _load_weights(data.get("weights"), folder)
    return Policy(
        version=str(data["version"]),
        language=cast("Language", data["language"]),
        catalogue=CATALOGUE,
        source=data,
        thresholds=_read_thresholds(data.get("thresholds") or {}),
        spellings=dict(data.get("spellings") or {}),
        elisions=elisions,
        words=words,
        frames=frames,
        guards=tuple(_read_guard(place, entry, words) for place, entry in enumerate(data.get("guards") or ())),
        replies=dict(data.get("replies") or {}),
        numbers=dict(data.get("numbers") or {}),
        slot_needs={name: frozenset(classes) for name, classes in (data.get("slot_needs") or {}).items()},
        weights=weigh_new_frames(weights, frames),
    )


def _load_weights(name: object, folder: Path) -> Weights:
    """A policy may come from anywhere: it names a table beside it, and reaches no other file."""
    if not name:
        return Weights()
    if not isinstance(name, str) or Path(name).name != name or not (folder / name).is_file():
        raise _Misfit(f"there is no table of weights called {name!r}", "weights")
    return read_weights(folder / name)


def _read_words(data: dict[str, Any], elisions: frozenset[str]) -> dict[str, tuple[str, ...]]:
    for name, entries in data.items():
        if not isinstance(entries, list):
            raise _Misfit(f"the class {name!r} must be a list of words", "words", name)
        for place, entry in enumerate(entries):
            if not isinstance(entry, str) or not entry.strip():
                raise _Misfit(
                    f"{entry!r} is no word; quote it if it looks like a number or yes/no", "words", name, place
                )
    return {name: tuple(_spaced(entry, elisions) for entry in entries) for name, entries in data.items()}


def _spaced(phrase: str, elisions: frozenset[str]) -> str:
    """ "l'attività" and "to-do" as the two words that a message is cut into."""
    cut = (word.partition("'") for word in phrase.replace("-", " ").split())
    return " ".join(f"{head}' {tail}" if tail and head in elisions else head + mark + tail for head, mark, tail in cut)


def _read_thresholds(data: dict[str, Any]) -> Thresholds:
    known = {each.name for each in fields(Thresholds)}
    for name, value in data.items():
        if name not in known:
            raise _Misfit(f"unknown threshold {name!r}", "thresholds", name)
        if not isinstance(value, int | float) or not 0 <= value <= 1:
            raise _Misfit(f"the threshold {name!r} must lie between 0 and 1", "thresholds", name)
    return Thresholds(**data)


def _read_frame(name: str, entry: dict[str, Any], words: Mapping[str, Any]) -> Frame:
    if entry.get("intent") not in INTENTS:
        raise _Misfit(f"unknown intent {entry.get('intent')!r}", "frames", name)
    patterns = _read_patterns(entry, words, "frames", name)
    if entry.get("unless") and entry["unless"] not in words:
        raise _Misfit(f"no class is called {entry['unless']!r}", "frames", name, "unless")
    return Frame(
        id=name,
        intent=entry["intent"],
        patterns=patterns,
        weak=bool(entry.get("weak")),
        clear=bool(entry.get("clear")),
        unless=entry.get("unless") or "",
        sets=entry.get("sets") or {},
        within=entry.get("within") or "",
    )


def _read_guard(place: int, entry: dict[str, Any], words: Mapping[str, Any]) -> Guard:
    if entry.get("reason") not in list(Reason):
        raise _Misfit(f"unknown reason {entry.get('reason')!r}", "guards", place)
    patterns = _read_patterns(entry, words, "guards", place)
    return Guard(Reason(entry["reason"]), patterns, tuple(entry.get("frames") or ()), bool(entry.get("asked")))


def _read_patterns(entry: dict[str, Any], words: Mapping[str, Any], *path: str | int) -> tuple[str, ...]:
    for place, pattern in enumerate(entry.get("patterns") or ()):
        try:
            nodes = compile_pattern(pattern)
        except PatternError as error:
            raise _Misfit(str(error), *path, "patterns", place) from None
        for name in _classes_named(nodes):
            if name not in words:
                raise _Misfit(f"no class is called {name!r}", *path, "patterns", place)
    if not entry.get("patterns"):
        raise _Misfit("patterns are missing", *path)
    return tuple(entry["patterns"])


def _classes_named(nodes: tuple[Node, ...]) -> set[str]:
    inner = {name for node in nodes for option in node.options for name in _classes_named(option)}
    return inner | {node.value for node in nodes if node.kind == "class"}


def find_line(text: str, path: tuple[str | int, ...]) -> int:
    """The line of the entry at `path`, or of the closest one above it that exists."""
    node, line = yaml.compose(text, Loader=_Loader), 1
    for step in path:
        found = None
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == str(step)), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int):
            found = (node.value[step], node.value[step])
        if found is None:
            break
        line, node = found[0].start_mark.line + 1, found[1]
    return line


def serialise(policy: Policy) -> str:
    return yaml.safe_dump(dict(policy.source), allow_unicode=True, sort_keys=False, width=120)


def compare(before: Policy, after: Policy) -> tuple[str, ...]:
    """What differs, as dotted paths with both values, for people."""
    return tuple(_differences(before.source, after.source, ""))


def _differences(before: object, after: object, path: str) -> list[str]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        keys = dict.fromkeys((*before, *after))
        return [
            line for key in keys for line in _differences(before.get(key), after.get(key), f"{path}.{key}".lstrip("."))
        ]
    if isinstance(before, list) and isinstance(after, list) and before != after:
        gone = [f"{path}: - {entry}" for entry in before if entry not in after]
        new = [f"{path}: + {entry}" for entry in after if entry not in before]
        return gone + new or [f"{path}: order changed"]
    return [] if before == after else [f"{path}: {json.dumps(before, default=str)} -> {json.dumps(after, default=str)}"]
