"""A run as JSON, whole: figures, and every case with what each decider made of it. A gate reads it as its baseline."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from typing import Any

from db.evaluation.run_values import KeptCase, ScoredCase
from evals.evaluate.exports.report import DeciderReport, RunReport, make_deciders

FORMAT, VERSION = "twolane-evaluation", 1


class FormatError(ValueError):
    """A file that is no run, in a sentence."""


def write_json(report: RunReport) -> str:
    data = {
        "format": FORMAT,
        "version": VERSION,
        "scoring": report.scoring,
        "name": report.name,
        "domain": report.domain,
        "status": report.status,
        "created_at": report.created_at.isoformat(),
        "set": {"name": report.set_name, "fingerprint": report.fingerprint, "size": len(report.cases)},
        "problems": list(report.problems),
        "cases": [_write_case(case) for case in report.cases],
        "deciders": [_write_decider(each) for each in report.deciders],
    }
    return _in_lines(data) + "\n"


def _in_lines(data: dict[str, Any]) -> str:
    """One line for each case and each result: a baseline lies in a repository, and its changes are read there."""
    parts = [f"{json.dumps(name)}: {_write_part(value)}" for name, value in data.items()]
    return "{\n" + ",\n".join(parts) + "\n}"


def _write_part(value: object) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        long = any(isinstance(part, list) for part in value[0].values())
        return "[\n" + ",\n".join(_in_lines(each) if long else _write_line(each) for each in value) + "\n]"
    return _write_line(value)


def _write_line(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _write_case(case: KeptCase) -> dict[str, Any]:
    return {
        "position": case.position,
        "key": case.key,
        "id": case.case_id,
        "text": case.text,
        "label": case.label,
        "severity": case.severity,
        "slices": {name: list(values) for name, values in case.slices.items()},
    }


def _write_decider(decider: DeciderReport) -> dict[str, Any]:
    calibration = asdict(decider.calibration)
    figures = {"scoreboard": asdict(decider.scoreboard), "calibration": calibration}
    return {**decider.spec, "figures": figures, "results": [_write_row(row) for row in decider.rows]}


def _write_row(row: ScoredCase) -> dict[str, Any]:
    written = asdict(row)
    return {name: value for name, value in written.items() if name != "weighing" and value not in (None, (), {}, [])}


def read_json(text: str) -> RunReport:
    """A run that was exported; FormatError where it is none, or one of another version."""
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise FormatError(f"it is not valid JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise FormatError("it is no exported evaluation")
    if data.get("version") != VERSION:
        raise FormatError(f"it has version {data.get('version')} of the format, and this Twolane reads {VERSION}")
    try:
        return _read(data)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"a part of it is missing or has another form: {error}") from None


def _read(data: dict[str, Any]) -> RunReport:
    cases = tuple(_read_case(each) for each in data["cases"])
    found = [
        ({name: value for name, value in each.items() if name not in ("figures", "results")}, _read_rows(each))
        for each in data["deciders"]
    ]
    return RunReport(
        name=str(data["name"]),
        domain=str(data["domain"]),
        created_at=datetime.fromisoformat(data["created_at"]),
        set_name=str(data["set"]["name"]),
        fingerprint=str(data["set"]["fingerprint"]),
        cases=cases,
        deciders=make_deciders(str(data["domain"]), cases, found),
        problems=tuple(data.get("problems") or ()),
        status=str(data.get("status", "done")),
        scoring=int(data["scoring"]),
    )


def _read_case(data: dict[str, Any]) -> KeptCase:
    slices = {name: tuple(values) for name, values in data["slices"].items()}
    return KeptCase(data["position"], data["key"], data["id"], data["text"], data["label"], data["severity"], slices)


def _read_rows(data: dict[str, Any]) -> list[ScoredCase]:
    return [_read_row(each) for each in data["results"]]


def _read_row(data: dict[str, Any]) -> ScoredCase:
    arguments = tuple((intent, name, right) for intent, name, right in data.get("arguments", ()))
    missing = {"action": None, "confidence": None}
    return ScoredCase(**{**missing, **data, "arguments": arguments})
