"""The simulated fleet: the physics as a pure function, and the readings in the store."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from sqlmodel import func, select

from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.machines.models import MetricRow, ReadingRow
from db.machines.physics import ROOM_TEMPERATURE, LevelAt, measure, noise, settle
from db.machines.simulation import KEPT_SECONDS, MOST_NEW, STEP_SECONDS, advance, is_due, read_history, read_now
from db.users import User
from engine.values import make_call
from tests.conftest import NOW, Call

COLD = {"power": "on", "defrost": "idle", "light": "off", "target_temperature": "4"}
OFF = {**COLD, "power": "off"}
DEFROSTS = {**COLD, "defrost": "running"}
T0 = 1_772_600_000
PERSON = Origin("person")
HOUR = 3600


def test_with_power_on_the_temperature_comes_to_its_target() -> None:
    level = LevelAt(20.0, T0)
    course = [settle("temperature", level, COLD, T0 + minutes * 60) for minutes in (0, 10, 30, 60, 300)]
    assert course[0] == 20.0
    assert course == sorted(course, reverse=True)
    assert course[-1] == pytest.approx(4.0, abs=0.01)


@pytest.mark.parametrize("state", [OFF, DEFROSTS])
def test_off_or_defrosting_it_warms_towards_the_room(state: dict[str, str]) -> None:
    later = settle("temperature", LevelAt(4.0, T0), state, T0 + HOUR)
    assert 4.0 < later < ROOM_TEMPERATURE
    assert settle("temperature", LevelAt(4.0, T0), state, T0 + 100 * HOUR) == pytest.approx(ROOM_TEMPERATURE, abs=0.01)


def test_defrosting_makes_it_damp_and_takes_power() -> None:
    assert settle("humidity", LevelAt(55, T0), DEFROSTS, T0 + HOUR) > settle(
        "humidity", LevelAt(55, T0), COLD, T0 + HOUR
    )
    used = [settle("energy", LevelAt(0, T0), state, T0 + HOUR) for state in (OFF, COLD, DEFROSTS)]
    assert used == sorted(used)
    assert used[1] == pytest.approx(0.15)


def test_in_two_steps_it_comes_to_the_same_as_in_one() -> None:
    at_once = settle("temperature", LevelAt(20.0, T0), COLD, T0 + HOUR)
    half = LevelAt(settle("temperature", LevelAt(20.0, T0), COLD, T0 + HOUR // 2), T0 + HOUR // 2)
    assert settle("temperature", half, COLD, T0 + HOUR) == pytest.approx(at_once)


def test_the_noise_is_small_smooth_and_the_same_for_the_same_moment() -> None:
    values = [noise("m", "temperature", T0 + second) for second in range(0, 2 * HOUR, 10)]
    assert values == [noise("m", "temperature", T0 + second) for second in range(0, 2 * HOUR, 10)]
    assert all(-1 <= value <= 1 for value in values)
    assert max(abs(first - second) for first, second in pairwise(values)) < 0.1
    assert values != [noise("other", "temperature", T0 + second) for second in range(0, 2 * HOUR, 10)]


def test_the_door_is_open_now_and_then_and_more_by_day() -> None:
    day = [measure("m", "door", LevelAt(0, T0), COLD, T0 + knot * 600) for knot in range(1000)]
    assert set(day) == {0.0, 1.0}
    assert 10 < sum(day) < 120


@pytest.mark.parametrize("broken", ["", "warm", "nan", "inf"])
def test_a_state_that_is_no_number_does_not_break_the_sensor(broken: str) -> None:
    value = measure("m", "temperature", LevelAt(20.0, T0), {**COLD, "target_temperature": broken}, T0 + HOUR)
    assert 0 < value < 30


@pytest.fixture
def frigo(call: Call, fleet: int) -> str:
    return str(call("device_detail", device_name="Frigo Cucina").payload["device_id"])


def count(database: Database, machine_id: str) -> int:
    with database.read() as session:
        return session.exec(select(func.count()).where(ReadingRow.machine_id == machine_id)).one()


def test_readings_go_on_with_time_and_are_written_once(database: Database, frigo: str) -> None:
    before = count(database, frigo)
    later = NOW + timedelta(minutes=20)
    with database.write() as session:
        assert not is_due(session, [frigo], NOW)
        assert is_due(session, [frigo], later)
        assert advance(session, [frigo], later) == 4 * 4  # four metrics, four points of the grid
        assert advance(session, [frigo], later) == 0
        assert not is_due(session, [frigo], later)
    assert count(database, frigo) == before + 16


def test_after_a_long_pause_a_bounded_number_is_written_and_old_ones_go(database: Database, frigo: str) -> None:
    later = NOW + timedelta(days=40)
    with database.write() as session:
        written = advance(session, [frigo], later)
    assert 4 <= written <= 4 * (MOST_NEW + 1)
    with database.read() as session:
        oldest = session.exec(select(func.min(ReadingRow.at)).where(ReadingRow.machine_id == frigo)).one()
    assert oldest >= later.timestamp() - KEPT_SECONDS - STEP_SECONDS


def test_old_readings_are_thinned_to_one_an_hour(database: Database, frigo: str) -> None:
    later = NOW + timedelta(days=5)
    with database.write() as session:
        advance(session, [frigo], later)
        advance(session, [frigo], later + timedelta(minutes=5))
        old = later.timestamp() - 3 * 86_400
        times = session.exec(select(ReadingRow.at).where(ReadingRow.machine_id == frigo, ReadingRow.at < old)).all()
    assert times
    assert {at % 3600 for at in times} == {0}


def test_a_machine_that_is_not_connected_writes_nothing(call: Call, database: Database, fleet: int) -> None:
    silent = str(call("device_detail", device_name="Frigo Cantina").payload["device_id"])
    with database.write() as session:
        assert advance(session, [silent], NOW + timedelta(hours=3)) == 0
        assert not is_due(session, [silent], NOW + timedelta(hours=3))


def test_a_command_moves_what_is_measured_from_then_on(database: Database, ada: User, frigo: str) -> None:

    def tell(tool: str, now: datetime, **arguments: object) -> dict[str, object]:
        executor = Executor(database, ada, lambda: now)
        result = executor.execute(make_call(tool, {"device_id": frigo, **arguments}, "person"), PERSON)
        assert result.ok, result.error_message
        return dict(result.payload)

    def temperature(now: datetime) -> float:
        (measured,) = tell("metrics_read", now, metrics=["temperature"])["metrics"]  # type: ignore[attr-defined]
        return float(measured["value"])

    assert temperature(NOW) < 5
    tell("machine_command_execute", NOW, command_name="turn_off")
    warm = temperature(NOW + timedelta(hours=2))
    assert 8 < warm < 16
    tell("machine_command_execute", NOW + timedelta(hours=2), command_name="turn_on")
    assert temperature(NOW + timedelta(hours=2)) == warm
    assert temperature(NOW + timedelta(hours=6)) < 5
    with database.read() as session:
        history = read_history(session, frigo, "temperature", int(NOW.timestamp()))
    assert max(reading.value for reading in history) >= warm - 0.6


def test_undo_goes_on_from_where_the_temperature_is(database: Database, ada: User, frigo: str) -> None:
    arguments = {"device_id": frigo, "command_name": "turn_off"}
    off = Executor(database, ada, lambda: NOW).execute(make_call("machine_command_execute", arguments, "llm"), PERSON)
    assert off.audit_id
    later = NOW + timedelta(hours=2)
    assert Executor(database, ada, lambda: later).undo(off.audit_id, PERSON).ok
    with database.read() as session:
        level = session.get(MetricRow, (frigo, "temperature"))
        assert level
        assert 8 < level.level < 16
        now = read_now(session, {frigo: COLD}, later)[frigo]["temperature"]
        assert now.value == pytest.approx(level.level, abs=0.4)
