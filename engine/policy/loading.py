"""A policy: words, frames, guards, thresholds and replies of one language, read from its folder or a file over it.

Loading finds everything that is wrong and names the file and line of each. Lines are looked for only then, so a sound
policy loads quickly.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from zlib import crc32

import yaml

from engine.catalogue.facts import Catalogue
from engine.dates.words import find_date_problem
from engine.policy import rules, sections
from engine.policy.checking import check_policy, check_talk
from engine.policy.origin import OverlayOrigin, Place, PolicyOrigin, Problem, Trail, read_folder
from engine.policy.sections import SECTIONS, Report, show, take
from engine.policy.talk_weights import TalkWeights, read_talk_weights
from engine.policy.unlearned import make_unlearned_weights, weigh_new_intents
from engine.policy.values import Frame, Guard, Policy
from engine.policy.weights import Weights, find_weight_problems, read_weights, weigh_new_frames
from engine.policy.yaml_text import read_yaml

__all__ = [
    "Frame",
    "Guard",
    "Policy",
    "PolicyError",
    "compare",
    "load_policy_file",
    "load_policy_folder",
    "read_overlay",
    "serialise",
]

_Made = TypeVar("_Made")
_MOST_TOLD = 20
_WHOLE = "whole"


class PolicyError(ValueError):
    """Mistakes in a policy, each with its file and line."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        told = [str(problem) for problem in problems[:_MOST_TOLD]]
        if len(problems) > _MOST_TOLD:
            told.append(f"and {len(problems) - _MOST_TOLD} more")
        super().__init__("\n".join(told))
        self.problems = problems


def load_policy_folder(
    folder: Path, catalogue: Catalogue, bases: Sequence[Path] = (), texts: Mapping[str, str] | None = None
) -> Policy:
    """The policy of a language folder, over what other folders (`bases`) say for it; PolicyError says everything
    that is wrong with it. With `texts`, the folder is read as if these were its files."""
    read = read_folder(folder, catalogue.intents, bases, texts)
    if read.problems:
        raise PolicyError(read.problems)
    found = _Problems()
    try:
        intents = catalogue.intents
        weights = _once(read.weights, lambda: read_weights(read.weights, intents), intents) if read.weights else None
    except (KeyError, TypeError, ValueError, AttributeError):
        weights = Weights()
        for problem in find_weight_problems(read.weights, catalogue.intents):
            found(problem, ("weights",))
    date_problem = find_date_problem(read.dates)
    if date_problem:
        found(date_problem, ("dates",))
    try:
        talk = _once(read.talk, lambda: read_talk_weights(read.talk or {}))
    except (KeyError, TypeError, ValueError, AttributeError):
        talk = TalkWeights()
        found("talk.json must have moves, bias and weights, with a number for each move", ("talk",))
    if texts is None and talk.moves and read.data["acts"]:  # a version of before may be older than one of the classes
        check_talk(read.data["words"], talk.weights, found)
    policy = _make_policy(read.data, catalogue, weights, read.dates, read.digest, read.origin, found, read.inherited)
    return replace(policy, talk=talk, real_words=read.real_words)


_made: OrderedDict[tuple[int, tuple[str, ...]], tuple[Any, Any]] = OrderedDict()
_KEPT = 8


def _once(data: Any, make: Callable[[], _Made], intents: tuple[str, ...] = ()) -> _Made:
    """What is made of a large table, once for the same table and the same intents: drafts of a policy share it."""
    key = id(data), intents
    found = _made.get(key)
    if found is None or found[0] is not data:  # the table is kept beside it, so that no other gets its identity
        found = _made[key] = (data, make())
        while len(_made) > _KEPT:
            _made.popitem(last=False)
    made: _Made = found[1]
    return made


def read_overlay(text: str, name: str, bases: Mapping[str, Policy]) -> Policy:
    """A policy from one file whose sections stand over those of the bundled policy of its language.

    `language` says which; without it the first is meant. In a section that is a mapping the file's entries replace or
    add to those below, and null takes one away; a list replaces the list. With `whole: true` nothing shows through
    but the learned weights and the words of dates: that is what `serialise` writes.
    """
    data, faults = read_yaml(text)
    if faults:
        raise PolicyError(tuple(Problem(Place(name, line), problem) for line, problem in faults))
    if not isinstance(data, dict):
        raise PolicyError((Problem(Place(name, 1), "a policy is a mapping of sections"),))
    found, whole = _Problems(), bool(data.pop(_WHOLE, False))
    language = data.get("language", next(iter(bases)))
    base = bases.get(language) if isinstance(language, str) else None
    if base is None:
        found(f"language must be one of: {', '.join(bases)}", ("language",))
        found.raise_any(OverlayOrigin(name, text))
    assert base is not None  # noqa: S101 - for the type checker: raise_any has raised
    merged = dict(data) if whole else _merge(base.source, data)
    merged["language"] = base.language
    digest = f"{crc32(text.encode(), int(base.digest, 16)):08x}"
    origin = OverlayOrigin(name, text, None if whole else base.origin)
    policy = _make_policy(merged, base.catalogue, base.weights, base.dates, digest, origin, found, base.inherited)
    return replace(policy, talk=base.talk, real_words=base.real_words)


