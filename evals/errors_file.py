"""What went wrong, one JSON object a line, so that it can be searched, sorted and sent on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from domains.loading import TASKS, load_domain
from engine.border.wire import write_decision
from evals.public_data import RowResult
from evals.runner import CaseResult


def case_errors(decider: str, results: Iterable[CaseResult]) -> list[dict[str, object]]:
    return [
        {
            "decider": decider,
            "id": result.case.id,
            "source": result.case.source,
            "texts": [turn.text[:300] for turn in result.case.turns],
            "problems": list(result.problems),
            "decision": _written(result),
        }
        for result in results
        if not result.passed
    ]


def _written(result: CaseResult) -> dict[str, object] | None:
    catalogue = load_domain(result.case.domain).catalogue
    return write_decision(result.turns[-1].decision, catalogue) if result.turns else None


def row_errors(decider: str, results: Iterable[RowResult], domain: str = TASKS) -> list[dict[str, object]]:
    """Misread strict rows and fired negatives, and every row on which the decider raised."""
    errors: list[dict[str, object]] = []
    catalogue = load_domain(domain).catalogue
    for result in results:
        row, reading = result.row, result.reading
        if reading and (reading.right or not row.strict):
            continue
        errors.append(
            {
                "decider": decider,
                "id": row.id,
                "text": row.text,
                "want": row.accepted[0],
                "got": reading.read if reading else None,
                "source": row.source,
                "lang": row.language,
                "error": result.error,
                "decision": write_decision(result.decision, catalogue) if result.decision else None,
            }
        )
    return errors


def write_errors(path: Path, errors: Sequence[dict[str, object]]) -> None:
    with path.open("w", encoding="utf-8") as out:
        for error in errors:
            out.write(json.dumps(error, ensure_ascii=False) + "\n")
