"""Deleting over MCP: never without a yes, and never anything but what was shown."""

from __future__ import annotations

from itertools import count
from typing import Any

import anyio
import pytest
from mcp import types

from db.clients.calls import list_client_calls
from db.connection import Database
from db.tasks.service import Clock, TaskService
from db.users import User
from engine.values import ErrorKind, make_call
from mcp_door.confirmations import Confirmations
from mcp_door.server import Door, Person
from tests.conftest import NOW, Call
from tests.mcp_door.conftest import NEW, OLD, Connect, answering

pytestmark = pytest.mark.anyio
MILK = {"task_identifier": "milk"}


@pytest.fixture(autouse=True)
def milk(call: Call) -> str:
    return str(call("add_task", title="Buy milk").payload["task_id"])


def titles(database: Database, user: User) -> list[str]:
    with database.read() as session:
        return [task.title for task in TaskService(session, user, lambda: NOW).recent(10)]


def trail(database: Database, user: User) -> list[tuple[str, ErrorKind | None]]:
    with database.read() as session:
        return [(call.tool_name, call.error) for call in reversed(list_client_calls(session, user.id, limit=20))]


async def test_a_client_that_can_ask_asks_and_deletes_after_a_yes(
    connect: Connect, database: Database, ada: User, era: str
) -> None:
    person = answering("accept", yes=True)
    async with connect(era, elicitation_callback=person) as client:
        answer = await client.call_tool("delete_task", MILK)
    assert person.asked == ["Delete task #1 'Buy milk'?"]  # type: ignore[attr-defined]
    assert answer.structured_content["status"] == "success"
    assert titles(database, ada) == []
    assert trail(database, ada) == [("delete_task", ErrorKind.NEEDS_CONFIRMATION), ("delete_task", None)]


@pytest.mark.parametrize(
    ("action", "content"),
    [("decline", {}), ("decline", {"yes": True}), ("cancel", {}), ("accept", {}), ("accept", {"yes": False})],
)
async def test_a_no_deletes_nothing(
    connect: Connect, database: Database, ada: User, door: Door, era: str, action: str, content: dict[str, bool]
) -> None:
    async with connect(era, elicitation_callback=answering(action, **content)) as client:
        answer = await client.call_tool("delete_task", MILK)
    assert answer.is_error
    assert answer.structured_content["error_kind"] == "declined"
    assert titles(database, ada) == ["Buy milk"]
    assert trail(database, ada)[-1] == ("delete_task", ErrorKind.DECLINED)
    assert door.confirmations.count(database) == 0


async def test_a_client_that_cannot_ask_gets_a_confirmation_for_the_second_call(
    connect: Connect, database: Database, ada: User, era: str, milk: str
) -> None:
    async with connect(era) as client:
        held = await client.call_tool("delete_task", MILK)
        assert not held.is_error
        content = held.structured_content
        assert (content["error_kind"], content["task_id"], content["title"]) == ("needs_confirmation", milk, "Buy milk")
        assert "confirm_call" in content["error_message"]
        assert titles(database, ada) == ["Buy milk"]
        done = await client.call_tool("confirm_call", {"confirmation": content["confirmation"]})
        assert (done.structured_content["status"], done.structured_content["task_id"]) == ("success", milk)
        assert titles(database, ada) == []
        again = await client.call_tool("confirm_call", {"confirmation": content["confirmation"]})
    assert again.structured_content["error_kind"] == "bad_confirmation"
    assert trail(database, ada) == [
        ("delete_task", ErrorKind.NEEDS_CONFIRMATION),
        ("delete_task", None),
        ("confirm_call", ErrorKind.BAD_CONFIRMATION),
    ]


async def test_what_was_shown_is_deleted_also_if_another_task_fits_the_words_now(
    connect: Connect, database: Database, ada: User, call: Call
) -> None:
    async with connect() as client:
        held = await client.call_tool("delete_task", MILK)
        call("add_task", title="Pour milk")
        await client.call_tool("confirm_call", {"confirmation": held.structured_content["confirmation"]})
    assert titles(database, ada) == ["Pour milk"]


@pytest.mark.parametrize("change", [{"new_title": "Tax papers"}, {"new_due_date": "2026-03-09"}])
async def test_what_has_changed_since_it_was_shown_is_asked_anew(
    connect: Connect, database: Database, ada: User, call: Call, change: dict[str, str]
) -> None:
    title = change.get("new_title", "Buy milk")
    async with connect() as client:
        held = await client.call_tool("delete_task", MILK)
        call("update_task", task_identifier="#1", **change)
        first = {"confirmation": held.structured_content["confirmation"]}
        anew = (await client.call_tool("confirm_call", first)).structured_content
        assert (anew["error_kind"], anew["title"]) == ("needs_confirmation", title)
        assert "It has changed since it was shown" in anew["error_message"]
        assert titles(database, ada) == [title]
        assert (await client.call_tool("confirm_call", first)).structured_content["error_kind"] == "bad_confirmation"
        await client.call_tool("confirm_call", {"confirmation": anew["confirmation"]})
    assert titles(database, ada) == []


