""" "The colour of the hall: we changed our minds, open it again": what was finished is named first, and at the end it
is opened again. "It" alone would be what was spoken of last."""

from __future__ import annotations

from engine.decision import Context
from engine.message.forms.opened_again import open_again
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.talking.names.mentions import find_mentioned
from engine.text.normalise import Utterance

_OPENS = "opens_named"
_PAUSES = frozenset(",;:.!–—-")


def read_reopened(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The one finished thing that is named before that, open again; None where none or several are."""
    words = utterance.words
    if _OPENS not in policy.lexicon.names(words):  # nearly always
        return None
    place = _find_opening(utterance, words, policy)
    said = tuple(at for at in range(place) if words[at] not in policy.small_words)
    settled = policy.catalogue.states[1]
    named = [each for each in find_mentioned(utterance, words, said, context, policy) if not each.slips] if said else []
    finished = [each.task for each in named if each.task.status == settled]
    if len(finished) != 1 or named[0].task is not finished[0]:
        return None  # the best is named first
    opened = open_again(finished[0].id, "named before it is opened again", utterance, context, policy)
    return (opened,) if opened else None


def _find_opening(utterance: Utterance, words: tuple[str, ...], policy: Policy) -> int:
    """Where the words for it begin, after a pause and with nothing but courtesy behind them; 0 where they do not."""
    text, tokens, lexicon = utterance.text, utterance.tokens, policy.lexicon
    for place in range(1, len(words)):
        ends = list(lexicon.ends(_OPENS, words, place))
        ends += [after for end in ends for after in lexicon.ends("closer", words, end)]
        paused = not _PAUSES.isdisjoint(text[tokens[place - 1].end : tokens[place].start])
        if len(words) in ends and (paused or words[place - 1] in policy.splitters):
            return place
    return 0
