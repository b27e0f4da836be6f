"""Variations of the policy, for `engine.explaining.flips`: how far a threshold or a weight is from another decision."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.decider import RuleDecider
from engine.decision import Intent
from engine.explaining.anatomy import EvidencePiece, ReadingDecider, RequestAnatomy, dissect
from engine.explaining.trial import Trial
from engine.policy.talk_weights import TalkWeights
from engine.policy.values import Policy

_THRESHOLD_STEP = 0.1
_THRESHOLD_GRAIN = 0.01
_THRESHOLD_REACH = 0.35
"""Nobody moves a threshold further than this for one message."""
_WEIGHT_STEPS = (0.25, 0.5, 1.0, 2.0, 4.0, 6.0)
_WEIGHT_GRAIN = 0.05
_MOST_PIECES = 5


def try_thresholds(trial: Trial) -> None:
    _try_thresholds(trial, trial.decider)


def _try_thresholds(trial: Trial, decider: ReadingDecider, first: str = "") -> None:
    anatomy = dissect(trial.text, trial.context, decider)
    policy = anatomy.policy
    for name in anatomy.held_to:
        now = float(getattr(policy.thresholds, name))
        found = [end for sign in (-1, 1) if (end := _nearest_threshold(trial, policy, name, now, sign)) is not None]
        for value in sorted(found, key=lambda value: abs(value - now))[:1]:
            change = f"{first}with the threshold “{name}” at {value:.2f} instead of {now:.2f}"
            varied = policy.vary(thresholds=replace(policy.thresholds, **{name: value}))
            trial.keep("threshold", change, abs(value - now), policy=varied, rule=f"threshold:{name}")


def _nearest_threshold(trial: Trial, policy: Policy, name: str, now: float, sign: int) -> float | None:
    def at(distance: float) -> float:
        return round(min(1.0, max(0.0, now + sign * distance)), 2)

    def flips(distance: float) -> bool:
        return trial.flips(policy=policy.vary(thresholds=replace(policy.thresholds, **{name: at(distance)})))

    room = min(_THRESHOLD_REACH, now if sign < 0 else 1.0 - now)
    steps = [_THRESHOLD_STEP * count for count in range(1, int(room / _THRESHOLD_STEP) + 1)]
    distance = _nearest([*steps, room] if room else [], flips, _THRESHOLD_GRAIN)
    return None if distance is None else at(distance)


def try_talk(trial: Trial) -> None:
    """Without what the message says only by the store and the conversation: ways of talking, and moves."""
    policy = dissect(trial.text, trial.context, trial.decider).policy
    for change, ways, moves in _WITHOUT:
        if (ways and policy.ways) or (moves and policy.talk.moves):
            without = {**({"ways": ()} if ways else {}), **({"talk": TalkWeights()} if moves else {})}
            varied = policy.vary(**without)
            if trial.flips(policy=varied):
                trial.keep("talk", change, 1.0, policy=varied, rule="talk")
                return


_WITHOUT = (
    ("without the moves of a conversation", False, True),
    ("without the ways of talking", True, False),
    ("by its words alone", True, True),
)


def try_weights(trial: Trial) -> None:
    """The weights of the strongest evidence, for the intent that was read: how much more or less would do."""
    _try_weights(trial, trial.decider)


def try_words_alone(trial: Trial) -> None:
    """Where words and talk come to the same, no number of either would change it: those of the words, without talk."""
    if any(flip.kind in _OF_NUMBERS for flip in trial.found):
        return
    alone = trial.decider.policy_of(trial.text, trial.context).by_words_alone()
    if not trial.flips(policy=alone):
        decider = trial.decider.with_policy(alone)
        _try_thresholds(trial, decider, _ALONE)
        _try_weights(trial, decider, _ALONE)


_OF_NUMBERS = ("threshold", "weight", "talk")
_ALONE = "by its words alone, and "


def _try_weights(trial: Trial, decider: ReadingDecider, first: str = "") -> None:
    if not isinstance(decider, RuleDecider):
        return  # evidence that is counted has no weights to turn
    anatomy = dissect(trial.text, trial.context, decider)
    pulls = [(abs(request.pull(piece)), request, piece) for request in anatomy.requests for piece in request.pieces]
    strongest = sorted(pulls, key=lambda pull: -pull[0])[:_MOST_PIECES]
    for _, request, piece in strongest:
        _try_weight(trial, anatomy.policy, request, piece, first)


def _try_weight(trial: Trial, policy: Policy, request: RequestAnatomy, piece: EvidencePiece, first: str) -> None:
    intent, now = request.outcome.intent, request.weight(piece, request.outcome.intent)
    found: list[float] = []
    for sign in (-1, 1):

        def flips(distance: float, sign: int = sign) -> bool:
            return trial.flips(policy=_with_weight(policy, piece, intent, round(now + sign * distance, 2)))

        distance = _nearest(list(_WEIGHT_STEPS), flips, _WEIGHT_GRAIN)
        if distance is not None:
            found.append(round(now + sign * distance, 2))
    for value in sorted(found, key=lambda value: abs(value - now))[:1]:
        change = f"{first}with the weight of “{piece.rule}” for {intent} at {value:+.2f} instead of {now:+.2f}"
        varied = _with_weight(policy, piece, intent, value)
        trial.keep("weight", change, abs(value - now), policy=varied, rule=piece.rule)


def _with_weight(policy: Policy, piece: EvidencePiece, intent: Intent, value: float) -> Policy:
    vector = list(piece.vector)
    vector[policy.catalogue.intents.index(intent)] = value
    evidence = {**policy.weights.evidence, piece.rule: tuple(vector)}
    return policy.vary(weights=replace(policy.weights, evidence=evidence))


def _nearest(steps: list[float], flips: Callable[[float], bool], grain: float) -> float | None:
    """The smallest distance that flips: the first step that does, then halved towards the one before it."""
    missed = 0.0
    for step in steps:
        if flips(step):
            reached = step
            while reached - missed > grain:
                middle = (reached + missed) / 2
                if flips(middle):
                    reached = middle
                else:
                    missed = middle
            return reached
        missed = step
    return None
