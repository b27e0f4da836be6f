"""One request of a message, with what comes of it."""

from __future__ import annotations

from typing import NamedTuple

from engine.decision import Context
from engine.outcome.judging import judge
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.weighing import Weighed, weigh_request
from engine.talking import hear
from engine.text.normalise import Utterance
from engine.text.reading_once import once_a_message


class JudgedRequest(NamedTuple):
    """One request of a message: its words, how they were weighed, and what comes of it."""

    utterance: Utterance
    weighed: Weighed
    outcome: Outcome


class HeardRequest(NamedTuple):
    """What a request comes to by itself."""

    weighed: Weighed
    outcomes: tuple[Outcome, ...]


@once_a_message
def hear_request(utterance: Utterance, context: Context, policy: Policy) -> HeardRequest:
    """A clause is often a request as well, and is heard with those before it and by itself."""
    weighed = weigh_request(utterance, context, policy)
    plain = judge(weighed, context, policy)
    return HeardRequest(weighed, hear(utterance, weighed, plain, context, policy) or (plain,))
