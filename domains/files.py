"""The engine under the policy files as they are on disk now, also if somebody edited them since the start."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from time import monotonic
from typing import NamedTuple

from domains.loading import LANGUAGES, TASKS, find_folder, load_domain, read_domain
from engine.domain import Domain
from engine.policy.loading import PolicyError

Stamp = tuple[tuple[str, int, int], ...]
_KINDS = (".yaml", ".json", ".txt")


def read_stamp(domain: str = TASKS) -> Stamp:
    """Equal as long as no file of a language, and no table that it uses, has changed."""
    return tuple(sorted([*_stamps(str(find_folder(domain))), *_stamps(str(LANGUAGES))]))


def _stamps(folder: str) -> Iterator[tuple[str, int, int]]:
    """Without `pathlib`: every page and every message looks, and it takes three times as long."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _stamps(entry.path)
            elif entry.name.endswith(_KINDS):
                found = entry.stat()
                yield entry.path, found.st_mtime_ns, found.st_size


class FilesInForce(NamedTuple):
    domain: Domain
    error: PolicyError | OSError | None
    """What is wrong with the files as they are now; None: they are what is in force."""

    @property
    def problem(self) -> str:
        """The same in words, with file and line; empty: nothing."""
        return str(self.error or "")


class LastGoodFiles:
    """The files of a domain as they are on disk; while one of them is broken, as they last were sound."""

    def __init__(self, domain: str = TASKS, *, looks_every: float = 0.0) -> None:
        """`looks_every`: seconds for which a look at the files counts. Many who chat at once need no look each."""
        self._name, self._looks_every = domain, looks_every
        self._lock, self._looked = threading.Lock(), monotonic()
        self._looked_at = read_stamp(domain)
        self._good = _as_loaded(_whole(read_domain(find_folder(domain))))
        self._error: PolicyError | OSError | None = None

    def current(self) -> FilesInForce:
        with self._lock:
            if monotonic() - self._looked < self._looks_every:
                return FilesInForce(self._good, self._error)
            stamp, self._looked = read_stamp(self._name), monotonic()
            if stamp != self._looked_at:
                self._looked_at = stamp
                try:
                    self._good, self._error = _whole(read_domain(find_folder(self._name))), None
                except (PolicyError, OSError) as error:
                    self._error = error
            return FilesInForce(self._good, self._error)


def _as_loaded(read: Domain) -> Domain:
    """The domain that the process has loaded, where it is the same: its look-up tables are made already."""
    loaded = load_domain(read.name)
    same = all(loaded.policies[language].digest == policy.digest for language, policy in read.policies.items())
    return loaded if same and loaded.languages == read.languages else read


def _whole(domain: Domain) -> Domain:
    """With every language read: a file that breaks later must not be looked at any more."""
    tuple(domain.policies.values())
    return domain
