"""What a run shows, as data: no plotting, no printing. Every figure comes with its interval."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from domains.loading import TASKS, load_domain
from evals.calibration import CoveragePoint, Reliability, area_under_risk, reliability, risk_coverage
from evals.intervals import Rate, f1_rate, quantile, wilson
from evals.runner import CaseResult, MessageReading, readings


@dataclass(frozen=True, slots=True)
class IntentFigures:
    intent: str
    precision: Rate
    recall: Rate
    f1: Rate
    support: int


@dataclass(frozen=True, slots=True)
class ConfusionMatrix:
    """Rows: the label; columns: what was read."""

    title: str
    labels: tuple[str, ...]
    matrix: tuple[tuple[int, ...], ...]
    ids: tuple[tuple[tuple[str, ...], ...], ...]
    """The messages behind each cell, so that a page can open them."""


@dataclass(frozen=True, slots=True)
class ReadingReport:
    """How well intents are read, over cases or over public rows alike."""

    decider: str
    messages: int
    accuracy: Rate
    false_actions: Rate
    """Of the messages that need no tool, the share on which one would be run, confirmed or asked about."""
    false_runs: Rate
    """Of the messages that need no tool, the share on which one would be run."""
    wrong_tool: Rate
    """Of the messages that need a tool, the share in which another one was read."""
    outcomes: dict[str, Rate]
    """Calls, broken calls and abstentions, each as a share of all messages."""
    intents: tuple[IntentFigures, ...]
    confusion: ConfusionMatrix
    acting: Reliability
    all_decisions: Reliability
    coverage: tuple[CoveragePoint, ...]
    area_under_risk: float | None


@dataclass(frozen=True, slots=True)
class CaseReport:
    decider: str
    passed: Rate
    """Cases in which everything that was expected came true."""
    errors: Rate
    aspects: dict[str, Rate]
    """How often each aspect was right, where a case says something about it."""
    groups: dict[str, Rate]
    """Cases passed, by file."""
    languages: dict[str, Rate]
    reading: ReadingReport
    median_us: float | None
    p95_us: float | None


def report_cases(decider: str, results: Sequence[CaseResult], domain: str = TASKS) -> CaseReport:
    aspects: defaultdict[str, list[bool]] = defaultdict(list)
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    languages: defaultdict[str, list[bool]] = defaultdict(list)
    for result in results:
        groups[result.case.source.rpartition(":")[0]].append(result.passed)
        languages[result.case.language].append(result.passed)
        for turn in result.turns:
            for score in turn.scores:
                aspects[score.aspect].append(score.value)
    times = [turn.elapsed_us for result in results for turn in result.turns]
    return CaseReport(
        decider=decider,
        passed=wilson(sum(result.passed for result in results), len(results)),
        errors=wilson(sum(bool(result.error) for result in results), len(results)),
        aspects=_rates(aspects),
        groups=_rates(groups),
        languages=_rates(languages),
        reading=report_readings(decider, readings(results), domain),
        median_us=quantile(times, 0.5) if times else None,
        p95_us=quantile(times, 0.95) if times else None,
    )


def report_readings(decider: str, rows: Sequence[MessageReading], domain: str = TASKS) -> ReadingReport:
    silent = [row for row in rows if row.needs_no_tool]
    asking = [row for row in rows if "unknown" not in row.accepted]
    points = risk_coverage(rows)
    return ReadingReport(
        decider=decider,
        messages=len(rows),
        accuracy=wilson(sum(row.right for row in rows), len(rows)),
        false_actions=wilson(sum(row.read != "unknown" for row in silent), len(silent)),
        false_runs=wilson(sum(row.action == "execute" for row in silent), len(silent)),
        wrong_tool=wilson(sum(row.read not in ("unknown", *row.accepted) for row in asking), len(asking)),
        outcomes={kind: _share(rows, kind) for kind in ("call", "broken", "abstention")},
        intents=tuple(intent_figures(rows, intent) for intent in load_domain(domain).catalogue.intents),
        confusion=confusion_matrix(decider, rows, domain),
        acting=reliability(rows, "acting"),
        all_decisions=reliability(rows, "all"),
        coverage=points,
        area_under_risk=area_under_risk(points),
    )


def intent_figures(rows: Iterable[MessageReading], intent: str) -> IntentFigures:
    """A row with several accepted labels counts as the one that was read, if that is among them."""
    counts = Counter((_label(row) == intent, row.read == intent) for row in rows)
    hit, missed, wrong = counts[True, True], counts[True, False], counts[False, True]
    recall, precision = wilson(hit, hit + missed), wilson(hit, hit + wrong)
    return IntentFigures(intent, precision, recall, f1_rate(hit, wrong, missed), hit + missed)


def confusion_matrix(title: str, rows: Iterable[MessageReading], domain: str = TASKS) -> ConfusionMatrix:
    cells: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        cells[_label(row), row.read].append(row.id)
    intents = load_domain(domain).catalogue.intents
    ids = tuple(tuple(tuple(cells[label, read]) for read in intents) for label in intents)
    return ConfusionMatrix(title, intents, tuple(tuple(map(len, line)) for line in ids), ids)


def _label(row: MessageReading) -> str:
    return row.read if row.right else row.accepted[0]


def _share(rows: Sequence[MessageReading], outcome: str) -> Rate:
    return wilson(sum(row.outcome == outcome for row in rows), len(rows))


def _rates(groups: dict[str, list[bool]]) -> dict[str, Rate]:
    return {name: wilson(sum(values), len(values)) for name, values in sorted(groups.items())}
