"""The limits hold in the database itself, whoever writes to it."""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from db.connection import Database
from tests.conftest import Call

pytestmark = pytest.mark.both_databases

BROKEN = [
    "title = ''",
    "title = '   '",
    f"title = '{'x' * 201}'",
    f"description = '{'x' * 1001}'",
    "priority = 'urgent'",
    "status = 'done'",
    "status = 'completed'",  # without the time of completion
    "completed_at = CURRENT_TIMESTAMP",  # while pending
    "due_date = NULL, due_time = '10:00:00'",
    "user_id = 'nobody'",
    "number = 0",
    "title = NULL",
]


@pytest.mark.parametrize("change", BROKEN)
def test_the_database_refuses_a_task_that_breaks_a_limit(database: Database, call: Call, change: str) -> None:
    call("add_task", title="Fine")
    with pytest.raises(IntegrityError), database.write() as session:
        session.connection().execute(text(f"UPDATE tasks SET {change}"))


def test_two_tasks_of_a_user_cannot_share_a_number(database: Database, call: Call) -> None:
    call("add_task", title="One")
    call("add_task", title="Two")
    with pytest.raises(IntegrityError), database.write() as session:
        session.connection().execute(text("UPDATE tasks SET number = 1"))
