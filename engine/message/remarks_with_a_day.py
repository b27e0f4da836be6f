"""A remark that a day or an hour stands in: "Monday already, can you believe it", "I was up at five".

Right after something was spoken of, a day alone puts that on it ("on Friday, then"). Where the message says more, and
nothing in it moves anything, it only tells how the day is.
"""

from __future__ import annotations

from engine.dates import find_dates
from engine.decision import Context, Reference
from engine.message.clauses_together import effect_of
from engine.message.duties_first import without_duties_first
from engine.message.judged import is_nothing
from engine.message.judged_request import JudgedRequest
from engine.message.quiet_remarks import without_offers_on_remarks
from engine.outcome.judging import nothing
from engine.policy.values import Policy
from engine.slots.titles import date_spans, inside
from engine.text.folding import title_words
from engine.text.normalise import Utterance

_MOVES = frozenset({"cue_move", "move", "cue_correct", "no_word", "cue_same", "fits_day", "cue_undo", "add"})
_TELLS_A_DAY = "it tells how a day is, and moves nothing"
_BEFORE_ORDER = frozenset({"interjection", "opener", "courtesy", "yes_word"})
_OF_IT = frozenset({"pronoun", "just_it", "it_is"})
_TO_WHAT = frozenset({"just_it", "det", "cue_them"})
_BARELY_MOVES = frozenset({"finite", "clock_tell", "cue_narrow", "interjection", "splitter", "opener", "hypothetical"})
""" "It's", "only" and "well" put something right where nothing else is said."""
_SAYS_NOTHING = _MOVES | frozenset(
    {
        "corrector", "yes_word", "closer", "opener", "interjection", "cancel_word", "date_word", "thanks", "item",
        "level_noun", "level_high", "level_medium", "level_low", "clock_tell",
    }
)  # fmt: skip


def without_remarks(
    utterance: Utterance, requests: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...]:
    """The requests, a remark among them as what asks for nothing."""
    requests = without_duties_first(utterance, requests, policy)
    kept = tuple(_unless_remark(each, utterance, context, policy) for each in requests)
    return without_offers_on_remarks(utterance, kept, context, policy)


def _unless_remark(request: JudgedRequest, utterance: Utterance, context: Context, policy: Policy) -> JudgedRequest:
    may_hail = not policy.lexicon.names(_norms(utterance)).isdisjoint((_HAILS, _HAILED))
    gives_day = _gives_only_a_day(request, policy)
    if not may_hail and not gives_day:  # nearly always
        return request
    said = _said_with(request, utterance, context, policy)
    silent = is_nothing(request.outcome) and _hails_a_day(said, request, policy)  # a guard tells the other lane, too
    hails = silent or _adds_what_hails(said, request, policy)
    if not hails and not (gives_day and _is_remark(said, request, context, policy)):
        return request
    # Of a part that tells something nothing follows for the rest, which others may read better.
    found = said is utterance and _is_plainly_told(said, request, policy)
    return request._replace(outcome=nothing(request.weighed, policy, _TELLS_A_DAY if found else ""))


def _is_plainly_told(utterance: Utterance, request: JudgedRequest, policy: Policy) -> bool:
    """Whether it is beyond doubt, so that nobody need look for a request in it: "tomorrow will be better", "finally
    Friday". All else may be one that is only not understood: "vitamin drops, tomorrow", "they have just become six"."""
    told = any("how_it_will_be" in names for names in _classes_of(utterance, policy))
    told = told or policy.lexicon.says("that_is_all", _norms(utterance))  # "thanks, that is all for today"
    return told or _hails_a_day(utterance, request, policy)


def _adds_what_hails(utterance: Utterance, request: JudgedRequest, policy: Policy) -> bool:
    """ "roll on the weekend" is nothing to do that is called "roll"."""
    facts = policy.catalogue.by_intent.get(request.outcome.intent)
    call = request.outcome.call or (request.outcome.pending.call if request.outcome.pending else None)
    if facts is None or facts.effect != "add" or call is None or not _hails_a_day(utterance, request, policy):
        return False
    called = title_words(str(call.parameters.get(facts.argument("name")) or ""))
    words = _norms(utterance)
    hailed = any(end >= len(called) for end in policy.lexicon.ends(_HAILS, words, 0))
    return hailed and words[: len(called)] == called


def _norms(utterance: Utterance) -> tuple[str, ...]:
    return tuple(token.norm for token in utterance.tokens)


def _hails_a_day(utterance: Utterance, request: JudgedRequest, policy: Policy) -> bool:
    words = _norms(utterance)
    spans = date_spans(request.weighed.dates, utterance)
    days = [place for place, token in enumerate(utterance.tokens) if inside(token, spans)]
    if not days:
        return False
    opened = next((place for place, word in enumerate(words) if word not in policy.splitters), 0)
    before = any(end in days or end + 1 in days for end in policy.lexicon.ends(_HAILS, words, opened))
    behind = days[0] <= opened + 1 and bool(list(policy.lexicon.ends(_HAILED, words, days[-1] + 1)))
    return before or behind