async def test_a_change_while_the_person_is_asked_is_asked_about_anew(
    connect: Connect, database: Database, ada: User, call: Call, era: str
) -> None:
    person = answering("accept", yes=True)

    async def slow_person(*asked: Any) -> types.ElicitResult:
        await anyio.to_thread.run_sync(lambda: call("update_task", task_identifier="#1", new_title="Tax papers"))
        return await person(*asked)

    async with connect(era, elicitation_callback=slow_person) as client:
        answer = await client.call_tool("delete_task", MILK)
    assert answer.structured_content["error_kind"] == "needs_confirmation"
    assert titles(database, ada) == ["Tax papers"]


async def test_a_confirmation_is_not_written_down(connect: Connect, database: Database, ada: User) -> None:
    async with connect() as client:
        held = await client.call_tool("delete_task", MILK)
        code = held.structured_content["confirmation"]
        await client.call_tool("confirm_call", {"confirmation": code})
    with database.read() as session:
        kept = list_client_calls(session, ada.id, limit=20)
    assert kept
    assert not [call for call in kept if code in str(call)]


async def test_another_persons_confirmation_is_refused_and_stays_theirs(
    connect: Connect, database: Database, ada: User, bob: User, clock: Clock
) -> None:
    shared = Confirmations(60)
    doors = {
        user: Door(lambda _request, user=user: Person(database, user, "x"), clock, shared)  # type: ignore[misc]
        for user in (ada, bob)
    }
    async with connect(door=doors[ada]) as of_ada, connect(door=doors[bob]) as of_bob:
        held = await of_ada.call_tool("delete_task", MILK)
        code = {"confirmation": held.structured_content["confirmation"]}
        stolen = await of_bob.call_tool("confirm_call", code)
        assert stolen.structured_content["error_kind"] == "bad_confirmation"
        assert titles(database, ada) == ["Buy milk"]
        assert (await of_ada.call_tool("confirm_call", code)).structured_content["status"] == "success"


async def test_a_task_that_is_not_there_is_not_asked_about(connect: Connect, era: str) -> None:
    person = answering("accept", yes=True)
    async with connect(era, elicitation_callback=person) as client:
        answer = await client.call_tool("delete_task", {"task_identifier": "the moon"})
    assert answer.structured_content["error_kind"] == "not_found"
    assert person.asked == []  # type: ignore[attr-defined]


async def test_a_question_without_an_answer_ends_and_leaves_nothing_behind(
    connect: Connect, database: Database, ada: User, clock: Clock
) -> None:
    async def never(_context: object, _params: object) -> None:
        await anyio.sleep_forever()

    door = Door(lambda _request: Person(database, ada, "x"), clock, Confirmations(0.2))
    async with connect(OLD, door=door, elicitation_callback=never) as client:
        answer = await client.call_tool("delete_task", MILK)
    assert answer.structured_content["error_kind"] == "declined"
    assert "No answer" in answer.structured_content["error_message"]
    assert titles(database, ada) == ["Buy milk"]
    assert door.confirmations.count(database) == 0


async def test_two_yeses_at_once_delete_once(connect: Connect, database: Database, ada: User, call: Call) -> None:
    async with connect() as client:
        held = await client.call_tool("delete_task", MILK)
        answers = []

        async def confirm() -> None:
            code = {"confirmation": held.structured_content["confirmation"]}
            answers.append((await client.call_tool("confirm_call", code)).structured_content["status"])

        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(confirm)
    assert sorted(answers) == ["error"] * 7 + ["success"]


def test_a_confirmation_ends_after_its_time(database: Database, ada: User) -> None:
    now = [0.0]
    confirmations = Confirmations(60, clock=lambda: now[0])
    call = make_call("delete_task", MILK, "llm")
    early, late = (confirmations.hold(database, ada.id, call, MILK) for _ in range(2))
    now[0] = 59.9
    assert confirmations.take(database, early, ada.id)
    now[0] = 60
    assert confirmations.take(database, late, ada.id) is None
    assert confirmations.count(database) == 0


def test_somebody_who_asks_without_end_loses_only_their_own_oldest_confirmations(
    database: Database, ada: User, bob: User
) -> None:
    moments = count()
    confirmations = Confirmations(600, clock=lambda: float(next(moments)))
    call = make_call("delete_task", MILK, "llm")
    of_bob = confirmations.hold(database, bob.id, call, MILK)
    codes = [confirmations.hold(database, ada.id, call, MILK) for _ in range(220)]
    assert confirmations.count(database) == 201
    assert confirmations.take(database, codes[19], ada.id) is None
    assert confirmations.take(database, codes[20], ada.id)
    assert confirmations.take(database, of_bob, bob.id)


async def test_a_yes_for_one_call_does_not_delete_by_another(
    connect: Connect, database: Database, ada: User, call: Call
) -> None:
    """In the newer protocol the client sends the call again with its answer: it must be the same call."""
    call("add_task", title="Buy bread")
    yes = {"yes": types.ElicitResult(action="accept", content={"yes": True})}
    async with connect(NEW, elicitation_callback=answering("accept", yes=True)) as client:
        asked = await client.session.call_tool("delete_task", MILK, allow_input_required=True)
        assert isinstance(asked, types.InputRequiredResult)
        other = await client.session.call_tool(
            "delete_task",
            {"task_identifier": "bread"},
            input_responses=yes,  # type: ignore[arg-type]
            request_state=asked.request_state,
        )
    assert other.structured_content["error_kind"] == "bad_confirmation"
    assert sorted(titles(database, ada)) == ["Buy bread", "Buy milk"]
