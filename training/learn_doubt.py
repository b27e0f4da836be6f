"""Learns how likely a change is wrong (`facets.doubt` in `talk.json`) from what engines did wrong on conversations that
they had not been tuned to.

    python -m training.learn_doubt --record FILE… --engine NAME   # the first run of a blind batch, before any mending
    python -m training.learn_doubt [--dry]                        # learns from all that was recorded

An engine is mended on the batches that it was measured on, so that today's does little wrong on them: nothing could be
learned of that. What was noticed on first runs is therefore kept (`doubt_rows.jsonl.gz`: no texts, only what was
noticed and whether it was wrong). Beside them stand plain requests (`cases/`, lines of tests, and made ones), several
times: nobody should be asked about these. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from domains.loading import find_folder, load_domain
from engine.decider import RuleDecider
from engine.decision import Context, Decision
from engine.domain import Domain
from engine.doubting.asking import FACET, is_doubtable
from engine.doubting.signs import notice_doubts
from engine.policy.values import Policy
from engine.targets.memory_index import MemoryIndex
from engine.text.folding import fold
from engine.text.normalise import normalise
from evals.cases import load_cases
from evals.conversations.form import WrittenConversation
from evals.conversations.reading import load_conversations
from evals.conversations.running import run_conversations
from evals.runner import run_case
from training.adapter.requests import requests, several
from training.adapter.speaker import Speaker
from training.fitting import write_table
from training.plain_of_tests import ROWS as PLAIN_ROWS

ROWS = Path(__file__).parent / "doubt_rows.jsonl.gz"
LINES = Path(__file__).parents[1] / "tests" / "assistant" / "follow_ups.yaml"
_STRENGTH = 0.01
_LEAST_SEEN = 15
_LEAST_WORTH = 0.01
_PLAIN_COUNT = 14.0
_NEVER = -9.0
_OF_SHARES = ("the name is unlikely", "the note is unlikely")
"""Noticed since the stretches of a message have shares; most rows are older."""
PLAIN = "plain"
_NEW = ("add", "add_date", "add_prio", "add_desc")
_REQUESTS_EACH = 120
_SEED = 20261118
_NOW = datetime.fromisoformat("2026-11-18T09:00")
_WRONG = ("wrong", "unsafe")


class Row(NamedTuple):
    engine: str
    batch: str
    turn: str
    wrong: bool
    noticed: dict[str, float]
    shares: bool = False
    """Whether it was also noticed how likely its words are (`_OF_SHARES`), by tables that had not seen its batch."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", type=Path, nargs="+", metavar="FILE", default=[])
    parser.add_argument("--engine", default="", help="which engine it was: a commit")
    parser.add_argument("--dry", action="store_true", help="print figures, write no weights")
    options = parser.parse_args()
    if options.record:
        rows = [*read_rows(), *record(options.record, options.engine)]
        write_rows(rows)
        sys.stdout.write(f"{len(rows)} rows, {sum(row.wrong for row in rows)} of them wrong\n")
        return
    rows = [*read_rows(), *plain_rows(), *rows_of_tests()]
    doubts = judge_blind(rows)
    report(rows, doubts)
    factor, more = find_scale(rows, doubts)
    told = [row for row in rows if row.shares]
    odds = factor * _log_odds(doubts[[row.shares for row in rows]]) + more
    report_shares(told, odds)
    if not options.dry:
        _write(add_shares(learn(rows, factor, more), told, odds))


def record(paths: Iterable[Path], engine: str) -> Iterator[Row]:
    """What was noticed of each change that today's engine makes, or would make if it had no doubt."""
    noting = _NotingDecider(load_domain())
    for path in paths:
        for result in run_conversations(load_conversations([path]), "engine", in_step=True, engine=noting):
            for played in result.turns:
                noticed, decision = noting.noted.pop(played.turn.say, None), played.answer.decision
                if noticed is not None and decision and decision.action == "execute" and played.answer.changes:
                    turn = f"{result.conversation.id}/{played.place}"
                    yield Row(engine, path.stem, turn, played.score.verdict in _WRONG, noticed, shares=True)


def plain_rows() -> list[Row]:
    """Changes that nobody should be asked about: right ones of today's engine on our own cases, on the lines that the
    tests hold it to (`LINES`), and on requests that are made from `training/adapter/words`, some of them with a name
    of one word."""
    noting = _NotingDecider(load_domain())
    return [*_plain_cases(noting), *_plain_lines(noting), *_plain_requests(noting)]


def rows_of_tests() -> Iterator[Row]:
    """What was noticed of the changes that other tests hold the engine to (`training/plain_of_tests.py`)."""
    with gzip.open(PLAIN_ROWS, "rt", encoding="utf-8") as lines:
        for place, line in enumerate(lines):
            row = json.loads(line)
            yield Row("", PLAIN, f"{row['test']} {place}", False, row["noticed"])


