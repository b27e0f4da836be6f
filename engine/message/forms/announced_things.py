"""One thing that is announced before it is said: "one more thing, oil the gate", "new one: printer ink", "low priority
one: sort the photos". The announcement itself names nothing."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import ToolFacts
from engine.decision import Act, Context, Factor, Message
from engine.message.judged import judge_in_order
from engine.message.judged_request import JudgedRequest
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.questions import is_question
from engine.reading.requests import part
from engine.reading.weighing import weigh_request
from engine.slots.levels import read_level
from engine.talking.basis import Basis, draft_with, judge_with
from engine.talking.moves.noticing import begin
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance

_SIGNS = frozenset(",:")
_LONGEST_HEAD, _LONGEST_THING = 7, 16
_SURE = 0.9
_ACTING = ("execute", "confirm")
_BEFORE = frozenset({"opener", "interjection", "splitter", "add", "jot_down"})
_TELLS = frozenset({"subject", "telling", "past_aux", "cue_same"})


def read_announced(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """What is asked for after the announcement, if it asks for something by itself; else it is added."""
    facts = policy.catalogue.by_effect.get("add")
    cut = _find_sign(utterance) if facts and policy.talk.moves and not utterance.quotes else 0
    head = utterance.words[:cut]
    colon = bool(cut) and ":" in utterance.text[utterance.tokens[cut - 1].end : utterance.tokens[cut].start]
    if facts is None or not cut or not _announces(head, policy, facts, colon=colon):
        return None
    thing = part(utterance, cut, len(utterance.tokens), policy)
    if is_question(thing, policy) or len(thing.tokens) > _LONGEST_THING:
        return None
    level = read_level(head, policy, facts)
    talking = replace(context, pending=None, history=context.history or (Message("user", ""),))
    asked = judge_in_order((thing,), talking, policy)
    if level is None and asked and all(_asks_by_itself(each.outcome, policy) for each in asked):
        return tuple(_going_on(each, context) for each in asked)
    if not _TELLS.isdisjoint(policy.word_classes.get(thing.tokens[0].norm, ())):
        return None  # "one more thing, he is never on time", "new job, same boss"
    return _add(utterance, cut, level, facts, replace(talking, history=context.history), policy)


def _going_on(request: JudgedRequest, context: Context) -> JudgedRequest:
    """ "one more thing" goes on from what was said before, if anything was."""
    return request._replace(outcome=request.outcome._replace(act="continue")) if context.history else request


def _find_sign(utterance: Utterance) -> int:
    """The place of the first word after the first comma or colon."""
    text, tokens = utterance.text, utterance.tokens
    if _SIGNS.isdisjoint(text):
        return 0
    for place in range(1, min(len(tokens), _LONGEST_HEAD)):
        if not _SIGNS.isdisjoint(text[tokens[place - 1].end : tokens[place].start]):
            return place
    return 0


def _announces(head: tuple[str, ...], policy: Policy, facts: ToolFacts, *, colon: bool) -> bool:
    """Also by nothing but a level, before a colon: "high priority: renew the passport"."""
    kinds = [policy.word_classes.get(word, frozenset()) for word in head]
    for first in range(len(head)):
        if len(head) in policy.lexicon.ends("announces_one", head, first):
            return True
        if kinds[first].isdisjoint(_BEFORE):
            break
    nouns = [place for place in range(len(head)) if policy.lexicon.ends("announced_noun", head, place)]
    leveled = (bool(nouns) or colon) and read_level(head, policy, facts) is not None
    known = {*policy.level_classes[facts.name], *(f"level_{each}" for each in ("noun", "filler", "joiner"))}
    known |= {f"level_{level}" for level in policy.level_classes[facts.name].values()} | _BEFORE
    return leveled and all(
        place in nouns or head[place] in policy.small_words or not known.isdisjoint(kinds[place])
        for place in range(len(head))
    )


def _asks_by_itself(outcome: Outcome, policy: Policy) -> bool:
    facts = policy.catalogue.by_intent.get(outcome.intent)
    return facts is not None and outcome.action in _ACTING


def _add(
    utterance: Utterance, cut: int, level: str | None, facts: ToolFacts, context: Context, policy: Policy
) -> tuple[JudgedRequest, ...] | None:
    whole = weigh_request(utterance, context, policy)
    if whole.reading.guard:
        return None
    told, end = begin(utterance, whole, context, policy), len(utterance.tokens)
    slots = ((facts.argument("name"), cut, end),)
    act: Act = "continue" if context.history else "request"
    basis = Basis("move:announced", act, _SURE, (Factor("announced, then named", _SURE),), 0, end, slots)
    drafted = draft_with(basis, facts, told)
    argument = facts.argument("level")
    if not any(slot.name == facts.argument("name") for slot in drafted.slots):
        return None
    if level and argument and all(each.name != argument for each in drafted.arguments):
        given = Argument(argument, level, Provenance("words", utterance.span(0, cut)))
        drafted = drafted._replace(arguments=(*drafted.arguments, given))
    return (JudgedRequest(utterance, whole, judge_with(basis, facts, drafted, None, told)),)
