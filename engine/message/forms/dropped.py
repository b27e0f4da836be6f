"""What is asked for and dropped again in one breath: "add buy paint, no wait, forget it", "segna la zia, anzi no lascia
stare". Nothing is done, whatever stands before."""

from __future__ import annotations

from engine.decision import Reason
from engine.message.clauses_together import effect_of
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import nothing
from engine.outcome.replies import say
from engine.policy.values import Policy
from engine.text.normalise import Utterance

_DROPS = "cancel_word"
_TURNS = frozenset({"corrector", "no_word", "interjection"})
_ENDS = frozenset({"closer", "interjection"})
_DONE = frozenset({"add", "change", "finish"})
_SIGNS = ",.;…–-!\n"
_LEAST = 2
"""Words that a request has."""


def leave_dropped(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], policy: Policy
) -> tuple[JudgedRequest, ...]:
    if not policy.lexicon.says(_DROPS, utterance.words):  # nearly always
        return requests
    effects = {effect_of(each, policy) for each in requests} - {""}
    if not effects or not effects <= _DONE or not _ends_dropping(utterance, policy):
        return requests  # "the party is off, so cancel it" asks for that
    first = requests[0]
    left = nothing(first.weighed, policy)._replace(reason=Reason.NEGATED, message=say(policy, str(Reason.NEGATED)))
    return (first._replace(outcome=left),)


def _ends_dropping(utterance: Utterance, policy: Policy) -> bool:
    """Whether it ends with words that drop it, with a word or a sign before them that turns from what was said."""
    words, classes = utterance.words, policy.word_classes
    end = len(words)
    while end and _ENDS & classes.get(words[end - 1], frozenset()):
        end -= 1
    for place in range(_LEAST, end):
        drops = any(each >= end for each in policy.lexicon.ends(_DROPS, words, place))
        if drops and words[place - 1] in policy.splitters:
            return False  # "comprare giornali e basta": nothing else, and that
        if drops and not utterance.is_quoted(place):
            return _turns(utterance, place, policy)
    return False


def _turns(utterance: Utterance, place: int, policy: Policy) -> bool:
    tokens, words = utterance.tokens, utterance.words
    gap = utterance.text[tokens[place - 1].end : tokens[place].start]
    turned = _TURNS & policy.word_classes.get(words[place - 1], frozenset())
    whole = _TURNS & policy.word_classes.get(words[place], frozenset())  # "actually never mind" is one phrase
    return ":" not in gap and bool(turned or whole or any(sign in gap for sign in _SIGNS))
