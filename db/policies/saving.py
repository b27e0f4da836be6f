"""A draft saved as a version, and put in force at once where that is wanted: both in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmodel import Session

from db.policies.in_force import EVERYBODY, activate
from db.policies.versions import NewVersion, PolicyVersion, save_version
from domains.drafts import PolicyDraft
from engine.editing.edits import write_edit

_NO_EVIDENCE: Mapping[str, Any] = {}


def save_draft(
    session: Session,
    draft: PolicyDraft,
    *,
    author: str,
    since: int,
    note: str = "",
    evidence: Mapping[str, Any] = _NO_EVIDENCE,
    reason: str = "",
    in_force: bool = False,
    scope: str = EVERYBODY,
) -> PolicyVersion:
    """PolicyConflictError: somebody saved since; nothing is saved then."""
    new = NewVersion(
        domain=draft.domain,
        language=draft.language,
        digest=draft.digest,
        parent=draft.base.digest,
        files=draft.after,
        author=author,
        note=note,
        edits=[write_edit(edit) for edit in draft.edits],
        diff=draft.diff,
        evidence=evidence,
        reason=reason,
    )
    version = save_version(session, new, since=since)
    if in_force:
        activate(session, draft.domain, draft.language, version.id, author=author, scope=scope)
    return version
