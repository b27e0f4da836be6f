"""How long a large fleet takes to load: `python -m benchmarks.fleet`."""

from __future__ import annotations

import tempfile
import time
import uuid
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import insert

from db.connection import Database
from db.machines.fleet import load_fleet
from db.machines.models import CommandRow, MachineRow, MetricRow
from db.machines.seed import touch_fleet
from db.users import User, create_user

MACHINES, COMMANDS, METRICS = 10_000, 20, 4


def fill(database: Database) -> User:
    with database.write() as session:
        user = create_user(session, "Ada")
        machines, commands, metrics = [], [], []
        for number in range(MACHINES):
            machine_id = str(uuid.uuid4())
            name, serial = f"Frigo {number}", f"SN{number:06}"
            machines.append(
                {"id": machine_id, "user_id": user.id, "name": name, "name_key": name.lower(), "serial": serial}
                | {"serial_key": serial.lower(), "place": f"Sala {number % 100}", "place_key": f"sala {number % 100}"}
                | {"description": "", "firmware": "", "connected": True, "state": {"power": "on"}}
                | {"created_at": datetime.now(UTC)}
            )
            commands += [
                {"id": str(uuid.uuid4()), "machine_id": machine_id, "position": place, "name": f"command_{place}"}
                | {"description": "", "effect": {}, "unit": None, "minimum": None, "maximum": None}
                for place in range(COMMANDS)
            ]
            metrics += [
                {"machine_id": machine_id, "name": f"metric_{place}", "position": place, "unit": "", "level": 0.0}
                | {"level_at": 0}
                for place in range(METRICS)
            ]
        for table, rows in ((MachineRow, machines), (CommandRow, commands), (MetricRow, metrics)):
            session.connection().execute(insert(table), rows)
        touch_fleet(session, user.id)
    return user


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{Path(folder) / 'fleet.db'}")
        user = fill(database)
        for label in ("first time", "again, unchanged"):
            with database.read() as session:
                began = time.perf_counter()
                fleet = load_fleet(session, user.id)
                print(f"{len(fleet):,} machines of {COMMANDS} commands, {label}: {time.perf_counter() - began:.4f} s")
        database.close()


if __name__ == "__main__":
    main()