def _plain_cases(noting: _NotingDecider) -> Iterator[Row]:
    for case in load_cases():
        noting.noted.clear()
        result = run_case(noting, case)
        for turn, said in zip(result.turns, case.turns, strict=False) if result.passed else ():
            if turn.decision.action == "execute" and said.text in noting.noted:
                yield Row("", PLAIN, case.id, False, noting.noted[said.text])


def _plain_lines(noting: _NotingDecider) -> Iterator[Row]:
    lines = yaml.safe_load(LINES.read_text("utf-8"))
    for language in noting.domain.policies:
        tasks = [
            {name: value for name, value in zip(("title", "due_date", "priority"), task, strict=True) if value}
            for task in lines["tasks"][language]
        ]
        for line, wanted in lines[language].items():
            turns = [{"say": said, "kind": "chat", "expect": {"nothing": True}} for said in line.split(" >> ")]
            written = {"id": line, "lang": language, "who": "", "now": lines["now"], "tasks": tasks, "turns": turns}
            conversation = WrittenConversation.model_validate(written)
            noting.noted.clear()
            (result,) = run_conversations([conversation], "engine", in_step=False, engine=noting)
            noticed = noting.noted.get(turns[-1]["say"])
            if noticed and "changes" in wanted and result.turns[-1].answer.changes:
                yield Row("", PLAIN, line, False, noticed)


def _plain_requests(noting: _NotingDecider) -> Iterator[Row]:
    for language, policy in noting.domain.policies.items():
        speaker = Speaker(language, _SEED)
        short = [name for name in policy.words["occasion"] if name.isalpha()]
        made = [*chain.from_iterable(requests(speaker, kind, _REQUESTS_EACH) for kind in _NEW)]
        made += several(speaker, 4 * _REQUESTS_EACH)
        for place, example in enumerate(made):
            said, names = example.said, [str(arguments.get("title", "")) for _, arguments in example.calls]
            if place % 2 and all(names):  # "add the dentist for Tuesday"
                shorter = [short[(place + each) % len(short)] for each in range(len(names))]
                for name, instead in zip(names, shorter, strict=True):
                    said = said.replace(name, instead, 1)
                names = shorter
            if _are_added(noting.decide(said, _nothing_said(language)), names) and said in noting.noted:
                yield Row("", PLAIN, f"{language} {place}", False, noting.noted[said])


def _are_added(decision: Decision, names: list[str]) -> bool:
    if decision.action != "execute":
        return False
    return [fold(str(call.parameters.get("title", ""))) for call in decision.calls] == [fold(name) for name in names]


def _nothing_said(language: str) -> Context:
    return Context(MemoryIndex(()), _NOW, language=language)


class _NotingDecider(RuleDecider):
    """Has no doubt, and notes what it would have come from."""

    def __init__(self, domain: Domain) -> None:
        super().__init__(domain, *(_without_doubt(policy) for policy in domain.policies.values()))
        self.noted: dict[str, dict[str, float]] = {}

    def decide(self, text: str, context: Context) -> Decision:
        decision, policy = super().decide(text, context), self.policy_of(text, context)
        if is_doubtable(decision, policy):
            utterance = normalise(text, policy.spellings, policy.elisions, policy.abbreviations)
            self.noted[text] = dict(notice_doubts(decision, utterance, context, policy))
        return decision


def _without_doubt(policy: Policy) -> Policy:
    facets = {**policy.talk.facets, FACET: {"": _NEVER}}
    return replace(policy, talk=replace(policy.talk, facets=facets))


def read_rows() -> list[Row]:
    with gzip.open(ROWS, "rt", encoding="utf-8") as lines:
        return [Row(**json.loads(line)) for line in lines]


def write_rows(rows: Iterable[Row]) -> None:
    with ROWS.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as lines:
        for row in rows:
            lines.write(json.dumps(row._asdict(), ensure_ascii=False).encode() + b"\n")


def judge_blind(rows: list[Row]) -> np.ndarray:
    """The doubt about each change, each batch by what was learned from the others."""
    doubts, wrong = np.zeros(len(rows)), np.array([row.wrong for row in rows])
    noticed, counts = _table(rows)[1], _counts(rows)
    groups = [row.turn if row.batch == PLAIN else row.batch for row in rows]
    for known, asked in GroupKFold(8).split(noticed, groups=groups):
        model = _model().fit(noticed[known], wrong[known], logisticregression__sample_weight=counts[known])
        doubts[asked] = model.predict_proba(noticed[asked])[:, 1]
    return doubts


def find_scale(rows: list[Row], doubts: np.ndarray) -> tuple[float, float]:
    """By which factor and what more the log-odds of a doubt are those of being wrong on first runs: plain requests
    count several times in learning, so that what was learned doubts too little."""
    blind = np.array([row.batch != PLAIN for row in rows])
    wrong = np.array([row.wrong for row in rows])
    model = LogisticRegression(C=1e6).fit(_log_odds(doubts[blind]), wrong[blind])
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def _log_odds(doubts: np.ndarray) -> np.ndarray:
    kept = np.clip(doubts, 1e-4, 1 - 1e-4)
    return np.log(kept / (1 - kept)).reshape(-1, 1)


