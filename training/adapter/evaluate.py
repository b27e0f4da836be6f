"""Measures the LLM lane as it is set up, in the way that everybody uses. Needs no GPU.

    python -m training.adapter.evaluate sample DATA_FOLDER     # a fixed sample of the dev split
    python -m training.adapter.evaluate cases                  # our own cases: arguments and broken calls
    python -m training.adapter.evaluate machines               # the machines' cases, beside the engine

EMBEDDED_ADAPTER=false measures the base model. `--part 1/4` takes every fourth message, for several machines or cores.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from engine.decision import Context, Decision, Language
from engine.targets.memory_index import MemoryIndex
from evals.cases import load_cases
from evals.intervals import wilson
from evals.public_data import NOW
from evals.runner import run_cases
from evals.scorers import read_intent
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.locating import make_endpoint
from llm.patience import NeverResting
from llm.shared_server import shared_server
from training.adapter.evaluate_machines import RIGHT, count, decide_all, judge, machine_cases, make_deciders
from training.adapter.sample import load_sample

_PATIENCE_SECONDS = 600.0
"""Other work on the cores makes the model slow, not wrong."""


def patient_endpoint() -> Endpoint:
    return replace(make_endpoint(), timeout_seconds=_PATIENCE_SECONDS)


@dataclass
class Watched:
    """A decider that counts what became of each answer."""

    decider: LLMDecider = field(default_factory=lambda: LLMDecider(patient_endpoint(), breaker=NeverResting()))
    outcomes: Counter[str] = field(default_factory=Counter)
    milliseconds: list[float] = field(default_factory=list)

    def decide(self, text: str, context: Context) -> Decision:
        turn = self.decider.ask(text, context)
        self.outcomes[turn.trace.outcome] += 1
        self.milliseconds.append(turn.trace.total_ms)
        return turn.decision


def on_sample(folder: Path, tasks: int, negatives: int, part: Callable[[list], list], errors: Path | None) -> dict:
    watched, counts, wrong = Watched(), Counter(), []
    for row in part(load_sample(folder, tasks, negatives)):
        language: Language = "it" if row.language == "it" else "en"
        decision = watched.decide(row.text, Context(MemoryIndex(()), NOW, language=language))
        read, wanted = read_intent(decision), row.accepted[0]
        kind = "negatives" if wanted == "unknown" else "tasks"
        for group in (kind, f"{kind} {row.language}", f"{kind} {wanted}"):
            counts[group, "all"] += 1
            counts[group, "right"] += read == wanted
            counts[group, "wrong tool"] += read not in ("unknown", wanted)
            counts[group, "acted"] += decision.action == "execute"
        if read != wanted:
            wrong.append({"text": row.text, "wanted": wanted, "read": read, "source": row.source})
    if errors:
        errors.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in wrong), encoding="utf-8")
    return {"counts": {f"{group}: {name}": count for (group, name), count in counts.items()}, **_watched(watched)}


def on_cases(part: Callable[[list], list], errors: Path | None) -> dict:
    watched, counts, wrong = Watched(), Counter(), []
    for result in run_cases(watched, part(list(load_cases()))):
        counts["cases: all"] += 1
        counts["cases: right"] += result.passed
        for turn in result.turns:
            for score in turn.scores:
                counts[f"{score.aspect}: all"] += 1
                counts[f"{score.aspect}: right"] += score.value
                if not score.value:
                    said = {"id": result.case.id, "text": turn.text, "aspect": score.aspect}
                    wrong.append({**said, "answer": score.answer, "explanation": score.explanation})
    if errors:
        errors.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in wrong), encoding="utf-8")
    return {"counts": dict(counts), **_watched(watched)}


def on_machines(part: Callable[[list], list]) -> dict[str, Any]:
    """Each lane's verdicts on the same cases."""
    cases, deciders = part(list(machine_cases())), make_deciders(patient_endpoint())
    found = [(case, decide_all(case, deciders)) for case in cases]
    return {name: count([(case, judge(case, decided[name])) for case, decided in found]) for name in deciders}


def shown_machines(figures: dict[str, Any]) -> list[str]:
    lines = []
    for lane, groups in figures.items():
        for group, counts in groups.items():
            rate = wilson(sum(counts.get(each, 0) for each in RIGHT), sum(counts.values()))
            told = ", ".join(f"{verdict} {number}" for verdict, number in sorted(counts.items()))
            lines.append(
                f"{lane:7} {group:15} {rate.value:.3f}  ({rate.low:.3f} to {rate.high:.3f}, of {rate.total})  {told}"
            )
    return lines


def _watched(watched: Watched) -> dict:
    outcomes = {f"outcome: {name}": count for name, count in sorted(watched.outcomes.items())}
    return {"outcomes": outcomes, "median_ms": statistics.median(watched.milliseconds or [0])}


def shown(figures: dict) -> list[str]:
    counts = figures["counts"]
    lines = []
    for name in counts:
        group, _, what = name.rpartition(": ")
        if what != "all":
            rate = wilson(counts[name], counts[f"{group}: all"])
            lines.append(f"{group:28} {what:11} {rate.value:.3f}  ({rate.low:.3f} to {rate.high:.3f}, of {rate.total})")
    return [*lines, *(f"{name}: {count}" for name, count in figures["outcomes"].items()),
            f"median {figures['median_ms']:.0f} ms a message"]  # fmt: skip


def _part(text: str) -> Callable[[list], list]:
    number, of = (int(each) for each in text.split("/"))
    return lambda rows: rows[number - 1 :: of]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("sample", "cases", "machines"))
    parser.add_argument("data", type=Path, nargs="?", help="for sample: the folder with *_dev.jsonl.gz")
    parser.add_argument("--tasks", type=int, default=400)
    parser.add_argument("--negatives", type=int, default=600)
    parser.add_argument("--part", type=_part, default=_part("1/1"), metavar="N/OF")
    parser.add_argument("--errors", type=Path, metavar="FILE", help="write what went wrong as JSON Lines")
    parser.add_argument("--json", action="store_true", help="the counts as one JSON object")
    given = parser.parse_args(arguments)
    if given.what == "sample" and not given.data:
        parser.error("sample needs the folder with the data")
    shared_server().wait_ready(120)
    if given.what == "machines":
        found = on_machines(given.part)
        sys.stdout.write(json.dumps(found) + "\n" if given.json else "\n".join(shown_machines(found)) + "\n")
        return
    if given.what == "sample":
        figures = on_sample(given.data, given.tasks, given.negatives, given.part, given.errors)
    else:
        figures = on_cases(given.part, given.errors)
    sys.stdout.write(json.dumps(figures) + "\n" if given.json else "\n".join(shown(figures)) + "\n")


if __name__ == "__main__":
    main()
