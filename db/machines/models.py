"""The tables of the machines. As in `db.models`, limits stand in the database too (see `db.schema.machines`)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import JSON, Column
from sqlmodel import Field

from db.models import Base


class MachineRow(Base, table=True):
    __tablename__ = "machines"

    id: str = Field(primary_key=True)
    user_id: str = Field(foreign_key="users.id")
    name: str
    name_key: str
    """The name as it is compared: case, accents and spacing folded."""
    serial: str
    serial_key: str
    place: str = ""
    place_key: str = ""
    description: str = ""
    firmware: str = ""
    connected: bool = True
    state: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """For example `{"power": "on", "light": "off", "target_temperature": "4.0"}`; only commands change it."""
    demo_key: str | None = None
    """Set on machines that seeding made, so that seeding again replaces these and no others."""
    created_at: datetime


class CommandRow(Base, table=True):
    __tablename__ = "machine_commands"

    id: str = Field(primary_key=True)
    machine_id: str = Field(foreign_key="machines.id")
    position: int
    name: str
    description: str = ""
    effect: dict[str, str] = Field(default_factory=dict, sa_column=Column(JSON, nullable=False))
    """What the state says afterwards; `{"target_temperature": "$value"}` takes the call's value."""
    unit: str | None = None
    """None: the command takes no value. So for minimum and maximum."""
    minimum: float | None = None
    maximum: float | None = None


class MetricRow(Base, table=True):
    __tablename__ = "machine_metrics"

    machine_id: str = Field(primary_key=True, foreign_key="machines.id")
    name: str = Field(primary_key=True)
    position: int
    unit: str = ""
    level: float
    """Where the simulation stood, without noise, when the state changed last; see `db.machines.physics`."""
    level_at: int


class ReadingRow(Base, table=True):
    __tablename__ = "metric_readings"

    machine_id: str = Field(primary_key=True)
    metric: str = Field(primary_key=True)
    at: int = Field(primary_key=True)
    """Seconds since 1970."""
    value: float


class ChoiceRow(Base, table=True):
    """The machine that a person chose last for these words, and how often in a row: another choice starts over."""

    __tablename__ = "composer_choices"

    user_id: str = Field(primary_key=True, foreign_key="users.id")
    choice_key: str = Field(primary_key=True)
    machine_id: str
    times: int
    updated_at: datetime
