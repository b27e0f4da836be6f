"""Which policies decide: a draft on trial, else this session's version, else everybody's, else the project's files."""

from __future__ import annotations

from db.policies.in_force import EVERYBODY, load_in_force
from domains.files import FilesInForce, LastGoodFiles, read_stamp
from domains.loading import TASKS, load_domain
from engine.policy.loading import PolicyError
from engine.policy.values import Policy
from ui.resources import load_database
from ui.state.policy import read_scope, read_trials

_AT_START = read_stamp()
_edited: dict[str, LastGoodFiles] = {}


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


def files_in_force(domain: str = TASKS) -> FilesInForce:
    """The project's files as they are now; while one is broken, as they last were sound, with what is wrong."""
    if domain != TASKS or read_stamp() == _AT_START:
        return FilesInForce(load_domain(domain), "")
    try:
        if domain not in _edited:
            _edited[domain] = LastGoodFiles(domain)
        return _edited[domain].current()
    except (PolicyError, OSError) as error:  # broken before anybody has looked at them: then as at the start
        return FilesInForce(load_domain(domain), str(error))
