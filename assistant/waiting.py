"""Whether a turn waits for the LLM, and for how long: nobody stands in a long queue for a second opinion."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from engine.outcome.routing import TOGETHER, Driver

if TYPE_CHECKING:
    from assistant.turn_values import Lanes, OpenTurn
    from llm.model_queue import Wait


def is_loading(driver: Driver, lanes: Lanes) -> bool:
    """Whether both lanes drive, and nobody is to wait until the model is ready."""
    together = driver in TOGETHER and not lanes.patient
    return together and lanes.llm is not None and lanes.llm.is_getting_ready()


def is_busy(driver: Driver, lanes: Lanes) -> bool:
    """Whether both lanes drive, and the model has more to answer before this than a person is to wait for."""
    if driver not in TOGETHER or lanes.llm is None or lanes.queue_seconds is None:
        return False
    return lanes.llm.is_busy(lanes.queue_seconds)


def wait_of(turn: OpenTurn) -> Wait | None:
    """How the turn stands in the model's queue; None: no chat, which asks at once. Who lets the LLM drive waits for it
    as long as for its answer."""
    from llm.model_queue import Wait  # late, as the lane itself

    seconds = turn.lanes.queue_seconds
    if seconds is None:
        return None
    if turn.waits and turn.driver not in TOGETHER:
        return Wait()
    return Wait(max(0.0, seconds - (time.monotonic() - turn.began)), turn.waits)
