"""A run as one HTML file to send around: no script, nothing loaded from elsewhere, light and dark."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from engine.text.visible import show_controls
from evals.answers import write_calls
from evals.evaluate.calibrating import Calibration
from evals.evaluate.comparing import RunComparison
from evals.evaluate.exports.as_markdown import write_rate
from evals.evaluate.exports.report import DeciderReport, RunReport
from evals.evaluate.paired import write_p
from evals.evaluate.slices import SLICE_WORDS
from evals.evaluate.verdicts import VERDICT_WORDS
from evals.intervals import Rate

_MOST_CASES = 300
_SIDE = 240
"""Of a drawing, in its own units."""


@dataclass(frozen=True, slots=True)
class _Point:
    x: float
    y: float
    low: float
    high: float
    radius: float
    words: str


def write_html(report: RunReport) -> str:
    return _template().render(
        report=report, verdicts=VERDICT_WORDS, slice_words=SLICE_WORDS, most=_MOST_CASES, side=_SIDE
    )


@cache
def _template() -> Template:
    environment = Environment(
        finalize=_shown,
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["side"] = _SIDE
    environment.filters |= {
        "rate": write_rate,
        "percent": _percent,
        "calls": write_calls,
        "p": write_p,
        "points": _points,
        "failures": _failures,
        "changes": _changes,
        "path": _coverage_path,
        "highest_risk": _highest_risk,
    }
    return environment.get_template("report.html.j2")


def _shown(value: object) -> object:
    """What turns the order of words around is shown as a mark, as on the pages."""
    return show_controls(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _percent(rate: Rate) -> float:
    return round(100 * (rate.value or 0.0), 1)


def _points(calibration: Calibration) -> list[_Point]:
    """The groups of the reliability diagram, larger where there are more cases."""
    most = max((group.count for group in calibration.groups), default=1)
    return [
        _Point(
            round(group.confidence * _SIDE, 1),
            round((1 - (group.accuracy.value or 0.0)) * _SIDE, 1),
            round((1 - group.accuracy.low) * _SIDE, 1),
            round((1 - group.accuracy.high) * _SIDE, 1),
            round(3 + 5 * (group.count / most) ** 0.5, 1),
            f"said {group.confidence:.2f}, right {group.accuracy.value or 0:.2f}, {group.count:,} cases",
        )
        for group in calibration.groups
    ]


def _coverage_path(calibration: Calibration) -> str:
    """Risk over coverage as points of a line. The whole height is the highest risk."""
    highest = _highest_risk(calibration)
    return " ".join(
        f"{point.coverage * _SIDE:.1f},{(1 - (point.risk.value or 0.0) / highest) * _SIDE:.1f}"
        for point in calibration.coverage
    )


def _highest_risk(calibration: Calibration) -> float:
    return max((point.risk.value or 0.0 for point in calibration.coverage), default=0.0) or 1.0


def _failures(decider: DeciderReport, report: RunReport) -> list[tuple[object, object]]:
    wrong = [row for row in decider.rows if not row.passed]
    # Critical ones first: nobody reads to the end of a long list.
    wrong.sort(key=lambda row: (report.by_position[row.position].severity != "critical", row.position))
    return [(report.by_position[row.position], row) for row in wrong]


def _changes(comparison: RunComparison, report: RunReport) -> list[tuple[str, list[object]]]:
    by_key = {case.key: case for case in report.cases}
    return [(name, [by_key[key] for key in getattr(comparison, name)]) for name in ("broken", "fixed", "changed")]
