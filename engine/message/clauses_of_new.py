"""What is said together of something new, although its clauses alone would say something else."""

from __future__ import annotations

from engine.message.clauses_against_whole import has_frame
from engine.message.clauses_together import effect_of
from engine.message.judged import points
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.values import DAY_LENGTH


def has_day_of_new(requests: tuple[JudgedRequest, ...], read: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """Whether all that is said together is said of what is new."""
    return _adds_each(requests, read, policy) or _begins_with_its_day(requests, read, policy)


def _begins_with_its_day(requests: tuple[JudgedRequest, ...], read: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "also for Saturday, return the drill": the day moves nothing that was spoken of before."""
    day, new = read[0], read[1]
    added = requests[0].outcome.call if len(requests) == 1 and effect_of(requests[0], policy) == "add" else None
    facts = policy.catalogue.by_intent.get(requests[0].outcome.intent) if added else None
    if added is None or facts is None or len(read) != 2 or effect_of(new, policy) != "add":
        return False
    if any(each.has_day for each in new.weighed.dates):
        return False
    days = {each.value[:DAY_LENGTH] for each in day.weighed.dates}
    due = str(added.parameters.get(facts.argument("date")))[:DAY_LENGTH]
    return points(day) and effect_of(day, policy) == "change" and due in days


def _adds_each(requests: tuple[JudgedRequest, ...], read: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "add haircut on Friday at 3 and dentist on Monday at 9": together two things are added in so many words; that
    something is called like the second moves nothing, for its clause alone asks for nothing."""
    added = [each for each in requests if effect_of(each, policy) == "add" and each.outcome.action == "execute"]
    if len(added) < 2 or len(added) < len(requests) or not all(map(has_frame, added)):
        return False
    return all(
        effect_of(each, policy) in ("change", "finish") and not has_frame(each) and not _orders(each, policy)
        for each in read[1:]
    )


def _orders(request: JudgedRequest, policy: Policy) -> bool:
    """ "and the stock take, put it on the 27th" asks for it in so many words."""
    words = request.weighed.reading.scene.words
    moved = (end - place for place in range(len(words)) for end in policy.lexicon.ends("cue_move", words, place))
    return policy.lexicon.says("clitic", words) or any(length > 1 for length in moved)  # "move boxes" may be new
