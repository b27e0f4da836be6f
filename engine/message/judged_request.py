"""One request of a message, with what comes of it."""

from __future__ import annotations

from typing import NamedTuple

from engine.outcome.values import Outcome
from engine.reading.weighing import Weighed
from engine.text.normalise import Utterance


class JudgedRequest(NamedTuple):
    """One request of a message: its words, how they were weighed, and what comes of it."""

    utterance: Utterance
    weighed: Weighed
    outcome: Outcome
