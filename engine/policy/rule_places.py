"""Where a rule stands: the line of the policy, or of its table of weights, that somebody would edit to change it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import yaml

from engine.decision import Language
from engine.policy.loading import POLICY_FOLDER

_ENTRY = re.compile(r'^"((?:[^"\\]|\\.)*)":')
_FIRST_ENTRY = re.compile(r'"evidence":\s*\{("(?:[^"\\]|\\.)*"):')


class RulePlace(NamedTuple):
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file} line {self.line}"


def find_rule_place(rule: str, language: Language) -> RulePlace | None:
    """A frame or a guard stands in the policy; everything else that is observed stands in the table of weights."""
    kind, _, name = rule.partition(":")
    if kind in ("frame", "lead"):
        return _policy_places(language).get(f"frames.{name}")
    if kind == "guard":
        return _policy_places(language).get(f"guards.{name}")
    if kind == "threshold":
        return _policy_places(language).get(f"thresholds.{name}")
    return _weight_places(language).get(rule)


def find_weight_place(rule: str, language: Language) -> RulePlace | None:
    """The line with the weights of an observation, also of a frame. None for a frame added since they were learned."""
    return _weight_places(language).get(rule)


@cache
def _policy_places(language: Language) -> Mapping[str, RulePlace]:
    file = f"{language}.yaml"
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    root = yaml.compose((POLICY_FOLDER / file).read_text(encoding="utf-8"), Loader=loader)
    sections = {key.value: value for key, value in root.value}
    places: dict[str, RulePlace] = {}
    for section in ("frames", "thresholds"):
        for key, _ in sections[section].value:
            places[f"{section}.{key.value}"] = RulePlace(file, key.start_mark.line + 1)
    for entry in sections["guards"].value:
        reason = next(value.value for key, value in entry.value if key.value == "reason")
        places.setdefault(f"guards.{reason}", RulePlace(file, entry.start_mark.line + 1))
    return places


@cache
def _weight_places(language: Language) -> Mapping[str, RulePlace]:
    """The file is written with one observation a line; the first shares its line with the head."""
    file = f"weights_{language}.json"
    places: dict[str, RulePlace] = {}
    for number, line in enumerate((POLICY_FOLDER / file).read_text(encoding="utf-8").splitlines(), start=1):
        found = _ENTRY.match(line)
        first = None if found else _FIRST_ENTRY.search(line)
        if found or first:
            name = json.loads(f'"{found.group(1)}"') if found else json.loads(first.group(1)) if first else ""
            places[name] = RulePlace(file, number)
    return places
