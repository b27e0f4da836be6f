"""Remarks that nobody wants anything by, and that would only be offered something.

"The wind's picking up" tells what is going on, "Mrs Ames ate it all, bless her" what somebody else did, "six tests to
go and my pen is dying" how things stand. What a move makes of single words there is not offered. What is asked for in
so many words, or has a day to come, is left as it is.
"""

from __future__ import annotations

from engine.dates import DateMatch, find_dates
from engine.decision import Context, Reason
from engine.message.clauses_together import effect_of
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import nothing
from engine.policy.values import Policy
from engine.reading.questions import is_question
from engine.targets.stems import stem
from engine.text.folding import fold, title_words
from engine.text.normalise import Utterance

_TELLS = "it tells what is going on, or what somebody else did"
_ASKING = frozenset(
    {"show", "item", "items", "list", "own_list", "wh", "cue_show", "add_lead", "remind_me", "wish_lead"}
)
_BETWEEN = 2
"""Words that may stand between "is" and what is going on."""


def without_offers_on_remarks(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests, what would be offered on a remark as what asks for nothing."""
    if not requests or not all(_is_guess(each, policy) for each in requests):
        return requests
    words = utterance.words
    if is_question(utterance, policy) or not policy.lexicon.names(words).isdisjoint(_ASKING):
        return requests
    of_others = len(requests) > 1 and _names_first(words, requests, context, policy)
    if not of_others and not all(_is_remark(words, utterance, each, context, policy) for each in requests):
        return requests
    first = requests[0]
    return (first._replace(outcome=nothing(first.weighed, policy, _TELLS)),)


def _is_guess(request: JudgedRequest, policy: Policy) -> bool:
    """Whether it is only offered, or goes on with what was added, and no way of asking stands in it."""
    outcome = request.outcome
    offered = outcome.action == "clarify" and outcome.reason is Reason.BELOW_THRESHOLD and outcome.pending is not None
    goes_on = outcome.act == "continue" and effect_of(request, policy) == "add"
    framed = any(not each.frame.weak for each in request.weighed.reading.frames)
    return (offered or goes_on) and not framed


def _is_remark(
    words: tuple[str, ...], utterance: Utterance, request: JudgedRequest, context: Context, policy: Policy
) -> bool:
    if effect_of(request, policy) == "read":
        return policy.lexicon.says("partly", words) or _is_going_on(words, policy)
    today = context.now.date().isoformat()
    dates = find_dates(utterance.text, context.now, policy.date_words)
    if dates and not any(each.has_day for each in dates) and policy.lexicon.says("as_ever", words):
        return True  # "he answers mails at 3am, he never sleeps"
    if any(each.value[: len(today)] > today and not _is_since(each, utterance, policy) for each in dates):
        return policy.lexicon.says("how_it_will_be", words)
    if effect_of(request, policy) == "finish":  # "the shower is working again" may tell that it is repaired
        return _is_deed_of_others(words, request, context, policy)
    return _is_going_on(words, policy)


def _is_since(date: DateMatch, utterance: Utterance, policy: Policy) -> bool:
    """ "still ringing from Saturday": that one is over."""
    return any(
        "since_when" in policy.word_classes.get(token.norm, ())
        for token, after in zip(utterance.tokens, (*utterance.tokens[1:], None), strict=True)
        if date.span.start <= token.start < date.span.end or (after and after.start == date.span.start)
    )


def _is_going_on(words: tuple[str, ...], policy: Policy) -> bool:
    """ "next pupil's waving at me", "ears still ringing"."""
    for place, word in enumerate(words[:-1]):
        said = "is_doing" in policy.word_classes.get(word, ()) or "'" in word.strip("'")
        after = words[place + 1 : place + 1 + _BETWEEN]
        if said and any(each.endswith(policy.going_endings) for each in after):
            return True
    return False


def _is_deed_of_others(words: tuple[str, ...], request: JudgedRequest, context: Context, policy: Policy) -> bool:
    """ "Mrs Ames slept well": the one that is named did something, which is nothing that was to be done."""
    deeds = [at for at, word in enumerate(words) if at and "deed_of_others" in policy.word_classes.get(word, ())]
    after = words[deeds[0] + 1 : deeds[0] + 2] if deeds else ()
    own = any(not {"did", "settled"}.isdisjoint(policy.word_classes.get(word, ())) for word in after)
    return not own and _names_first(words, (request,), context, policy)


def _names_first(words: tuple[str, ...], requests: tuple[JudgedRequest, ...], context: Context, policy: Policy) -> bool:
    """ "signora Ada ha mangiato tutto": what would be finished is named before what somebody did, and not after it."""
    if any(effect_of(each, policy) != "finish" for each in requests):
        return False
    ids = [each.task_id for request in requests for each in request.outcome.references if each.task_id]
    tasks = [context.tasks.find_by_id(each) for each in ids]
    titled = {stem(fold(word), policy) for task in tasks if task for word in title_words(task.title)}
    for place, word in enumerate(words):
        if place and "deed_of_others" in policy.word_classes.get(word, ()):
            after = {stem(fold(each), policy) for each in words[place + 1 :] if each not in policy.small_words}
            return bool(titled) and after.isdisjoint(titled)
    return False
