"""Learns how surely a task is the one that a message means, from written conversations."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from engine.decider import RuleDecider
from engine.reading.weighing import weigh_request
from engine.talking.moves.noticed import Noticed
from engine.talking.moves.noticing import begin, notice
from engine.talking.names.meant import tell_tasks
from engine.talking.names.pointing import unexplained
from engine.text.normalise import normalise
from evals.conversations.reading import load_conversations
from training.fitting import CLOSE_ENOUGH, MOST_ROUNDS
from training.written import StandingTurn, each_turn

_LEAST_SEEN, _LEAST_WORTH = 4, 0.03


class Example(NamedTuple):
    """One task in reach of one turn."""

    things: tuple[str, ...]
    is_meant: bool
    turn: int
    source: str


def examples_of(paths: list[Path], decider: RuleDecider) -> list[Example]:
    found: list[Example] = []
    number = 0
    for path in paths:
        for conversation in load_conversations([path]):
            for standing in each_turn(conversation, decider.domain):
                effect, wanted = wanted_of(standing)
                if not wanted:
                    continue
                noticed = notice_turn(standing, decider)
                if noticed is None:
                    continue
                number += 1
                left = len(unexplained(noticed))
                found += [
                    Example(things, task.id in wanted, number, path.stem)
                    for task, _, things in tell_tasks(noticed, left, effect)
                ]
    return found


def wanted_of(standing: StandingTurn) -> tuple[str, frozenset[str]]:
    """What a turn does to what exists, and to which tasks."""
    expect, find = standing.turn.expect.outcomes[0], standing.store.find
    asked = standing.context.pending is not None
    if standing.turn.kind in ("undo", "answer") or expect.add or (asked and expect.delete):
        return "", frozenset()
    effects = {"finish" if each.status == "completed" else "change" for each in expect.set}
    effects |= {"remove"} if expect.delete or expect.ask_delete else set()
    titles = [*(each.task for each in expect.set), *expect.delete, *expect.ask_delete]
    if not effects and standing.turn.kind == "question" and expect.show and len(expect.show) == 1:
        effects, titles = {"read"}, list(expect.show)
    if len(effects) != 1:
        return "", frozenset()
    return effects.pop(), frozenset(str(task["id"]) for each in titles if (task := find(each)))


def notice_turn(standing: StandingTurn, decider: RuleDecider) -> Noticed | None:
    policy = decider.policy_of(standing.turn.say, standing.context)
    utterance = normalise(standing.turn.say, policy.spellings, policy.elisions)
    if not utterance.tokens:
        return None
    weighed = weigh_request(utterance, standing.context, policy)
    return notice(utterance, weighed, begin(utterance, weighed, standing.context, policy))


def learn_targets(examples: list[Example], strength: float = 0.3) -> dict[str, float]:
    counts = Counter(name for each in examples for name in each.things)
    names = sorted(name for name, count in counts.items() if count >= _LEAST_SEEN)
    place = {name: position for position, name in enumerate(names)}
    columns: list[int] = []
    starts = [0]
    for each in examples:
        columns += [place[name] for name in each.things if name in place]
        starts.append(len(columns))
    table = csr_matrix(([1.0] * len(columns), columns, starts), shape=(len(examples), len(names)))
    model = LogisticRegression(C=strength, max_iter=MOST_ROUNDS, tol=CLOSE_ENOUGH).fit(
        table, [each.is_meant for each in examples]
    )
    weights = {name: round(float(model.coef_[0, column]), 2) for column, name in enumerate(names)}
    kept = {name: weight for name, weight in weights.items() if abs(weight) >= _LEAST_WORTH}
    return {"": round(float(model.intercept_[0]), 2), **kept}
