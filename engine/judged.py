"""The requests of a message, each with what comes of it, in their order."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.catalogue.facts import UNKNOWN
from engine.decision import Context, Message
from engine.outcome.judging import judge
from engine.outcome.values import Outcome
from engine.policy.values import Policy
from engine.reading.weighing import Weighed, weigh_request
from engine.talking import hear
from engine.text.normalise import Utterance


class JudgedRequest(NamedTuple):
    """One request of a message: its words, how they were weighed, and what comes of it."""

    utterance: Utterance
    weighed: Weighed
    outcome: Outcome


def is_nothing(outcome: Outcome) -> bool:
    return outcome.action == "reply" and outcome.intent == UNKNOWN


def acts(outcome: Outcome) -> bool:
    return outcome.action in ("execute", "confirm")


def is_scrap(request: JudgedRequest, policy: Policy) -> bool:
    """A new thing to do that nothing in its own clause leads to: a piece of something else."""
    facts = policy.catalogue.by_intent.get(request.outcome.intent)
    if facts is None or facts.effect != "add":
        return False
    words = request.weighed.reading.scene.words
    return not any(
        name in ("add_lead", "chore", "remind_me")
        for place in range(len(words))
        for name, _ in policy.lexicon.classes(words, place)
    )


def points(request: JudgedRequest) -> bool:
    """Whether it is about "it"."""
    return any(ref.candidates[:1] and ref.candidates[0].how == "pronoun" for ref in request.outcome.references)


def judge_in_order(parts: tuple[Utterance, ...], context: Context, policy: Policy) -> tuple[JudgedRequest, ...]:
    """Each request knows what those before it named: "rename X to Y and make it urgent"."""
    judged: list[JudgedRequest] = []
    for each_part in parts:
        weighed = weigh_request(each_part, context, policy)
        plain = judge(weighed, context, policy)
        outcomes = hear(each_part, weighed, plain, context, policy) or (plain,)
        judged += [JudgedRequest(each_part, weighed, outcome) for outcome in outcomes]
        named = tuple([each.task_id for outcome in outcomes for each in outcome.references if each.task_id])
        if named and len(judged) < len(parts):
            context = replace(context, history=(*context.history, Message("user", "", named)))
    return tuple(judged)
