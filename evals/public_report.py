"""The figures over public utterances: per language and per source, each with its interval."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from domains.loading import TASKS
from evals.intervals import Rate, mean_rate, wilson
from evals.public_data import RowResult
from evals.report import ReadingReport, report_readings
from evals.runner import MessageReading


@dataclass(frozen=True, slots=True)
class LanguageReport:
    language: str
    strict_rows: int
    """Task rows with exactly one right label."""
    accuracy: Rate
    wrong_tool: Rate
    accuracy_by_source: dict[str, Rate]
    false_actions: Rate
    """Of all negatives: the share on which a tool would be run, confirmed or asked about."""
    false_actions_macro: Rate
    """The same, each source counting alike."""
    false_actions_by_source: dict[str, Rate]
    false_runs: Rate
    lenient: dict[str, Rate]
    """Rows with several right labels, by tier: one of them was read."""
    strict: ReadingReport
    """All other figures, calibration included, over the strict task rows and the negatives."""


@dataclass(frozen=True, slots=True)
class PublicReport:
    decider: str
    rows: int
    errors: Rate
    languages: tuple[LanguageReport, ...]
    overall: ReadingReport
    """Strict task rows and negatives of all languages together."""


def report_rows(decider: str, results: Sequence[RowResult], domain: str = TASKS) -> PublicReport:
    languages = sorted({result.row.language for result in results})
    return PublicReport(
        decider=decider,
        rows=len(results),
        errors=wilson(sum(bool(result.error) for result in results), len(results)),
        languages=tuple(
            _report_language(decider, language, [each for each in results if each.row.language == language], domain)
            for language in languages
        ),
        overall=report_readings(decider, _readings(results, _counts), domain),
    )


def _report_language(decider: str, language: str, results: Sequence[RowResult], domain: str) -> LanguageReport:
    tasks = _readings(results, _is_strict_task)
    negatives = _readings(results, _is_negative)
    fired = _by_source(negatives, lambda reading: reading.read != "unknown")
    return LanguageReport(
        language=language,
        strict_rows=len(tasks),
        accuracy=wilson(sum(reading.right for reading in tasks), len(tasks)),
        wrong_tool=wilson(sum(_is_wrong_tool(reading) for reading in tasks), len(tasks)),
        accuracy_by_source=_by_source(tasks, lambda reading: reading.right),
        false_actions=wilson(sum(reading.read != "unknown" for reading in negatives), len(negatives)),
        false_actions_macro=mean_rate(fired.values()),
        false_actions_by_source=fired,
        false_runs=wilson(sum(reading.action == "execute" for reading in negatives), len(negatives)),
        lenient=_lenient(results),
        strict=report_readings(decider, [*tasks, *negatives], domain),
    )


def _is_strict_task(result: RowResult) -> bool:
    return result.row.tier == "tasks" and result.row.strict


def _is_negative(result: RowResult) -> bool:
    return result.row.tier == "negatives"


def _counts(result: RowResult) -> bool:
    return _is_strict_task(result) or _is_negative(result)


def _is_wrong_tool(reading: MessageReading) -> bool:
    return reading.read != "unknown" and not reading.right


def _lenient(results: Sequence[RowResult]) -> dict[str, Rate]:
    rates = {}
    for tier in ("tasks", "lists", "borderline"):
        read = [each.reading for each in results if each.reading and each.row.tier == tier and not each.row.strict]
        if read:
            rates[tier] = wilson(sum(reading.right for reading in read), len(read))
    return rates


def _readings(results: Iterable[RowResult], wanted: Callable[[RowResult], bool]) -> list[MessageReading]:
    return [result.reading for result in results if result.reading and wanted(result)]


def _by_source(rows: Iterable[MessageReading], counts: Callable[[MessageReading], bool]) -> dict[str, Rate]:
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    for row in rows:
        groups[row.group].append(counts(row))
    return {source: wilson(sum(values), len(values)) for source, values in sorted(groups.items())}
