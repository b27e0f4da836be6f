""" "Put the gas bill back on, it bounced", "i verbali li rimetta da fare": what was finished is to do again.

It is named between the words for that, or before them, or is what was spoken of last. "Back" belongs to no name then,
and something that is still open is not meant: "put the kettle back on" adds.
"""

from __future__ import annotations

from engine.decision import Act, Context
from engine.message.forms.opened_again import open_again
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.talking.names.mentions import find_mentioned
from engine.talking.situation import read_situation
from engine.text.normalise import Utterance

BACK = "back_to_do"
_POINTS, _NAMES = "puts_it", "puts_named"
_PAUSES = frozenset(",;:.!–—-")
_LONGEST_NAME = 8


def read_put_back(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The one finished thing that is meant, open again."""
    words = utterance.words
    for place in range(len(words)):
        for name in _between(place, utterance, policy):
            found = _finished(name, utterance, context, policy)
            if found:
                return _opened(found, utterance, context, policy, "request")
        if _points(place, utterance, policy):
            found = _finished(range(place), utterance, context, policy)
            if found:
                return _opened(found, utterance, context, policy, "request")
            last = _spoken_of(context, policy) if _begins_clause(place, utterance, policy) else None
            taken_back = place == 0 and read_situation(context, policy).effect == "finish"
            return _opened(last, utterance, context, policy, "correct") if last and not taken_back else None
    return None


def _between(place: int, utterance: Utterance, policy: Policy) -> list[range]:
    """The words that may be a name: "put … back on"."""
    words, lexicon = utterance.words, policy.lexicon
    return [
        range(first, back)
        for first in lexicon.ends(_NAMES, words, place)
        for back in range(first + 1, min(len(words), first + _LONGEST_NAME))
        if any(_stops(end, utterance, policy) for end in lexicon.ends(BACK, words, back))
    ]


def _points(place: int, utterance: Utterance, policy: Policy) -> bool:
    """ "put it back on", "la rimetta da fare"."""
    words, lexicon = utterance.words, policy.lexicon
    return any(
        _stops(end, utterance, policy)
        for back in lexicon.ends(_POINTS, words, place)
        for end in lexicon.ends(BACK, words, back)
    )


def _begins_clause(place: int, utterance: Utterance, policy: Policy) -> bool:
    """Whether nothing in its own clause is named before: "the minutes, put them back on" is about the minutes."""
    words, tokens = utterance.words, utterance.tokens
    for at in range(place - 1, -1, -1):
        if _PAUSES & set(utterance.text[tokens[at].end : tokens[at + 1].start]):
            return True
        if words[at] not in policy.small_words and words[at] not in policy.splitters:
            return False
    return True


def _stops(end: int, utterance: Utterance, policy: Policy) -> bool:
    """Whether nothing but courtesy follows, or why, after a pause."""
    words, tokens = utterance.words, utterance.tokens
    ends = {end, *policy.lexicon.ends("closer", words, end)}
    return any(at == len(words) or _PAUSES & set(utterance.text[tokens[at - 1].end : tokens[at].start]) for at in ends)


def _finished(places: range, utterance: Utterance, context: Context, policy: Policy) -> str | None:
    """The one finished thing among what these words name best."""
    said = tuple(at for at in places if utterance.words[at] not in policy.small_words)
    named = find_mentioned(utterance, utterance.words, said, context, policy) if said else ()
    finished = [each.task.id for each in named if each.task.status == policy.catalogue.states[1]]
    best = bool(named) and not named[0].slips and named[0].task.id in finished
    return finished[0] if best and len(finished) == 1 else None


def _spoken_of(context: Context, policy: Policy) -> str | None:
    spoken = read_situation(context, policy).spoken_of
    task = context.tasks.find_by_id(spoken[0]) if len(spoken) == 1 else None
    return task.id if task and task.status == policy.catalogue.states[1] else None


def _opened(
    task_id: str, utterance: Utterance, context: Context, policy: Policy, act: Act
) -> tuple[JudgedRequest, ...] | None:
    opened = open_again(task_id, "finished, and to do again", utterance, context, policy, act)
    return (opened,) if opened else None
