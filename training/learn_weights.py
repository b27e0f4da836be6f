"""Learns the evidence table of a policy from public utterances and from the policy's own frames.

    python -m training.learn_weights DATA_FOLDER --language en

DATA_FOLDER holds `{tasks,lists,borderline,negatives}_train.jsonl.gz`. The utterances themselves are not
part of the project; the table that comes out is (`weights.json` of the language's folder, with its card).
A multinomial logistic regression over the engine's own observations: each weight is one named piece of
evidence. Needs scikit-learn; nothing of this runs in the engine.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import random
import re
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression

from domains.loading import find_folder, load_domain
from engine.policy.loading import Policy
from engine.policy.weights import make_empty
from engine.reading.read import read_request
from engine.text.normalise import normalise
from training.sample_frames import sample_frames

FEWEST_SIGHTINGS = 3
SMALLEST_WEIGHT = 0.05
FRAME_SCALE = 2.5
"""Frames are regularised less than words: a way of asking carries over to new sources, words less so."""
LOWEST_WINNER = 0.3
CURVE_TRUST = 200
"""So many held-out requests make the calibration curve count half."""
HELD_OUT = 5
"""Every fifth real row is kept aside when the confidence is calibrated."""


@dataclass(frozen=True)
class Row:
    text: str
    intent: str
    weight: float
    source: str


def load_rows(folder: Path, language: str, task_weight: float = 1.0) -> list[Row]:
    rows: list[Row] = []
    for tier in ("tasks", "lists", "borderline", "negatives"):
        with gzip.open(folder / f"{tier}_train.jsonl.gz", "rt", encoding="utf-8") as lines:
            for entry in map(json.loads, lines):
                if entry["lang"] == language:
                    intent, weight = label(tier, entry)
                    if intent != "unknown":
                        weight *= task_weight
                    if weight:
                        rows.append(Row(entry["text"], intent, weight, entry["source"]))
    return rows


def label(tier: str, entry: dict[str, Any]) -> tuple[str, float]:
    """What to learn from a row and how much it counts."""
    if tier in ("negatives", "tasks"):
        return entry["intent"], 1.0 if len(entry["accept"]) == 1 else 0.5
    if tier == "lists":
        return entry["intent"], 0.5
    # Alarms and timers are not tasks; calendars may be either, so nothing is learned from them.
    clock = any(word in entry["text"].lower() for word in ("alarm", "timer", "snooze", "wake", "sveglia"))
    return ("unknown", 0.5) if clock else ("", 0.0)


def load_fillers(folder: Path, language: str) -> dict[str, list[str]]:
    """What people put into a slot: titles and dates that the sources mark, and our own words."""
    own = json.loads((Path(__file__).parent / f"fillers_{language}.json").read_text(encoding="utf-8"))
    titles: list[str] = []
    with gzip.open(folder / "tasks_train.jsonl.gz", "rt", encoding="utf-8") as lines:
        for entry in map(json.loads, lines):
            title = (entry.get("params") or {}).get("title")
            if entry["lang"] == language and title:
                titles.append(title)
    fillers: dict[str, list[str]] = dict(own)
    fillers["title"] = own["title"] * max(1, len(titles) // (2 * len(own["title"]))) + titles
    fillers["target"] = fillers["title"] + own["target"] * (len(fillers["title"]) // (3 * len(own["target"])))
    return fillers


def load_not_tasks(language: str, each: int = 6) -> list[Row]:
    """Our own messages about other things, where the public data of a language is thin."""
    path = Path(__file__).parent / f"not_tasks_{language}.json"
    if not path.exists():
        return []
    data = json.loads(path.read_text(encoding="utf-8"))
    chooser = random.Random(11)  # noqa: S311 - nothing secret
    texts = {
        re.sub(r"\{(\w+)\}", lambda slot: chooser.choice(data["fillers"][slot[1]]), template)
        for template in data["templates"]
        for _ in range(each)
    }
    return [Row(text, "unknown", 0.7, "own") for text in sorted(texts)]


def vocabulary(rows: list[Row], policy: Policy) -> frozenset[str]:
    counts = collections.Counter(
        token.norm for row in rows for token in normalise(row.text, dict(policy.spellings), policy.elisions).tokens
    )
    # Where there is little text, a word seen once is more likely rare than misspelt.
    fewest = FEWEST_SIGHTINGS if len(rows) > 20_000 else 1
    return frozenset(word for word, count in counts.items() if count >= fewest and word.isalpha())


def observations(rows: list[Row], policy: Policy) -> list[list[str]]:
    spellings, elisions = dict(policy.spellings), policy.elisions
    return [
        [seen.name for seen in read_request(normalise(row.text, spellings, elisions), policy).observations]
        for row in rows
    ]


class Table:
    """Rows as a sparse matrix over the observations that were seen often enough."""

    def __init__(self, seen: list[list[str]]) -> None:
        counts = collections.Counter(name for names in seen for name in names)
        self.names = sorted(name for name, count in counts.items() if count >= FEWEST_SIGHTINGS)
        self._place = {name: place for place, name in enumerate(self.names)}

    def matrix(self, seen: list[list[str]]) -> csr_matrix:
        columns, starts = [], [0]
        for names in seen:
            columns += [self._place[name] for name in names if name in self._place]
            starts.append(len(columns))
        return csr_matrix((self.scales()[columns], columns, starts), shape=(len(seen), len(self.names)))

    def scales(self) -> np.ndarray:
        clear = ("frame:", "lead:", "guard:")
        return np.array([FRAME_SCALE if name.startswith(clear) else 1.0 for name in self.names])


def fit(matrix: csr_matrix, rows: list[Row], strength: float) -> LogisticRegression:
    model = LogisticRegression(C=strength, max_iter=400, tol=1e-4)
    return model.fit(matrix, [row.intent for row in rows], sample_weight=[row.weight for row in rows])


def calibrate(matrix: csr_matrix, rows: list[Row], real: int, strength: float) -> list[list[float]]:
    """Raw probability of the winner -> share that was right, on real rows the model did not see."""
    aside = np.arange(len(rows)) % HELD_OUT == 0
    aside[real:] = False
    kept = [place for place in range(len(rows)) if not aside[place]]
    model = fit(matrix[kept], [rows[place] for place in kept], strength)
    held = [place for place in np.flatnonzero(aside) if rows[place].weight >= 1.0]
    shares = model.predict_proba(matrix[held])
    right = np.array(
        [model.classes_[best] == rows[place].intent for best, place in zip(shares.argmax(1), held, strict=True)]
    )
    curve = IsotonicRegression(y_min=0.02, y_max=0.999, out_of_bounds="clip").fit(shares.max(1), right)
    grid = [0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0]
    # With few held-out requests the curve says little: then the raw probability stays closer to itself.
    asked = sum(rows[place].intent != "unknown" for place in held)
    trust = asked / (asked + CURVE_TRUST)
    shares_right = [trust * float(y) + (1 - trust) * x for x, y in zip(grid, curve.predict(grid), strict=True)]
    # No winner of seven is this low; only the steps of a ledger are, and they begin at nothing.
    return [[x, round(y, 4) if x > LOWEST_WINNER else x] for x, y in zip(grid, shares_right, strict=True)]


def write(
    path: Path,
    model: LogisticRegression,
    table: Table,
    known: frozenset[str],
    curve: list[list[float]],
    intents: tuple[str, ...],
) -> None:
    """Weights stand under the names of their intents: another order in the catalogue changes nothing."""
    place = {intent: position for position, intent in enumerate(model.classes_)}
    bias = {intent: round(float(model.intercept_[place[intent]]), 3) for intent in intents if intent in place}
    evidence: dict[str, dict[str, float]] = {}
    weights = model.coef_ * table.scales()
    for column, name in enumerate(table.names):
        entry = {intent: round(float(weights[place[intent], column]), 2) for intent in intents if intent in place}
        entry = {intent: weight for intent, weight in entry.items() if abs(weight) >= SMALLEST_WEIGHT}
        if entry:
            evidence[name] = entry
    data = {
        "card": "../weights.md",
        "bias": bias,
        "calibration": curve,
        "vocabulary": " ".join(sorted(known)),
        "evidence": evidence,
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text.replace('},"', '},\n"') + "\n", encoding="utf-8")
    sys.stdout.write(f"{path.name}: {len(evidence)} pieces of evidence, {len(text) // 1024} KiB\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--domain", default="tasks")
    parser.add_argument("--language", help="its folder in the domain; else the domain's first")
    parser.add_argument("--strength", type=float, default=1.0, help="inverse of the regularisation")
    parser.add_argument("--each", type=int, default=60, help="sentences per pattern")
    parser.add_argument("--own-weight", type=float, default=0.3, help="how much a sentence from the frames counts")
    parser.add_argument("--task-weight", type=float, default=3.0, help="how much a row that asks for a tool counts")
    parser.add_argument("--leave-out", metavar="SOURCE", help="learn without one source")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    domain = load_domain(options.domain)
    language = options.language or domain.languages[0]
    if language not in domain.languages:
        parser.error(f"--language must be one of: {', '.join(domain.languages)}")
    policy, intents = domain.policies[language], domain.catalogue.intents
    rows = load_rows(options.folder, language, options.task_weight)
    rows = [row for row in rows if row.source != options.leave_out]
    rows += load_not_tasks(language)
    known = vocabulary(rows, policy)
    policy = replace(policy, weights=make_empty(intents, known))
    real = len(rows)
    own = sample_frames(policy, load_fillers(options.folder, language), options.each)
    rows += [Row(text, intent, options.own_weight, "frames") for text, intent in own]
    seen = observations(rows, policy)
    table = Table(seen)
    matrix = table.matrix(seen)
    curve = calibrate(matrix, rows, real, options.strength)
    model = fit(matrix, rows, options.strength)
    path = options.out or find_folder(options.domain) / language / "weights.json"
    write(path, model, table, known, curve, intents)


if __name__ == "__main__":
    main()
