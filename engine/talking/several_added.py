"""Several things to do after one word that adds them: "add fetch the tree on Saturday, call Bo tomorrow and buy tape".

The words alone take all of it for one name, with the first day.
"""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.outcome.judging import judge
from engine.outcome.values import Outcome
from engine.reading.frames import FrameMatch
from engine.reading.weighing import Weighed
from engine.slots.draft import Draft, draft, frame_for
from engine.talking.naming import is_chore
from engine.talking.values import Told
from engine.values import Argument, Provenance

_MOST = 6


def each_added(weighed: Weighed, judged: Outcome, told: Told) -> tuple[Outcome, ...] | None:
    """What becomes of each; None where it is one thing."""
    policy, utterance = told.policy, told.reading.utterance
    facts = policy.catalogue.by_intent.get(judged.intent)
    named = judged.call or (judged.pending and judged.pending.kind == "confirm")
    lead = frame_for(weighed.reading, judged.intent) if facts and facts.effect == "add" and named else None
    place = lead.slot(facts.argument("name")) if lead and facts else None
    if facts is None or lead is None or place is None or "," not in utterance.text:
        return None
    if utterance.quotes or ":" in utterance.text:
        return None
    pieces = _cut(*place, told)
    if not 2 <= len(pieces) <= _MOST:
        return None
    drafts = _share_date([_draft_one(piece, weighed, lead, facts, told) for piece in pieces], facts)
    return tuple(judge(weighed._replace(draft=each, dates=()), told.context, policy) for each in drafts)


def _draft_one(piece: tuple[int, int], weighed: Weighed, lead: FrameMatch, facts: ToolFacts, told: Told) -> Draft:
    region = told.reading.utterance.span(*piece)
    dates = tuple(each for each in weighed.dates if region.start <= each.span.start < region.end)
    alone = lead._replace(slots=((facts.argument("name"), *piece),))
    return draft(weighed.reading._replace(frames=(alone,)), facts.intent, told.policy, dates)


def _share_date(drafts: list[Draft], facts: ToolFacts) -> list[Draft]:
    """A single day is everybody's: "add for tomorrow: …", "add ring Bo, buy tape and post it tomorrow"."""
    argument = facts.argument("date")
    said = [slot for each in drafts for slot in each.slots if slot.name == argument]
    if len(said) != 1:
        return drafts
    given = Argument(argument, said[0].value, Provenance("words", said[0].span))
    return [
        each
        if any(slot.name == argument for slot in each.slots)
        else each._replace(arguments=(*each.arguments, given), slots=(*each.slots, said[0]))
        for each in drafts
    ]


def _cut(first: int, last: int, told: Told) -> list[tuple[int, int]]:
    """At commas and "and", before words that a thing to do begins with; a piece that says "him" goes with the one
    before it."""
    utterance, words, policy = told.reading.utterance, told.reading.scene.words, told.policy
    starts = [first]
    for place in range(first + 1, last):
        between = utterance.text[utterance.tokens[place - 1].end : utterance.tokens[place].start]
        after = words[place - 1] in policy.splitters
        if (after or "," in between) and is_chore(words[place], policy):
            starts.append(place)
    if not is_chore(words[first], policy):
        return []
    ends = [*starts[1:], last]
    pieces = [
        (start, _without_joiner(start, end, words, policy.splitters)) for start, end in zip(starts, ends, strict=True)
    ]
    points = any(
        "pronoun" in policy.word_classes.get(word, ()) for start, end in pieces[1:] for word in words[start:end]
    )
    return [] if points else pieces


def _without_joiner(start: int, end: int, words: tuple[str, ...], splitters: frozenset[str]) -> int:
    while end > start + 1 and words[end - 1] in splitters:
        end -= 1
    return end
