"""What is taken back, and then why: "undo that, they have just confirmed Wednesday"."""

from __future__ import annotations

from engine.dates import DateMatch
from engine.decision import Context
from engine.judged import JudgedRequest, acts
from engine.outcome.judging import judge
from engine.policy.values import Policy
from engine.reading.requests import part
from engine.reading.weighing import weigh_request
from engine.talking import hear
from engine.text.normalise import Utterance

_LONGEST = 5
_PAUSES = frozenset(",;.!–—-")


def read_undo_first(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The taking back alone, where its words stand before a pause and nothing after it asks for something else."""
    place = _find_pause(utterance, policy)
    if not place or not context.history:
        return None
    head, rest = part(utterance, 0, place, policy), part(utterance, place, len(utterance.tokens), policy)
    asked = _judge(rest, context, policy)
    taken_back = _judge(head, context, policy)
    if len(taken_back) != 1 or taken_back[0].outcome.act != "undo" or taken_back[0].outcome.action != "execute":
        return None
    begins = [each.weighed.dates[0] for each in asked if each.weighed.dates]
    if any(date.span.start <= rest.tokens[0].start and not _was_just_set(date, context) for date in begins):
        return None  # "no wait, Saturday is better"
    asks = any(acts(each.outcome) and each.weighed.reading.frames for each in asked)
    return None if asks else taken_back


def _was_just_set(date: DateMatch, context: Context) -> bool:
    """ "undo that, tomorrow they are shut", about what was just moved to tomorrow."""
    calls = next((each.calls for each in reversed(context.history) if each.calls), ())
    values = [str(value) for call in calls for value in call.parameters.values()]
    return any(value.startswith(date.value) for value in values)


def _find_pause(utterance: Utterance, policy: Policy) -> int:
    """The first word after a pause with words of taking back before it: "sorry, undo that, it leaks again"."""
    words = tuple(token.norm for token in utterance.tokens)
    for place in range(1, min(len(words), _LONGEST + 1)):
        between = utterance.text[utterance.tokens[place - 1].end : utterance.tokens[place].start]
        said = words[:place]
        if not _PAUSES.isdisjoint(between) and any(policy.lexicon.ends("cue_undo", said, at) for at in range(place)):
            return place
    return 0


def _judge(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...]:
    weighed = weigh_request(utterance, context, policy)
    plain = judge(weighed, context, policy)
    heard = hear(utterance, weighed, plain, context, policy) or (plain,)
    return tuple(JudgedRequest(utterance, weighed, outcome) for outcome in heard)
