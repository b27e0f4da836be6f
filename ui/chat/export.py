"""A conversation as a file: Markdown to read, JSON to work with. Neither holds a key."""

from __future__ import annotations

import json
from typing import Any

from db.turns.conversations import find_conversation
from db.turns.turns import StoredTurn, read_decisions, read_turns
from db.users import User
from ui.markdown import verbatim
from ui.resources import load_database

Decisions = dict[str, dict[str, Any]]


def export_json(user: User, conversation_id: str) -> str:
    title, turns, decisions = _read(user, conversation_id)
    return json.dumps(
        {
            "conversation": title,
            "user": user.handle,
            "turns": [
                {
                    "id": turn.id,
                    "at": turn.created_at.isoformat(),
                    "text": turn.text,
                    "reply": turn.reply,
                    "driver": turn.driver,
                    "lane": turn.lane,
                    "route": turn.route,
                    "results": list(turn.results),
                    "llm": {"status": turn.llm_status, **turn.llm_summary},
                    "decisions": decisions.get(turn.id, {}),
                    "context": turn.context,
                }
                for turn in turns
            ],
        },
        ensure_ascii=False,
        indent=1,
    )


def export_markdown(user: User, conversation_id: str) -> str:
    title, turns, decisions = _read(user, conversation_id)
    parts = [f"# {verbatim(title)}", *(_turn_markdown(turn, decisions.get(turn.id, {})) for turn in turns)]
    return "\n\n".join(parts) + "\n"


def _turn_markdown(turn: StoredTurn, decisions: Decisions) -> str:
    lines = [f"**You:** {verbatim(turn.text)}", f"**Twolane:** {verbatim(turn.reply or '(no answer yet)')}"]
    for name in ("engine", "llm"):
        if name in decisions:
            lines.append(f"- {name}: {_decision_markdown(decisions[name])}")
    return "\n\n".join(lines[:2]) + "\n\n" + "\n".join(lines[2:])


def _decision_markdown(body: dict[str, Any]) -> str:
    calls = [
        f"{call['tool_name']}({', '.join(f'{name}={value!r}' for name, value in call['parameters'].items())})"
        for call in body["calls"]
    ]
    confidence = "" if body["confidence"] is None else f", confidence {body['confidence']:.2f}"
    return verbatim(f"{body['action']}, {body['reason']}{confidence}: {'; '.join(calls) or 'no call'}")


def _read(user: User, conversation_id: str) -> tuple[str, tuple[StoredTurn, ...], dict[str, Decisions]]:
    with load_database().read() as session:
        conversation = find_conversation(session, user.id, conversation_id)
        turns = read_turns(session, user.id, conversation_id)
        decisions = read_decisions(session, user.id, [turn.id for turn in turns])
    return conversation.title if conversation else "", turns, decisions
