"""Remarks that nobody wants anything by, and that would only be offered something.

"The wind's picking up" tells what is going on, "Mrs Ames ate it all, bless her" what somebody else did, "six tests to
go and my pen is dying" how things stand. What a move makes of single words there is not offered. What is asked for in
so many words, or has a day to come, is left as it is.
"""

from __future__ import annotations

from engine.dates import DateMatch, find_dates
from engine.decision import Context, Reason
from engine.message.asides import has_aside
from engine.message.clauses_together import effect_of
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import nothing
from engine.policy.values import Policy
from engine.reading.questions import begins_as_one, is_question
from engine.slots.titles import date_spans, inside
from engine.targets.stems import stem
from engine.text.folding import fold, title_words
from engine.text.normalise import Utterance

_TELLS = "it tells what is going on, or what somebody else did"
_ASKING_TO_SEE = frozenset({"show", "item", "items", "list", "own_list", "wh", "vague", "everything", "list_asks"})
_ASKING = _ASKING_TO_SEE | frozenset({"cue_show", "add_lead", "remind_me", "wish_lead"})
_BETWEEN = 2
"""Words that may stand between "is" and what is going on."""


def without_offers_on_remarks(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests, what would be offered on a remark as what asks for nothing."""
    if not requests or not all(_is_guess(each, policy) for each in requests):
        return requests
    words = utterance.words
    if is_question(utterance, policy):
        return requests
    if has_aside(utterance, policy) and not any(_reports(words, each, policy) for each in requests):
        return (requests[0]._replace(outcome=nothing(requests[0].weighed, policy, _TELLS)),)
    only_read = all(effect_of(each, policy) == "read" for each in requests)
    if not policy.lexicon.names(words).isdisjoint(_ASKING_TO_SEE if only_read else _ASKING):
        return requests
    of_others = len(requests) > 1 and _names_first(words, requests, context, policy)
    if not of_others and not all(_is_remark(words, utterance, each, context, policy) for each in requests):
        return requests
    first = requests[0]
    return (first._replace(outcome=nothing(first.weighed, policy, _TELLS)),)


def _is_guess(request: JudgedRequest, policy: Policy) -> bool:
    """Whether it is only offered, or goes on with what was added, and no way of asking stands in it."""
    outcome, effect = request.outcome, effect_of(request, policy)
    offered = outcome.action == "clarify" and outcome.reason is Reason.BELOW_THRESHOLD and outcome.pending is not None
    goes_on = outcome.act == "continue" and effect == "add"
    shown = outcome.action == "execute" and effect == "read" and outcome.act == "request" and not outcome.asks
    asked = outcome.action == "clarify" and outcome.reason in _ASKED and effect == "change"
    framed = any(not each.frame.weak for each in request.weighed.reading.frames)
    return (offered or goes_on or shown or asked) and not framed


_ASKED = (Reason.MISSING_PARAMETER, Reason.NARROW_MARGIN)


def _reports(words: tuple[str, ...], request: JudgedRequest, policy: Policy) -> bool:
    """ "Geoff fixed the tap, bless him": a word for it is said."""
    return effect_of(request, policy) == "finish" and policy.lexicon.says("cue_done", words)


def _is_remark(
    words: tuple[str, ...], utterance: Utterance, request: JudgedRequest, context: Context, policy: Policy
) -> bool:
    effect = effect_of(request, policy)
    if effect == "read":
        tells = policy.lexicon.says("partly", words) or _is_going_on(words, policy)
        return tells or _asks_nothing(utterance, request, context, policy)
    if request.outcome.reason in _ASKED:
        return effect == "change" and policy.lexicon.names(words).isdisjoint(_CHANGING)
    today = context.now.date().isoformat()
    dates = find_dates(utterance.text, context.now, policy.date_words)
    if dates and not any(each.has_day for each in dates) and policy.lexicon.says("as_ever", words):
        return True  # "he answers mails at 3am, he never sleeps"
    if any(each.value[: len(today)] > today and not _is_since(each, utterance, policy) for each in dates):
        return policy.lexicon.says("how_it_will_be", words)
    if effect == "finish":  # "the shower is working again" may tell that it is repaired
        return (
            _is_deed_of_others(words, request, context, policy)
            or _is_of_another(utterance, request, context, policy)
            or _did_so_much(words, policy)
        )
    undated = effect == "add" and not dates and request.outcome.action == "clarify"
    return _is_going_on(words, policy) or (undated and _wants_nothing(words, request, policy))


def _asks_nothing(utterance: Utterance, request: JudgedRequest, context: Context, policy: Policy) -> bool:
    """ "I have those now, they were on offer": nothing in it asks, and it says more than what narrows a list."""
    words = utterance.words
    if begins_as_one(words, policy):
        return False
    names = policy.lexicon.names(words)
    spans = date_spans(find_dates(utterance.text, context.now, policy.date_words), utterance)
    left = [
        token.norm for token in utterance.tokens if token.norm not in policy.small_words and not inside(token, spans)
    ]
    narrows = not names.isdisjoint(_NARROWING) or any(name.startswith(_OF_CUES) for name in names)
    return len(left) > (_MOST_NARROWING if narrows else _MOST_LEFT)


_MOST_LEFT, _MOST_NARROWING = 1, 3
_OF_CUES = ("cue_ask", "status_", "due_", "priority_")
_NARROWING = frozenset({"cue_show", "cue_rest", "cue_narrow", "cue_other", "cue_less", "level_noun", "falls_due"})
_CHANGING = frozenset(
    {"change", "move", "rename", "cue_move", "cue_rename", "cue_note", "asks_change", "date_field"}
    | {"corrector", "no_word", "negation"}
)


def _wants_nothing(words: tuple[str, ...], request: JudgedRequest, policy: Policy) -> bool:
    """ "dust everywhere", "a strange one, that cat": no word for adding, nothing to do or to buy, no occasion."""
    lexicon = policy.lexicon
    if not lexicon.names(words).isdisjoint(_WANTING):
        return False
    pending, facts = request.outcome.pending, policy.catalogue.by_intent.get(request.outcome.intent)
    named = pending.call.parameters.get(facts.argument("name")) if pending and facts else None
    title = title_words(str(named or ""))
    if len(words) <= _SHORT and any(word[:1].isdigit() for word in words):
        return False  # "30 copies", of what was just spoken of
    begins = any(not _TO_DO.isdisjoint(policy.word_classes.get(word, ())) for word in title[:1])
    return not begins and lexicon.names(title).isdisjoint(_WANTED)


_WANTING = frozenset(
    {"add", "remind_me", "create", "note_verb", "note_word", "todo_head", "own_duty", "wish_lead", "wants_it_done"}
    | {"jot_down", "item", "items", "list", "puts_down", "cue_same", "cue_same_day"}
)
_SHORT = 3
_WANTED, _TO_DO = frozenset({"supply", "occasion", "event", "errand_kind"}), frozenset({"chore", "errand"})


def _is_of_another(utterance: Utterance, request: JudgedRequest, context: Context, policy: Policy) -> bool:
    """ "the train's packed": what was spoken of before is not named in it, and something else is."""
    words, ids = utterance.words, [each.task_id for each in request.outcome.references if each.task_id]
    tasks = [task for each in ids if (task := context.tasks.find_by_id(each))]
    titled = {stem(fold(word), policy) for task in tasks for word in title_words(task.title)}
    said = {stem(fold(word), policy) for word in words if word not in policy.small_words}
    classes = [policy.word_classes.get(word, frozenset()) for word in words]
    spans = date_spans(find_dates(utterance.text, context.now, policy.date_words), utterance)
    thanks = policy.lexicon.says("thanks", words)  # the "you" in it points at nothing
    pointing = _POINTING if thanks else _POINTING | {"subject"}
    points = any(
        not names.isdisjoint(pointing) and not inside(token, spans)
        for token, names in zip(utterance.tokens, classes, strict=True)
    )
    done = [word for word, names in zip(words, classes, strict=True) if "cue_done" in names]
    others = [word for word in words if word not in policy.small_words and word not in done]
    return bool(tasks) and titled.isdisjoint(said) and not points and len(others) > 1


def _did_so_much(words: tuple[str, ...], policy: Policy) -> bool:
    """ "just did thirteen hours", "ho fatto sei ore": how long or how much, of what is no one thing."""
    for place in range(len(words)):
        for end in policy.lexicon.ends("did_so_much", words, place):
            if any(word.isdigit() or word in policy.numbers for word in words[end : end + 1]):
                return True
    return False


_POINTING = frozenset({"pronoun", "just_it", "clitic", "points_back", "it_is"})


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
