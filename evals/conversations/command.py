"""`python -m evals conversations`: whole conversations on a real store, turn by turn."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from engine.outcome.routing import DRIVERS
from evals.comparison import diff_runs
from evals.conversations.form import KINDS, LANGUAGES
from evals.conversations.reading import FOLDER, load_conversations
from evals.conversations.report import report_conversations, write_report
from evals.conversations.running import ConversationResult, run_conversations
from evals.conversations.terminal import figure_lines, turn_lines
from evals.terminal import diff_lines


def main(arguments: Sequence[str]) -> int:
    options = _parser().parse_args(arguments)
    chosen = [each for each in load_conversations(options.files or [FOLDER]) if options.lang in (None, each.lang)]
    if options.kind:
        chosen = [each for each in chosen if any(turn.kind == options.kind for turn in each.turns)]
    if not chosen:
        raise ValueError("there are no such conversations")
    results = list(run_conversations(chosen, options.driver, in_step=options.in_step))
    after = "put in step by hand" if options.in_step else "left as it is"
    mode = f"{options.driver} drives; the store after a failed turn is {after}"
    report = report_conversations(results, mode, options.kind or "")
    lines: list[str] = []
    if options.verbose or options.failures:
        lines += turn_lines(results, failures_only=not options.verbose, kind=options.kind or "")
    lines += figure_lines(report)
    lines += _compare(options, results)
    if options.json:
        lines = [json.dumps(write_report(report, results), ensure_ascii=False)]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals conversations", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="or folders; otherwise cases/conversations")
    parser.add_argument("--lang", choices=LANGUAGES)
    parser.add_argument("--kind", choices=KINDS, help="count only turns of this kind; the others are played, too")
    parser.add_argument("--driver", choices=DRIVERS, default=DRIVERS[0], help="who drives")
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument("--failures", action="store_true", help="what was said, expected and done in each failed turn")
    shown.add_argument("--verbose", action="store_true", help="the same for every turn")
    parser.add_argument("--in-step", action="store_true", help="after a failed turn, make the store what was expected")
    parser.add_argument("--json", action="store_true", help="everything as one JSON object")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep which turns were right, for --against")
    parser.add_argument("--against", type=Path, metavar="FILE", help="what changed since a saved run")
    return parser


def _compare(options: argparse.Namespace, results: Sequence[ConversationResult]) -> list[str]:
    rights = {f"{each.conversation.id} {turn.place}": turn.score.right for each in results for turn in each.turns}
    lines: list[str] = []
    if options.against:
        before = json.loads(options.against.read_text(encoding="utf-8"))
        lines += diff_lines(options.driver, diff_runs(before, rights))
    if options.save:
        options.save.write_text(json.dumps(rights), encoding="utf-8")
    return lines
