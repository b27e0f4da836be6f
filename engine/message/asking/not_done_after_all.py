"""Something was just ticked off, and the next message holds it back and says why: "wait no, the card was declined",
"aspetta, era quella di mia sorella". Why it is not done can be said in any words. That it was held back is enough to
offer to open it again, where the message asks for nothing else."""

from __future__ import annotations

from engine.decision import Context, Reason
from engine.message.clauses_together import effect_of
from engine.message.forms.opened_again import open_again
from engine.message.judged import is_nothing
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import offer
from engine.policy.values import Policy
from engine.reading.questions import is_question
from engine.talking.situation import read_situation
from engine.text.normalise import Utterance

_HOLDS_BACK = "holds_back"
_BEFORE = frozenset({"interjection", "opener", "no_word", "small_word"})
_LATEST = 3
_REASON = 2
"""Words that say why, at the least."""
_MOST_WORDS = 20
_LIKELY = 0.6
_UNHEARD = (Reason.NOT_ABOUT_TASKS, Reason.REMARK, Reason.NEGATED)


def offer_to_open_again(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests; where they come to nothing, to open again what was just ticked off, as a question."""
    situation = read_situation(context, policy)
    words = utterance.words
    if situation.effect != "finish" or not situation.fresh or context.pending or len(words) > _MOST_WORDS:
        return requests
    done = [target for call in situation.calls if (target := policy.catalogue.target_of(call))]
    if len(done) != 1 or not _is_held_back(words, policy) or is_question(utterance, policy):
        return requests
    if not all(_comes_to_nothing(each, done[0], context, policy) for each in requests):
        return requests
    task = context.tasks.find_by_id(done[0])
    settled = task is not None and task.status == policy.catalogue.states[1]
    opened = open_again(done[0], "held back right after it was ticked off", utterance, context, policy)
    if not settled or opened is None or opened.outcome.call is None:
        return requests
    asked = offer(opened.outcome, opened.outcome.call, context, policy)
    return (opened._replace(outcome=asked._replace(confidence=_LIKELY)),)


def _is_held_back(words: tuple[str, ...], policy: Policy) -> bool:
    """Whether it begins with a word for that, and says something after it."""
    for place in range(min(_LATEST, len(words))):
        ends = list(policy.lexicon.ends(_HOLDS_BACK, words, place))
        if ends:
            return len(words) - max(ends) >= _REASON
        if _BEFORE.isdisjoint(policy.word_classes.get(words[place], ())):
            return False
    return False


def _comes_to_nothing(request: JudgedRequest, done: str, context: Context, policy: Policy) -> bool:
    """Whether it asks for nothing, or for the same once more."""
    outcome = request.outcome
    if is_nothing(outcome):
        return outcome.reason in _UNHEARD
    again = outcome.call is not None and policy.catalogue.target_of(outcome.call) == done
    return again and effect_of(request, policy) == "finish"
