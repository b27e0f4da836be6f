"""The engine under the policy files as they are on disk now, also if somebody edited them since the start."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import NamedTuple

from domains.loading import LANGUAGES, TASKS, find_folder, read_domain
from engine.decider import RuleDecider
from engine.domain import Domain
from engine.policy.loading import PolicyError
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


class FilesInForce(NamedTuple):
    domain: Domain
    problem: str
    """What is wrong with the files as they are now, with file and line; empty: they are what is in force."""


class LastGoodFiles:
    """The files of a domain as they are on disk; while one of them is broken, as they last were sound."""

    def __init__(self, domain: str = TASKS) -> None:
        self._name = domain
        self._lock = threading.Lock()
        self._looked_at = read_stamp(domain)
        self._good = _read_whole(domain)
        self._problem = ""

    def current(self) -> FilesInForce:
        with self._lock:
            stamp = read_stamp(self._name)
            if stamp != self._looked_at:
                self._looked_at = stamp
                try:
                    self._good, self._problem = _read_whole(self._name), ""
                except (PolicyError, OSError) as error:
                    self._problem = str(error)
            return FilesInForce(self._good, self._problem)


def _read_whole(domain: str) -> Domain:
    """With every language read: a file that breaks later must not be looked at any more."""
    read = read_domain(find_folder(domain))
    tuple(read.policies.values())
    return read
