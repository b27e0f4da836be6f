"""`python -m evals`: the cases of this project, or public utterances, through one or more deciders.
`python -m evals conversations`: whole conversations on a real store.
`python -m evals gate`: a run held against a baseline, for CI.
`python -m evals suggest`: edits of the policy that would mend a misread case.
`python -m evals bulk`: millions of messages under one policy or two.
`python -m evals worth`: what each rule is worth on the cases."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

from domains.loading import TASKS, list_domains, load_domain
from evals import terminal
from evals.cases import find_cases, load_cases, load_known_failures
from evals.comparison import compare, diff_runs
from evals.deciders import DECIDER_NAMES, make_decider
from evals.errors_file import case_errors, row_errors, write_errors
from evals.known_failures import stand, write_known_failures
from evals.public_data import load_rows, run_rows
from evals.public_report import report_rows
from evals.report import report_cases
from evals.runner import run_cases
from evals.yaml_lines import CaseFileError

Rights = dict[str, bool]


def main(arguments: Sequence[str] | None = None) -> int:
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        if given[:1] == ["conversations"]:
            from evals.conversations.command import main as run_conversations  # late: it brings the store along

            return run_conversations(given[1:])
        if given[:1] == ["gate"]:
            from evals.evaluate.gate_command import main as run_gate  # late, as above

            return run_gate(given[1:])
        if given[:1] == ["suggest"]:
            from evals.suggesting.command import main as run_suggest  # late, likewise

            return run_suggest(given[1:])
        if given[:1] == ["bulk"]:
            from evals.bulk.command import main as run_bulk  # late, likewise

            return run_bulk(given[1:])
        if given[:1] == ["worth"]:
            return _run_worth(given[1:])
        options = _parser().parse_args(given)
        return _run_on_data(options) if options.data else _run_on_cases(options)
    except (CaseFileError, OSError, ValueError) as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _run_worth(given: Sequence[str]) -> int:
    from evals.worth import weigh_phrases, weigh_rules, worth_lines  # late: few runs ask for it

    parser = argparse.ArgumentParser(prog="python -m evals worth", description="what each rule is worth on the cases")
    parser.add_argument("--domain", default=TASKS, choices=list_domains(), metavar="NAME")
    parser.add_argument("--lang", metavar="LANGUAGE", help="a language of the domain; otherwise the first")
    parser.add_argument("--cases", type=Path, metavar="PATH", help="a folder, or one file; otherwise the domain's own")
    parser.add_argument("--most", type=int, default=40, metavar="N", help="so many lines")
    parser.add_argument("--phrases", action="store_true", help="phrases instead: those that nobody says first")
    options = parser.parse_args(given)
    domain = load_domain(options.domain)
    if domain.conduct:
        raise ValueError(f"the {options.domain} are read in a way of their own")
    policy = domain.policies[options.lang or domain.languages[0]]
    cases = load_cases(options.cases or find_cases(options.domain), options.domain)
    if options.phrases:
        phrases = weigh_phrases(cases, policy, options.domain)[: options.most]
        lines = [f"{each.said:>5}  <{each.class_name}> {each.phrase}" for each in phrases]
    else:
        lines = list(worth_lines(weigh_rules(cases, policy, options.domain), options.most))
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals", description=__doc__)
    parser.add_argument("--decider", action="append", choices=DECIDER_NAMES, help="repeat it to compare")
    parser.add_argument("--policy", type=Path, metavar="FILE", help="another policy file for the engine")
    parser.add_argument("--domain", default=TASKS, choices=list_domains(), metavar="NAME", help="what it is about")
    parser.add_argument("--cases", type=Path, metavar="PATH", help="a folder, or one file; otherwise the domain's own")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose id or file contains this")
    parser.add_argument("--update-known-failures", action="store_true", help="write the engine's list anew")
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="public utterances instead of the cases")
    parser.add_argument("--split", default="dev")
    parser.add_argument("--json", action="store_true", help="the whole report as one JSON object")
    parser.add_argument("--errors", type=Path, metavar="FILE", help="write what went wrong as JSON Lines")
    parser.add_argument("--save", type=Path, metavar="FILE", help="keep which ones were right, for --against")
    parser.add_argument("--against", type=Path, metavar="FILE", help="what changed since a saved run")
    return parser


def _run_on_cases(options: argparse.Namespace) -> int:
    if options.update_known_failures and options.only:
        raise ValueError("--update-known-failures writes the whole list: leave --only out")
    place = options.cases or find_cases(options.domain)
    known = load_known_failures(place)
    cases = [
        case
        for case in load_cases(place, options.domain)
        if case.domain == options.domain and options.only in f"{case.source} {case.id}"
    ]
    if not cases and not options.only:
        raise ValueError(f"there are no cases of the domain {options.domain} in {place}")
    reports, rights, errors = [], {}, []
    lines: list[str] = []
    for name in _names(options):
        results = run_cases(make_decider(name, options.policy, options.domain), cases, _progress(name))
        report = report_cases(name, results, options.domain)
        reports.append(asdict(report))
        # The list is about the engine; that the baseline fails is no news.
        lines += terminal.case_lines(report, stand(results, known) if name == "engine" else None)
        if options.update_known_failures and name == "engine":
            lines.append(f"written: {write_known_failures(place, results, known)}")
        rights[name] = {result.case.id: result.passed for result in results}
        errors += case_errors(name, results)
    return _finish(options, reports, lines, rights, errors)


def _run_on_data(options: argparse.Namespace) -> int:
    rows = load_rows(options.data, options.split)
    reports, rights, errors = [], {}, []
    lines: list[str] = []
    for name in _names(options):
        results = run_rows(make_decider(name, options.policy, options.domain), rows, _progress(name), options.domain)
        report = report_rows(name, results, options.domain)
        reports.append(asdict(report))
        lines += terminal.public_lines(report)
        rights[name] = {each.row.id: each.reading.right for each in results if each.reading}
        errors += row_errors(name, results, options.domain)
    return _finish(options, reports, lines, rights, errors)


def _finish(
    options: argparse.Namespace,
    reports: list[dict[str, object]],
    lines: list[str],
    rights: dict[str, Rights],
    errors: list[dict[str, object]],
) -> int:
    """Prints, compares and writes what was asked for."""
    quadrants = [compare(first, rights[first], second, rights[second]) for first, second in pairwise(rights)]
    for quadrant in quadrants:
        lines += terminal.quadrant_lines(quadrant)
    diffs = {}
    if options.against:
        before = json.loads(options.against.read_text(encoding="utf-8"))
        diffs = {name: diff_runs(before[name], rights[name]) for name in rights if name in before}
        for name, diff in diffs.items():
            lines += terminal.diff_lines(name, diff)
    if options.save:
        options.save.write_text(json.dumps(rights), encoding="utf-8")
    if options.errors:
        write_errors(options.errors, errors)
    if options.json:
        compared = [asdict(quadrant) for quadrant in quadrants]
        changed = {name: asdict(diff) for name, diff in diffs.items()}
        lines = [json.dumps({"reports": reports, "comparisons": compared, "diffs": changed})]
    sys.stdout.write("\n".join(lines) + "\n")
    return 0


def _names(options: argparse.Namespace) -> tuple[str, ...]:
    return tuple(dict.fromkeys(options.decider or ("engine",)))


def _progress(name: str) -> Callable[[int, int], None] | None:
    """A counter on the terminal; none where the output goes to a file."""
    if not sys.stderr.isatty():
        return None

    def show(done: int, total: int) -> None:
        if done % 50 == 0 or done == total:
            sys.stderr.write(f"\r{name} {done}/{total}" + ("\r\033[K" if done == total else ""))

    return show


if __name__ == "__main__":
    sys.exit(main())
