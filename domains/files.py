"""The engine under the policy files as they are on disk now, also if somebody edited them since the start."""

from __future__ import annotations

from collections.abc import Mapping

from domains.loading import LANGUAGES, TASKS, find_folder, read_domain
from engine.decider import RuleDecider
from engine.policy.tuning import tune

Stamp = tuple[tuple[str, int, int], ...]
_KINDS = (".yaml", ".json", ".txt")


def read_stamp(domain: str = TASKS) -> Stamp:
    """Equal as long as no file of a language, and no table that it uses, has changed."""
    places = (find_folder(domain), LANGUAGES)
    files = [path for place in places for path in sorted(place.rglob("*")) if path.suffix in _KINDS]
    found = [(path, path.stat()) for path in files]
    return tuple((str(path), each.st_mtime_ns, each.st_size) for path, each in found)


def load_from_files(changes: Mapping[str, float], domain: str = TASKS) -> RuleDecider:
    """PolicyError where a file is broken: it names the line."""
    read = read_domain(find_folder(domain))
    return RuleDecider(read, *(tune(policy, changes) for policy in read.policies.values()))
