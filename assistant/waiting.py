"""Whether a turn waits for the LLM, and for how long: nobody stands long in a queue for a second opinion, or waits for
one that is long in coming."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.outcome.routes import Route
from engine.outcome.routing import TOGETHER, Driver
from llm.patience import Timer

if TYPE_CHECKING:
    from assistant.turn_values import Lanes, OpenTurn
    from llm.model_queue import Wait

_log = logging.getLogger(__name__)


def why_not_waited(driver: Driver, lanes: Lanes) -> Route | None:
    """Why a turn whose driver would wait for the LLM does not; None: it waits."""
    if lanes.llm is None:
        return Route.LLM_OFF
    if driver not in TOGETHER:
        return None
    if not lanes.patient and lanes.llm.is_getting_ready():
        return Route.LLM_LOADING
    if lanes.wait_seconds is None:
        return None
    if lanes.llm.is_busy(lanes.wait_seconds):
        return Route.LLM_BUSY
    return Route.LLM_SLOW if lanes.llm.is_slow(lanes.wait_seconds) else None


_GRACE = 0.3
"""Seconds: whoever got no place in the model's queue by then hears that from the queue, not that the model is slow."""


class Overdue:
    """Lets the engine act in a turn that has waited for as long as anybody waits. The model goes on with its answer,
    which is then shown beside what was done."""

    def __init__(self, turn: OpenTurn, act: Callable[[], object]) -> None:
        self._turn, self._act = turn, act
        self.acted = False

    @property
    def timer(self) -> Timer | None:
        """None: the turn waits for as long as it takes, or does not wait at all."""
        seconds = self._turn.lanes.wait_seconds
        if seconds is None or not self._turn.waits or self._turn.driver not in TOGETHER:
            return None
        return Timer(_left(self._turn, seconds) + _GRACE, self._go_on)

    def _go_on(self) -> None:
        try:
            self._act()
            self.acted = True
        except Exception:  # as with a locked database: then the turn goes on when the answer comes
            _log.exception("Turn %s could not go on without the LLM", self._turn.id)


def wait_of(turn: OpenTurn) -> Wait | None:
    """How the turn stands in the model's queue; None: no chat, which asks at once. Who lets the LLM drive waits for it
    as long as for its answer."""
    from llm.model_queue import Wait  # late, as the lane itself

    seconds = turn.lanes.wait_seconds
    if seconds is None:
        return None
    if turn.waits and turn.driver not in TOGETHER:
        return Wait()
    return Wait(_left(turn, seconds), turn.waits)


def _left(turn: OpenTurn, seconds: float) -> float:
    return max(0.0, seconds - (time.monotonic() - turn.began))
