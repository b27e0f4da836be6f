"""Tried and not done: "rang Singh, voicemail", "went for the form but they were shut", "half of the wall is painted".

Such a message tells of a task that is open still. What is asked for in so many words ("mark it as done") is done all
the same.
"""

from __future__ import annotations

from engine.decision import Context
from engine.message.clauses_together import effect_of
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import nothing
from engine.policy.values import Policy
from engine.text.folding import title_words
from engine.text.normalise import Utterance

_TELLS = "it tells that something came to nothing, or only in part"
_PARTLY = "partly"
_IN_VAIN, _SETTLED = ("in_vain", _PARTLY), ("done_word", "settled")


def leave_open(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """Without what would be finished although the message says that it came to nothing."""
    if not any(effect_of(each, policy) == "finish" for each in requests):
        return requests
    words = utterance.words
    if policy.lexicon.names(words).isdisjoint(_IN_VAIN):  # nearly always
        return requests
    said = [
        (place, end)
        for place in range(len(words))
        for name in _IN_VAIN
        for end in policy.lexicon.ends(name, words, place)
        if not _is_share_of_other(end, words, requests, context, policy)
        and not _is_place(place, end, words, requests, context, policy)
        and not _has_own_sentence(name, place, end, words, utterance, policy)
    ]
    if not said or _is_settled_after(words, *max(said), policy):
        return requests
    told = utterance.tokens[said[0][0]].start
    kept = tuple(each for each in requests if not _is_told_so(each, told, policy))
    if kept:
        return kept
    first = requests[0]
    return (first._replace(outcome=nothing(first.weighed, policy, _TELLS)),)


def _is_share_of_other(
    end: int, words: tuple[str, ...], requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> bool:
    """ "tests marked! half the class can't spell": half of something, which is not what would be finished."""
    if not _SHARES & policy.word_classes.get(words[end - 1], frozenset()):
        return False
    of = next((word for word in words[end:] if not _SHARES & policy.word_classes.get(word, frozenset())), "")
    return bool(of) and of not in _titled(requests, context) and of not in policy.small_words


def _titled(requests: tuple[JudgedRequest, ...], context: Context) -> set[str]:
    tasks = (
        context.tasks.find_by_id(each.task_id) for one in requests for each in one.outcome.references if each.task_id
    )
    return {word for task in tasks if task for word in title_words(task.title)}


def _is_place(
    place: int, end: int, words: tuple[str, ...], requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> bool:
    """ "the form is handed in at the front desk", which the task's name has, or where something was done: one word that
    also tells what came to nothing."""
    if end - place > 1:
        return False
    where = place > 0 and "where_at" in policy.word_classes.get(words[place - 1], ())
    return where or words[place] in _titled(requests, context)


def _has_own_sentence(
    name: str, place: int, end: int, words: tuple[str, ...], utterance: Utterance, policy: Policy
) -> bool:
    """ "The painting is done. Toilet lock not yet.", "Expenses are in. Slides half done": after what is done, a
    sentence tells of something else. "Rang Singh. Voicemail again" does not."""
    starts = utterance.sentence_starts
    first = max((at for at in starts if at <= place), default=0)
    last = min((at for at in starts if at >= end), default=len(words))
    settled = any("done_word" in policy.word_classes.get(word, ()) for word in words[:first])
    own = any(word not in policy.small_words for word in (*words[first:place], *words[end:last]))
    return own and first > 0 and (settled or name == _PARTLY)


_SHARES = frozenset({"det", "same_as"})


def _is_settled_after(words: tuple[str, ...], place: int, end: int, policy: Policy) -> bool:
    """ "she said she'd play, so that's settled"; not "the slides are almost sorted", where that is what is not so."""
    first = end + 1 if end - place == 1 else end
    return any(policy.lexicon.ends(name, words, at) for at in range(first, len(words)) for name in _SETTLED)


def _is_told_so(request: JudgedRequest, told: int, policy: Policy) -> bool:
    """Whether it is a report, and what is told of it stands in it or follows: "the wall is done, the door nearly"
    finishes the wall."""
    if effect_of(request, policy) != "finish":
        return False
    frames = request.weighed.reading.frames
    asked = any(not each.frame.weak and each.frame.intent == request.outcome.intent for each in frames)
    tokens = request.utterance.tokens
    settled = any("done_word" in policy.word_classes.get(token.norm, ()) for token in tokens)
    inside = tokens[0].start <= told < tokens[-1].end
    return not asked and (inside or (told > tokens[-1].end and not settled))
