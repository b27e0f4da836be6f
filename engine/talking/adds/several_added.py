"""Several things to do after one word that adds them: "add fetch the tree on Saturday, call Bo tomorrow and buy tape".

The words alone take all of it for one name, with the first day.
"""

from __future__ import annotations

import re

from engine.catalogue.facts import ToolFacts
from engine.dates import DateMatch
from engine.outcome.judging import judge
from engine.outcome.values import Outcome
from engine.reading.frames import FrameMatch
from engine.reading.weighing import Weighed
from engine.slots.draft import Draft, draft, frame_for
from engine.talking.adds.cutting import cut_at_chores
from engine.talking.adds.days_of_pieces import SAME_DAY, dates_of_pieces, share_day
from engine.talking.values import Told

_MOST = 6
_COLON = re.compile(r":(?!\d\d)")
"""Not the one in "9:30"."""


def each_added(weighed: Weighed, judged: Outcome, told: Told) -> tuple[Outcome, ...] | None:
    """What becomes of each; None where it is one thing."""
    policy, utterance = told.policy, told.reading.utterance
    facts = policy.catalogue.by_intent.get(judged.intent)
    named = judged.call or (judged.pending and judged.pending.kind == "confirm")
    lead = frame_for(weighed.reading, judged.intent) if facts and facts.effect == "add" and named else None
    place = lead.slot(facts.argument("name")) if lead and facts else None
    if facts is None or lead is None or place is None:
        return None
    if "," not in utterance.text and not _says_and_again(place, weighed, told):
        return None
    if utterance.quotes or _COLON.search(utterance.text):
        return None
    pieces = cut_at_chores(*place, told, _between_days(place, weighed, told))
    if not 2 <= len(pieces) <= _MOST:
        return None
    dated = dates_of_pieces(pieces, weighed.dates, told)
    drafts = [_draft_one(piece, dates, weighed, lead, facts, told) for piece, dates in zip(pieces, dated, strict=True)]
    if not all(any(slot.name == facts.argument("name") for slot in each.slots) for each in drafts):
        return None  # "party on Friday and Saturday"
    if not any(place[0] < start < place[1] for start in utterance.sentence_starts):
        drafts = share_day(drafts, facts)  # the day of a sentence is not that of the one before it
    return tuple(judge(weighed._replace(draft=each, dates=()), told.context, policy) for each in drafts)


def _says_and_again(place: tuple[int, int], weighed: Weighed, told: Told) -> bool:
    """ "add fetch the tree tomorrow and ring Bo on Monday", "add fetch the tree oh and ring Bo": what stands on the two
    sides of an "and" has its own day, or is taken up anew. One day or none, and it may be one thing to do."""
    words, policy = told.reading.scene.words, told.policy
    for at in range(place[0] + 1, place[1] - 1):
        if words[at] not in policy.splitters:
            continue
        if "interjection" in policy.word_classes.get(words[at - 1], ()):
            return True
        days = (*(each.span.start for each in weighed.dates), *_same_days(told))
        sides = [day < told.reading.utterance.tokens[at].start for day in days]
        if any(sides) and not all(sides):
            return True
    return False


def _same_days(told: Told) -> tuple[int, ...]:
    """Where "the same day" begins: a day of its own, though only what stands before it knows which."""
    words, lexicon = told.reading.scene.words, told.policy.lexicon
    if lexicon.names(words).isdisjoint(SAME_DAY):  # nearly always
        return ()
    tokens = told.reading.utterance.tokens
    return tuple(
        tokens[at].start for at in range(len(words)) if any(lexicon.ends(name, words, at) for name in SAME_DAY)
    )


def _between_days(place: tuple[int, int], weighed: Weighed, told: Told) -> frozenset[int]:
    """The places after an "and" before which a day was said, and after which another one follows."""
    words, tokens = told.reading.scene.words, told.reading.utterance.tokens
    days = sorted((*(each.span.start for each in weighed.dates), *_same_days(told)))
    ands = [at for at in range(place[0] + 1, place[1] - 1) if words[at] in told.policy.splitters]
    found = set()
    for number, at in enumerate(ands):
        until = tokens[ands[number + 1]].start if number + 1 < len(ands) else tokens[place[1] - 1].end
        since = tokens[ands[number - 1]].start if number else tokens[place[0]].start
        before = any(since <= day < tokens[at].start for day in days)
        after = any(tokens[at].end < day <= until for day in days)
        if before and after:
            found.add(at + 1)
    return frozenset(found)


def _draft_one(
    piece: tuple[int, int], dates: tuple[DateMatch, ...], weighed: Weighed, lead: FrameMatch, facts: ToolFacts,
    told: Told,
) -> Draft:  # fmt: skip
    alone = lead._replace(slots=((facts.argument("name"), *piece),))
    return draft(weighed.reading._replace(frames=(alone,)), facts.intent, told.policy, dates)