def report(rows: list[Row], doubts: np.ndarray) -> None:
    """How much of what was wrong would have been asked about."""
    factor, more = find_scale(rows, doubts)
    doubts = 1 / (1 + np.exp(-(factor * _log_odds(doubts)[:, 0] + more)))
    wrong, plain = np.array([row.wrong for row in rows]), np.array([row.batch == PLAIN for row in rows])
    blind = ~plain
    unsure = np.array([-row.noticed.get("confidence", 0.0) for row in rows])
    auc, alone = (roc_auc_score(wrong[blind], each[blind]) for each in (doubts, unsure))
    sys.stdout.write(
        f"{blind.sum()} changes on first runs, {wrong.sum()} of them wrong; "
        f"AUC {auc:.3f}, by the confidence {alone:.3f}\n"
    )
    for least in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6):
        asked = doubts >= least
        caught = wrong[asked].sum()
        sys.stdout.write(
            f"from {least:.2f} on: {(asked & blind).sum()} ({asked[blind].mean():.1%}), {caught} of them wrong "
            f"({caught / wrong.sum():.0%} of all that were); {(asked & plain).sum()} of {plain.sum()} plain requests\n"
        )


def learn(rows: list[Row], factor: float, more: float) -> dict[str, float]:
    """What each thing noticed is worth; under "" what is so before any of them."""
    names, noticed = _table(rows)
    model = _model().fit(noticed, [row.wrong for row in rows], logisticregression__sample_weight=_counts(rows))
    scaler, regression = model[0], model[1]
    worth = factor * regression.coef_[0] / scaler.scale_
    bias = more + factor * float(regression.intercept_[0]) - float((worth * scaler.mean_).sum())
    kept = {name: round(float(each), 3) for name, each in zip(names, worth, strict=True) if abs(each) >= _LEAST_WORTH}
    return {"": round(bias, 3), **kept}


def add_shares(weights: dict[str, float], told: list[Row], odds: np.ndarray) -> dict[str, float]:
    """With what the shares of names and notes are worth beside all else, learned from the rows that tell them."""
    model = _model_of_shares().fit(_beside(told, odds), [row.wrong for row in told])
    factor, *worth = (float(each) for each in model.coef_[0])
    bias = factor * weights[""] + float(model.intercept_[0])
    scaled = {name: round(factor * each, 3) for name, each in weights.items() if name}
    return {"": round(bias, 3), **scaled, **{n: round(each, 3) for n, each in zip(_OF_SHARES, worth, strict=True)}}


def report_shares(told: list[Row], odds: np.ndarray) -> None:
    """How much of what was wrong would have been asked about with them, each batch by the others."""
    wrong, table = np.array([row.wrong for row in told]), _beside(told, odds)
    doubts = np.zeros(len(told))
    for known, asked in GroupKFold(8).split(table, groups=[row.batch for row in told]):
        doubts[asked] = _model_of_shares().fit(table[known], wrong[known]).predict_proba(table[asked])[:, 1]
    alone, beside = (roc_auc_score(wrong, each) for each in (odds[:, 0], doubts))
    sys.stdout.write(
        f"{len(told)} with shares, {wrong.sum()} of them wrong; AUC {alone:.3f}, with shares {beside:.3f}\n"
    )
    for least in (0.1, 0.15, 0.2, 0.25, 0.3, 0.5):
        asked = doubts >= least
        sys.stdout.write(
            f"from {least:.2f} on: {asked.sum()} ({asked.mean():.1%}), {wrong[asked].sum()} of them wrong\n"
        )


def _beside(told: list[Row], odds: np.ndarray) -> np.ndarray:
    shares = [[row.noticed.get(name, 0.0) for name in _OF_SHARES] for row in told]
    return np.column_stack([odds, shares])


def _model_of_shares() -> LogisticRegression:
    return LogisticRegression(C=1.0, max_iter=2000)


def _counts(rows: list[Row]) -> np.ndarray:
    return np.array([_PLAIN_COUNT if row.batch == PLAIN else 1.0 for row in rows])


def _model() -> Pipeline:
    return make_pipeline(StandardScaler(), LogisticRegression(C=_STRENGTH, max_iter=3000))


def _table(rows: list[Row]) -> tuple[list[str], np.ndarray]:
    counts = Counter(name for row in rows for name in row.noticed if name not in _OF_SHARES)
    vectors = DictVectorizer(sparse=False)
    values = vectors.fit_transform(
        [{name: value for name, value in row.noticed.items() if counts[name] >= _LEAST_SEEN} for row in rows]
    )
    return list(vectors.feature_names_), values


def _write(weights: dict[str, float]) -> None:
    path = find_folder("tasks") / "talk.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["facets"][FACET] = weights
    write_table(path, data)
    sys.stdout.write(f"{path.name}: {len(weights)} things speak for a doubt, or against it\n")


if __name__ == "__main__":
    main()
