"""Learns what things noticed in a conversation are worth (`talk.json`), from conversations, dialogues and small talk.

    python -m training.learn_talk DATA_FOLDER CONVERSATIONS...

Each turn of the CONVERSATIONS files stands in the conversation as it should have gone (`training/written.py`); the
engine's own things noticed are written down with the move that was right. Public dialogues (`dialogues_train`) and
messages that ask for nothing (`negatives_train`, with the tasks of our conversations in reach) are added. A multinomial
logistic regression over them; what is noticed has the same name in every language but for the words themselves, so one
table serves all. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import yaml

from domains.loading import find_folder, load_domain
from engine.decider import RuleDecider
from engine.policy.talk_weights import ANSWERS, NOTHING
from engine.talking.names.meant import FACET
from training.fitting import fit, matrix, write_table
from training.learn_facets import learn_facets
from training.learn_spans import examples_of, learn_spans
from training.learn_targets import examples_of as target_examples
from training.learn_targets import learn_targets
from training.talk_rows import (
    Row,
    from_asides,
    from_cases,
    from_conversations,
    from_dialogues,
    from_elsewhere,
    from_small_talk,
)

MOVES = ("add", "read", "change", "finish", "remove", "undo", "redo", NOTHING, *ANSWERS)
_LEAST_WORTH = 0.06
_LEARNED_APART = ("doubt",)
"""Facets that `training.learn_doubt` learns: they are kept as they are."""


def report(rows: list[Row], strength: float) -> None:
    """What a source that was not learned from is read as."""
    for source in sorted({source for *_, source in rows}):
        held = [row for row in rows if row[3] == source]
        kept = [row for row in rows if row[3] != source]
        model, names = fit(kept, strength)
        shares = model.predict_proba(matrix(held, names))
        best = [str(model.classes_[place]) for place in shares.argmax(1)]
        right = np.mean([move == said for (_, move, *_), said in zip(held, best, strict=True)])
        sys.stdout.write(f"without {source:28} {len(held):6} rows, {right:.3f} right\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("conversations", type=Path, nargs="+")
    parser.add_argument("--strength", type=float, default=0.3)
    parser.add_argument("--dialogues", type=int, default=4000)
    parser.add_argument("--small-talk", type=int, default=20000)
    parser.add_argument("--asides", type=int, default=6000)
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    domain = load_domain()
    decider = RuleDecider(domain)
    stores = [
        [
            {key: each[key] for key in ("title", "due_date", "priority", "status") if key in each}
            for each in conversation["tasks"] or []
        ]
        for path in options.conversations
        for conversation in yaml.safe_load(path.read_text(encoding="utf-8"))
    ]
    rows = from_conversations(options.conversations, decider)
    rows += from_elsewhere(options.conversations, decider)
    rows += from_cases(decider)
    rows += from_dialogues(options.folder, decider, options.dialogues)
    rows += from_small_talk(options.folder, decider, [each for each in stores if each], options.small_talk)
    rows += from_asides(options.folder, decider, options.conversations, options.asides)
    sys.stdout.write(f"{len(rows)} rows: {dict(Counter(move for _, move, *_ in rows))}\n")
    if options.report:
        report(rows, options.strength)
    model, names = fit(rows, options.strength)
    order = [list(model.classes_).index(move) for move in MOVES if move in model.classes_]
    moves = [move for move in MOVES if move in model.classes_]
    table = {
        name: [round(float(model.coef_[place, column]), 3) for place in order] for column, name in enumerate(names)
    }
    table = {name: weights for name, weights in table.items() if max(map(abs, weights)) >= _LEAST_WORTH}
    spans = learn_spans(examples_of(options.conversations, decider))
    data = {
        "moves": moves,
        "bias": [round(float(model.intercept_[place]), 3) for place in order],
        "weights": table,
        "facets": {
            **learn_facets(options.conversations, decider, options.strength),
            FACET: learn_targets(target_examples(options.conversations, decider)),
        },
        "spans": spans,
    }
    kept = find_folder("tasks") / "talk.json"
    before = json.loads(kept.read_text(encoding="utf-8"))["facets"]
    data["facets"] = {**data["facets"], **{name: before[name] for name in _LEARNED_APART if name in before}}
    path = options.out or kept
    write_table(path, data)
    sys.stdout.write(f"{path.name}: {len(table)} things, {path.stat().st_size // 1024} KiB\n")


if __name__ == "__main__":
    main()
