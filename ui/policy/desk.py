"""The draft that this session is at: what it was made from, and how it goes on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from db.policies.in_force import EVERYBODY, find_active
from db.policies.versions import PolicyVersion, find_version, latest_sequence, read_files
from domains.drafts import PolicyDraft, begin_draft, rebase
from domains.files import Stamp, read_stamp
from engine.editing.edits import Edit
from ui.resources import load_database
from ui.state.policy import keep_desk, keep_trial, read_desk, read_scope, read_trials

_MOST_BEGUN = 8


@dataclass(frozen=True, slots=True)
class Desk:
    domain: str
    language: str
    draft: PolicyDraft
    version: PolicyVersion | None
    """What the draft was made from; None: the files of the project."""
    since: int
    """The number of the latest version that whoever drafts knew of."""
    saved_meanwhile: tuple[PolicyVersion, ...] = ()
    """What others saved, where that stood in the way of saving this."""
    chosen: bool = False
    """Somebody asked for a draft of this version: so it stays, also before it has an edit, whatever is in force."""

    @property
    def place(self) -> tuple[str, str]:
        return self.domain, self.language

    @property
    def edited(self) -> bool:
        return bool(self.draft.edits)


def open_desk(domain: str, language: str) -> Desk:
    """The draft as it stands; without edits a new one over what is in force, unless somebody chose another version.
    PolicyError: the files are broken."""
    kept = read_desk((domain, language))
    if isinstance(kept, Desk) and (kept.edited or kept.chosen):
        return kept
    return _begin_over(domain, language, find_in_force(domain, language))


def count_open_edits(domain: str, language: str) -> int:
    """Of the draft that this session is at; none: nothing is lost where another one is begun."""
    kept = read_desk((domain, language))
    return len(kept.draft.edits) if isinstance(kept, Desk) else 0


def find_in_force(domain: str, language: str, *, everybody: bool = False) -> PolicyVersion | None:
    """What decides in this session, or for everybody else; None: the files of the project."""
    with load_database().read() as session:
        return find_active(session, domain, language, EVERYBODY if everybody else read_scope())


def begin_from(domain: str, language: str, version: PolicyVersion | None, *, chosen: bool = False) -> None:
    """Leaves what was drafted, and begins with this version."""
    put_down(replace(_begin_over(domain, language, version), chosen=chosen))


def _begin_over(domain: str, language: str, version: PolicyVersion | None) -> Desk:
    with load_database().read() as session:
        since = latest_sequence(session, domain, language)
    stamp = read_stamp(domain)
    return Desk(domain, language, _begin(domain, language, version.id if version else "", stamp), version, since)


@lru_cache(maxsize=_MOST_BEGUN)
def _begin(domain: str, language: str, version_id: str, _stamp: Stamp) -> PolicyDraft:
    """Kept for all sessions: to read a policy takes most of a second."""
    if not version_id:
        return begin_draft(domain, language)
    with load_database().read() as session:
        version = find_version(session, version_id)
        texts = read_files(session, version) if version else None
    return begin_draft(domain, language, texts)


def put_down(desk: Desk) -> None:
    """Keeps it; a draft on trial goes on as it is now."""
    keep_desk(desk.place, desk)
    if desk.language in read_trials(desk.domain):
        keep_trial(desk.place, desk.draft.policy if desk.edited else None)


def add_edits(desk: Desk, *edits: Edit) -> Desk:
    """EditError and PolicyError: nothing is changed then."""
    return replace(desk, draft=desk.draft.edit(*edits))


def without_edit(desk: Desk, number: int) -> Desk:
    """The same without one of its edits. EditError: a later one needs it."""
    edits = [edit for place, edit in enumerate(desk.draft.edits) if place != number]
    begun = begin_draft(desk.domain, desk.language, desk.draft.before)
    return replace(desk, draft=begun.edit(*edits))


def on_top_of(desk: Desk, version: PolicyVersion) -> Desk:
    """The same edits over what somebody saved meanwhile."""
    with load_database().read() as session:
        texts = read_files(session, version)
    return Desk(desk.domain, desk.language, rebase(desk.draft, texts), version, version.sequence)
