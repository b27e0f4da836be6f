"""Why not, for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from engine.why.values import WhyNot

_BY = {
    "words": "its words",
    "ways_of_talking": "the ways of talking",
    "learned_talk": "what was learned from conversations",
    "answer": "the question that waits",
    "own_reading": "the domain's own reading",
}


def tell_why(why: WhyNot) -> str:
    return "\n".join(_lines(why)) + "\n"


def _lines(why: WhyNot) -> Iterator[str]:
    decision = why.decision
    yield f"{why.text!r}"
    yield f"  {decision.action}: {decision.intent} ({decision.reason}), by {_BY[why.decided_by]}; wanted: {why.wanted}"
    for obstacle in why.obstacles:
        yield f"  {obstacle.told}{f'  [{obstacle.place}]' if obstacle.place else ''}"
    for gap in why.gaps:
        yield f"  {gap.told}"
    if why.misses:
        yield "  the nearest ways of asking"
    for miss in why.misses:
        yield f"    {miss.told}{f'  [{miss.place}]' if miss.place else ''}"
    if not (why.obstacles or why.gaps or why.misses):
        yield "  it is read as wanted" if decision.intent == why.wanted else "  nothing near was found"
