"""Reports as text for a terminal. It only lays out what the reports hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from evals.calibration import Reliability
from evals.comparison import Quadrant, RunDiff
from evals.intervals import Rate
from evals.known_failures import FailureStanding
from evals.public_report import PublicReport
from evals.report import CaseReport, ConfusionMatrix, ReadingReport

_BAR = 24
_IDS_SHOWN = 12


def case_lines(report: CaseReport, standing: FailureStanding | None) -> Iterator[str]:
    yield f"== {report.decider}: {report.passed.total} cases, {report.reading.messages} messages"
    yield _line("passed", report.passed)
    for language, rate in report.languages.items():
        yield _line(f"  in {language}", rate)
    if report.errors.count:
        yield _line("raised an exception", report.errors)
    if report.median_us is not None:
        yield f"  {'time per message':<26} median {report.median_us:.0f} us, p95 {report.p95_us:.0f} us"
    yield "aspects, where a case names them"
    yield from (_line(f"  {aspect}", rate) for aspect, rate in report.aspects.items())
    yield "files that are not all green"
    yield from (_line(f"  {name}", rate) for name, rate in report.groups.items() if rate.count < rate.total)
    yield from reading_lines(report.reading)
    if standing:
        known, new, passing = len(standing.known), len(standing.new), len(standing.passing)
        yield f"failures: {known} known, {new} new; {passing} on the list that pass by now"
        yield from _id_lines("new", standing.new)
        yield from _id_lines("passes by now", standing.passing)


def public_lines(report: PublicReport) -> Iterator[str]:
    yield f"== {report.decider}: {report.rows} public messages"
    if report.errors.count:
        yield _line("raised an exception", report.errors)
    for language in report.languages:
        yield f"-- {language.language}"
        yield _line("accuracy", language.accuracy)
        yield _line("wrong tool", language.wrong_tool)
        yield _line("false actions (micro)", language.false_actions)
        yield _line("false actions (macro)", language.false_actions_macro)
        yield _line("  run without asking", language.false_runs)
        yield from (_line(f"lenient {tier}", rate) for tier, rate in language.lenient.items())
        yield "accuracy by source"
        yield from _rate_lines(language.accuracy_by_source)
        yield "false actions by source"
        yield from _rate_lines(language.false_actions_by_source)
        yield from intent_lines(language.strict)
    yield "-- calibration over the strict task rows and the negatives, all languages"
    yield from reliability_lines(report.overall.acting)
    yield _line("ECE over all decisions", report.overall.all_decisions.ece)


def reading_lines(report: ReadingReport) -> Iterator[str]:
    yield "reading the intent, message by message"
    yield _line("  accuracy", report.accuracy)
    yield _line("  wrong tool", report.wrong_tool)
    yield _line("  false actions", report.false_actions)
    yield _line("  run without asking", report.false_runs)
    yield from (_line(f"  {kind}", rate) for kind, rate in report.outcomes.items())
    yield from intent_lines(report)
    yield from confusion_lines(report.confusion)
    yield from reliability_lines(report.acting)
    yield _line("ECE over all decisions", report.all_decisions.ece)
    if report.area_under_risk is not None:
        yield f"{'mean risk over coverage':<28} {report.area_under_risk:.4f}"


def intent_lines(report: ReadingReport) -> Iterator[str]:
    yield f"{'intent':<16} {'n':>5}  {'precision':<22} {'recall':<22} {'F1':<22}"
    for each in report.intents:
        if each.support or each.precision.total:
            figures = f"{each.precision!s:<22} {each.recall!s:<22} {each.f1!s:<22}"
            yield f"{each.intent:<16} {each.support:>5}  {figures}".rstrip()


def confusion_lines(matrix: ConfusionMatrix) -> Iterator[str]:
    short = _shorten(matrix.labels)
    width = max(10, *(len(label) + 1 for label in short))
    yield "confusion (rows: label, columns: read)"
    yield " " * width + "".join(f"{label:>{width}}" for label in short)
    for label, line in zip(short, matrix.matrix, strict=True):
        yield f"{label:<{width}}" + "".join(f"{count or '.':>{width}}" for count in line)


def _shorten(labels: Sequence[str]) -> list[str]:
    """The first word of each, where no other begins with the same."""
    first = [label.partition("_")[0] for label in labels]
    return [word if first.count(word) == 1 else label for word, label in zip(first, labels, strict=True)]


def reliability_lines(figures: Reliability) -> Iterator[str]:
    yield _line("ECE where an intent is read", figures.ece)
    for each in figures.bins:
        filled = round((each.accuracy.value or 0.0) * _BAR)
        bar = "#" * filled + "." * (_BAR - filled)
        said = f"{each.low:.1f}-{each.high:.1f}  said {each.confidence:.3f}"
        yield f"  {said}  right {each.accuracy!s:<22} {bar} n={each.count}"


def quadrant_lines(quadrant: Quadrant) -> Iterator[str]:
    first, second = quadrant.first, quadrant.second
    yield f"== {first} against {second}"
    yield f"  both right {len(quadrant.both)}, neither {len(quadrant.neither)}"
    yield f"  only {first} {len(quadrant.only_first)}, only {second} {len(quadrant.only_second)}"
    yield f"  McNemar exact p = {quadrant.p_value:.3g}"
    yield _line("  agree", quadrant.agreement)
    yield from _id_lines(f"only {second}", quadrant.only_second)


def diff_lines(decider: str, diff: RunDiff) -> Iterator[str]:
    yield f"== {decider} against the saved run"
    yield f"  fixed {len(diff.fixed)}, broken {len(diff.broken)}, added {len(diff.added)}, gone {len(diff.gone)}"
    yield f"  McNemar exact p = {diff.p_value:.3g}"
    yield from _id_lines("fixed", diff.fixed)
    yield from _id_lines("broken", diff.broken)


def _rate_lines(rates: Mapping[str, Rate]) -> Iterator[str]:
    yield from (_line(f"  {name}", rate) for name, rate in rates.items())


def _id_lines(title: str, ids: tuple[str, ...]) -> Iterator[str]:
    yield from (f"  {title}: {each}" for each in ids[:_IDS_SHOWN])
    if len(ids) > _IDS_SHOWN:
        yield f"  and {len(ids) - _IDS_SHOWN} more"


def _line(name: str, rate: Rate) -> str:
    return f"{name:<28} {rate!s:<22} {rate.count}/{rate.total}"
