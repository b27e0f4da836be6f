"""Codes of the composer in people's words. No streamlit."""

from __future__ import annotations

import re

from engine.completing.values import Composition, Level, Status
from engine.decision import Step
from ui.words import ACTION_WORDS, REASON_WORDS, WHY_WORDS, name_intent

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


STEP_NAMES = {
    "words": "The words",
    "wishes": "What is asked for",
    "candidates": "In the running",
    "decision": "So",
    "the engine's reading": "The engine's reading",
}
_WISHES = {"command": "a command", "bare": "a command", "metrics": "a reading", "detail": "a detail", "list": "a list"}
_WHYS = {str(why): words for why, words in WHY_WORDS.items()}
_REASONS = {str(reason): words for reason, words in REASON_WORDS.items()}
_WISH = re.compile(r"^(\w+)(.*?)(?: \((\w+)\))?$")


def tell_step(step: Step, composition: Composition) -> str:
    """What a step came to, as the other parts of the bench say it."""
    if step.name == "words":
        return ", ".join(describe_hint(hint.kind, hint.meaning) for hint in composition.hints)
    if step.name == "wishes":
        return "; ".join(_tell_wish(wish) for wish in step.summary.split("; ") if wish)
    if step.name == "candidates":
        return "; ".join(f"{each.label}, {LEVEL_WORDS[each.level]}" for each in composition.candidates) or "no machine"
    if step.name == "decision":
        return f"{STATUS_WORDS[composition.status]}: {WHY_WORDS[composition.why]}"
    return ", ".join(_tell_code(code) for code in step.summary.split(", "))


def _tell_wish(wish: str) -> str:
    """ "command turn_on light (negated)" -> "a command: turn on light; it says not to"."""
    found = _WISH.match(wish)
    if not found:
        return wish
    kind, rest, refused = found.groups()
    about = " ".join(rest.split()).replace("_", " ")
    told = _WISHES.get(kind, kind) + (f": {about}" if about else "")
    return f"{told}, but {_WHYS.get(refused, refused.replace('_', ' '))}" if refused else told


def _tell_code(code: str) -> str:
    actions = {str(action): words for action, words in ACTION_WORDS.items()}
    return actions.get(code) or _REASONS.get(code) or f"“{name_intent(code)}”"


def describe_hint(kind: str, meaning: str) -> str:
    name = HINT_WORDS.get(kind, kind)
    return f"{name}: {meaning.replace('_', ' ')}" if meaning and kind not in ("unknown", "negations", "asks") else name
