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
import gzip
import json
import random
import sys
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from domains.loading import find_folder, load_domain
from engine.border.wire import read_context
from engine.dates import find_dates
from engine.decider import RuleDecider
from engine.decision import Context
from engine.policy.talk_weights import ANSWERS, NO, NOTHING, YES
from engine.reading.weighing import weigh_request
from engine.talking.meant import FACET
from engine.talking.noticing import begin, list_things, notice
from engine.text.normalise import normalise
from evals.cases import load_cases
from evals.conversations.reading import load_conversations
from evals.situation import begin as begin_case
from training.learn_lists import list_labels
from training.learn_spans import examples_of, learn_spans
from training.learn_targets import examples_of as target_examples
from training.learn_targets import learn_targets, wanted_of
from training.written import StandingTurn, each_turn

MOVES = ("add", "read", "change", "finish", "remove", "undo", "redo", NOTHING, *ANSWERS)
_OF_LABEL = {
    "add_task": "add",
    "list_tasks": "read",
    "update_task": "change",
    "complete_task": "finish",
    "delete_task": "remove",
    "unknown": NOTHING,
}
_NOW = datetime(2026, 3, 2, 9)  # noqa: DTZ001 - as people say it
Row = tuple[dict[str, float], str, float, str]
_WRITTEN = 4.0
"""What a turn of a written conversation counts beside a public message."""
_BEGINS = 2.0
"""How much more a first message counts: small talk has no others."""
_CASE, _LONGEST = 6.0, 400
_SMALL_TALK = 1.0
_SURELY_NOTHING = 0.98
"""Strength (`noticing.py`) of what the words alone give to asking for nothing."""
_LEAST_SEEN, _LEAST_WORTH = 6, 0.06


def things_of(text: str, context: Context, decider: RuleDecider) -> dict[str, float] | None:
    policy = decider.policy_of(text, context)
    utterance = normalise(text, policy.spellings, policy.elisions)
    if not utterance.tokens:
        return None
    weighed = weigh_request(utterance, context, policy)
    noticed = notice(utterance, weighed, begin(utterance, weighed, context, policy))
    return {thing.name: thing.value for thing in list_things(noticed)}


def move_of(expect: Any, kind: str, text: str, *, asked: bool = False) -> str | None:
    """The one move that a turn expects; None where it is several, or a question back."""
    if asked and expect.delete:
        return None if expect.add or expect.set or expect.ask_delete else YES
    if asked and kind == "answer" and expect.nothing:
        return NO
    if kind == "answer" and not asked:
        return None
    if kind == "undo":
        return "redo" if "redo" in text.lower() or "rif" in text.lower() or "again" in text.lower() else "undo"
    wanted = set()
    if expect.add:
        wanted.add("add")
    for each in expect.set or ():
        wanted.add("finish" if getattr(each, "status", None) == "completed" else "change")
    if expect.delete or expect.ask_delete:
        wanted.add("remove")
    if expect.show is not None or expect.tell:
        wanted.add("read")
    if expect.nothing:
        wanted.add(NOTHING)
    return wanted.pop() if len(wanted) == 1 else None


def from_conversations(paths: list[Path], decider: RuleDecider) -> list[Row]:
    rows: list[Row] = []
    for path in paths:
        for conversation in load_conversations([path]):
            for standing in each_turn(conversation, decider.domain):
                asked = standing.context.pending is not None
                move = move_of(standing.turn.expect, standing.turn.kind, standing.turn.say, asked=asked)
                things = things_of(standing.turn.say, standing.context, decider) if move else None
                if move and things:
                    weight = _WRITTEN * (_BEGINS if standing.place == 1 else 1.0)
                    rows.append((things, move, weight, f"{path.stem} {conversation.lang}"))
    return rows


def from_cases(decider: RuleDecider) -> list[Row]:
    """The first messages of our own cases."""
    rows: list[Row] = []
    for case in load_cases():
        move = _OF_LABEL.get(case.turns[0].intent[0])
        if move and case.domain == decider.domain.name and len(case.turns[0].text) <= _LONGEST:
            things = things_of(case.turns[0].text, begin_case(case).context, decider)
            if things:
                rows.append((things, move, _CASE, f"cases {case.language or ''}"))
    return rows


