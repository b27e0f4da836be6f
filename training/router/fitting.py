"""Fits what `engine/outcome/router.json` and `llm/calibration.json` hold on recorded turns."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from domains.loading import load_domain
from engine.border.json_form import from_json
from engine.decision import Decision
from engine.outcome.lane_evidence import notice_both, notice_engine
from engine.outcome.router import LearnedRouter, Likelihood, RouterWeights
from llm.calibration import TokenCalibration, features_of

RIGHT = frozenset({"right", "offered"})
COSTS: Mapping[str, float] = {
    "right": 0.0, "offered": 0.15, "asked": 1.0, "missed": 1.0, "told": 1.0, "nuisance": 1.2, "wrong": 5.0,
    "unsafe": 9.0,
}  # fmt: skip
"""What a turn that comes out so costs: a wrong change is much worse than a question too many."""
_WAITING = 0.05
"""What it costs to wait for the LLM, a second or so."""
_LEAST_SEEN = 5
_STRENGTH = 0.3
_FOLDS = 5
_GRID = {
    "at_once": (0.5, 0.6, 0.7, 0.75, 0.8, 0.82, 0.84, 0.86, 0.88, 0.9, 0.95, 1.01),
    "act": (0.4, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 1.01),
    "offer": (0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7),
    "ask": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5),
    "show": (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8),
    "second": (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 1.01),
}
_SURE = (0.0, *(place / 100 for place in range(50, 100, 2)))
_CALLS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.97, 0.98, 0.99)
_HARDLY_MORE = 2 * COSTS["offered"] + 1e-6
"""Two calls that were right, as questions."""
_CATALOGUE = load_domain().catalogue


class Turn(NamedTuple):
    """A recorded turn, read."""

    id: str
    engine: Decision
    llm: Decision | None
    """None: it was not asked."""
    verdicts: Mapping[str, str]
    log_probabilities: tuple[float, ...]

    def right(self, *kinds: str) -> bool:
        return any(self.verdicts.get(kind) in RIGHT for kind in kinds)

    @property
    def conversation(self) -> str:
        return self.id.rpartition("/")[0]


def read_turns(records: Sequence[Mapping[str, Any]]) -> list[Turn]:
    """Where the LLM was not asked, or made a broken call, only the engine's part is learned from."""
    return [
        Turn(
            each["id"],
            from_json(Decision, each["engine"]),
            from_json(Decision, each["llm"]) if each["llm"] else None,
            each["verdicts"],
            tuple(each["log_probabilities"]),
        )
        for each in records
    ]


def fit_calibration(turns: Sequence[Turn], adapter: str) -> TokenCalibration:
    called = [turn for turn in turns if turn.llm and turn.llm.calls and turn.log_probabilities]
    inputs = [features_of(turn.log_probabilities) for turn in called]
    from sklearn.linear_model import LogisticRegression  # late: seconds to load, and every test run loads this file

    model = LogisticRegression(C=1.0).fit(inputs, [turn.right("llm", "llm_offered") for turn in called])
    mean, least = (round(float(each), 3) for each in model.coef_[0])
    return TokenCalibration(adapter, round(float(model.intercept_[0]), 3), mean, least)


def fit_sure(turns: Sequence[Turn]) -> float:
    """From which confidence on the LLM, where it drives, changes something without a question: what costs least. The
    turns are calibrated, and those in which it would change nothing have no say."""
    changing = [turn for turn in turns if turn.llm and turn.llm.confidence is not None and _changes(turn.llm)]

    def cost(sure: float) -> float:
        return sum(COSTS[turn.verdicts[drive_alone(turn, sure)]] for turn in changing)

    return min(_SURE, key=lambda sure: (round(cost(sure), 6), sure))


def fit_calls(turns: Sequence[Turn]) -> float:
    """From which probability of its first token on a call is no question: the most careful one that costs hardly more
    than the best. Small talk that nearly gets a call is rare in written conversations."""
    called = [turn for turn in turns if turn.llm and turn.log_probabilities and "llm_offered" in turn.verdicts]

    def cost(least: float) -> float:
        doubted = [turn for turn in called if math.exp(turn.log_probabilities[0]) < least]
        return sum(COSTS[turn.verdicts["llm_offered"]] - COSTS[turn.verdicts["llm"]] for turn in doubted)

    costs = {least: cost(least) for least in _CALLS}
    return max(least for least in _CALLS if costs[least] <= min(costs.values()) + _HARDLY_MORE)


def drive_alone(turn: Turn, sure: float) -> str:
    """What is done where the LLM drives and asks below this confidence."""
    llm = turn.llm
    unsure = llm is not None and llm.confidence is not None and _changes(llm) and llm.confidence < sure
    return "llm_offered" if unsure and "llm_offered" in turn.verdicts else "llm"


def _changes(decision: Decision) -> bool:
    called = {call.tool_name for call in decision.calls}
    return decision.action == "execute" and bool(called & _CATALOGUE.changing_tools)


