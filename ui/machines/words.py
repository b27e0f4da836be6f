"""Codes of the composer in people's words. No streamlit."""

from __future__ import annotations

from engine.completing.values import Level, Status

STATUS_WORDS: dict[Status, str] = {
    "completed": "Completes",
    "needs_clarification": "Asks back",
    "failed": "Does nothing",
}
LEVEL_WORDS: dict[Level, str] = {
    "id": "by its id",
    "serial": "by its serial number",
    "name": "by its exact name",
    "partial": "by a part of its name or place",
    "keyword": "by a keyword",
    "description": "by its description",
    "conversation": "named in the conversation",
    "only": "the only one there is",
    "any": "one of all",
}
HINT_WORDS: dict[str, str] = {
    "device": "machine",
    "actions": "action",
    "objects": "object",
    "metrics": "metric",
    "details": "detail",
    "negations": "negation",
    "asks": "question",
    "conditions": "condition",
    "pronouns": "pronoun",
    "ordinals": "place",
    "states": "state",
    "unknown": "not understood",
}


def describe_hint(kind: str, meaning: str) -> str:
    name = HINT_WORDS.get(kind, kind)
    return f"{name}: {meaning}" if meaning and kind not in ("unknown", "negations", "asks") else name
