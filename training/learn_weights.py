"""Learns the evidence table of a policy from public messages and dialogues and from the policy's own frames.

    python -m training.learn_weights DATA_FOLDER --language en
    python -m training.learn_weights DATA_FOLDER --language it --around en

DATA_FOLDER holds `{tasks,lists,borderline,negatives,dialogues}_train.jsonl.gz`. The messages themselves are not
part of the project; the table that comes out is (`weights.json` of the language's folder, with its card).
A multinomial logistic regression over the engine's own observations: each weight is one named piece of
evidence. What the store and the conversation say has names without a language: `--around` takes its weights from
another language's table. Needs scikit-learn; nothing of this runs in the engine.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import sys
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path

import numpy as np
from scipy.sparse import csr_matrix

from domains.loading import find_folder, load_domain
from engine.policy.values import Policy
from engine.policy.weights import CARRIED, Vector, Weights, make_empty
from engine.reading.surroundings import find_before
from engine.reading.weighing import read_in_context
from engine.text.normalise import normalise
from training.fitting import FEWEST_SIGHTINGS, Model, Table, fit, held_out, make_curve
from training.rows import Row, load_fillers, load_not_tasks, load_own, load_rows, put_in_context, thin

SMALLEST_WEIGHT = 0.05
STEPS = 250
PROCESSES = os.cpu_count() or 1
FOLDS = 2


def vocabulary(rows: Sequence[Row], policy: Policy) -> frozenset[str]:
    counts = collections.Counter(
        token.norm for row in rows for token in normalise(row.text, policy.spellings, policy.elisions).tokens
    )
    # Where there is little text, a word seen once is more likely rare than misspelt.
    fewest = FEWEST_SIGHTINGS if len(rows) > 20_000 else 1
    return frozenset(word for word, count in counts.items() if count >= fewest and word.isalpha())


def observe_rows(asked: Sequence[tuple[Row, Policy, Policy]]) -> list[list[str]]:
    """The observations of each row under the first policy, what was asked before it read by the second."""
    global _asked
    _asked = asked
    with get_context("fork").Pool(PROCESSES) as pool:
        return pool.map(_observe_row, range(len(asked)), chunksize=500)


_asked: Sequence[tuple[Row, Policy, Policy]] = ()


def _observe_row(place: int) -> list[str]:
    row, policy, reader = _asked[place]
    before = find_before(row.context, reader) if row.context.history else None
    utterance = normalise(row.text, policy.spellings, policy.elisions)
    return [each.name for each in read_in_context(utterance, row.context, policy, before)[0].observations]


class Learner:
    """The rows as observations, and what is learned from them."""

    def __init__(self, policy: Policy, rows: Sequence[Row], real: int, options: argparse.Namespace) -> None:
        self.policy, self.rows, self.real = policy, rows, real
        self.intents = policy.catalogue.intents
        self.strength = options.strength
        self.wanted = np.array([self.intents.index(row.intent) for row in rows])
        self.weight = np.array([row.weight for row in rows])
        self.known: dict[str, Vector] = options.known

    def fit(
        self, matrix: csr_matrix, places: np.ndarray, offset: np.ndarray | None = None, steps: int = STEPS
    ) -> Model:
        offset = None if offset is None else offset[places]
        wanted, weight = self.wanted[places], self.weight[places]
        return fit(matrix[places], wanted, weight, len(self.intents), self.strength, offset, steps)

    def observe(self) -> list[list[str]]:
        """What each row shows. What was asked before in a dialogue is read by tables that have not seen the dialogue,
        as it will be for a message that nobody has seen."""
        alone = [replace(row, context=replace(row.context, history=())) for row in self.rows]
        seen = observe_rows([(row, self.policy, self.policy) for row in alone])
        later = [place for place, row in enumerate(self.rows) if row.context.history]
        if later:
            readers = self._readers(seen)
            asked = [(self.rows[place], self.policy, readers[fold_of(self.rows[place].group)]) for place in later]
            for place, names in zip(later, observe_rows(asked), strict=True):
                seen[place] = names
        return seen

    def _readers(self, seen: Sequence[Sequence[str]]) -> list[Policy]:
        table = Table(seen)
        matrix, folds = table.matrix(seen), np.array([fold_of(row.group) if row.group else -1 for row in self.rows])
        readers = []
        for fold in range(FOLDS):
            model = self.fit(matrix, np.flatnonzero(folds != fold), steps=60)
            readers.append(replace(self.policy, weights=self.make_weights(model, table)))
        return readers

    def make_weights(self, model: Model, table: Table) -> Weights:
        evidence = {name: tuple(row) for name, row in zip(table.names, self.unscaled(model, table), strict=True)}
        return Weights(tuple(model.bias), evidence, self.policy.weights.vocabulary)

    def unscaled(self, model: Model, table: Table) -> np.ndarray:
        return np.asarray(model.weights * table.scales[:, None])

    def offset(self, seen: Sequence[Sequence[str]]) -> np.ndarray | None:
        """What the weights that are known already say of each row."""
        if not self.known:
            return None
        nothing = (0.0,) * len(self.intents)
        return np.array(
            [np.sum([self.known.get(name, nothing) for name in names] or [nothing], axis=0) for names in seen]
        )


def fold_of(dialogue: str) -> int:
    return sum(dialogue.encode()) % FOLDS


def write(path: Path, learner: Learner, model: Model, table: Table, curve: list[list[float]]) -> None:
    """Weights stand under the names of their intents: another order in the catalogue changes nothing."""
    intents = learner.intents
    bias = {intent: round(float(weight), 3) for intent, weight in zip(intents, model.bias, strict=True)}
    evidence: dict[str, dict[str, float]] = {}
    rows = {**dict(zip(table.names, learner.unscaled(model, table), strict=True)), **learner.known}
    for name in sorted(rows):
        entry = {intent: round(float(weight), 2) for intent, weight in zip(intents, rows[name], strict=True)}
        entry = {intent: weight for intent, weight in entry.items() if abs(weight) >= SMALLEST_WEIGHT}
        if entry:
            evidence[name] = entry
    data = {
        "card": "../weights.md",
        "bias": bias,
        "calibration": curve,
        "vocabulary": " ".join(sorted(learner.policy.weights.vocabulary)),
        "evidence": evidence,
    }
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    path.write_text(text.replace('},"', '},\n"') + "\n", encoding="utf-8")
    sys.stdout.write(f"{path.name}: {len(evidence)} pieces of evidence, {len(text) // 1024} KiB\n")


def learn(policy: Policy, rows: Sequence[Row], real: int, options: argparse.Namespace) -> None:
    learner = Learner(policy, rows, real, options)
    seen = learner.observe()
    offset = learner.offset(seen)
    table = Table([[name for name in names if name not in learner.known] for names in seen])
    matrix, aside = table.matrix(seen), held_out(rows, real)
    model = learner.fit(matrix, np.flatnonzero(~aside), offset)
    held = np.array([place for place in np.flatnonzero(aside) if rows[place].weight >= 1.0])
    shares = model.shares(matrix[held], None if offset is None else offset[held])
    curve = make_curve(shares, learner.wanted[held], policy.catalogue.unknown)
    model = learner.fit(matrix, np.arange(len(rows)), offset)
    path = options.out or find_folder(options.domain) / policy.language / "weights.json"
    write(path, learner, model, table, curve)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--domain", default="tasks")
    parser.add_argument("--language", help="its folder in the domain; else the domain's first")
    parser.add_argument("--around", metavar="LANGUAGE", help="whose table says what store and talk weigh")
    parser.add_argument("--strength", type=float, default=0.5, help="inverse of the regularisation")
    parser.add_argument("--each", type=int, default=30, help="sentences per pattern")
    parser.add_argument("--own-weight", type=float, default=0.9, help="how much a sentence from the frames counts")
    parser.add_argument("--task-weight", type=float, default=3.0, help="how much a row that asks for a tool counts")
    parser.add_argument("--leave-out", metavar="SOURCE", help="learn without one source")
    parser.add_argument("--thin", type=int, default=1, help="learn from every so many messages that ask for nothing")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    domain = load_domain(options.domain)
    language = options.language or domain.languages[0]
    if language not in domain.languages:
        parser.error(f"--language must be one of: {', '.join(domain.languages)}")
    policy, intents = domain.policies[language], domain.catalogue.intents
    options.known = {}
    if options.around:
        other = domain.policies[options.around].weights.evidence
        options.known = {name: vector for name, vector in other.items() if name.startswith(CARRIED)}
    rows = load_rows(options.folder, language, options.task_weight)
    rows = thin([row for row in rows if row.source != options.leave_out] + load_not_tasks(language), options.thin)
    fillers, real = load_fillers(options.folder, language), len(rows)
    policy = replace(policy, weights=make_empty(intents, vocabulary(rows, policy)))
    rows += load_own(policy, fillers, options.each, options.own_weight)
    learn(policy, put_in_context(rows, fillers["title"]), real, options)


if __name__ == "__main__":
    main()
