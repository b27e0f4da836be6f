"""Which version is in force: for everybody, or for one session. Activations are only ever added, so that whatever was
in force before can be put back."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam
from sqlmodel import Session, col, func, select

from db.connection import Database
from db.failures import ToolFailure
from db.plain_rows import read_rows, table_of
from db.policies.models import PolicyActivationRow, PolicyVersionRow
from db.policies.versions import PolicyVersion, find_version, read_files
from db.roles import require_in
from domains.drafts import load_texts
from engine.policy.loading import Policy, PolicyError
from engine.values import ErrorKind

EVERYBODY = ""
_log = logging.getLogger(__name__)
_MOST_LOADED = 16
# Made once, as in `db.users`: every message asks this.
_LATEST = (
    table_of(PolicyActivationRow)
    .select()
    .where(
        col(PolicyActivationRow.id).in_(
            select(func.max(PolicyActivationRow.id))
            .where(PolicyActivationRow.domain == bindparam("domain"))
            .where(col(PolicyActivationRow.scope).in_([bindparam("scope"), EVERYBODY]))
            .group_by(col(PolicyActivationRow.language), col(PolicyActivationRow.scope))
        )
    )
)


def activate(
    session: Session, domain: str, language: str, version_id: str | None, *, author: str, scope: str = EVERYBODY
) -> None:
    """`version_id` None: the files of the project; for one session: what everybody has."""
    if scope == EVERYBODY:
        require_in(session, "maintainer")
    version = find_version(session, version_id) if version_id else None
    if version_id and (version is None or (version.domain, version.language) != (domain, language)):
        raise ToolFailure(ErrorKind.NOT_FOUND, "There is no such version of this policy.")
    row = PolicyActivationRow(
        domain=domain,
        language=language,
        scope=scope,
        version_id=version_id,
        author=author,
        created_at=datetime.now(UTC),
    )
    session.add(row)
    session.flush()


def find_active(session: Session, domain: str, language: str, scope: str = EVERYBODY) -> PolicyVersion | None:
    """The version in force in a session: its own, else everybody's; None: the files of the project."""
    return _find_all_active(session, domain, scope).get(language)


def _find_all_active(session: Session, domain: str, scope: str) -> dict[str, PolicyVersion]:
    """By language. One question for all of them: every message asks it."""
    rows = read_rows(session, _LATEST, {"domain": domain, "scope": scope}).all()
    chosen: dict[str, str] = {}
    for row in sorted(rows, key=lambda row: row.scope == scope):  # a session's own counts before everybody's
        if row.version_id:
            chosen[row.language] = row.version_id
    found = {language: find_version(session, version_id) for language, version_id in chosen.items()}
    return {language: version for language, version in found.items() if version}


def roll_back(session: Session, domain: str, language: str, *, author: str) -> PolicyVersion | None:
    """Put back for everybody what was in force before the version that is; None: that was the files of the project."""
    rows = list(session.exec(_activations(domain, language, EVERYBODY)))
    if not rows or rows[0].version_id is None:
        raise ToolFailure(ErrorKind.NOT_FOUND, "The files of the project are in force: there is nothing to roll back.")
    version = find_before(session, domain, language)
    activate(session, domain, language, version.id if version else None, author=author)
    return version


class TimeInForce(NamedTuple):
    """That a version decided, or the files of the project: for everybody, or in one session."""

    version_id: str | None
    author: str
    since: datetime
    back: bool
    """A later version was in force before: it was rolled back to."""
    until: datetime | None = None
    """None: it is in force now."""
    ended_by: str = ""
    ended_back: bool = False
    """It was ended by going back to an earlier one."""


def list_times(session: Session, domain: str, language: str, scope: str = EVERYBODY) -> tuple[TimeInForce, ...]:
    """Who put what in force, and when: the latest first."""
    rows = list(session.exec(_activations(domain, language, scope)))
    wanted = select(PolicyVersionRow.id, PolicyVersionRow.sequence).where(
        PolicyVersionRow.domain == domain, PolicyVersionRow.language == language
    )
    sequences: dict[str | None, int] = {None: 0, **dict(session.exec(wanted).all())}
    found: list[TimeInForce] = []
    for place, row in enumerate(rows):
        before = rows[place + 1].version_id if place + 1 < len(rows) else None
        back = sequences.get(row.version_id, 0) < sequences.get(before, 0)
        after = found[-1] if found else None
        time = TimeInForce(row.version_id, row.author, row.created_at, back)
        found.append(time._replace(until=after.since, ended_by=after.author, ended_back=after.back) if after else time)
    return tuple(found)


def find_before(session: Session, domain: str, language: str) -> PolicyVersion | None:
    """What rolling back would put in force for everybody; None: the files of the project."""
    rows = list(session.exec(_activations(domain, language, EVERYBODY)))
    now = rows[0].version_id if rows else None
    current = find_version(session, now) if now else None
    older = (row.version_id for row in rows[1:] if row.version_id != now and _is_older(session, row, current))
    version_id = next(older, None)
    return find_version(session, version_id) if version_id else None


def _is_older(session: Session, row: PolicyActivationRow, current: PolicyVersion | None) -> bool:
    """Rolling back twice goes two versions back, not back and forth."""
    other = find_version(session, row.version_id) if row.version_id else None
    return other is None or current is None or other.sequence < current.sequence


def _activations(domain: str, language: str, scope: str) -> Any:
    wanted = select(PolicyActivationRow).where(
        PolicyActivationRow.domain == domain,
        PolicyActivationRow.language == language,
        PolicyActivationRow.scope == scope,
    )
    return wanted.order_by(col(PolicyActivationRow.id).desc())


@dataclass(frozen=True, slots=True)
class PoliciesInForce:
    policies: Mapping[str, Policy] = field(default_factory=dict)
    """By language; a language that is not there is read by the files of the project."""
    problems: Mapping[str, str] = field(default_factory=dict)
    """By language: why its version is not in force."""


def load_in_force(
    database: Database, domain: str, languages: tuple[str, ...], scope: str = EVERYBODY
) -> PoliciesInForce:
    """The policies of the versions in force. One that no longer loads leaves the files of the project in force."""
    policies: dict[str, Policy] = {}
    problems: dict[str, str] = {}
    with database.read() as session:
        active = _find_all_active(session, domain, scope)
        for language in (each for each in languages if each in active):
            version = active[language]
            found = load_version(session, version)
            if isinstance(found, Policy):
                policies[language] = found
            else:
                problems[language] = found
    return PoliciesInForce(policies, problems)


_loaded: dict[str, Policy | str] = {}
"""Versions by their ids, or why one does not load: a version never changes, and every message asks for it."""


def load_version(session: Session, version: PolicyVersion) -> Policy | str:
    """The policy of a version, or why it cannot be loaded any more."""
    found = _loaded.get(version.id)
    if found is None:
        try:
            found = load_texts(version.domain, version.language, read_files(session, version))
        except PolicyError as error:
            _log.warning("Version %s of the policy %s does not load: %s", version.name, version.domain, error)
            found = str(error)
        _loaded[version.id] = found
        for old in list(_loaded)[:-_MOST_LOADED]:
            _loaded.pop(old, None)
    return found