def from_dialogues(folder: Path, decider: RuleDecider, most: int) -> list[Row]:
    rows: list[Row] = []
    with gzip.open(folder / "dialogues_train.jsonl.gz", "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    random.Random(3).shuffle(entries)  # noqa: S311 - nothing secret
    for entry in entries[:most]:
        label = _OF_LABEL.get(entry["label"])
        weight = 0.5 if "unknown" in entry["accept"] and label != NOTHING else 1.0
        if entry["label"] == "revise":
            label = (
                "read"
                if "list_tasks" in entry["accept"]
                else "remove"
                if "delete_task" in entry["accept"]
                else "change"
            )
        if label is None:
            continue
        things = things_of(entry["text"], read_context(entry, _NOW, decider.domain), decider)
        if things:
            rows.append((things, label, weight, "dialogues"))
    return rows


def from_small_talk(folder: Path, decider: RuleDecider, tasks: list[list[dict[str, Any]]], most: int) -> list[Row]:
    """First messages that ask for nothing, with somebody's tasks in reach."""
    rows: list[Row] = []
    chooser = random.Random(5)  # noqa: S311 - nothing secret
    entries = _small_talk(folder, chooser)
    italian = [each for each in entries if each["lang"] == "it"][: most // 4]
    for entry in [*italian, *[each for each in entries if each["lang"] != "it"][: most - len(italian)]]:
        data = {**entry, "tasks": chooser.choice(tasks), "now": "2026-03-02T09:00"}
        things = things_of(entry["text"], read_context(data, _NOW, decider.domain), decider)
        if things:
            rows.append((things, NOTHING, _SMALL_TALK, f"small talk {entry['lang']}"))
    return rows


def from_asides(folder: Path, decider: RuleDecider, paths: list[Path], most: int) -> list[Row]:
    """The same in the middle of a written conversation. What its words alone take for a request is left out: there
    "delete the second one" would be one."""
    rows: list[Row] = []
    chooser = random.Random(7)  # noqa: S311 - nothing secret
    entries = iter(_small_talk(folder, chooser))
    turns = [
        standing.context
        for path in paths
        for conversation in load_conversations([path])
        for standing in each_turn(conversation, decider.domain)
        if standing.context.history
    ]
    chooser.shuffle(turns)
    for context in turns[:most]:
        entry = next((each for each in entries if each["lang"] == context.language), None)
        if entry is None or len(entry["text"]) > _LONGEST:
            continue
        things = things_of(entry["text"], context, decider)
        if things and things.get(f"words:{NOTHING}", 0.0) >= _SURELY_NOTHING:
            rows.append((things, NOTHING, 1.0, f"asides {entry['lang']}"))
    return rows


def _small_talk(folder: Path, chooser: random.Random) -> list[dict[str, Any]]:
    with gzip.open(folder / "negatives_train.jsonl.gz", "rt", encoding="utf-8") as lines:
        entries = [json.loads(line) for line in lines]
    chooser.shuffle(entries)
    return entries


def fit(rows: list[Row], strength: float) -> tuple[LogisticRegression, list[str]]:
    counts = Counter(name for things, *_ in rows for name in things)
    names = sorted(name for name, count in counts.items() if count >= _LEAST_SEEN)
    return LogisticRegression(C=strength, max_iter=300, tol=1e-3).fit(
        matrix(rows, names), [move for _, move, *_ in rows], sample_weight=[weight for *_, weight, _ in rows]
    ), names


def learn_facets(paths: list[Path], decider: RuleDecider, strength: float) -> dict[str, dict[str, float]]:
    """What speaks for a message's giving a note, for its meaning several, and for the list that it asks for."""
    rows: dict[str, list[Row]] = {}
    for path in paths:
        for conversation in load_conversations([path]):
            for standing in each_turn(conversation, decider.domain):
                labels = {**_change_labels(standing), **list_labels(standing)}
                things = things_of(standing.turn.say, standing.context, decider) if labels else None
                for facet, holds in labels.items() if things else ():
                    rows.setdefault(facet, []).append((things or {}, "yes" if holds else "-", 1.0, path.stem))
    return {facet: _learn_facet(each, strength) for facet, each in rows.items()}


def _change_labels(standing: StandingTurn) -> dict[str, bool]:
    expect, labels = standing.turn.expect, {}
    if (expect.add or expect.set) and standing.turn.kind != "undo":
        labels["note"] = any(each.description for each in (*expect.add, *expect.set))
    due = _due_before(standing)
    if due and expect.add and not _says_when(standing):
        labels["as before"] = all(each.fields.get("due_date") == due for each in expect.add)
    meant = len(wanted_of(standing)[1])
    if meant:
        labels["several"] = meant > 1
    return labels


def _due_before(standing: StandingTurn) -> str | None:
    """When what was just added is due."""
    last = next((each for each in reversed(standing.context.history) if each.calls), None)
    call = last.calls[-1] if last and last.calls[-1].tool_name == "add_task" else None
    return str(call.parameters["due_date"]) if call and call.parameters.get("due_date") else None


def _says_when(standing: StandingTurn) -> bool:
    policy_of = load_domain().policies[standing.conversation.lang]
    return bool(find_dates(standing.turn.say, standing.context.now, policy_of.date_words, in_talk=True))


def _learn_facet(rows: list[Row], strength: float) -> dict[str, float]:
    model, names = fit(rows, strength)
    sign = 1 if model.classes_[1] == "yes" else -1
    table = {name: round(sign * float(model.coef_[0, column]), 2) for column, name in enumerate(names)}
    kept = {name: weight for name, weight in table.items() if abs(weight) >= _LEAST_WORTH}
    return {"": round(sign * float(model.intercept_[0]), 2), **kept}


def matrix(rows: list[Row], names: list[str]) -> csr_matrix:
    place = {name: position for position, name in enumerate(names)}
    values, columns, starts = [], [], [0]
    for things, *_ in rows:
        for name, value in things.items():
            if name in place:
                columns.append(place[name])
                values.append(value)
        starts.append(len(columns))
    return csr_matrix((values, columns, starts), shape=(len(rows), len(names)))


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
    parser.add_argument("--strength", type=float, default=0.1)
    parser.add_argument("--dialogues", type=int, default=4000)
    parser.add_argument("--small-talk", type=int, default=20000)
    parser.add_argument("--asides", type=int, default=6000)
    parser.add_argument("--report", action="store_true")
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    import yaml

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
    path = options.out or find_folder("tasks") / "talk.json"
    path.write_text(json.dumps(data, ensure_ascii=False).replace("], ", "],\n") + "\n", encoding="utf-8")
    sys.stdout.write(f"{path.name}: {len(table)} things, {path.stat().st_size // 1024} KiB\n")


if __name__ == "__main__":
    main()
