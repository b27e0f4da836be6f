"""A comparison as a file: CSV for a spreadsheet, JSON Lines to work with. Neither holds a key."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from typing import Any

from db.evaluation.comparisons import Comparison, Show, find_lines
from db.tasks.export import neutralise
from evals.answers import write_calls
from ui.resources import load_database


def export_jsonl(run: Comparison, show: Show, intent: str | None) -> str:
    """Each line in the batch format, so that it can be compared again, with the answers beside it."""
    with load_database().read() as session:
        lines = find_lines(session, run.id, show, intent)
    return "".join(
        json.dumps(
            {
                "id": line.line,
                "text": line.text,
                **(line.context or {}),
                **({"expected": line.expected} if line.expected else {}),
                "answers": dict(zip(run.deciders, line.answers, strict=True)),
            },
            ensure_ascii=False,
        )
        + "\n"
        for line in lines
    )


def export_csv(run: Comparison, show: Show, intent: str | None) -> bytes:
    """With a byte order mark, so that a spreadsheet reads the accents right; no cell runs as a formula."""
    with load_database().read() as session:
        lines = find_lines(session, run.id, show, intent)
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    columns = ("action", "intent", "call", "standing", "right", "ms", "tokens", "cost", "problem")
    writer.writerow(
        neutralise(name)
        for name in ("line", "text", "expected", *(f"{who}: {each}" for who in run.deciders for each in columns))
    )
    for line in lines:
        cells = [cell for answer in line.answers for cell in _cells(answer)]
        writer.writerow(neutralise(cell) for cell in (line.line, line.text, _expected(line.expected), *cells))
    return buffer.getvalue().encode("utf-8-sig")


def _expected(expected: Mapping[str, Any] | None) -> str:
    intent = (expected or {}).get("intent", "")
    return str(intent[0] if isinstance(intent, list) else intent)


def _cells(answer: Mapping[str, Any]) -> list[object]:
    tokens = [answer[name] for name in ("prompt_tokens", "answer_tokens") if answer.get(name) is not None]
    return [
        answer.get("action", ""),
        answer.get("intent", ""),
        write_calls(answer),
        answer.get("standing", ""),
        "" if "wrong" not in answer else "no" if answer["wrong"] else "yes",
        answer.get("ms", ""),
        sum(tokens) if tokens else "",
        answer.get("cost", ""),
        answer.get("problem", ""),
    ]
