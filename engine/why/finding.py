"""For a message and the intent that it should have had: why it was read otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from engine.catalogue.facts import UNKNOWN
from engine.decider import RuleDecider
from engine.decision import Context, Intent, Reason
from engine.explaining.anatomy import ReadingDecider
from engine.message.read import read_message
from engine.text.normalise import normalise
from engine.why.gaps import find_gaps
from engine.why.misses import find_misses
from engine.why.standing import find_obstacles, find_source
from engine.why.values import NearMiss, Obstacle, WhyNot

_NOTHING: Mapping[str, str] = {}


def find_why(
    text: str,
    context: Context,
    decider: ReadingDecider,
    wanted: Intent,
    arguments: Mapping[str, str] = _NOTHING,
) -> WhyNot:
    """`arguments` are those that the call should have had, as far as they matter. ValueError: no such intent."""
    policy = decider.policy_of(text, context)
    if wanted not in policy.catalogue.intents:
        raise ValueError(f"there is no intent {wanted!r}; there are: {', '.join(policy.catalogue.intents)}")
    decision = decider.decide(text, context)
    own = not isinstance(decider, RuleDecider)
    if decision.reason in (Reason.EMPTY, Reason.TOO_LONG):
        obstacle = Obstacle("not_read", f"it was not read at all: {decision.reason}")
        return WhyNot(text, policy.language, wanted, decision, "own_reading" if own else "words", (obstacle,))
    if not isinstance(decider, RuleDecider):
        reasons = decider.find_reasons(text, context, wanted, arguments)
        return WhyNot(text, policy.language, wanted, decision, "own_reading", *reasons)
    source = find_source(text, context, policy, decider, decision)
    utterance = normalise(text, policy.spellings, policy.elisions, policy.abbreviations)
    requests, _ = read_message(utterance, context, policy)
    obstacles: list[Obstacle] = []
    misses: list[NearMiss] = []
    for request in requests:
        reading = request.weighed.reading
        obstacles += [each for each in find_obstacles(request, wanted, source, policy) if each not in obstacles]
        if wanted != UNKNOWN:
            found = find_misses(reading.utterance, reading.scene, reading.frames, wanted, policy)
            misses += [each for each in found if each not in misses]
    if source == "answer":
        obstacles.append(Obstacle("answer", "it was taken for the answer to the question that waits"))
    return WhyNot(
        text,
        policy.language,
        wanted,
        decision,
        source,
        tuple(obstacles),
        tuple(sorted(misses, key=lambda miss: miss.distance)),
        tuple(find_gaps(text, decision, context, wanted, arguments, policy)),
    )
