"""One reading of a message: an answer to what was asked, its requests in their order, or those of its clauses."""

from __future__ import annotations

from dataclasses import replace

from engine.decision import Context, Message, Pending, Reason
from engine.message.asking.instead import offer_instead
from engine.message.asking.odd_names import ask_about_odd_names
from engine.message.asking.on_condition import offer_on_condition
from engine.message.asking.owned_days import ask_whose_day
from engine.message.before_note import with_request_before_note, writes_note
from engine.message.clause_choice import read_clauses
from engine.message.clauses_together import reports
from engine.message.day_told_before import with_day_told
from engine.message.denied_answers import asks_instead, asks_plainly, count_denied
from engine.message.denied_requests import read_after_denial
from engine.message.forms.by_form import read_by_form
from engine.message.forms.dropped import leave_dropped
from engine.message.forms.for_both import share_of_both, without_both
from engine.message.in_vain import leave_open
from engine.message.judged import acts, is_nothing, judge_in_order, says_same, spoken_of
from engine.message.judged_request import JudgedRequest
from engine.message.left_out_verbs import read_shared_verb
from engine.message.like_the_last import called_like_the_last
from engine.message.remarks_with_a_day import without_remarks
from engine.message.stories import without_story
from engine.message.taken_days import without_taken_day
from engine.message.undone_with_reason import without_reason
from engine.outcome.answers import answer, is_fresh_request, settle_choice, settle_confirm
from engine.outcome.asked import name_of, needs_yes
from engine.outcome.judging import judge
from engine.outcome.some_of_several import take_some
from engine.outcome.two_readings import take_reading
from engine.outcome.values import Outcome
from engine.outcome.yes_no import ends_at, find_answer_end, is_firm, is_small_talk, talks_of
from engine.policy.talk_weights import NO, YES
from engine.policy.values import Policy
from engine.reading.questions import is_question
from engine.reading.requests import part, split_requests
from engine.reading.weighing import Weighed, weigh_request
from engine.talking import hear
from engine.talking.adds.listed_after_colon import find_counted_head
from engine.talking.adds.regions import is_list
from engine.talking.answering import hear_answer
from engine.talking.chosen_option import choose_option
from engine.talking.clauses import gives_note, split_clauses
from engine.text.normalise import Utterance


def read_message(utterance: Utterance, context: Context, policy: Policy) -> tuple[tuple[JudgedRequest, ...], bool]:
    """Every request of the message in its order; and whether the message answered the open question.

    The one reading of a message: what decides is also what Inspect shows.
    """
    taken = _take_part(context.pending, utterance, context, policy) if context.pending else None
    if taken:
        return _settle_each(taken, utterance, context, policy), False
    whole = weigh_request(utterance, context, policy) if context.pending else None
    answered = answer(context.pending, utterance, whole, context, policy) if context.pending and whole else None
    if context.pending and whole:
        settled = _settle(context.pending, answered, utterance, whole, context, policy)
        if settled:
            return settled, True
    said = utterance
    lines = bool(policy.talk.moves) and (is_list(utterance) or find_counted_head(utterance, policy) > 0)
    utterance = utterance if lines else without_reason(utterance, context, policy)
    whole = whole if utterance is said else None
    wanted = None if lines else read_by_form(utterance, context, policy)
    if wanted:
        return wanted, False
    utterance = utterance if lines else without_taken_day(utterance, context, policy)
    single = utterance if lines else without_both(utterance, context, policy)
    of_both, utterance = single is not utterance, single
    asked = utterance if lines else without_story(utterance, policy)
    story = _story_before(asked, utterance, policy) if asked is not utterance else None
    if story and not reports(story, context, policy):
        context = spoken_of(story, context, policy)
        utterance, whole = asked, None
    parts = (utterance,) if lines else split_requests(utterance, policy)
    noted = not lines and writes_note(utterance, context, policy)
    if len(parts) > 1 and (noted or gives_note(part(utterance, 0, len(parts[0].tokens), policy), policy)):
        parts = (utterance,)  # all that stands after the colon is the note, whatever it says
    requests = judge_in_order(parts, context, policy)
    if len(requests) > 1 and any(is_nothing(request.outcome) for request in requests):
        whole = whole or weigh_request(utterance, context, policy)
        plain = judge(whole, context, policy)
        heard = hear(utterance, whole, plain, context, policy) or (plain,)
        requests = tuple(JudgedRequest(utterance, whole, outcome) for outcome in heard)
    requests = read_after_denial(utterance, requests, context, policy) or requests
    shared = None if lines or noted else read_shared_verb(utterance, context, policy)
    apart = None if lines or noted or shared else read_clauses(utterance, requests, context, policy)
    requests = leave_open(utterance, leave_dropped(said, shared or apart or requests, policy), context, policy)
    requests = without_remarks(said, offer_on_condition(said, requests, context, policy), context, policy)
    requests = (
        with_request_before_note(utterance, requests, context, policy)
        if noted
        else with_day_told(said, requests, context, policy)
    )
    requests = share_of_both(requests, utterance, context, policy) if of_both else requests
    requests = requests if lines else offer_instead(said, requests, context, policy)
    requests = ask_about_odd_names(called_like_the_last(requests, context, policy), context, policy)
    requests = ask_whose_day(requests, context, policy)
    if _takes_back_question(requests, context) and whole:
        kept = settle_confirm(context.pending, utterance, context, policy, yes=False) if context.pending else None
        return ((JudgedRequest(utterance, whole, kept),) if kept else requests), True
    short = len(utterance.tokens) <= _LONGEST_ANSWER and not is_small_talk(utterance, policy)
    if answered and whole and short and all(is_nothing(request.outcome) for request in requests):
        return (JudgedRequest(utterance, whole, answered),), True
    return requests, False