def calibrate(turns: Sequence[Turn], calibration: TokenCalibration) -> list[Turn]:
    """The same turns, the LLM as sure as it is by this calibration."""
    return [
        turn._replace(llm=replace(turn.llm, confidence=round(calibration.apply(turn.log_probabilities), 4)))
        if turn.llm and turn.llm.calls and turn.log_probabilities
        else turn
        for turn in turns
    ]


Notice = Callable[[Turn], Mapping[str, float]]


def _alone(turn: Turn) -> Mapping[str, float]:
    return notice_engine(turn.engine, _CATALOGUE)


def _both(turn: Turn) -> Mapping[str, float]:
    assert turn.llm is not None  # noqa: S101 - of the turns that it was asked in
    return notice_both(turn.engine, turn.llm, _CATALOGUE)


def fit_likelihoods(turns: Sequence[Turn]) -> dict[str, Likelihood]:
    asked = [turn for turn in turns if turn.llm]
    wanting = [turn for turn in asked if turn.llm and (turn.llm.calls or turn.llm.pending)]
    return {
        "alone": _fit(turns, _alone, [turn.right("engine") for turn in turns]),
        "engine": _fit(asked, _both, [turn.right("engine") for turn in asked]),
        "llm": _fit(wanting, _both, [turn.right("llm", "llm_offered") for turn in wanting]),
    }


def _fit(turns: Sequence[Turn], notice: Notice, right: Sequence[bool]) -> Likelihood:
    noticed = [notice(turn) for turn in turns]
    counts = Counter(name for each in noticed for name in each)
    names = sorted(name for name, count in counts.items() if count >= _LEAST_SEEN)
    place = {name: position for position, name in enumerate(names)}
    rows = [
        (row, place[name], value) for row, each in enumerate(noticed) for name, value in each.items() if name in place
    ]
    if not names or len(set(right)) < 2:  # nothing to tell apart
        share = (sum(right) + 1) / (len(right) + 2)
        return Likelihood(round(float(np.log(share / (1 - share))), 3), {})
    shape = len(turns), len(names)
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    matrix = csr_matrix(([value for *_, value in rows], ([row for row, *_ in rows], [at for _, at, _ in rows])), shape)
    model = LogisticRegression(C=_STRENGTH, max_iter=2000).fit(matrix, right)
    weights = {name: round(float(model.coef_[0, at]), 3) for name, at in place.items()}
    return Likelihood(round(float(model.intercept_[0]), 3), {name: each for name, each in weights.items() if each})


def route_of(turn: Turn, router: LearnedRouter) -> str:
    if turn.llm is None or router.acts_at_once(turn.engine, _CATALOGUE):
        return "engine"
    kind = router.choose(turn.engine, turn.llm, _CATALOGUE).kind
    return kind if kind in turn.verdicts else "engine"


def cost_of(turns: Sequence[Turn], router: LearnedRouter) -> float:
    waiting = _WAITING * len(turns) * share_that_waits(turns, router) if turns else 0.0
    return waiting + sum(COSTS[turn.verdicts[route_of(turn, router)]] for turn in turns)


def folds_of(turns: Sequence[Turn]) -> Iterator[tuple[list[Turn], list[Turn]]]:
    """Whole conversations are left out, so that nothing is weighed by what was learned from it."""
    names = sorted({turn.conversation for turn in turns})
    for fold in range(_FOLDS):
        out = set(names[fold::_FOLDS])
        yield (
            [each for each in turns if each.conversation not in out],
            [each for each in turns if each.conversation in out],
        )


def fit_thresholds(turns: Sequence[Turn]) -> dict[str, float]:
    """Those that cost least on turns that were not learned from; one after the other, until none gets better."""
    held = [(fit_likelihoods(kept), out) for kept, out in folds_of(turns)]
    best = {"at_once": 0.9, "act": 0.8, "offer": 0.4, "show": 0.5, "ask": 0.0, "second": 0.2}

    def total(chosen: Mapping[str, float]) -> float:
        return sum(cost_of(out, LearnedRouter(RouterWeights(**likely, **chosen))) for likely, out in held)

    least = total(best)
    for name in itertools.chain.from_iterable([tuple(_GRID)] * 2):
        for value in _GRID[name]:
            tried = {**best, name: value}
            cost = total(tried)
            if cost < least - 1e-9:
                best, least = tried, cost
    return best


def tally(turns: Sequence[Turn], choose: Callable[[Turn], str]) -> Counter[str]:
    return Counter(turn.verdicts[choose(turn)] for turn in turns)


def held_out_tally(turns: Sequence[Turn], thresholds: Mapping[str, float]) -> Counter[str]:
    """How the router does on turns that its likelihoods were not learned from."""
    found: Counter[str] = Counter()
    for kept, out in folds_of(turns):
        router = LearnedRouter(RouterWeights(**fit_likelihoods(kept), **thresholds))
        found += tally(out, lambda turn, router=router: route_of(turn, router))  # type: ignore[misc]
    return found


def share_that_waits(turns: Sequence[Turn], router: LearnedRouter) -> float:
    waits = [turn.llm is not None and not router.acts_at_once(turn.engine, _CATALOGUE) for turn in turns]
    return float(np.mean(waits))
