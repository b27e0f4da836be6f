"""Codes of the composer and the machines in people's words. No streamlit."""

from __future__ import annotations

from engine.composer.values import Level, Status, Why

STATUS_WORDS: dict[Status, str] = {
    "completed": "Completes",
    "needs_clarification": "Asks back",
    "failed": "Does nothing",
}
WHY_WORDS: dict[Why, str] = {
    Why.SWITCHED_OFF: "composition is switched off",
    Why.NOTHING_MISSING: "nothing was missing",
    Why.ONE_WAY: "there is exactly one way",
    Why.LEARNED: "your repeated choice settles it",
    Why.SEVERAL_MACHINES: "several machines fit",
    Why.SEVERAL_COMMANDS: "several commands fit",
    Why.SEVERAL_METRICS: "several metrics fit",
    Why.SEVERAL_TASKS: "several tasks fit",
    Why.NO_COMMAND_SAID: "no command was said",
    Why.NO_VALUE_SAID: "the value is missing",
    Why.NOTHING_SAID: "something it needs was not said",
    Why.NOT_SURE_ENOUGH: "one way, but below the threshold",
    Why.CONTRADICTION: "the words and the call are two things",
    Why.BATCH: "one at a time",
    Why.NO_MACHINE: "no machine fits",
    Why.NO_COMMAND: "no machine has that command",
    Why.NO_METRIC: "no machine measures that",
    Why.NO_TASK: "no task fits",
    Why.VALUE_OUT_OF_RANGE: "the value is out of range",
    Why.NEGATED: "it says not to",
    Why.QUESTION: "it asks, the call would act",
    Why.CONDITIONAL: "it is only an “if”",
    Why.LATER: "it is for another time",
    Why.NOT_A_REQUEST: "nothing is asked for",
    Why.UNKNOWN_TOOL: "there is no such tool",
    Why.BROKEN_CALL: "the call cannot be read",
    Why.EMPTY: "nothing was said",
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
STATE_WORDS: dict[str, str] = {
    "power": "power",
    "light": "light",
    "defrost": "defrost",
    "cycle": "cycle",
}
ACTIVE_STATES = frozenset({"on", "running", "open"})


def describe_hint(kind: str, meaning: str) -> str:
    name = HINT_WORDS.get(kind, kind)
    return f"{name}: {meaning}" if meaning and kind not in ("unknown", "negations", "asks") else name
