"""What the composer is given: the fleet in memory, learned choices, and the turns of the Machines page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import event

from db.connection import Database, Session
from db.machines.choices import forget_choices, read_learned, record_choice
from db.machines.fleet import load_fleet
from db.machines.revisions import read_machines_revision
from db.machines.seed import seed_machines
from db.tasks.service import Clock
from db.users import User
from domains.machines.memory_fleet import MemoryFleet
from engine.decision import Learned
from tests.conftest import Call


@pytest.fixture
def session(database: Database, ada: User) -> Iterator[Session]:
    with database.write() as session:
        yield session


def fleet_of(database: Database, user: User) -> MemoryFleet:
    with database.read() as session:
        return load_fleet(session, user.id)


def test_the_fleet_has_machines_with_commands_and_metrics(database: Database, ada: User, fleet: int) -> None:
    machines = list(fleet_of(database, ada).machines())
    assert len(machines) == fleet == 6
    frigo = next(machine for machine in machines if machine.name == "Frigo Cucina")
    assert (frigo.serial, frigo.place, frigo.connected) == ("FRIGO001", "Cucina", True)
    assert [command.name for command in frigo.commands][:2] == ["turn_on", "turn_off"]
    value = frigo.commands[-1].value
    assert value
    assert (value.unit, value.minimum, value.maximum) == ("°C", 0, 12)
    assert next((metric.name, metric.unit) for metric in frigo.metrics) == ("temperature", "°C")


def test_the_fleet_is_kept_until_it_changes(
    database: Database, ada: User, fleet: int, call: Call, clock: Clock
) -> None:
    first = fleet_of(database, ada)
    call("machine_command_execute", device_name="Frigo Cucina", command_name="turn_off")
    assert fleet_of(database, ada) is first  # a state is not what the machines are
    seed_machines(database, ada, clock, "jonas")
    assert [machine.name for machine in fleet_of(database, ada).machines()] == [
        "Blast chiller",
        "Bread oven",
        "Kitchen fridge",
        "Terrace fridge",
    ]


def test_a_fleet_holds_nobody_elses_machines(database: Database, ada: User, bob: User, fleet: int) -> None:
    assert len(fleet_of(database, bob)) == 0


def test_loading_takes_as_many_queries_for_six_machines_as_for_none(
    database: Database, ada: User, bob: User, fleet: int
) -> None:
    def count(user: User) -> int:
        asked = []
        with database.read() as session:
            connection = session.connection()
            event.listen(connection, "before_cursor_execute", lambda *given: asked.append(given[2]))
            load_fleet(session, user.id)
        return len(asked)

    assert count(ada) == count(bob) == 4


def test_a_repeated_choice_counts_up_and_another_starts_over(session: Session, ada: User) -> None:
    for machine in ("a", "a", "b"):
        record_choice(session, ada.id, "light", machine)
    assert read_learned(session, ada.id) == (Learned("light", "b", 1),)
    record_choice(session, ada.id, "light", "b")
    record_choice(session, ada.id, "defrost", "a")
    assert set(read_learned(session, ada.id)) == {Learned("light", "b", 2), Learned("defrost", "a", 1)}


def test_choices_are_forgotten_one_by_one_or_all_and_only_ones_own(database: Database, ada: User, bob: User) -> None:
    with database.write() as session:
        for user in (ada, bob):
            for key in ("light", "defrost", "power"):
                record_choice(session, user.id, key, "a")
        forget_choices(session, ada.id, "light")
        assert {each.key for each in read_learned(session, ada.id)} == {"defrost", "power"}
        forget_choices(session, ada.id)
        assert read_learned(session, ada.id) == ()
        assert len(read_learned(session, bob.id)) == 3


def test_an_open_page_sees_that_something_is_new(database: Database, ada: User, fleet: int, call: Call) -> None:
    def revision() -> int:
        with database.read() as session:
            return read_machines_revision(session, ada.id)

    seen = [revision()]
    call("machine_command_execute", device_name="Frigo Cucina", command_name="turn_on_light")
    seen.append(revision())
    with database.write() as session:
        record_choice(session, ada.id, "light", "a")
    seen.append(revision())
    assert seen == sorted(set(seen))
