"""Learns how the two lanes are weighed (`engine/outcome/router.json`) and what the embedded model's probabilities mean
(`llm/calibration.json`), from conversations that neither the adapter was trained on nor any figure is taken from.

    python -m training.learn_router [FILE…] [--turns 600] [--keep FILE] [--from FILE]
    python -m training.learn_router --measure FILE… [--turns 600]

Both lanes are asked once for each turn of a sample (some ten minutes on two cores; `--keep` writes that down, `--from`
fits on what was kept); all else is quick. Learn again after each change of the adapter, its prompt, or the engine.
`--measure` learns nothing: it prints how engine, LLM and router do on the files, each turn from the same start, the LLM
asked once. Needs scikit-learn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.outcome.router import FILE as ROUTER_FILE
from engine.outcome.router import ROUTER, LearnedRouter, RouterWeights
from evals.conversations.reading import FOLDER, load_conversations
from llm.calibration import FILE as CALIBRATION_FILE
from llm.weights import ADAPTER_SHA256
from training.router import fitting
from training.router.recording import record_turns, sample

_ADAPTER_NEVER_SAW = tuple(FOLDER / "blind" / f"batch_{number}.yaml" for number in (48, 49, 50, 51, 52))
"""Of what it was trained on, it is right far more often than it will be."""


def main() -> None:
    options = _parser().parse_args()
    records = _read(options.kept) if options.kept else _record(options)
    turns = fitting.read_turns(records)
    if options.measure:
        _measure(turns)
        return
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
    parser.add_argument("files", nargs="*", type=Path, default=_ADAPTER_NEVER_SAW, metavar="FILE")
    parser.add_argument("--turns", type=int, default=600)
    parser.add_argument("--keep", type=Path, metavar="FILE", help="write down what both lanes decided")
    parser.add_argument("--from", type=Path, dest="kept", metavar="FILE", help="fit on what was kept; asks nobody")
    parser.add_argument("--measure", action="store_true", help="learn nothing: figures of each way to drive")
    parser.add_argument("--dry", action="store_true", help="print figures, write no weights")
    return parser


def _record(options: argparse.Namespace) -> list[dict[str, Any]]:
    chosen = sample(load_conversations(options.files), options.turns)
    records: list[dict[str, Any]] = []
    kept = options.keep.open("w", encoding="utf-8") if options.keep else None
    for record in record_turns(chosen, always=options.measure):
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
