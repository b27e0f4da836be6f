"""Saving, finding and comparing versions. A version is saved in one transaction: it is there whole, or not at all."""

from __future__ import annotations

import hashlib
import uuid
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlmodel import Session, col, func, select

from db.failures import ToolFailure
from db.policies.models import PolicyFileRow, PolicyVersionRow
from db.roles import require_in
from domains.drafts import read_texts
from engine.editing.texts import write_diff
from engine.values import ErrorKind

AUTHOR_LIMIT = 80
NOTE_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class PolicyVersion:
    id: str
    domain: str
    language: str
    sequence: int
    digest: str
    parent: str
    author: str
    note: str
    reason: str
    files: Mapping[str, str]
    """Name -> what its text hashes to; `read_files` has the texts."""
    edits: tuple[Any, ...]
    diff: str
    evidence: Mapping[str, Any]
    created_at: datetime

    @property
    def name(self) -> str:
        """As decisions name it (`Decision.policy_version`)."""
        return f"{self.language}-{self.digest}"


@dataclass(frozen=True, slots=True)
class NewVersion:
    """What is to be saved."""

    domain: str
    language: str
    digest: str
    parent: str
    files: Mapping[str, str]
    """All files of the language folder, with their texts."""
    author: str
    note: str = ""
    edits: Sequence[Any] = ()
    diff: str = ""
    evidence: Mapping[str, Any] = field(default_factory=dict)
    """What it was known to fix and to break; `critical` names what it breaks that must not break."""
    reason: str = ""


class PolicyConflictError(ValueError):
    """Somebody saved meanwhile. `saved` are their versions, the newest last: whoever comes second looks at them, then
    saves over them or makes the same edits again on top of them."""

    def __init__(self, saved: tuple[PolicyVersion, ...]) -> None:
        last = saved[-1]
        super().__init__(f"{last.author} has saved version {last.sequence} meanwhile: {last.note or 'without a note'}")
        self.saved = saved


def save_version(session: Session, new: NewVersion, *, since: int) -> PolicyVersion:
    """`since` is the number of the latest version that the author knew (`latest_sequence`; 0: none)."""
    require_in(session, "maintainer")
    if not new.author.strip():
        raise ToolFailure(ErrorKind.INVALID_VALUE, "A version needs the name of who saves it.")
    if new.evidence.get("critical") and not new.reason.strip():
        raise ToolFailure(ErrorKind.INVALID_VALUE, "It breaks a case that must not break: say why it is saved anyway.")
    latest = latest_sequence(session, new.domain, new.language)
    if latest > since:
        raise PolicyConflictError(tuple(_saved_since(session, new.domain, new.language, since)))
    row = PolicyVersionRow(
        id=str(uuid.uuid4()),
        domain=new.domain,
        language=new.language,
        sequence=latest + 1,
        digest=new.digest,
        parent=new.parent,
        author=" ".join(new.author.split())[:AUTHOR_LIMIT],
        note=new.note.strip()[:NOTE_LIMIT],
        reason=new.reason.strip()[:NOTE_LIMIT],
        files={name: _keep_file(session, text) for name, text in new.files.items()},
        edits=list(new.edits),
        diff=new.diff,
        evidence=dict(new.evidence),
        created_at=datetime.now(UTC),
    )
    session.add(row)
    session.flush()
    return _snapshot(row)


def latest_sequence(session: Session, domain: str, language: str) -> int:
    return session.exec(select(func.max(PolicyVersionRow.sequence)).where(*_of(domain, language))).one() or 0


def list_versions(session: Session, domain: str, language: str | None = None) -> tuple[PolicyVersion, ...]:
    """The newest first."""
    wanted = select(PolicyVersionRow).where(*_of(domain, language))
    ordered = wanted.order_by(col(PolicyVersionRow.created_at).desc(), col(PolicyVersionRow.sequence).desc())
    return tuple(_snapshot(row) for row in session.exec(ordered))


def find_version(session: Session, version_id: str) -> PolicyVersion | None:
    row = session.get(PolicyVersionRow, version_id)
    return _snapshot(row) if row else None


def find_by_digest(session: Session, named: str) -> PolicyVersion | None:
    """The version that a turn names (`en-3f9c01ab`, also with what thresholds were turned to), or a digest alone.
    Of several that are the same, the first that was saved."""
    digest = named.partition(" ")[0].rpartition("-")[2]
    wanted = select(PolicyVersionRow).where(PolicyVersionRow.digest == digest)
    row = session.exec(wanted.order_by(col(PolicyVersionRow.created_at))).first()
    return _snapshot(row) if row else None


def read_files(session: Session, version: PolicyVersion) -> dict[str, str]:
    """The texts of all its files."""
    rows = session.exec(select(PolicyFileRow).where(col(PolicyFileRow.sha256).in_(set(version.files.values()))))
    texts = {row.sha256: zlib.decompress(row.content).decode() for row in rows}
    return {name: texts[sha] for name, sha in version.files.items()}


def compare_versions(session: Session, one: PolicyVersion | None, other: PolicyVersion | None) -> str:
    """What differs from the one to the other, as `diff -u` says it; None: the files of the project."""
    known = one or other
    if known is None:
        return ""
    texts = [read_files(session, each) if each else read_texts(known.domain, known.language) for each in (one, other)]
    return write_diff(*texts)


def _keep_file(session: Session, text: str) -> str:
    raw = text.encode()
    sha = hashlib.sha256(raw).hexdigest()
    if session.get(PolicyFileRow, sha) is None:
        session.add(PolicyFileRow(sha256=sha, content=zlib.compress(raw, 6)))
    return sha


def _saved_since(session: Session, domain: str, language: str, since: int) -> list[PolicyVersion]:
    newer = select(PolicyVersionRow).where(*_of(domain, language), PolicyVersionRow.sequence > since)
    return [_snapshot(row) for row in session.exec(newer.order_by(col(PolicyVersionRow.sequence)))]


def _of(domain: str, language: str | None) -> list[Any]:
    own: list[Any] = [PolicyVersionRow.domain == domain]
    return [*own, PolicyVersionRow.language == language] if language else own


def _snapshot(row: PolicyVersionRow) -> PolicyVersion:
    return PolicyVersion(
        id=row.id,
        domain=row.domain,
        language=row.language,
        sequence=row.sequence,
        digest=row.digest,
        parent=row.parent,
        author=row.author,
        note=row.note,
        reason=row.reason,
        files=row.files,
        edits=tuple(row.edits),
        diff=row.diff,
        evidence=row.evidence,
        created_at=row.created_at,
    )
