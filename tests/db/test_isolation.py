"""Random tool calls of two people: neither ever sees or changes what belongs to the other."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlmodel import col, select

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.models import AuditRow, TaskRow
from db.tasks.images import make_image
from db.users import User, create_user
from engine.values import ToolResult, make_call
from tests.conftest import NOW
from tests.rounds import rounds

WORDS = ("buy", "milk", "call", "mom", "report", "plan", "trip", "7", "#1", "task 2")
titles = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
people = st.sampled_from((0, 1))


class TwoPeople(RuleBasedStateMachine):
    """Each person's titles carry a mark of their own, so that a leak shows in any answer."""

    marks = ("ada-only", "bob-only")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.database = Database(f"sqlite:///{Path(self.folder.name) / 'tasks.db'}")
        with self.database.write() as session:
            self.users: list[User] = [create_user(session, name) for name in ("Ada", "Bob")]
        self.executors = [Executor(self.database, user, lambda: NOW) for user in self.users]

    def teardown(self) -> None:
        self.database.close()
        self.folder.cleanup()

    def rows(self, person: int) -> list[dict[str, Any]]:
        with self.database.read() as session:
            own = select(TaskRow).where(TaskRow.user_id == self.users[person].id).order_by(col(TaskRow.number))
            return [make_image(row) for row in session.exec(own)]

    def run_as(self, person: int, tool_name: str, **arguments: object) -> ToolResult:
        other = 1 - person
        before = self.rows(other)
        result = self.executors[person].execute(make_call(tool_name, arguments, "llm"), Origin("llm"))
        self.check_answer(person, result, before)
        return result

    def check_answer(self, person: int, result: ToolResult, before: list[dict[str, Any]]) -> None:
        assert self.rows(1 - person) == before
        payload = {key: value for key, value in result.payload.items() if key != "error_message"}
        assert self.marks[1 - person] not in json.dumps(payload)
        assert not any(row["id"] in json.dumps(payload) for row in before)

    @rule(person=people, title=titles)
    def add(self, person: int, title: str) -> None:
        assert self.run_as(person, "add_task", title=f"{title} {self.marks[person]}").ok

    @rule(person=people, search=st.none() | titles, limit=st.none() | st.integers(1, 3))
    def list(self, person: int, search: str | None, limit: int | None) -> None:
        assert self.run_as(person, "list_tasks", search=search, limit=limit).ok

    @rule(
        person=people,
        tool_name=st.sampled_from(("complete_task", "delete_task")),
        identifier=titles | st.integers(1, 9).map(lambda number: f"#{number}") | st.sampled_from(marks),
    )
    def act(self, person: int, tool_name: str, identifier: str) -> None:
        self.run_as(person, tool_name, task_identifier=identifier)

    @rule(person=people, identifier=titles, priority=st.sampled_from(("low", "high")))
    def change(self, person: int, identifier: str, priority: str) -> None:
        self.run_as(person, "update_task", task_identifier=identifier, new_priority=priority)

    @rule(
        person=people,
        tool_name=st.sampled_from(("complete_task", "delete_task", "update_task")),
        data=st.data(),
        by=st.sampled_from(("id", "title")),
    )
    def reach_for_the_others(self, person: int, tool_name: str, data: st.DataObject, by: str) -> None:
        theirs = self.rows(1 - person)
        if theirs:
            row = data.draw(st.sampled_from(theirs))
            extra = {"new_title": "mine now"} if tool_name == "update_task" else {}
            assert not self.run_as(person, tool_name, task_identifier=row[by], **extra).ok

    @rule(person=people, data=st.data())
    def undo_the_others_change(self, person: int, data: st.DataObject) -> None:
        with self.database.read() as session:
            theirs = session.exec(select(AuditRow.id).where(AuditRow.user_id == self.users[1 - person].id)).all()
        if theirs:
            before = self.rows(1 - person)
            result = self.executors[person].undo(data.draw(st.sampled_from(theirs)), Origin("llm"))
            assert not result.ok
            self.check_answer(person, result, before)

    @rule(person=people, data=st.data())
    def undo_own_change(self, person: int, data: st.DataObject) -> None:
        with self.database.read() as session:
            own = session.exec(select(AuditRow.id).where(AuditRow.user_id == self.users[person].id)).all()
        if own:
            before = self.rows(1 - person)
            result = self.executors[person].undo(data.draw(st.sampled_from(own)), Origin("llm"))
            self.check_answer(person, result, before)

    @invariant()
    def every_task_carries_its_owners_mark(self) -> None:
        for person, mark in enumerate(self.marks):
            assert all(mark in row["title"] for row in self.rows(person))


TestTwoPeople = TwoPeople.TestCase
TestTwoPeople.settings = settings(
    max_examples=rounds(5, 25), stateful_step_count=25, deadline=None, suppress_health_check=list(HealthCheck)
)
