"""The others in the comparison, each as a function from a message to whatever it makes of it."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

from hassil import Intents, TextSlotList, recognize_best
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline, make_union

from engine.values import Task
from evals.cases import load_cases

Read = Callable[[str], object]
_NEGATIVES_LEARNED = 20_000

# The same sentences as in `benchmarks.sentences`, as a grammar: {name} from the list of tasks, {title} any words.
_GRAMMAR = {
    "AddTask": [
        "[please] (add|create) [a] [new] task to {title}",
        "(add|create) [a] task called {title} with description {description}",
        "(remind me|I need) to {title} [(by|on) {date}]",
        "add {title}",
        "new task {title}",
    ],
    "ListTasks": [
        "(show|list) [me] [my] [(overdue|completed|pending|high priority|low priority)] tasks",
        "what do I have to do [(today|tomorrow|this week)]",
        "how many tasks do I have",
        "search my tasks for {search}",
    ],
    "CompleteTask": [
        "complete {name}",
        "mark {name} as (done|complete|finished)",
        "(check off|I'm done with) {name}",
        "complete task {number}",
    ],
    "DeleteTask": ["(delete|get rid of) {name}", "remove {name} [from my list]", "delete task {number}"],
    "UpdateTask": [
        "rename {name} to {title}",
        "move {name} to {date}",
        "change the priority of {name} to (low|medium|high)",
        "set the due date of {name} to {date}",
    ],
    "Identity": ["who am I", "what's my name"],
    "Nothing": ["don't delete {name}", "how do I add a task"],
}
_WILDCARDS = ("title", "description", "date", "search")


def make_hassil(tasks: tuple[Task, ...]) -> Read:
    """Home Assistant's matcher, called as Home Assistant calls it."""
    lists: dict[str, object] = {name: {"wildcard": True} for name in _WILDCARDS}
    lists["number"] = {"range": {"from": 1, "to": 999}}
    grammar = {name: {"data": [{"sentences": sentences}]} for name, sentences in _GRAMMAR.items()}
    intents = Intents.from_dict({"language": "en", "intents": grammar, "lists": lists})
    names = {"name": TextSlotList.from_strings([task.title for task in tasks], name="name")}
    return lambda text: recognize_best(text, intents, slot_lists=names, best_slot_name="name")


def make_classifier(data: Path | None) -> Read:
    """TF-IDF over words and characters with a logistic regression: what one would train in an afternoon."""
    texts, labels = _public_sentences(data) if data else _own_sentences()
    features = make_union(
        TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True),
        TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), sublinear_tf=True, max_features=100_000),
    )
    model = make_pipeline(features, LogisticRegression(max_iter=300, C=10.0))
    model.fit(texts, labels)
    return lambda text: model.predict_proba([text])


def _own_sentences() -> tuple[list[str], list[str]]:
    turns = [turn for case in load_cases() for turn in case.turns if turn.repeat == 1]
    return [turn.text for turn in turns], [turn.intent[0] for turn in turns]


def _public_sentences(folder: Path) -> tuple[list[str], list[str]]:
    rows: list[tuple[str, str]] = []
    for tier in ("tasks", "negatives"):
        with gzip.open(folder / f"{tier}_train.jsonl.gz", "rt", encoding="utf-8") as lines:
            entries = [json.loads(line) for line in lines]
        random.Random(1).shuffle(entries)
        rows += [(entry["text"], entry["intent"]) for entry in entries[:_NEGATIVES_LEARNED]]
    return [text for text, _ in rows], [label for _, label in rows]
