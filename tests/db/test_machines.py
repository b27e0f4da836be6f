"""The machine tools through the executor, on the real store."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from sqlmodel import col, select

from db.audit import Origin, find_redoable, find_undoable
from db.connection import Database
from db.executor import Executor
from db.machines.models import MachineRow
from db.machines.seed import seed_machines
from db.models import AuditRow
from db.tasks.service import Clock
from db.users import User, create_user, read_revision
from domains.catalogues import load_all_tools
from domains.machines.tools import MACHINE_TOOL_NAMES
from engine.values import ErrorKind, make_call
from tests.conftest import Call

pytestmark = pytest.mark.usefixtures("fleet")
PERSON = Origin("person")


def trail(database: Database) -> list[AuditRow]:
    with database.read() as session:
        return list(session.exec(select(AuditRow).order_by(col(AuditRow.sequence))))


def state_of(call: Call, name: str) -> dict[str, str]:
    state = call("device_detail", device_name=name).payload["state"]
    assert isinstance(state, dict)
    return state


def test_a_command_changes_the_state_and_says_so(call: Call) -> None:
    result = call("machine_command_execute", device_name="Frigo Cucina", command_name="turn_on_light")
    assert result.ok
    assert (result.payload["device_name"], result.payload["command"]) == ("Frigo Cucina", "turn_on_light")
    assert result.payload["changed"] is True
    assert state_of(call, "Frigo Cucina")["light"] == "on"


def test_a_command_that_changes_nothing_says_so_and_cannot_be_undone(call: Call, database: Database) -> None:
    result = call("machine_command_execute", device_name="Frigo Sala", command_name="turn_on_light")
    assert (result.ok, result.payload["changed"]) == (True, False)
    (row,) = trail(database)
    assert (row.machine_id, row.before, row.after) == (None, None, None)


def test_a_command_with_a_value_sets_it(call: Call) -> None:
    result = call("machine_command_execute", device_name="FRIGO001", command_name="set temperature", value=5.5)
    assert result.ok, result.error_message
    assert state_of(call, "frigo cucina")["target_temperature"] == "5.5"


@pytest.mark.both_databases
@pytest.mark.parametrize(
    "named",
    [
        {"device_name": "Frigo Cucina"},
        {"device_name": "frigo CUCINA"},
        {"device_name": "cucina frigo"},
        {"device_name": "FRIGO001"},
        {"device_name": "frigo-001"},
        {"device_id": "FRIGO001"},
        {"device_id": "FRIGO001", "device_name": "Frigo Cucina"},
    ],
)
def test_a_machine_is_found_by_name_or_serial_number(call: Call, named: dict[str, str]) -> None:
    assert call("device_detail", **named).payload["device_name"] == "Frigo Cucina"


def test_a_machine_and_a_command_are_found_by_their_ids(call: Call) -> None:
    detail = call("device_detail", device_name="Abbattitore").payload
    command = next(each for each in detail["commands"] if each["name"] == "start_cycle")  # type: ignore[attr-defined]
    result = call("machine_command_execute", device_id=detail["device_id"], machine_command_id=command["id"])
    assert (result.payload["command"], result.payload["state"]["cycle"]) == ("start_cycle", "running")  # type: ignore[index]


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ({}, ErrorKind.MISSING_ARGUMENT, "which machine"),
        ({"device_name": "Frigo Cucina"}, ErrorKind.MISSING_ARGUMENT, "which command"),
        ({"device_name": "tostapane", "command_name": "turn_on"}, ErrorKind.NOT_FOUND, "'tostapane'"),
        ({"device_name": "frigo", "command_name": "turn_on"}, ErrorKind.SEVERAL_MATCHES, "Frigo Sala (FRIGO002)"),
        ({"device_name": "Frigo Sala", "command_name": "fly"}, ErrorKind.NOT_FOUND, "It has: turn_on,"),
        ({"device_name": "Frigo Sala", "command_name": "set_temperature"}, ErrorKind.MISSING_ARGUMENT, "0 to 12 °C"),
        (
            {"device_name": "Frigo Sala", "command_name": "set_temperature", "value": 90},
            ErrorKind.INVALID_VALUE,
            "90 is out of range",
        ),
        (
            {"device_name": "Frigo Sala", "command_name": "set_temperature", "value": float("nan")},
            ErrorKind.INVALID_VALUE,
            "out of range",
        ),
        ({"device_name": "Frigo Sala", "command_name": "turn_on", "value": 3}, ErrorKind.INVALID_VALUE, "no value"),
        ({"device_name": "Frigo Cantina", "command_name": "turn_off"}, ErrorKind.NOT_CONNECTED, "not connected"),
        (
            {"device_id": "FRIGO001", "device_name": "Frigo Sala", "command_name": "turn_on"},
            ErrorKind.SEVERAL_MATCHES,
            "Frigo Cucina and Frigo Sala",
        ),
        ({"device_name": "'; DROP TABLE machines; --", "command_name": "turn_on"}, ErrorKind.NOT_FOUND, "No machine"),
        ({"device_name": "%", "command_name": "turn_on"}, ErrorKind.NOT_FOUND, "No machine"),
    ],
)
def test_a_command_that_cannot_be_carried_out_is_an_error_that_says_why(
    call: Call, database: Database, arguments: dict[str, object], kind: ErrorKind, words: str
) -> None:
    with database.read() as session:
        before = {row.id: row.state for row in session.exec(select(MachineRow))}
    result = call("machine_command_execute", **arguments)
    assert result.error is kind
    assert words in result.error_message
    with database.read() as session:
        assert {row.id: row.state for row in session.exec(select(MachineRow))} == before
    assert trail(database)[-1].error_kind == kind


@pytest.mark.both_databases
def test_metrics_have_a_value_a_time_and_a_course(call: Call) -> None:
    result = call("metrics_read", device_name="Frigo Cucina", metrics=["temperature", "humidity"])
    measured = result.payload["metrics"]
    assert isinstance(measured, list)
    temperature, humidity = measured
    assert (temperature["metric"], temperature["unit"], humidity["unit"]) == ("temperature", "°C", "%")
    assert temperature["minimum"] <= temperature["value"] <= temperature["maximum"]
    assert 3.0 <= temperature["mean"] <= 5.0
    assert temperature["measured_at"] == "2026-03-04T09:00:00+00:00"


def test_all_metrics_are_read_unless_some_are_named(call: Call) -> None:
    measured = call("metrics_read", device_name="Abbattitore").payload["metrics"]
    assert [each["metric"] for each in measured] == ["temperature", "humidity", "energy"]  # type: ignore[attr-defined]


def test_reading_the_same_moment_twice_gives_the_same(call: Call) -> None:
    first = call("metrics_read", device_name="Frigo Cucina").payload
    assert call("metrics_read", device_name="Frigo Cucina").payload == first


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        ({"device_name": "Forno Pizza", "metrics": ["humidity"]}, ErrorKind.NOT_FOUND, "It measures: temperature"),
        ({"device_name": "Frigo Cantina"}, ErrorKind.NOT_CONNECTED, "nothing can be read"),
    ],
)
def test_what_cannot_be_read_is_an_error(call: Call, arguments: dict[str, object], kind: ErrorKind, words: str) -> None:
    result = call("metrics_read", **arguments)
    assert result.error is kind
    assert words in result.error_message


@pytest.mark.parametrize(
    ("conditions", "names"),
    [
        ({"place": "cucina"}, ["Abbattitore", "Forno Pizza", "Frigo Cucina"]),
        ({"connected": False}, ["Frigo Cantina"]),
        ({"search": "drinks"}, ["Frigo Sala"]),
        ({"search": "FRIGO00"}, ["Frigo Cantina", "Frigo Cucina", "Frigo Sala"]),
        ({"search": "100%"}, []),
        ({"limit": 2, "offset": 1}, ["Bar dishwasher", "Forno Pizza"]),
    ],
)
def test_machines_are_listed_by_condition(call: Call, conditions: dict[str, object], names: list[str]) -> None:
    result = call("machines_list", **conditions)
    assert [each["name"] for each in result.payload["machines"]] == names  # type: ignore[attr-defined]
    assert result.payload["count"] == len(names)
    assert result.payload["total"] == (6 if "limit" in conditions else len(names))


@pytest.mark.parametrize("name", MACHINE_TOOL_NAMES)
def test_every_result_has_the_shape_of_the_catalogue(call: Call, name: str) -> None:
    arguments = {"device_name": "Frigo Sala"} if name != "machines_list" else {}
    if name == "machine_command_execute":
        arguments["command_name"] = "turn_off_light"
    results = (call(name, **arguments), call(name, **{**arguments, "device_name": "nobody"}))
    assert [result.ok for result in results] == [True, False]
    for result in results:
        TypeAdapter(load_all_tools()[name].result).validate_python(dict(result.payload), strict=True)


def test_nobody_reaches_another_persons_machine(call: Call, database: Database, bob: User, clock: Clock) -> None:
    detail = call("device_detail", device_name="Frigo Cucina").payload
    theirs = Executor(database, bob, clock)
    for named in ({"device_id": detail["device_id"]}, {"device_name": "Frigo Cucina"}, {"device_name": "FRIGO001"}):
        arguments = {**named, "command_name": "turn_on_light"}
        result = theirs.execute(make_call("machine_command_execute", arguments, "llm"), PERSON)
        assert result.error is ErrorKind.NOT_FOUND
    listed = theirs.execute(make_call("machines_list", {}, "llm"), PERSON)
    assert (listed.payload["count"], listed.payload["total"]) == (0, 0)
    assert state_of(call, "Frigo Cucina")["light"] == "off"


def test_two_people_may_have_machines_of_the_same_serial_number(
    database: Database, bob: User, clock: Clock, call: Call
) -> None:
    seed_machines(database, bob, clock)
    Executor(database, bob, clock).execute(
        make_call("machine_command_execute", {"device_name": "FRIGO001", "command_name": "turn_off"}, "llm"), PERSON
    )
    assert state_of(call, "FRIGO001")["power"] == "on"


@pytest.mark.both_databases
def test_undo_takes_a_command_back_and_leaves_images_in_the_trail(
    call: Call, executor: Executor, database: Database
) -> None:
    done = call("machine_command_execute", device_name="Frigo Cucina", command_name="start_defrost")
    assert done.audit_id
    undone = executor.undo(done.audit_id, PERSON)
    assert (undone.ok, undone.payload["title"], undone.payload["count"]) == (True, "Frigo Cucina", 1)
    assert state_of(call, "Frigo Cucina")["defrost"] == "idle"
    command, undo = [row for row in trail(database) if row.machine_id]
    assert command.before
    assert command.after
    assert (command.before["state"]["defrost"], command.after["state"]["defrost"]) == ("idle", "running")
    assert (undo.undoes, undo.before, undo.after) == (command.id, command.after, command.before)
    assert executor.undo(undo.id, PERSON).ok
    assert state_of(call, "Frigo Cucina")["defrost"] == "running"


def test_undo_refuses_when_the_machine_was_told_something_since(call: Call, executor: Executor) -> None:
    first = call("machine_command_execute", device_name="Frigo Cucina", command_name="turn_on_light")
    call("machine_command_execute", device_name="Frigo Cucina", command_name="turn_off")
    assert first.audit_id
    refused = executor.undo(first.audit_id, PERSON)
    assert refused.error is ErrorKind.CONFLICT
    assert refused.error_message == "Frigo Cucina was changed since. Undo the later change first."


def test_nobody_undoes_another_persons_command(call: Call, database: Database, bob: User, clock: Clock) -> None:
    done = call("machine_command_execute", device_name="Frigo Cucina", command_name="turn_off")
    assert done.audit_id
    assert Executor(database, bob, clock).undo(done.audit_id, PERSON).error is ErrorKind.NOT_FOUND


def test_the_tasks_page_never_offers_a_command_to_undo(call: Call, database: Database, ada: User) -> None:
    added = call("add_task", title="Buy milk")
    with database.read() as session:
        revision = read_revision(session, ada.id)
    call("machine_command_execute", device_name="Frigo Cucina", command_name="turn_off")
    with database.read() as session:
        change = find_undoable(session, ada.id)
        assert find_redoable(session, ada.id) is None
        assert read_revision(session, ada.id) == revision
    assert change
    assert change.audit_id == added.audit_id


@pytest.mark.both_databases
def test_two_commands_at_once_on_one_machine_are_both_kept(database_url: str, database: Database, ada: User,
                                                            clock: Clock, call: Call) -> None:  # fmt: skip
    """Through two connections of their own: neither overwrites what the other set."""
    start = threading.Barrier(2)
    results = []

    def run(command: str) -> None:
        own = Database(database_url)
        start.wait()
        arguments = {"device_name": "Frigo Cucina", "command_name": command}
        results.append(
            Executor(own, ada, clock).execute(make_call("machine_command_execute", arguments, "llm"), PERSON)
        )
        own.close()

    threads = [threading.Thread(target=run, args=(command,)) for command in ("turn_on_light", "start_defrost")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [result.ok for result in results] == [True, True]
    state = state_of(call, "Frigo Cucina")
    assert (state["light"], state["defrost"]) == ("on", "running")


def test_a_locked_database_is_a_clear_error_and_nothing_is_sent(tmp_path: Path, clock: Clock) -> None:
    url = f"sqlite:///{tmp_path / 'locked.db'}"
    holder, asker = Database(url), Database(url, patience_seconds=0.2)
    with holder.write() as session:
        user = create_user(session, "Ada")
    seed_machines(holder, user, clock)
    executor = Executor(asker, user, clock)
    call = make_call("machine_command_execute", {"device_name": "Frigo Cucina", "command_name": "turn_off"}, "llm")
    with holder.write():
        refused = executor.execute(call, PERSON)
    assert refused.error is ErrorKind.UNAVAILABLE
    with holder.read() as session:
        states = [row.state["power"] for row in session.exec(select(MachineRow)) if row.name == "Frigo Cucina"]
    assert states == ["on"]
    holder.close()
    asker.close()
