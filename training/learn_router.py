"""Learns how the two lanes are weighed (`engine/outcome/router.json`) and what the embedded model's probabilities mean
(`llm/calibration.json`), from conversations that neither the adapter nor the engine that played them had learned from.

    python -m training.learn_router [--dry]                       # learns from all that was recorded
    python -m training.learn_router --record FILE… --engine NAME  # the first run of a blind batch, before any mending
    python -m training.learn_router --measure FILE… [--turns 600] [--keep FILE]
    python -m training.learn_router --measure --from FILE

An engine is mended on the batches that it was measured on: the router would learn to trust it too much. What both
lanes decided on first runs is therefore kept (`router_rows.jsonl.gz`). Both are asked once for each turn, some 250 of
them in six minutes on two cores; all else is quick. After a change of the adapter or its prompt the rows are to be
recorded anew, by the engines they name. `--measure` learns nothing: it prints how engine, LLM and router do on the
files, each turn from the same start; `--keep` writes that down, `--from` prints of it. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from engine.outcome.router import FILE as ROUTER_FILE
from engine.outcome.router import ROUTER, LearnedRouter, RouterWeights
from evals.conversations.reading import load_conversations
from llm.calibration import FILE as CALIBRATION_FILE
from llm.weights import ADAPTER_SHA256
from training.router import fitting
from training.router.kept import make_row, read_rows, write_rows
from training.router.recording import record_turns, sample


def main() -> None:
    options = _parser().parse_args()
    if options.record:
        rows = [*read_rows(), *(make_row(record, options.engine) for record in _record(options.record, options))]
        write_rows(rows)
        sys.stdout.write(f"{len(rows)} rows\n")
        return
    if options.measure is not None:
        records = _read(options.kept) if options.kept else _record(options.measure, options)
        _measure(fitting.read_turns(records))
        return
    turns = fitting.read_turns(read_rows())
    calibration = fitting.fit_calibration(turns, ADAPTER_SHA256)
    turns = fitting.calibrate(turns, calibration)
    calibration = calibration._replace(sure=fitting.fit_sure(turns), calls=fitting.fit_calls(turns))
    thresholds = fitting.fit_thresholds(turns)
    likely = fitting.fit_likelihoods(turns)
    _report(turns, likely, thresholds)
    _report_alone(turns, calibration.sure)
    if options.dry:
        return
    written = {name: {"bias": each.bias, "weights": dict(each.weights)} for name, each in likely.items()}
    _write(ROUTER_FILE, {"turns": len(turns), **thresholds, **written})
    _write(CALIBRATION_FILE, calibration._asdict())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--record", type=Path, nargs="+", metavar="FILE", default=[], help="add to what is learned from"
    )
    parser.add_argument("--engine", default="", help="which engine it was: a commit")
    parser.add_argument("--measure", type=Path, nargs="*", metavar="FILE", help="figures of each way to drive")
    parser.add_argument("--turns", type=int, default=9999, help="measure so many at the most, in whole conversations")
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write down what both lanes decided")
    parser.add_argument("--from", type=Path, dest="kept", metavar="FILE", help="measure what was kept; asks nobody")
    parser.add_argument("--dry", action="store_true", help="print figures, write no weights")
    return parser


def _record(files: Sequence[Path], options: argparse.Namespace) -> list[dict[str, Any]]:
    chosen = sample(load_conversations(files), options.turns)
    records: list[dict[str, Any]] = []
    kept = options.keep.open("w", encoding="utf-8") if options.keep else None
    for record in record_turns(chosen):
        records.append(record)
        if kept:
            kept.write(json.dumps(record, ensure_ascii=False) + "\n")
            kept.flush()
    if kept:
        kept.close()
    return records


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _report(turns: list[fitting.Turn], likely: Mapping[str, Any], thresholds: Mapping[str, float]) -> None:
    router = LearnedRouter(RouterWeights(**likely, **thresholds))
    lines = {
        "engine": fitting.tally(turns, lambda _: "engine"),
        "engine, on the same": fitting.tally([turn for turn in turns if turn.llm], lambda _: "engine"),
        "llm, where it was asked": fitting.tally([turn for turn in turns if turn.llm], lambda _: "llm"),
        "router, on turns left out": fitting.held_out_tally(turns, thresholds),
        "best of both": fitting.tally(turns, _best),
    }
    for name, counts in lines.items():
        sys.stdout.write(f"{name:26} {_line(counts)}\n")
    sys.stdout.write(f"{thresholds}; waits for the LLM: {fitting.share_that_waits(turns, router):.2f}\n")


def _report_alone(turns: list[fitting.Turn], sure: float) -> None:
    """The LLM by itself, with and without asking where it is unsure."""
    asked = [turn for turn in turns if turn.llm]
    careful = fitting.tally(asked, lambda turn: fitting.drive_alone(turn, sure))
    sys.stdout.write(f"{'llm, asking below ' + str(sure):26} {_line(careful)}\n")


def _measure(turns: list[fitting.Turn]) -> None:
    """By the weights in force. Where the LLM's call was broken, the engine decides whoever drives."""
    ways = {
        "engine": lambda _: "engine",
        "llm": lambda turn: "llm" if turn.llm else "engine",
        "router": lambda turn: fitting.route_of(turn, ROUTER),
        "best of all": _best,
    }
    for name, choose in ways.items():
        sys.stdout.write(f"{name:26} {_line(fitting.tally(turns, choose))}\n")
    sys.stdout.write(f"waits for the LLM: {fitting.share_that_waits(turns, ROUTER):.2f}\n")


def _best(turn: fitting.Turn) -> str:
    return min(turn.verdicts, key=lambda kind: fitting.COSTS[turn.verdicts[kind]])


def _line(counts: Counter[str]) -> str:
    right = sum(counts[verdict] for verdict in fitting.RIGHT)
    return f"{right / counts.total():.3f} right of {counts.total()}: {dict(counts.most_common())}"


def _write(path: Path, data: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(f"{path.name} written\n")


if __name__ == "__main__":
    main()
