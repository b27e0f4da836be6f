"""A value of what was just done, put right by its form alone: a number, a name, by how much it was moved."""

from __future__ import annotations

from engine.outcome.values import Outcome
from engine.talking.days.put_right_shift import put_shift_right
from engine.talking.names.name_corrections import put_name_right
from engine.talking.names.number_corrections import put_number_right
from engine.talking.values import Told


def put_right(told: Told) -> tuple[Outcome, ...] | None:
    return put_number_right(told) or put_name_right(told) or put_shift_right(told)
