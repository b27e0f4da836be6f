"""The labelled cases that runs are made over: kept once for each person and fingerprint."""

from __future__ import annotations

import hashlib
import json
import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import insert
from sqlmodel import Session, col, delete, func, select

from db.evaluation.run_models import EvaluationCaseRow, EvaluationRunRow, EvaluationSetRow, EvaluationSliceRow
from db.evaluation.run_values import KeptCase
from engine.text.folding import fold

NAME_LIMIT = 80
_BATCH = 1_000


def keep_set(
    session: Session, user_id: str, *, domain: str, name: str, fingerprint: str, cases: Sequence[KeptCase]
) -> str:
    """The set's id. The same cases are kept once; with other tags or in another order they are another set of the same
    fingerprint."""
    layout = _layout_of(cases)
    known = select(EvaluationSetRow).where(
        EvaluationSetRow.user_id == user_id, EvaluationSetRow.domain == domain, EvaluationSetRow.layout == layout
    )
    row = session.exec(known).first()
    if row is not None:
        return row.id
    row = EvaluationSetRow(
        id=str(uuid.uuid4()),
        user_id=user_id,
        domain=domain,
        fingerprint=fingerprint,
        layout=layout,
        name=" ".join(name.split())[:NAME_LIMIT] or "Unnamed",
        size=len(cases),
        created_at=datetime.now(UTC),
    )
    session.add(row)
    session.flush()
    _insert(session, EvaluationCaseRow, (_case_values(row.id, each) for each in cases))
    _insert(session, EvaluationSliceRow, (values for each in cases for values in _slice_values(row.id, each)))
    return row.id


def _layout_of(cases: Sequence[KeptCase]) -> str:
    whole = [[case.key, case.case_id, {name: list(values) for name, values in case.slices.items()}] for case in cases]
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def _insert(session: Session, table: type[Any], values: Iterable[dict[str, Any]]) -> None:
    """In batches and without objects: ten thousand cases have some eighty thousand slices."""
    found = list(values)
    for start in range(0, len(found), _BATCH):
        session.execute(insert(table), found[start : start + _BATCH])


def _case_values(set_id: str, case: KeptCase) -> dict[str, Any]:
    return {
        "set_id": set_id,
        "position": case.position,
        "case_key": case.key,
        "case_id": case.case_id,
        "text": case.text,
        "text_key": fold(case.text),
        "label": case.label,
        "severity": case.severity,
        "body": dict(case.body),
    }


def _slice_values(set_id: str, case: KeptCase) -> list[dict[str, Any]]:
    return [
        {"set_id": set_id, "name": name, "value": value, "position": case.position}
        for name, values in case.slices.items()
        for value in dict.fromkeys(values)
    ]


def load_kept_cases(session: Session, set_id: str) -> tuple[KeptCase, ...]:
    """All of them with their bodies, in their order."""
    slices = load_slices(session, set_id)
    rows = session.exec(
        select(EvaluationCaseRow).where(EvaluationCaseRow.set_id == set_id).order_by(col(EvaluationCaseRow.position))
    )
    return tuple(kept_case(row, slices.get(row.position, {})) for row in rows)


def kept_case(row: EvaluationCaseRow, slices: dict[str, tuple[str, ...]]) -> KeptCase:
    return KeptCase(
        row.position, row.case_key, row.case_id, row.text, row.label,
        row.severity, slices, row.body,  # type: ignore[arg-type]
    )  # fmt: skip


def load_slices(
    session: Session, set_id: str, positions: Sequence[int] | None = None
) -> dict[int, dict[str, tuple[str, ...]]]:
    """position -> name -> values; of all cases, or of these."""
    wanted = select(EvaluationSliceRow.position, EvaluationSliceRow.name, EvaluationSliceRow.value).where(
        EvaluationSliceRow.set_id == set_id
    )
    if positions is not None:
        wanted = wanted.where(col(EvaluationSliceRow.position).in_(positions))
    found: defaultdict[int, dict[str, tuple[str, ...]]] = defaultdict(dict)
    for position, name, value in session.exec(wanted):
        found[position][name] = (*found[position].get(name, ()), value)
    return dict(found)


def count_slices(session: Session, set_id: str) -> dict[str, dict[str, int]]:
    """name -> value -> how many cases."""
    counted = (
        select(EvaluationSliceRow.name, EvaluationSliceRow.value, func.count())
        .where(EvaluationSliceRow.set_id == set_id)
        .group_by(EvaluationSliceRow.name, EvaluationSliceRow.value)
    )
    found: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for name, value, count in session.exec(counted):
        found[name][value] = count
    return dict(found)


def remove_unused_sets(session: Session, user_id: str) -> None:
    """Those that no run is about any more."""
    used = select(EvaluationRunRow.set_id).where(EvaluationRunRow.user_id == user_id)
    unused = select(EvaluationSetRow.id).where(
        EvaluationSetRow.user_id == user_id, col(EvaluationSetRow.id).not_in(used)
    )
    for set_id in session.exec(unused).all():
        session.exec(delete(EvaluationSliceRow).where(col(EvaluationSliceRow.set_id) == set_id))
        session.exec(delete(EvaluationCaseRow).where(col(EvaluationCaseRow.set_id) == set_id))
        session.exec(delete(EvaluationSetRow).where(col(EvaluationSetRow.id) == set_id))
