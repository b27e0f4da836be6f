"""What a role may do: enforced by the store, whichever way somebody comes."""

from __future__ import annotations

import pytest

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.policies.in_force import activate
from db.policies.saving import save_draft
from db.roles import Role, RoleRefusedError
from db.tasks.service import Clock
from db.turns.conversations import start_conversation
from db.users import User
from domains.drafts import PolicyDraft, begin_draft
from engine.editing.edits import AddPhrase
from engine.values import ErrorKind, make_call
from tests.conftest import Call

pytestmark = pytest.mark.both_databases


@pytest.fixture(scope="module")
def draft() -> PolicyDraft:
    return begin_draft("tasks", "en").edit(AddPhrase("remind_me", "holler at me"))


def test_who_may_only_look_changes_nothing_and_what_they_tried_is_kept(
    database: Database, ada: User, clock: Clock, call: Call
) -> None:
    call("add_task", title="Buy milk")
    looking = Executor(database.acting_as("viewer"), ada, clock)
    for tool, arguments in (
        ("add_task", {"title": "Mine"}),
        ("complete_task", {"task_identifier": "#1"}),
        ("update_task", {"task_identifier": "#1", "new_title": "Mine"}),
        ("delete_task", {"task_identifier": "#1"}),
    ):
        refused = looking.execute(make_call(tool, arguments, "llm"), Origin("mcp: test"))
        assert refused.error is ErrorKind.NOT_ALLOWED, tool
    assert looking.hold(make_call("delete_task", {"task_identifier": "#1"}, "llm"), Origin("mcp: test")).error is (
        ErrorKind.NOT_ALLOWED
    )
    assert looking.undo_last(Origin("mcp: test")).error is ErrorKind.NOT_ALLOWED
    listed = looking.execute(make_call("list_tasks", {}, "llm"), Origin("mcp: test"))
    assert [task["title"] for task in listed.payload["tasks"]] == ["Buy milk"]


def test_no_page_can_write_for_who_may_only_look(database: Database, ada: User) -> None:
    with pytest.raises(RoleRefusedError), database.acting_as("viewer").write() as session:
        start_conversation(session, ada.id)


@pytest.mark.parametrize("role", ["viewer", "member"])
def test_policies_are_for_maintainers(database: Database, draft: PolicyDraft, role: Role) -> None:
    with pytest.raises(RoleRefusedError), database.acting_as(role).write() as session:
        save_draft(session, draft, author="Ada", since=0)
    with pytest.raises(RoleRefusedError), database.acting_as(role).write() as session:
        activate(session, "tasks", "en", None, author="Ada")


def test_a_member_tries_a_version_in_a_session_and_a_maintainer_saves_one(
    database: Database, draft: PolicyDraft
) -> None:
    with database.acting_as("maintainer").write() as session:
        version = save_draft(session, draft, author="Ada", since=0)
        activate(session, "tasks", "en", version.id, author="Ada")
    with database.acting_as("member").write() as session:
        activate(session, "tasks", "en", version.id, author="Bob", scope="a session of Bob's")
