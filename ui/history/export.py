"""Turns as a file: CSV for a spreadsheet, JSON Lines with all that is known. Neither holds a key."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import streamlit as st

from db.evaluation.verdicts import Lane, Verdict, read_verdicts
from db.tasks.export import neutralise
from db.turns.history import batches, find_history_ids
from db.turns.query import TurnQuery
from db.turns.turns import StoredTurn, find_turns, read_decisions
from db.users import User
from ui.resources import load_database

Bodies = Mapping[str, Mapping[str, Any]]
COLUMNS = (
    "at", "text", "driver", "lane", "route", "reply", "agreement", "llm_status",
    *(f"{lane}_{name}" for lane in ("engine", "llm") for name in ("action", "intent", "reason", "confidence", "call")),
    "engine_verdict", "llm_verdict", "engine_ms", "llm_ms", "tokens", "cost", "id",
)  # fmt: skip


def render_exports(user: User, query: TurnQuery) -> None:
    with st.container(horizontal=True):
        exports: tuple[tuple[str, Callable[[User, TurnQuery], str | bytes], str], ...] = (
            ("CSV", export_csv, "csv"),
            ("JSON Lines", export_jsonl, "jsonl"),
        )
        for label, export, ending in exports:
            st.download_button(
                label,
                data=partial(export, user, query),
                file_name=f"history-{user.handle}.{ending}",
                on_click="ignore",
                icon=":material/download:",
                help="The turns that the filters show, all pages.",
            )


def export_jsonl(user: User, query: TurnQuery) -> str:
    """One turn a line. `text` and `context` are the batch format: `python -m engine decide` takes them."""
    return "".join(
        json.dumps(
            {
                "id": turn.id,
                "text": turn.text,
                **turn.context,
                "at": turn.created_at.isoformat(),
                "driver": turn.driver,
                "lane": turn.lane,
                "route": turn.route,
                "reply": turn.reply,
                "results": list(turn.results),
                "agreement": turn.agreement,
                "llm": {"status": turn.llm_status, **turn.llm_summary},
                "decisions": bodies,
                "verdicts": verdicts,
            },
            ensure_ascii=False,
        )
        + "\n"
        for turn, bodies, verdicts in _read(user, query)
    )


def export_csv(user: User, query: TurnQuery) -> bytes:
    buffer = io.StringIO(newline="")
    writer = csv.DictWriter(buffer, COLUMNS)
    writer.writeheader()
    for turn, bodies, verdicts in _read(user, query):
        row = {**_row(turn, bodies), **{f"{lane}_verdict": verdict for lane, verdict in verdicts.items()}}
        writer.writerow({name: neutralise(value) for name, value in row.items()})
    return buffer.getvalue().encode("utf-8-sig")


def _row(turn: StoredTurn, bodies: Bodies) -> dict[str, Any]:
    summary = turn.llm_summary
    tokens = [summary[name] for name in ("prompt_tokens", "answer_tokens") if summary.get(name) is not None]
    row: dict[str, Any] = {
        "at": turn.created_at.isoformat(),
        **{name: getattr(turn, name) for name in ("text", "driver", "lane", "route", "reply", "agreement")},
        "llm_status": turn.llm_status,
        "engine_ms": bodies.get("engine", {}).get("elapsed_ms"),
        "llm_ms": summary.get("total_ms"),
        "tokens": sum(tokens) if tokens else None,
        "cost": summary.get("cost"),
        "id": turn.id,
    }
    for lane in ("engine", "llm"):
        body = bodies.get(lane, {})
        row |= {f"{lane}_{name}": body.get(name) for name in ("action", "intent", "reason", "confidence")}
        row[f"{lane}_call"] = "; ".join(
            f"{call['tool_name']} {json.dumps(call['parameters'], ensure_ascii=False)}"
            for call in body.get("calls", ())
        )
    return row


def _read(user: User, query: TurnQuery) -> Iterator[tuple[StoredTurn, Bodies, Mapping[Lane, Verdict]]]:
    with load_database().read() as session:
        for ids in batches(find_history_ids(session, user.id, query)):
            turns = {turn.id: turn for turn in find_turns(session, user.id, ids)}
            bodies = read_decisions(session, user.id, ids)
            verdicts = read_verdicts(session, user.id, ids)
            for turn_id in ids:
                if turn_id in turns:
                    yield turns[turn_id], bodies.get(turn_id, {}), verdicts.get(turn_id, {})
            session.expunge_all()  # thousands of contexts need not stay in memory together
