"""Which policies decide: a draft on trial, else this session's version, else everybody's, else the project's files."""

from __future__ import annotations

from functools import cache

from db.policies.in_force import EVERYBODY, load_in_force
from domains.files import FilesInForce, LastGoodFiles
from domains.loading import TASKS, load_domain
from engine.policy.values import Policy
from ui.resources import load_database
from ui.state.policy import read_scope, read_trials


def session_policies(domain: str = TASKS) -> tuple[Policy, ...]:
    """Those that stand in for the project's files in this session."""
    found = load_in_force(load_database(), domain, load_domain(domain).languages, read_scope())
    return tuple({**found.policies, **read_trials(domain)}.values())


def shared_policies(domain: str = TASKS) -> tuple[Policy, ...]:
    """The same for who asks from outside a browser."""
    return tuple(load_in_force(load_database(), domain, load_domain(domain).languages, EVERYBODY).policies.values())


def find_version_problems(domain: str) -> dict[str, str]:
    """By language: why its version in force cannot be loaded, so that the project's files decide."""
    return dict(load_in_force(load_database(), domain, load_domain(domain).languages, read_scope()).problems)


@cache
def _files(domain: str) -> LastGoodFiles:
    return LastGoodFiles(domain, looks_every=_LOOKS_EVERY)


_LOOKS_EVERY = 0.1
"""Seconds: nobody who edits a file sends a message sooner, and a hundred files are not looked at for each of many."""


def files_in_force(domain: str = TASKS) -> FilesInForce:
    """The project's files as they are now; while one is broken, as they last were sound, with what is wrong."""
    return _files(domain).current()
