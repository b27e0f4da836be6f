"""What is done with a draft and with versions: each is a click, and tells in a sentence what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from db.evaluation.cases import save_case
from db.failures import ToolFailure
from db.policies.in_force import EVERYBODY, activate, roll_back
from db.policies.saving import save_draft
from db.policies.versions import PolicyConflictError, PolicyVersion
from db.users import User
from engine.editing.edits import Edit
from engine.editing.yaml_edits import EditError
from engine.policy.loading import PolicyError
from evals.effect.finding import EditEffect
from evals.reviews import context_of_case
from ui.policy.desk import Desk, add_edits, begin_from, on_top_of, put_down, without_edit
from ui.policy.edit_words import describe_edit
from ui.policy.message import Wanted
from ui.policy.own_message import find_own_message
from ui.resources import load_database
from ui.state.fields import drop_values, read_text, read_value
from ui.state.notices import put_notice
from ui.state.policy import get_scope, keep_trial
from ui.state.values import Notice

NOTE_KEY, REASON_KEY, SCOPE_KEY, KEEP_KEY = "policy_note", "policy_reason", "policy_for", "policy_keep"
KEPT_REASON = "policy_reason_kept"
"""What was written under `REASON_KEY`, while no such field is drawn."""
SCOPES = {"everybody": "For everybody", "session": "Only this session", "nobody": "Keep for later"}
DRAFT_PLACE, ADDED_PLACE = "draft", "draft-added"


def tell(text: str, *, failed: bool = False, place: str = DRAFT_PLACE, decides: bool = False) -> None:
    put_notice(Notice("error" if failed else "success", text, place, decides))


def put_in(desk: Desk, *edits: Edit) -> None:
    """Into the draft, which lists it."""
    try:
        put_in_checked(desk, *edits)
    except (EditError, PolicyError) as error:
        tell(f"That cannot be done: {error}.", failed=True)


def put_in_checked(desk: Desk, *edits: Edit) -> None:
    """EditError and PolicyError: the draft is as it was, and whoever asked says so."""
    changed = add_edits(desk, *edits)
    put_down(changed)
    told = "; ".join(describe_edit(edit, changed.draft.policy) for edit in edits)
    tell(f"Added: {told}.", place=ADDED_PLACE)


def take_out(desk: Desk, number: int) -> None:
    told = describe_edit(desk.draft.edits[number], desk.draft.policy)
    if _change(lambda: without_edit(desk, number)):
        tell(f"Out of the draft: {told}.")


def _change(make: Callable[[], Desk]) -> Desk | None:
    try:
        changed = make()
    except (EditError, PolicyError) as error:
        tell(f"That cannot be done: {error}.", failed=True)
        return None
    put_down(changed)
    return changed


def discard(desk: Desk) -> None:
    keep_trial(desk.place, None)
    begin_from(desk.domain, desk.language, desk.version)
    drop_values(NOTE_KEY, REASON_KEY, KEPT_REASON)
    tell("The draft is gone; nothing was changed.")


def try_out(desk: Desk, on: bool) -> None:
    """The draft decides in Chat, Inspect and Compare of this session, before it is saved."""
    keep_trial(desk.place, desk.draft.policy if on else None)
    where = "now decides in this session: in Chat, Inspect and Compare" if on else "decides nothing any more"
    tell(f"The draft {where}.", decides=on)


def save(user: User, desk: Desk, effect: EditEffect | None, wanted: Wanted | None) -> None:
    chosen = read_value(SCOPE_KEY) or "everybody"
    scope = get_scope() if chosen == "session" else EVERYBODY
    try:
        with load_database().write() as session:
            version = save_draft(
                session,
                desk.draft,
                author=user.name,
                since=desk.since,
                note=read_text(NOTE_KEY),
                evidence=_evidence(desk, effect, wanted),
                reason=read_text(REASON_KEY),
                in_force=chosen != "nobody",
                scope=scope,
            )
            if wanted and read_value(KEEP_KEY):
                context = context_of_case(wanted.wire, wanted.domain)
                save_case(session, user.id, wanted.text, context, wanted.expected)
    except PolicyConflictError as error:
        put_down(replace(desk, saved_meanwhile=error.saved))
        put_notice(None)  # the draft says it, with the ways on
    except ToolFailure as failure:
        tell(str(failure), failed=True)
    else:
        keep_trial(desk.place, None)
        begin_from(desk.domain, desk.language, version)
        drop_values(NOTE_KEY, REASON_KEY, KEPT_REASON)
        where = {"everybody": "and in force for everybody", "session": "and in force in this session only"}
        tell(
            f"Saved as version {version.sequence} ({version.name}) {where.get(chosen, 'for later')}.",
            decides=chosen != "nobody",
        )


def _evidence(desk: Desk, effect: EditEffect | None, wanted: Wanted | None) -> dict[str, object]:
    """What is known of the draft now; the message that it was made for is not among the cases yet."""
    found = effect.evidence() if effect else {}
    own = find_own_message(desk, wanted)
    if own and own.row:
        found["message"] = own.text
    return found


def save_over(user: User, desk: Desk, effect: EditEffect | None, wanted: Wanted | None) -> None:
    """The other's change is known, and left out on purpose."""
    save(user, replace(desk, since=desk.saved_meanwhile[-1].sequence, saved_meanwhile=()), effect, wanted)


def go_on_top(desk: Desk) -> None:
    latest = desk.saved_meanwhile[-1]
    if _change(lambda: on_top_of(desk, latest)):
        tell(f"Your edits now stand on version {latest.sequence} of {latest.author}.")


def put_in_force(user: User, domain: str, language: str, version: PolicyVersion | None, *, for_session: bool) -> None:
    scope = get_scope() if for_session else EVERYBODY
    try:
        with load_database().write() as session:
            activate(session, domain, language, version.id if version else None, author=user.name, scope=scope)
    except ToolFailure as failure:
        tell(str(failure), failed=True)
        return
    where = "in this session" if for_session else "for everybody"
    if version:
        tell(f"Version {version.sequence} decides now {where}.", decides=True)
    else:
        what = "What everybody has decides" if for_session else "The project’s files decide"
        tell(f"{what} now {where}.", decides=True)


def go_back(user: User, domain: str, language: str) -> None:
    try:
        with load_database().write() as session:
            version = roll_back(session, domain, language, author=user.name)
    except ToolFailure as failure:
        tell(str(failure), failed=True)
        return
    what = f"version {version.sequence} decides" if version else "the project’s files decide"
    tell(f"Rolled back: {what} again for everybody.", decides=True)
