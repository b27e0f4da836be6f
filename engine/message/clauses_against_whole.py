"""What the clauses of a message say beside, or against, what it says as a whole."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from engine.decision import Context, Reason
from engine.message.clauses_together import SURE_IN_A_STORY, SURE_TO_ASK, effect_of, is_named, target_of
from engine.message.judged import points
from engine.message.judged_request import JudgedRequest
from engine.outcome.judging import offer
from engine.policy.values import Policy
from engine.slots.levels import is_all_level
from engine.talking.names.naming import is_chore
from engine.targets.stems import stem
from engine.text.folding import title_words
from engine.text.normalise import Utterance
from engine.values import DAY_LENGTH

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
_MERE = frozenset({"no_word", "corrector", "cue_correct", "interjection"})


def is_mere_no(request: JudgedRequest, heard: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "no, on second thoughts, the fitter on Thursday": the no is one to what is put right, and takes nothing back."""
    mere = all(
        not policy.word_classes.get(word, frozenset()).isdisjoint(_MERE) for word in request.weighed.reading.scene.words
    )
    changed = any(effect_of(each, policy) == "change" and each.outcome.action == "execute" for each in heard)
    return request.outcome.act == "undo" and mere and changed


def is_level_of_new(read: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "add a cake for Friday, high priority please", "make it Monday and high priority": the level is said of what is
    new or changed, and asks for no list."""
    return any(
        effect_of(before, policy) in ("add", "change")
        and each.outcome.intent in policy.catalogue.lists
        and not each.weighed.reading.frames
        and is_all_level(_without_polite(each, policy), policy, policy.catalogue.by_intent[before.outcome.intent])
        for before, each in pairwise(read)
    )


def _without_polite(request: JudgedRequest, policy: Policy) -> tuple[str, ...]:
    words = request.weighed.reading.scene.words
    return tuple(word for word in words if "closer" not in policy.word_classes.get(word, ()))


def without_why(heard: tuple[JudgedRequest, ...], policy: Policy) -> tuple[JudgedRequest, ...]:
    """ "call off the pizza, he eats at his mother's", "put the seeds on Sunday, there's the market": what follows a
    wish to have something gone, or tells what there is, says why, unless it asks in so many words for something new."""
    gone = [each.outcome.act == "undo" or effect_of(each, policy) == "remove" for each in heard]
    return tuple(
        each
        for place, each in enumerate(heard)
        if not (place and (gone[place - 1] or _tells_why(each, policy)) and _adds_barely(each, policy))
        and not _is_why_of(each, heard[:place], policy)
        and not _leads_to_new(each, heard[place + 1 : place + 2], policy)
    )


def _leads_to_new(request: JudgedRequest, after: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "her train gets in at six on Friday, so add fetch Lucy", "he wants them by Monday, add return chairs": that is
    why."""
    if has_frame(request) or effect_of(request, policy) != "add" or not after or not has_frame(after[0]):
        return False
    first, then = (each.weighed.reading.scene.words[0] for each in (request, after[0]))
    why = "others_wish" in policy.word_classes.get(first, ()) or "so_word" in policy.word_classes.get(then, ())
    return effect_of(after[0], policy) == "add" and why


def _is_why_of(request: JudgedRequest, before: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "move the boots to Friday, he's got a match on Saturday": after one change is asked for in so many words, a day
    that is said of nothing named moves nothing else that was spoken of earlier."""
    if has_frame(request) or effect_of(request, policy) != "change" or not points(request):
        return False
    asked = [each for each in before if has_frame(each) and effect_of(each, policy) == "change"]
    return any(target_of(each, policy) != target_of(request, policy) for each in asked)


def _tells_why(request: JudgedRequest, policy: Policy) -> bool:
    return bool(policy.lexicon.ends("there_is", request.weighed.reading.scene.words, 0))


def _adds_barely(request: JudgedRequest, policy: Policy) -> bool:
    return effect_of(request, policy) == "add" and _is_bare(request)


def _is_bare(request: JudgedRequest) -> bool:
    return not has_frame(request) and not request.weighed.dates


def reported_apart(
    requests: tuple[JudgedRequest, ...],
    read: tuple[JudgedRequest, ...],
    understood: tuple[JudgedRequest, ...],
    policy: Policy,
) -> tuple[JudgedRequest, ...] | None:
    """ "form fixed, also Nolan paid": what is only likely together, where one clause surely says that something is done
    and another that something else likely is. The sure one is done, the other asked about."""
    sure = [each for each in understood if _is_done(each, policy) and each.outcome.confidence >= SURE_IN_A_STORY]
    unsure = any(each.outcome.reason is not Reason.BELOW_THRESHOLD for each in requests)
    if not sure or len(sure) < len(understood) or unsure:
        return None
    likely = [each for each in read if each not in sure and each.outcome.pending and _is_done(each, policy)]
    return tuple(each for each in read if each in sure or each in likely) if likely else None


def adds_another(
    acting: Sequence[JudgedRequest], read: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    """ "put paper on the list and post the parcel on Saturday": together all but the first is lost. The further thing
    to do, which nothing in its own clause leads to, is asked about."""
    if len(acting) != 1 or len(read) != 2 or any(effect_of(each, policy) != "add" for each in (*acting, *read)):
        return None
    first, second = read
    name = policy.catalogue.by_intent[first.outcome.intent].argument("name")
    whole, own = acting[0].outcome.call, first.outcome.call
    if not (whole and own and has_frame(first)):
        return None
    named, alone = str(whole.parameters.get(name)), str(own.parameters.get(name))
    if named != alone and not (named.startswith(alone) and first.weighed.dates):
        return None  # "buy milk tomorrow and ring Tom": no name goes on behind its day
    words, call = second.weighed.reading.scene.words, second.outcome.call
    if not second.weighed.dates and not (words and is_chore(words[0], policy)):
        return None
    if call:
        return first, second._replace(outcome=offer(second.outcome, call, context, policy))
    return read if second.outcome.pending and second.outcome.reason is Reason.BELOW_THRESHOLD else None


def _is_done(request: JudgedRequest, policy: Policy) -> bool:
    return effect_of(request, policy) == "finish" and is_named(request)


def reports_besides(acting: list[JudgedRequest], understood: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "chased the solicitor, he is slow. And add fetch the keys": all that is asked for together is asked for by a
    clause, too, and beside it something named is surely done."""
    together = [_about(each, policy) for each in acting]
    besides = [each for each in understood if _about(each, policy) not in together]
    return (
        len(understood) == len(acting) + len(besides)
        and bool(besides)
        and all(
            effect_of(each, policy) == "finish" and is_named(each) and each.outcome.confidence >= SURE_IN_A_STORY
            for each in besides
        )
    )


def tells_it_done(
    acting: Sequence[JudgedRequest], understood: tuple[JudgedRequest, ...], context: Context, policy: Policy
) -> bool:
    """ "fridge man called, he comes at four": together it sounds like a new time for what a clause says is done, by
    the very verb that it is called by."""
    if len(acting) != 1 or len(understood) != 1 or (acting[0].outcome.action == "execute" and has_frame(acting[0])):
        return False
    done, other = understood[0], acting[0]
    target = _target(done, policy)
    task = context.tasks.find_by_id(target) if target else None
    title = title_words(task.title) if task else ("",)
    words = done.weighed.reading.scene.words
    return (
        target == _target(other, policy)
        and any(stem(word, policy) in (title[0], stem(title[0], policy)) for word in words)
        and effect_of(done, policy) == "finish"
        and effect_of(other, policy) == "change"
        and done.outcome.confidence >= SURE_IN_A_STORY
    )


def says_the_same(requests: tuple[JudgedRequest, ...], understood: tuple[JudgedRequest, ...]) -> bool:
    """ "no, Monday, on Saturday they have guests": what is only likely together, a clause says surely."""
    likely = requests[0].outcome.pending if len(requests) == 1 else None
    if likely is None or len(understood) != 1 or requests[0].outcome.reason is not Reason.BELOW_THRESHOLD:
        return False
    call, outcome = understood[0].outcome.call, understood[0].outcome
    same = call is not None and (call.tool_name, call.parameters) == (likely.call.tool_name, likely.call.parameters)
    return same and outcome.action == "execute" and outcome.confidence >= SURE_IN_A_STORY


def _target(request: JudgedRequest, policy: Policy) -> str | None:
    outcome = request.outcome
    call = outcome.call or (outcome.pending.call if outcome.pending else None)
    return policy.catalogue.target_of(call) if call else None


def asks_plainly_for_other(acting: list[JudgedRequest], understood: tuple[JudgedRequest, ...], policy: Policy) -> bool:
    """ "on Sunday I've got the children, make it Monday": together it sounds like something new, but a clause asks in
    so many words to change what was spoken of."""
    return (
        bool(understood)
        and all(
            effect_of(each, policy) == "change" and each.outcome.confidence >= SURE_IN_A_STORY and has_frame(each)
            for each in understood
        )
        and not any(map(has_frame, acting))
    )


def has_frame(request: JudgedRequest) -> bool:
    frames = request.weighed.reading.frames
    return any(match.frame.intent == request.outcome.intent for match in frames)


def _about(request: JudgedRequest, policy: Policy) -> tuple[str, object]:
    """What is done, and to what: a day may be another one where the words of all clauses are taken together."""
    call, facts = request.outcome.call, policy.catalogue.by_intent.get(request.outcome.intent)
    named = call.parameters.get(facts.target or facts.argument("name") or "") if call and facts else None
    return request.outcome.intent, named


def is_surer(one: JudgedRequest, other: JudgedRequest) -> bool:
    """Whether the one asks in so many words, and the other is little more than a guess."""
    return has_frame(one) and not other.weighed.reading.frames and other.outcome.confidence < SURE_TO_ASK


def says_partly(utterance: Utterance, policy: Policy) -> bool:
    """ "got 14 of the tests marked, another 12 to go still": what is half done is not done."""
    words = utterance.words
    return policy.lexicon.says("partly", words)


def puts_day_right(read: tuple[JudgedRequest, ...]) -> bool:
    """ "anzi no, sabato che ho più tempo": who takes something back and goes on with a day wants that day."""
    back, then = read[0], read[1]
    dates, tokens = then.weighed.dates, then.utterance.tokens
    return back.outcome.act == "undo" and bool(dates) and dates[0].span.start <= tokens[0].start


def says_each(changing: list[JudgedRequest], acting: list[JudgedRequest], policy: Policy) -> bool:
    """ "move the call to Monday and the lunch to Tuesday": together both would get the same."""
    one_by_one, together = _values_by_target(changing, policy), _values_by_target(acting, policy)
    alike = one_by_one.keys() == together.keys() and len(together) == len(changing) > 1
    return alike and len(set(together.values())) == 1 < len(set(one_by_one.values()))


def _values_by_target(requests: list[JudgedRequest], policy: Policy) -> dict[str, tuple[tuple[str, object], ...]]:
    found = {}
    for each in requests:
        call = each.outcome.call
        target = policy.catalogue.target_of(call) if call else None
        if call and target:
            given = {name: _day(value) for name, value in call.parameters.items() if value != target}
            found[target] = tuple(sorted(given.items(), key=str))
    return found


def _day(value: object) -> object:
    """Of a time its day: each task keeps its own hour."""
    return value[:10] if isinstance(value, str) and _TIME.fullmatch(value) else value


def takes_day_of_remark(
    acting: list[JudgedRequest],
    read: tuple[JudgedRequest, ...],
    understood: tuple[JudgedRequest, ...],
    policy: Policy,
) -> bool:
    """ "move the boots to Friday, he's got a match on Saturday": as a whole it is done with the day of a remark, while
    the clause that asks for it in so many words has its own."""
    remarks = [each for each in read if each not in understood]
    if len(acting) != 1 or len(understood) != 1 or not has_frame(understood[0]) or _put_right(remarks, policy):
        return False
    whole, clause = acting[0].outcome.call, understood[0].outcome.call
    facts = policy.catalogue.by_name.get(clause.tool_name) if clause else None
    date = facts.argument("date") if facts and facts.effect == "change" else ""
    if not date or whole is None or clause is None or whole.tool_name != clause.tool_name:
        return False
    ours, theirs = dict(clause.parameters), dict(whole.parameters)
    said, taken = ours.pop(date, None), theirs.pop(date, None)
    days = {each.value for remark in remarks for each in remark.weighed.dates if each.has_day}  # not "at 20 and 30"
    return bool(said) and str(taken)[:DAY_LENGTH] in days and said != taken and ours == theirs


def _put_right(clauses: Sequence[JudgedRequest], policy: Policy) -> bool:
    """ "…, I mean Saturday"."""
    said = [each.weighed.reading.scene.words for each in clauses]
    return any(
        name in _MERE
        for words in said
        for place in range(len(words))
        for name, _ in policy.lexicon.classes(words, place)
    )
