"""A run for a spreadsheet: one line a case, with what each decider made of it. No cell runs as a formula."""

from __future__ import annotations

import csv
import io

from db.evaluation.run_values import ScoredCase
from db.tasks.export import neutralise
from evals.answers import write_calls
from evals.evaluate.exports.report import RunReport
from evals.evaluate.verdicts import VERDICT_WORDS

_CASE = ("id", "text", "meant", "severity", "language", "kind", "source", "tags")
_DECIDER = ("verdict", "final", "behind", "action", "call", "confidence", "ms", "tokens", "cost", "problems")


def write_csv(report: RunReport) -> bytes:
    """With a byte order mark, so that a spreadsheet reads the accents right."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    heads = [f"{decider.label}: {column}" for decider in report.deciders for column in _DECIDER]
    writer.writerow(neutralise(cell) for cell in (*_CASE, *heads))
    rows = [{row.position: row for row in decider.rows} for decider in report.deciders]
    for case in report.cases:
        slices = [" ".join(case.slices.get(name, ())) for name in ("language", "kind", "source", "tag")]
        cells: list[object] = [case.case_id, case.text, case.label, case.severity, *slices]
        for found in rows:
            cells += _cells(found.get(case.position))
        writer.writerow(neutralise(cell) for cell in cells)
    return buffer.getvalue().encode("utf-8-sig")


def _cells(row: ScoredCase | None) -> list[object]:
    if row is None:
        return [""] * len(_DECIDER)
    words = {name: said for name, (said, _) in VERDICT_WORDS.items()}
    tokens = [count for count in (row.prompt_tokens, row.answer_tokens) if count is not None]
    return [
        words.get(row.verdict, row.verdict),  # type: ignore[call-overload]
        row.final,
        row.behind,
        row.action or "",
        write_calls(row.detail.get("answer") or {}),
        "" if row.confidence is None else row.confidence,
        row.milliseconds,
        sum(tokens) if tokens else "",
        "" if row.cost is None else row.cost,
        "; ".join(row.detail.get("problems") or ()),
    ]
