"""The charts of Evaluate in words, for who cannot see them and for who wants the figures. No streamlit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from db.evaluation.run_values import ScoredCase
from evals.evaluate.calibrating import Calibration
from evals.evaluate.confusion import Confusion
from evals.evaluate.thresholds import ThresholdAdvice
from ui.evaluate.words import count_cases, format_interval, format_number, format_share, name_outcome

Row = tuple[str, ...]
_MOST_TOLD = 6


class Mistake(NamedTuple):
    failed: int
    """Of the cases that failed: a question may be right."""
    meant: str
    came: str


def list_mistakes(rows: Iterable[ScoredCase], *, behind: bool) -> list[Mistake]:
    """The cells in which cases failed, the largest first."""
    return order_mistakes(Counter((row.label, row.behind if behind else row.final) for row in rows if not row.passed))


def order_mistakes(counts: Mapping[tuple[str, str], int]) -> list[Mistake]:
    """`counts`: of what failed, by what was meant and what came of it."""
    found = [Mistake(count, meant, came) for (meant, came), count in counts.items()]
    return sorted(found, key=lambda each: (-each.failed, each.meant, each.came))


def tell_confusion(mistakes: Sequence[Mistake]) -> str:
    if not mistakes:
        return "What was meant against what came of it. No case failed."
    told = ", ".join(f"{tell_mistake(each)} {each.failed:,}" for each in mistakes[:_MOST_TOLD])
    return f"What was meant against what came of it. Failed most often: {told}."


def tell_mistake(mistake: Mistake) -> str:
    if mistake.meant == mistake.came:
        return f"{name_outcome(mistake.meant)}, otherwise wrong"
    return f"{name_outcome(mistake.meant)} → {name_outcome(mistake.came)}"


def confusion_rows(confusion: Confusion, *, shares: bool) -> tuple[Row, list[Row]]:
    head = ("Meant", *(name_outcome(name) for name in confusion.columns), "Cases")
    rows = []
    for place, name in enumerate(confusion.rows):
        counts = confusion.counts[place]
        cells: Iterable[str] = (
            (f"{confusion.share(place, column):.1%}" if counts[column] else "" for column in range(len(counts)))
            if shares
            else (f"{count:,}" if count else "" for count in counts)
        )
        if sum(counts):
            rows.append((name_outcome(name), *cells, f"{sum(counts):,}"))
    return head, rows


def tell_calibration(calibration: Calibration, label: str) -> str:
    """Whether a confidence can be taken at its word."""
    if not calibration.cases:
        return f"{label} states no confidence, so there is nothing to calibrate."
    error = format_number(calibration.ece)
    floor = (
        f"With {count_cases(calibration.cases)} a perfectly calibrated decider would have {calibration.noise_floor:.3f}"
    )
    limit = f"{floor}, and more than {calibration.noise_limit:.3f} once in twenty times."
    if calibration.is_miscalibrated:
        return f"{label}'s confidence is off by more than noise: its calibration error is {error}. {limit}"
    return f"{label}'s confidence can be taken at its word: its calibration error is {error}, which is noise. {limit}"


def group_rows(calibration: Calibration) -> tuple[Row, list[Row]]:
    head = ("Confidence", "Cases", "States", "Is right", "95%")
    rows: list[Row] = [
        (
            f"{group.low:.2f}" if f"{group.low:.2f}" == f"{group.high:.2f}" else f"{group.low:.2f} to {group.high:.2f}",
            f"{group.count:,}",
            f"{group.confidence:.3f}",
            format_share(group.accuracy),
            format_interval(group.accuracy),
        )
        for group in calibration.groups
    ]
    return head, rows


def coverage_rows(calibration: Calibration) -> tuple[Row, list[Row]]:
    """At most ten, evenly over what is covered."""
    points = calibration.coverage
    step = max(1, len(points) // 10)
    shown = [*points[::step], *([points[-1]] if points and (len(points) - 1) % step else [])]
    rows: list[Row] = [
        (f"{point.threshold:.2f}", f"{point.coverage:.1%}", format_share(point.risk), format_interval(point.risk))
        for point in shown
    ]
    return ("Acting from", "Acted on", "Wrong", "95%"), rows


def tell_coverage(calibration: Calibration) -> str:
    if not calibration.coverage:
        return "No case was read with a stated confidence."
    last = calibration.coverage[-1]
    half = next((point for point in calibration.coverage if point.coverage >= 0.5), last)
    return (
        f"If everything read were acted on, {format_share(last.risk)} would be wrong; of the surest "
        f"{half.coverage:.0%}, {format_share(half.risk)}."
    )


def tell_costs(advice: ThresholdAdvice) -> str:
    now, best = advice.present, advice.best
    return (
        f"On the half that they were not found on, a case costs {now.cost:.3f} with the thresholds in force (act "
        f"{now.act:.2f}, read {now.read:.2f}) and {best.cost:.3f} with the cheapest (act {best.act:.2f}, read "
        f"{best.read:.2f}); the saving is {advice.saving:.3f} (95%: {advice.low:.3f} to {advice.high:.3f})."
    )