def _take_part(pending: Pending, utterance: Utterance, context: Context, policy: Policy) -> Pending | None:
    """Some of several things that were asked about, or one of two readings."""
    return take_some(pending, utterance, context, policy) or take_reading(pending, utterance, policy)


def _settle_each(pending: Pending, utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...]:
    """A yes to each of the calls that are left of the question."""
    weighed = weigh_request(utterance, context, policy)
    calls = (pending.call, *pending.then)
    asked = [replace(pending, call=call, then=()) for call in calls]
    return tuple(
        JudgedRequest(utterance, weighed, settle_confirm(each, utterance, context, policy, yes=True)) for each in asked
    )


def _story_before(asked: Utterance, utterance: Utterance, policy: Policy) -> Utterance | None:
    begins = next(place for place, token in enumerate(utterance.tokens) if token.start == asked.tokens[0].start)
    return part(utterance, 0, begins, policy) if begins else None


def _settle(
    pending: Pending, answered: Outcome | None, utterance: Utterance, whole: Weighed, context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """What the message makes of the open question, and what it asks for besides; None where it is no answer."""
    if pending.kind != "confirm" and gives_note(utterance, policy):
        return None
    settled = answered if answered and answered.reason in _SETTLED else None
    chosen = choose_option(pending, utterance, context, policy) if pending.kind == "choose" else None
    if chosen and not is_fresh_request(whole) and not (settled and _is_offered(settled, pending)):
        settled = settle_choice(pending, chosen, utterance, context, policy)
    if settled:
        return (JudgedRequest(utterance, whole, settled),)
    said = hear_answer(utterance, whole, context, policy)
    denied = count_denied(pending, utterance, context, policy)
    if denied and denied[0] == len(denied[1]):
        said = NO
    instead = asks_instead(*denied, context, policy) if denied else None
    if instead:
        return instead
    more = _answer_and_more(pending, utterance, context, policy)
    if more and (said != NO or asks_plainly(more) or _only_asks(more)):
        return more
    back = _asks_back(utterance, context, policy) if said == NO else None
    if back:
        return back
    if said:
        settled = settle_confirm(pending, utterance, context, policy, yes=said == YES)
        return (JudgedRequest(utterance, whole, settled),)
    return None


def _takes_back_question(requests: tuple[JudgedRequest, ...], context: Context) -> bool:
    """ "no, on second thoughts, leave it": while a yes or no is waited for, that is what is taken back."""
    waits = context.pending is not None and context.pending.kind == "confirm"
    return waits and all(request.outcome.act == "undo" for request in requests)


_LONGEST_ANSWER = 4
"""Words: a longer message that names nothing known is no failed try to name something."""


_SETTLED = (Reason.ANSWERED, Reason.CANCELLED, Reason.DESTRUCTIVE, Reason.MATCHED_RULE)
"""Reasons of an answer that is one beyond doubt; any other is looked at as something new first."""


def _is_offered(settled: Outcome, pending: Pending) -> bool:
    """Whether it is about a choice: "three" may be the number of another task, and stand in the name of a choice."""
    return any(each.task_id in pending.options for each in settled.references)


def _answer_and_more(
    pending: Pending, utterance: Utterance, context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """ "yes, and also …", "no, …": the answer first, then what else is asked for."""
    end = find_answer_end(utterance, policy)
    clause = _first_clause(utterance, policy)
    weighed = weigh_request(clause, context, policy) if clause else None
    said = hear_answer(clause, weighed, context, policy) if clause and weighed else None
    if said == YES and clause:
        end = max(end, len(clause.tokens))  # "yep get rid, and …", "please do, and …"
    if not end or end >= len(utterance.tokens) or _is_half_a_yes(pending, utterance.tokens[end].norm, policy):
        return None
    first, rest = part(utterance, 0, end, policy), part(utterance, end, len(utterance.tokens), policy)
    weighed = weigh_request(first, context, policy)
    outcome = answer(pending, first, weighed, context, policy)
    if said == YES and (outcome is None or outcome.reason not in _SETTLED):
        outcome = settle_confirm(pending, first, context, policy, yes=True)
    if outcome is None or outcome.reason not in _SETTLED:
        return None
    if outcome.reason is Reason.CANCELLED:
        # "no, on Friday" is about what is asked: it is heard as a whole.
        whole = weigh_request(utterance, context, policy)
        heard = hear(utterance, whole, judge(whole, context, policy), context, policy)
        if heard and any(each.act == "correct" for each in heard):
            return tuple(JudgedRequest(utterance, whole, each) for each in heard)
    after = replace(context, pending=None, history=_with_done(outcome, rest, context, policy))
    more = judge_in_order(split_requests(rest, policy), after, policy)
    more = read_after_denial(rest, more, after, policy) or read_clauses(rest, more, after, policy) or more
    no = outcome.reason is Reason.CANCELLED
    understood = tuple(
        each
        for each in more
        if not (is_nothing(each.outcome) or _says_again(each, pending, policy) or (no and _says_why_not(each, policy)))
    )
    firm = is_firm(utterance, policy)
    opens = _only_opens(first, policy) and not (firm and ends_at(utterance, end, policy))
    plain = not understood and not talks_of(rest, policy, name_of(pending, context, policy))
    in_passing = plain or (firm and len(rest.tokens) <= _IN_PASSING)
    if opens and _goes_on(pending, rest, in_passing or bool(understood), policy):
        return None
    joined = bool(understood) and utterance.tokens[end].norm in policy.splitters
    if outcome.reason is Reason.ANSWERED and needs_yes(pending, policy) and not (firm or joined or plain):
        # "ok, back to work", "right, add milk" to "shall I delete it?": a word that also opens a remark or a request
        # says yes to that only by itself, or joined to more ("ok, and add milk").
        return None
    if understood and (outcome.reason is Reason.CANCELLED or _looks_anew(pending, understood, policy)):
        return understood
    return (JudgedRequest(first, weighed, outcome), *understood)


def _only_asks(more: tuple[JudgedRequest, ...]) -> bool:
    """ "hang on, when was it?": what it begins with is a no for now, and the question is answered."""
    return bool(more) and all(each.outcome.act == "ask" and acts(each.outcome) for each in more)


def _asks_back(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The question with which a message ends that is taken for a no."""
    last = split_clauses(utterance, policy)[-1:]
    if not last or "wh" not in policy.word_classes.get(last[0].tokens[0].norm, ()):
        return None
    asked = judge_in_order(last, replace(context, pending=None), policy)
    return asked if _only_asks(asked) else None


def _with_done(outcome: Outcome, rest: Utterance, context: Context, policy: Policy) -> tuple[Message, ...]:
    """ "yes, and the invoice too": what the yes does is done to another one as well."""
    target = policy.catalogue.target_of(outcome.call) if outcome.call else None
    if outcome.call is None or target is None or not says_same(rest, policy):
        return context.history
    return (*context.history, Message("assistant", "", (target,), (outcome.call,)))


def _is_half_a_yes(pending: Pending, next_word: str, policy: Policy) -> bool:
    """ "yes, but not today", where a yes is needed."""
    return needs_yes(pending, policy) and "but_word" in policy.word_classes.get(next_word, ())


def _says_again(request: JudgedRequest, pending: Pending, policy: Policy) -> bool:
    """ "go on, take it off": what is answered, in other words, is not asked about once more."""
    asks = request.outcome.intent == pending.intent and request.outcome.action in ("clarify", "confirm")
    target = policy.catalogue.target_of(request.outcome.call) if request.outcome.call else None
    return asks and (target is None or target == policy.catalogue.target_of(pending.call))


def _says_why_not(request: JudgedRequest, policy: Policy) -> bool:
    """ "no, keep it, I still have to check the price": what one has to do is the reason of a no, and nothing new."""
    facts = policy.catalogue.by_intent.get(request.outcome.intent)
    words = request.utterance.words
    needs = any(name == "add_lead" for place in range(len(words)) for name, _ in policy.lexicon.classes(words, place))
    return bool(facts and facts.effect == "add") and needs and not is_fresh_request(request.weighed)


def _only_opens(first: Utterance, policy: Policy) -> bool:
    """ "right, I am off to bed": a word that many a sentence begins with says yes only by itself, or nearly so."""
    return all("interjection" in policy.word_classes.get(token.norm, ()) for token in first.tokens)


def _goes_on(pending: Pending, rest: Utterance, belongs: bool, policy: Policy) -> bool:
    """Whether what follows is no part of an answer: a remark; where a yes is needed, a question ("ok what is open")."""
    asks = is_question(rest, policy) or "wh" in policy.word_classes.get(rest.tokens[0].norm, ())
    return (needs_yes(pending, policy) and asks) or not belongs


_IN_PASSING = 3


def _looks_anew(pending: Pending, more: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "ok, and what is open this week?": who was offered a list, and asks for another one, sees that one."""
    lists = policy.catalogue.lists
    return pending.intent in lists and any(each.outcome.intent in lists for each in more)


def _first_clause(utterance: Utterance, policy: Policy) -> Utterance | None:
    clauses = split_clauses(utterance, policy)
    return clauses[0] if len(clauses) > 1 else None