def load_policy_file(path: Path, bases: Mapping[str, Policy]) -> Policy:
    """What `--policy` takes: a language folder, or one file over the bundled folder of its language."""
    if path.is_dir():
        first = next(iter(bases.values()))
        like = bases.get(path.name)
        return load_policy_folder(path, first.catalogue, like.bases if like else ())
    try:
        return read_overlay(path.read_text(encoding="utf-8-sig"), path.name, bases)
    except UnicodeDecodeError:
        raise PolicyError((Problem(Place(path.name, 1), "is no text in UTF-8"),)) from None


class _Problems:
    """Collects what is wrong, as a Report."""

    def __init__(self) -> None:
        self.all: list[tuple[str, Trail]] = []

    def __call__(self, problem: str, path: Trail) -> None:
        self.all.append((problem, path))

    def raise_any(self, origin: PolicyOrigin) -> None:
        if self.all:
            raise PolicyError(tuple(Problem(origin.locate(path), problem) for problem, path in self.all))


def _make_policy(
    data: Mapping[str, Any],
    catalogue: Catalogue,
    weights: Weights | None,
    dates: Mapping[str, Any],
    digest: str,
    origin: PolicyOrigin,
    found: _Problems,
    inherited: frozenset[str] = frozenset(),
) -> Policy:
    for section in data:
        if section not in SECTIONS:
            found(f"unknown section {show(section)}", (section,))
    for section in ("words", "frames", "replies"):
        if not data.get(section):
            found(f"the section {section!r} is missing", (section,))
    policy = replace(_read_policy(data, catalogue, weights, dates, digest, origin, found), inherited=inherited)
    check_policy(policy, found, sound=not found.all)
    found.raise_any(origin)
    return policy


def _read_policy(
    data: Mapping[str, Any],
    catalogue: Catalogue,
    weights: Weights | None,
    dates: Mapping[str, Any],
    digest: str,
    origin: PolicyOrigin,
    report: Report,
) -> Policy:
    language = str(data["language"])
    elisions = frozenset(sections.read_names(take(data, "elisions", list, report), ("elisions",), report))
    frames = rules.read_frames(take(data, "frames", dict, report), catalogue, report)
    sections.check_sayings(take(data, "sayings", dict, report), catalogue, report)
    for name in ("name", "small_words", "small_letters"):
        if not isinstance(data.get(name, ""), str):
            report(f"{name!r} must be text", (name,))
    return Policy(
        version=f"{language}-{digest}",
        language=language,
        catalogue=catalogue,
        digest=digest,
        name=str(data.get("name") or language),
        source=data,
        thresholds=sections.read_thresholds(take(data, "thresholds", dict, report), report),
        amounts=sections.read_amounts(take(data, "amounts", dict, report), report),
        tag_order=sections.read_names(take(data, "tag_order", list, report), ("tag_order",), report),
        spellings=sections.read_texts(take(data, "spellings", dict, report), "spellings", report),
        elisions=elisions,
        words=sections.read_words(take(data, "words", dict, report), elisions, report),
        frames=frames,
        guards=rules.read_guards(take(data, "guards", list, report), report),
        ways=rules.read_ways(take(data, "acts", dict, report), catalogue, report),
        word_stems=sections.read_texts(take(data, "word_stems", dict, report), "word_stems", report),
        endings=sections.read_names(take(data, "endings", list, report), ("endings",), report),
        abbreviations=frozenset(
            sections.read_names(take(data, "abbreviations", list, report), ("abbreviations",), report)
        ),
        inner_endings=sections.read_names(take(data, "inner_endings", list, report), ("inner_endings",), report),
        doubled=frozenset(sections.read_names(take(data, "doubled", list, report), ("doubled",), report)),
        past_endings=sections.read_names(take(data, "past_endings", list, report), ("past_endings",), report),
        going_endings=sections.read_names(take(data, "going_endings", list, report), ("going_endings",), report),
        replies=sections.read_texts(take(data, "replies", dict, report), "replies", report),
        numbers=sections.read_numbers(take(data, "numbers", dict, report), report),
        clitics=sections.read_texts(take(data, "clitics", dict, report), "clitics", report),
        stems=sections.read_texts(take(data, "stems", dict, report), "stems", report),
        slot_needs=sections.read_slot_needs(take(data, "slot_needs", dict, report), report),
        weights=weigh_new_intents(weigh_new_frames(weights, frames), catalogue, frames)
        if weights
        else make_unlearned_weights(catalogue, frames),
        dates=dates,
        origin=origin,
    )


def _merge(below: Mapping[str, Any], above: Mapping[Any, Any]) -> dict[str, Any]:
    """The sections of one file over those of another policy."""
    merged = dict(below)
    for section, value in above.items():
        under = merged.get(section)
        if isinstance(value, dict) and isinstance(under, dict):
            merged[section] = {key: each for key, each in {**under, **value}.items() if each is not None}
        elif value is None:
            merged.pop(section, None)
        else:
            merged[section] = value
    return merged


def serialise(policy: Policy) -> str:
    """One file that reads back as the same policy, whatever stands in the bundled folder by then."""
    return yaml.safe_dump({**policy.source, _WHOLE: True}, allow_unicode=True, sort_keys=False, width=120)


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