_HAILS, _HAILED = "hails_day", "hailed_day"


def _said_with(request: JudgedRequest, utterance: Utterance, context: Context, policy: Policy) -> Utterance:
    """All of the message, where the rest of it has no day of its own ("Monday already, can you believe it"), or where
    it tells what was."""
    own = {token.start for token in request.utterance.tokens}
    spans = date_spans(find_dates(utterance.text, context.now, policy.date_words), utterance)
    dated = any(inside(token, spans) for token in utterance.tokens if token.start not in own)
    return request.utterance if dated and not _tells_what_was(_classes_of(utterance, policy)) else utterance


def _is_remark(utterance: Utterance, request: JudgedRequest, context: Context, policy: Policy) -> bool:
    """Whether it tells something else beside one day, and nothing in it moves anything."""
    classes = _classes_of(utterance, policy)
    if _begins_with_when(utterance, request, policy) or _gives_order(classes):
        return False
    if _is_plainly_told(utterance, request, policy):
        return True
    several = len(request.weighed.dates) > 1 and not _tells_what_was(classes)
    if several or any(_moves(each) for each in classes):
        return False  # "not Monday, Tuesday, the ramp is busy"
    spans, named = date_spans(request.weighed.dates, utterance), _title_of(request, context)
    told = [
        token.norm
        for token, names in zip(utterance.tokens, classes, strict=True)
        if not (token.norm in policy.small_words or token.norm in named)
        and not (token.norm[:1].isdigit() or inside(token, spans))
        and names.isdisjoint(_SAYS_NOTHING)
    ]
    of_oneself = "subject" in classes[0] and classes[0].isdisjoint(_OF_IT)  # "I was up at five"
    return bool(told) or of_oneself


def _tells_what_was(classes: list[set[str]]) -> bool:
    """ "We had a frost on Thursday, in May"."""
    return "subject" in classes[0] and any(not names.isdisjoint({"past_aux", "past_main"}) for names in classes[:2])


def _classes_of(utterance: Utterance, policy: Policy) -> list[set[str]]:
    """Of each word, those of the phrases that it is in."""
    words = _norms(utterance)
    classes: list[set[str]] = [set() for _ in words]
    for place in range(len(words)):
        for name, length in policy.lexicon.classes(words, place):
            for each in classes[place : place + length]:
                each.add(name)
    return classes


def _gives_order(classes: list[set[str]]) -> bool:
    """ "ok, bring it forward to Tuesday": what shall be done comes first, then to what; "back to work tomorrow" only
    begins so."""
    first = next((place for place, names in enumerate(classes) if names.isdisjoint(_BEFORE_ORDER)), 0)
    does = not classes[first].isdisjoint({"chore", "errand"})
    return does and any(not names.isdisjoint(_TO_WHAT) for names in classes[first + 1 : first + 2])


def _begins_with_when(utterance: Utterance, request: JudgedRequest, policy: Policy) -> bool:
    """ "for Sunday at noon, the boys are coming": why comes after what is put right."""
    text, tokens = utterance.text, utterance.tokens
    signs = (place for place in range(1, len(tokens)) if text[tokens[place - 1].end : tokens[place].start].strip())
    first = tokens[: next(signs, 0)]
    spans = date_spans(request.weighed.dates, utterance)
    when = all(token.norm in policy.small_words or inside(token, spans) for token in first)
    return bool(first) and when and inside(first[0], spans) and first[0].norm in policy.small_words


def _title_of(request: JudgedRequest, context: Context) -> tuple[str, ...]:
    """The words that what would be changed is called by: "the Kerrs' invoice, have that for tomorrow"."""
    task = next((context.tasks.find_by_id(each.task_id) for each in request.outcome.references if each.task_id), None)
    return title_words(task.title) if task else ()


def _moves(names: set[str]) -> bool:
    return bool(names & _MOVES) or ("corrector" in names and not names & _BARELY_MOVES)


def _gives_only_a_day(request: JudgedRequest, policy: Policy) -> bool:
    """Whether only a day would be changed, of what is not named."""
    outcome = request.outcome
    call = outcome.call or (outcome.pending.call if outcome.pending else None)
    facts = policy.catalogue.by_intent.get(outcome.intent)
    if call is None or facts is None or effect_of(request, policy) != "change" or outcome.act == "answer":
        return False
    given = {argument.name for argument in call.arguments} - {facts.target}
    pointed = any(_is_pointed(one, request.utterance) for one in outcome.references)
    return pointed and given == {facts.argument("date")}


def _is_pointed(reference: Reference, utterance: Utterance) -> bool:
    """Whether no name of it was said: "it", or a guess from all of the message."""
    how = reference.candidates[0].how if reference.candidates else ""
    first, last = utterance.tokens[0].start, utterance.tokens[-1].end
    whole = reference.span is not None and reference.span.start <= first and last <= reference.span.end
    return how == "pronoun" or (how == "fuzzy" and whole)
