"""`python -m evals gate --baseline FILE`: a run held against a baseline, for somebody's CI.

Exit codes: 0 it passes, 1 it fails, 2 the command was called wrongly, 3 no verdict can be given.
`--write FILE` makes the baseline; so does the JSON export of a run on the Evaluate page.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

from domains.loading import TASKS, list_domains
from evals.evaluate.direct import run_directly
from evals.evaluate.exports.as_json import FormatError, read_json, write_json
from evals.evaluate.exports.as_junit import write_junit
from evals.evaluate.exports.as_markdown import comparison_lines, plain, scoreboard_lines
from evals.evaluate.exports.report import RunReport
from evals.evaluate.gating import OLDEST, GateResult, hold
from evals.evaluate.sources import load_our_cases, load_path
from evals.evaluate.specs import DECIDER_KINDS, DeciderSpec


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    if not options.baseline and not options.write:
        raise ValueError("say --baseline FILE to hold a run against it, or --write FILE to make one")
    baseline = _read_baseline(options.baseline) if options.baseline else None  # first: a run takes a while
    data_set = load_path(options.data, options.domain) if options.data else load_our_cases(options.domain)
    spec = DeciderSpec(options.decider, options.decider, policy=_read_policy(options.policy), composed=options.composed)
    run = run_directly(data_set, [spec], options.name or data_set.name, processes=options.processes)
    if options.write or baseline is None:
        return _write_baseline(options.write, run)
    result = hold(baseline, run, oldest=timedelta(days=options.max_age_days))
    if options.junit:
        options.junit.write_text(write_junit(result), encoding="utf-8")
    if options.markdown:
        options.markdown.write_text(write_gate_markdown(result), encoding="utf-8")
    sys.stdout.write("\n".join([result.verdict.upper(), *(f"- {reason}" for reason in result.reasons)]) + "\n")
    return result.exit_code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals gate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="a run to hold this one against")
    parser.add_argument("--write", type=Path, metavar="FILE", help="make a baseline of this run instead")
    parser.add_argument(
        "--data", type=Path, metavar="PATH", help="case files, or your own JSONL or CSV; otherwise our cases"
    )
    parser.add_argument("--decider", choices=DECIDER_KINDS, default="engine")
    parser.add_argument("--policy", type=Path, metavar="FILE", help="another policy file for the engine")
    parser.add_argument("--composed", action="store_true", help="complete incomplete calls of an LLM by the composer")
    parser.add_argument("--domain", default=TASKS, choices=list_domains(), metavar="NAME")
    parser.add_argument("--name", default="", metavar="TEXT", help="what to call this run")
    parser.add_argument(
        "--max-age-days", type=int, default=OLDEST.days, metavar="DAYS", help="older baselines are stale"
    )
    parser.add_argument(
        "--processes", type=int, default=1, metavar="N", help="more than one help from a few thousand cases on"
    )
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write JUnit XML")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write Markdown, for a pull request")
    return parser


def _read_baseline(path: Path) -> RunReport:
    text = path.read_text(encoding="utf-8")
    if not text:
        raise ValueError(f"{path} is empty")
    try:
        return read_json(text)
    except FormatError as error:
        raise ValueError(f"{path} cannot be used as a baseline: {error}") from None


def _read_policy(path: Path | None) -> str:
    return path.read_text(encoding="utf-8-sig") if path else ""


def _write_baseline(path: Path, run: RunReport) -> int:
    """Without details and times: a baseline lies in a repository."""
    if not run.cases:
        raise ValueError("there is no case in the data, so there is no baseline to write")
    slim = tuple(
        replace(decider, rows=tuple(replace(row, detail={}, weighing=None, milliseconds=0.0) for row in decider.rows))
        for decider in run.deciders
    )
    path.write_text(write_json(replace(run, deciders=slim)), encoding="utf-8")
    rate = run.deciders[0].scoreboard.right
    sys.stdout.write(f"written: {path}, {len(run.cases):,} cases, right {rate}\n")
    sys.stderr.write("".join(f"not used: {problem}\n" for problem in run.problems))
    return 0


def write_gate_markdown(result: GateResult) -> str:
    mark = {"pass": "✅ pass", "fail": "❌ fail", "no verdict": "⚠️ no verdict"}[result.verdict]
    lines = [f"## Twolane gate: {mark}", "", *(f"- {plain(reason)}" for reason in result.reasons), ""]
    lines += scoreboard_lines(result.run)
    if result.comparison:
        lines += ["", *comparison_lines(result.comparison, result.run)]
    return "\n".join(lines) + "\n"
