"""Turns of every domain in one table: the chat with the machines joins the others."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, text

from engine.text.folding import fold

_TITLE_LIMIT = 80


def add_domains(connection: Connection) -> None:
    for statement in (
        "ALTER TABLE conversations ADD COLUMN domain VARCHAR(40) NOT NULL DEFAULT 'tasks'",
        "ALTER TABLE turns ADD COLUMN domain VARCHAR(40) NOT NULL DEFAULT 'tasks'",
        "ALTER TABLE turns ADD COLUMN offers JSON NOT NULL DEFAULT '[]'",
        "CREATE INDEX turns_by_domain ON turns (user_id, domain, created_at)",
    ):
        connection.exec_driver_sql(statement)
    _move_machine_turns(connection)
    connection.exec_driver_sql("DROP TABLE machine_turns")


def _move_machine_turns(connection: Connection) -> None:
    """One conversation a person, as the page had it. What the composer made of a message becomes the engine's
    decision: its text, reply, calls, results and time are as they were."""
    found = connection.execute(text("SELECT * FROM machine_turns ORDER BY user_id, position")).mappings()
    rows: list[dict[str, Any]] = [{str(name): value for name, value in row.items()} for row in found]
    conversations: dict[str, str] = {}
    for row in rows:
        user_id = str(row["user_id"])
        if user_id not in conversations:
            conversations[user_id] = _add_conversation(
                connection, [each for each in rows if each["user_id"] == user_id]
            )
        _add_turn(connection, row, conversations[user_id])


def _add_conversation(connection: Connection, turns: Sequence[Mapping[str, Any]]) -> str:
    conversation_id = str(uuid.uuid4())
    connection.execute(
        text(
            """INSERT INTO conversations (id, user_id, domain, title, named, revision, created_at, updated_at)
               VALUES (:id, :user_id, 'machines', :title, :named, 0, :created_at, :updated_at)"""
        ),
        {
            "id": conversation_id,
            "user_id": turns[0]["user_id"],
            "title": " ".join(str(turns[0]["text"]).split())[:_TITLE_LIMIT] or "Machines",
            "named": False,
            "created_at": turns[0]["created_at"],
            "updated_at": turns[-1]["created_at"],
        },
    )
    return conversation_id


def _add_turn(connection: Connection, row: Mapping[str, Any], conversation_id: str) -> None:
    composition = _plain(row["composition"])
    offers = [
        {"label": each["label"], "tool_name": each["tool_name"], "arguments": each["value"]}
        for each in _plain(row["next_actions"])
    ]
    connection.execute(
        text(
            """INSERT INTO turns (id, user_id, conversation_id, domain, position, text, text_key, driver, lane, route,
                                  reply, task_ids, results, offers, context, llm_status, llm_summary, created_at)
               VALUES (:id, :user_id, :conversation_id, 'machines', :position, :text, :text_key, 'engine', 'engine',
                       'engine_drives', :reply, '[]', :results, :offers, '{}', 'off', '{}', :created_at)"""
        ),
        {
            "id": row["id"],
            "user_id": row["user_id"],
            "conversation_id": conversation_id,
            "position": row["position"],
            "text": row["text"],
            "text_key": fold(str(row["text"])),
            "reply": row["reply"],
            "results": json.dumps(_plain(row["results"])),
            "offers": json.dumps(offers),
            "created_at": row["created_at"],
        },
    )
    body = _decision(composition)
    connection.execute(
        text(
            """INSERT INTO decisions (id, user_id, conversation_id, turn_id, decider, action, intent, reason,
                                      confidence, drives, body, created_at)
               VALUES (:id, :user_id, :conversation_id, :turn_id, 'engine', :action, :intent, :reason, :confidence,
                       :drives, :body, :created_at)"""
        ),
        {
            "id": str(uuid.uuid4()),
            "user_id": row["user_id"],
            "conversation_id": conversation_id,
            "turn_id": row["id"],
            "action": body["action"],
            "intent": body["intent"],
            "reason": body["reason"],
            "confidence": body["confidence"],
            "drives": True,
            "body": json.dumps(body),
            "created_at": row["created_at"],
        },
    )


_ACTIONS = {"completed": "execute", "needs_clarification": "clarify", "failed": "reply"}
_INTENTS = {
    "machine_command_execute": "run_command",
    "metrics_read": "read_metrics",
    "device_detail": "show_machine",
    "machines_list": "list_machines",
}
_REASONS = {
    "learned": "learned", "several_machines": "ambiguous_target", "several_commands": "missing_parameter",
    "several_metrics": "missing_parameter", "no_command_said": "missing_parameter",
    "no_value_said": "missing_parameter", "not_sure_enough": "below_threshold", "contradiction": "contradiction",
    "batch": "batch", "no_machine": "no_target", "no_command": "unable", "no_metric": "unable",
    "value_out_of_range": "invalid_parameter", "negated": "negated", "question": "question_about_tool",
    "conditional": "hypothetical", "later": "hypothetical", "not_a_request": "not_about_tasks",
    "switched_off": "switched_off", "empty": "empty",
}  # fmt: skip


def _decision(composition: Mapping[str, Any]) -> dict[str, Any]:
    """A composition's record as that of a decision, as far as both say the same."""
    done = composition["status"] == "completed"
    calls = [each["call"] for each in composition["calls"]] if done else []
    tools = [call["tool_name"] for call in calls] or [each["tool_name"] for each in composition["suggestions"]]
    reason = "cancelled" if composition.get("cancelled") else _REASONS.get(composition["why"], "matched_rule")
    candidates = [[each[0], each[3], each[2], each[5]] for each in composition["candidates"]]
    return {
        "decider": "engine",
        "action": _ACTIONS[composition["status"]],
        "intent": _INTENTS.get(tools[0], "unknown") if tools else "unknown",
        "reason": reason,
        "calls": calls,
        "call_confidences": [each["confidence"] for each in composition["calls"]] if done else [],
        "scores": [],
        "confidence": composition["confidence"],
        "ledger": composition["ledger"],
        "references": [["", None, candidates, None]] if candidates else [],
        "slots": [],
        "message": composition["message"],
        "pending": None,
        "steps": composition["steps"],
        "sentences": [],
        "policy_version": "",
        "language": composition["language"],
        "thresholds": None,
        "elapsed_ms": None,
    }


def _plain(value: Any) -> Any:
    """JSON as the driver gave it: SQLite's is a text."""
    return json.loads(value) if isinstance(value, str) else value
