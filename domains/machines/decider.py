"""The machines' decider: asked and answering like every other, over the machines' own reading."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from domains.composing import compose, read_language
from domains.machines.answers import read_answer
from domains.machines.asking import AskingScene, Composed, compose_message
from domains.machines.composing.phrasing import replies_of
from domains.machines.dissecting import HELD_TO, make_requests, telling_words
from domains.machines.in_force import DOMAIN, load_policies, name_others, once_a_policy, reading_by
from domains.machines.judging import judge
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from domains.machines.rules import load_rules
from domains.machines.taking_back import TakingBack, decide_taking_back, read_taking_back
from engine.completing.values import DEFAULT_SETTINGS, ComposerSettings, Composition, Request
from engine.decision import Context, Decision, Intent, Language, Reason, Sentence
from engine.domain import UNKNOWN
from engine.explaining.values import Anatomy
from engine.policy.tuning import tune
from engine.policy.values import Policy
from engine.text.normalise import TEXT_LIMIT, is_long
from engine.values import Task

if TYPE_CHECKING:
    from engine.editing.edits import Edit
    from engine.why.values import OwnReasons, WhyNot

DECIDER_NAME = "engine"
MOST_WORDS = 150
"""Reading one takes longer here than with tasks: each is looked up among the machines."""


class MachineDecider:
    """Pure: the same text, Context and settings give an equal Decision. A policy that is given stands in for the
    project's own of its language."""

    def __init__(self, settings: ComposerSettings = DEFAULT_SETTINGS, *policies: Policy) -> None:
        self._settings = settings
        self._policies = policies

    def decide(self, text: str, context: Context) -> Decision:
        with reading_by(self._policies):
            return self._decide(text, context)

    def _decide(self, text: str, context: Context) -> Decision:
        if is_long(text, MOST_WORDS):
            return self._too_long(text, context)
        back = _takes_back(text, context)
        if back:
            return decide_taking_back(back, text, load_version())
        return judge(self._compose(text, context), text, self._settings, load_version())

    def _compose(self, text: str, context: Context) -> Composed:
        return compose_message(text, AskingScene(fleet_of(context), context, self._settings))

    def policy_of(self, text: str, context: Context) -> Policy:
        with reading_by(self._policies):
            return self._policy(_language_of(text, context))

    def _policy(self, language: Language) -> Policy:
        return tune(load_policies()[language], {"act": self._settings.threshold})

    def with_policy(self, policy: Policy) -> MachineDecider:
        return MachineDecider(replace(self._settings, threshold=policy.thresholds.act), *self._policies)

    def dissect(self, text: str, context: Context) -> Anatomy:
        with reading_by(self._policies):
            return self._dissect(text, context)

    def _dissect(self, text: str, context: Context) -> Anatomy:
        if is_long(text, MOST_WORDS) or not text.strip() or _takes_back(text, context):
            decision = self._decide(text, context)
            return Anatomy(text, decision.language, self._policy(decision.language), decision, (), HELD_TO)
        composed = self._compose(text, context)
        decision = judge(composed, text, self._settings, load_version())
        return Anatomy(
            text,
            decision.language,
            self._policy(decision.language),
            decision,
            make_requests(text, composed, decision),
            HELD_TO,
            telling_words(text, composed.composition, fleet_of(context)),
        )

    def find_reasons(self, text: str, context: Context, wanted: Intent, arguments: Mapping[str, str]) -> OwnReasons:
        from domains.machines.why_not import find_reasons  # late: only those who ask why need it
        from engine.why.values import Obstacle, OwnReasons

        with reading_by(self._policies):
            back = _takes_back(text, context)
            if back:
                told = f"the words only say to {back.act} the last change (taken_back, made_again in words.txt)"
                return OwnReasons((Obstacle("way_of_talking", told, back.act),))
            composed = self._compose(text, context)
            decision = judge(composed, text, self._settings, load_version())
            return find_reasons(text, composed, decision, wanted, arguments, fleet_of(context))

    def find_edits(
        self, text: str, context: Context, why: WhyNot, values: Mapping[str, str]
    ) -> tuple[tuple[Edit, float], ...]:
        from domains.machines.mending import MisreadMachines, find_edits  # late: only those who mend need it

        with reading_by(self._policies):
            composition = self._compose(text, context).composition
            policy = load_policies()[composition.language]
            return find_edits(MisreadMachines(text, composition, why, values, fleet_of(context), policy))

    def complete(self, request: Request) -> Composition:
        with reading_by(self._policies):
            return compose(request)

    def things(self, context: Context) -> tuple[Task, ...]:
        fleet = fleet_of(context)
        return FleetIndex(fleet).recent(len(fleet))

    def with_things(self, context: Context, things: tuple[Task, ...]) -> FleetIndex:
        fleet = fleet_of(context)
        found = ((fleet.find_by_id(thing.id), thing.title) for thing in things)
        return FleetIndex(MemoryFleet(replace(machine, name=name) for machine, name in found if machine))

    def _too_long(self, text: str, context: Context) -> Decision:
        language = _language_of(text, context)
        key, limit = ("too_long", TEXT_LIMIT) if len(text) > TEXT_LIMIT else ("too_many_words", MOST_WORDS)
        message = replies_of(language)[key].format(limit=limit)
        return Decision(
            DECIDER_NAME,
            "reply",
            UNKNOWN,
            Reason.TOO_LONG,
            confidence=0.0,
            message=message,
            sentences=(Sentence("reply", message),),
            policy_version=load_version(),
            language=language,
        )


def _takes_back(text: str, context: Context) -> TakingBack | None:
    """While a question waits, "annulla" answers that."""
    return read_taking_back(text) if context.pending is None or not read_answer(text, ()) else None


def _language_of(text: str, context: Context) -> Language:
    return read_language(Request(text[:TEXT_LIMIT], history=context.history, language=context.language))


def fleet_of(context: Context) -> MemoryFleet:
    """The machines in reach; none where the Context brings something else."""
    return context.tasks.fleet if isinstance(context.tasks, FleetIndex) else MemoryFleet()


@once_a_policy
def load_version() -> str:
    """Changes with every word and number that the reading rests on. Where a policy stands in for the project's own, its
    version, by which it is found again."""
    others = name_others()
    if others:
        return others
    digests = "".join(policy.digest for policy in load_policies().values())
    return f"{DOMAIN}-{hashlib.sha256(f'{digests}{load_rules()}'.encode()).hexdigest()[:12]}"
