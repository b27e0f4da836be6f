"""Whether a run may pass against a baseline: it fails on a difference that is more than noise, and on any critical case
that breaks. Where nothing can be said it says that, and does not pass."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Literal

from db.evaluation.run_values import KeptCase
from evals.evaluate.comparing import RunComparison, SliceComparison, compare_scored
from evals.evaluate.exports.report import DeciderReport, RunReport
from evals.evaluate.slices import SLICE_WORDS

GateVerdict = Literal["pass", "fail", "no verdict"]
EXIT_CODES: dict[GateVerdict, int] = {"pass": 0, "fail": 1, "no verdict": 3}
"""2 is for a command that was called wrongly."""
OLDEST = timedelta(days=90)


@dataclass(frozen=True)
class GateResult:
    verdict: GateVerdict
    reasons: tuple[str, ...]
    """Sentences: why it failed, or why nothing can be said. For a pass, what was found."""
    comparison: RunComparison | None
    baseline: RunReport
    run: RunReport
    broken_critical: tuple[KeptCase, ...] = ()

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.verdict]


def hold(
    baseline: RunReport,
    run: RunReport,
    *,
    oldest: timedelta = OLDEST,
    now: datetime | None = None,
) -> GateResult:
    """The one decider of the run against the same one of the baseline."""
    before, after = _pair(baseline, run)
    unsure = _find_doubts(baseline, run, before, after, oldest, now or datetime.now(UTC))
    if unsure or before is None or after is None:
        return GateResult("no verdict", tuple(unsure), None, baseline, run)
    comparison = compare_scored("the baseline", before.rows, "this run", after.rows, after.slices)
    by_key = {case.key: case for case in run.cases}
    critical = tuple(by_key[key] for key in comparison.broken if by_key[key].severity == "critical")
    reasons = [*_critical_reasons(critical), *_overall_reasons(comparison), *_slice_reasons(comparison.slices)]
    verdict: GateVerdict = "fail" if reasons else "pass"
    return GateResult(verdict, tuple(reasons) or (comparison.sentence,), comparison, baseline, run, critical)


def _pair(baseline: RunReport, run: RunReport) -> tuple[DeciderReport | None, DeciderReport | None]:
    after = run.deciders[0] if run.deciders else None
    same = [each for each in baseline.deciders if after and each.spec.get("kind") == after.spec.get("kind")]
    named = [each for each in same if after and each.label == after.label]
    return next(iter(named or same), None), after


def _find_doubts(
    baseline: RunReport,
    run: RunReport,
    before: DeciderReport | None,
    after: DeciderReport | None,
    oldest: timedelta,
    now: datetime,
) -> list[str]:
    doubts = []
    if not run.cases:
        doubts.append("There is no case to judge by.")
    if new := [problem for problem in run.problems if problem not in baseline.problems]:
        doubts.append(f"Data that could be used for the baseline cannot be used now; the first: {new[0]}.")
    if baseline.fingerprint != run.fingerprint:
        doubts.append(
            f"The baseline is about other data: its fingerprint is {baseline.fingerprint[:12]}, that of the data is "
            f"{run.fingerprint[:12]}. Write a new baseline with --write."
        )
    if baseline.scoring != run.scoring:
        doubts.append("The baseline was scored by other rules. Write a new baseline with --write.")
    made = baseline.created_at if baseline.created_at.tzinfo else baseline.created_at.replace(tzinfo=UTC)
    if now - made > oldest:
        doubts.append(f"The baseline is stale: it is {(now - made).days} days old, and {oldest.days} are the most.")
    if baseline.status != "done":
        doubts.append(f"The baseline is a run that is {baseline.status}: it does not say how every case stood.")
    if before is None:
        doubts.append("The baseline has no result of this decider.")
    for name, decider, size in (("The baseline", before, len(baseline.cases)), ("This run", after, len(run.cases))):
        doubts += _doubts_about(name, decider, size) if decider else []
    return doubts


def _doubts_about(name: str, decider: DeciderReport, size: int) -> list[str]:
    doubts = []
    if len(decider.rows) != size:
        doubts.append(f"{name} has {len(decider.rows)} results for {size} cases.")
    # A decider with a bug raises, and that is a wrong answer; an endpoint that is down says nothing about the decider.
    silent = sum(row.verdict == "no_answer" and row.action is not None for row in decider.rows)
    if silent:
        doubts.append(f"{name}: the model gave no answer to {silent} cases.")
    return doubts


def _critical_reasons(cases: Sequence[KeptCase]) -> list[str]:
    return [f"A critical case is broken: {case.case_id} ({' '.join(case.text.split())[:80]!r})." for case in cases]


def _overall_reasons(comparison: RunComparison) -> list[str]:
    difference = comparison.difference
    worse = difference.value is not None and difference.value < 0 and difference.is_more_than_noise
    return [comparison.sentence] if worse else []


def _slice_reasons(slices: Sequence[SliceComparison]) -> list[str]:
    return [
        f"{SLICE_WORDS.get(each.name, each.name)} {each.value}: {100 * (each.difference.value or 0):+.1f} points over "
        f"{each.difference.total} cases, more than noise also among all slices (p = {each.adjusted_p:.3g} by Holm)."
        for each in slices
        if each.is_more_than_noise and (each.difference.value or 0) < 0
    ]
