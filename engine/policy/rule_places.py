"""Where a rule stands: the line of the policy, or of its table of weights, that somebody would edit to change it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from engine.policy.origin import WEIGHTS, Place
from engine.policy.values import Policy

_ENTRY = re.compile(r'^"((?:[^"\\]|\\.)*)":')
_FIRST_ENTRY = re.compile(r'"evidence":\s*\{("(?:[^"\\]|\\.)*"):')


def find_rule_place(rule: str, policy: Policy) -> Place | None:
    """A frame or a guard stands in the policy; everything else that is observed stands in the table of weights."""
    kind, _, name = rule.partition(":")
    if kind in ("frame", "lead"):
        return _locate(policy, "frames", name) if name in policy.source["frames"] else None
    if kind == "guard":
        reasons = [str(guard.reason) for guard in policy.guards]
        return _locate(policy, "guards", reasons.index(name)) if name in reasons else None
    if kind == "threshold":
        return _locate(policy, "thresholds", name)
    return find_weight_place(rule, policy)


def _locate(policy: Policy, *path: str | int) -> Place | None:
    return policy.origin.locate(path) if policy.origin else None


def find_weight_place(rule: str, policy: Policy) -> Place | None:
    """The line with the weights of an observation, also of a frame. None for a frame added since they were learned."""
    folder = policy.origin.folder if policy.origin else None
    return _weight_places(folder / WEIGHTS).get(rule) if folder else None


@lru_cache(maxsize=16)
def _weight_places(path: Path) -> Mapping[str, Place]:
    """The file is written with one observation a line; the first shares its line with the head."""
    file = f"{path.parent.name}/{path.name}"
    places: dict[str, Place] = {}
    if not path.is_file():  # nothing was learned for this language yet
        return places
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        found = _ENTRY.match(line)
        first = None if found else _FIRST_ENTRY.search(line)
        if found or first:
            name = json.loads(f'"{found.group(1)}"') if found else json.loads(first.group(1)) if first else ""
            places[name] = Place(file, number)
    return places
