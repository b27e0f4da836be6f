"""Spec 2's guidance for the LLM as text: the policy, how to choose a tool, several steps.

Generated from the policy and the tool catalogue, so that both lanes follow the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.catalogue.schemas import Tool, read_tools
from engine.policy.patterns import Node, compile_pattern
from engine.policy.values import Frame, Policy
from engine.values import DESCRIPTION_LIMIT, TITLE_LIMIT

_EXAMPLES = 4
_PLACEHOLDER = {"title": "...", "target": "<task>", "search": "...", "new_title": "...", "new_description": "..."}


def make_guidance(policy: Policy) -> str:
    return "\n\n".join((_policy_text(policy), _strategy_text(policy), _steps_text(policy))) + "\n"


def _policy_text(policy: Policy) -> str:
    act = policy.thresholds.act
    careful = sorted(facts.name for facts in policy.catalogue.tools if facts.needs_yes)
    lines = [
        f"Act without asking only when you are at least {act:.0%} sure; otherwise say what you understood and ask.",
        "Call a tool only for what the user asks: small talk, questions about you, hypotheses and negations call none.",
        "The object decides, not the verb: an e-mail, a song, a light or an account is not a task.",
        "Never invent a value. What the user did not say stays out; a required value that is missing is asked for.",
        *([f"{' and '.join(careful)}: name the task and wait for a yes before you call it."] if careful else ()),
        "Deleting or completing many tasks at once is answered, not done: ask for one task.",
        "If several tasks fit, ask which one, with the choices. If none fits, say so and offer the nearest titles.",
        f"Titles have 1 to {TITLE_LIMIT} characters, descriptions at most {DESCRIPTION_LIMIT}.",
        "The user is known from the session: no tool takes a user id.",
    ]
    return "## Policy\n" + "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def _strategy_text(policy: Policy) -> str:
    tools = read_tools(policy.catalogue)
    blocks = [_tool_text(policy, facts.intent, tools[facts.name]) for facts in policy.catalogue.tools]
    return "## Choosing a tool\n" + "\n".join(blocks)


def _tool_text(policy: Policy, intent: str, tool: Tool) -> str:
    schema = tool.input_schema
    required = ", ".join(schema.get("required", ())) or "nothing"
    optional = ", ".join(name for name in schema.get("properties", {}) if name not in schema.get("required", ()))
    said = "; ".join(f'"{example}"' for example in _examples(policy, intent))
    lines = [f"- {tool.name}: {tool.description}", f"  needs: {required}"]
    if optional:
        lines.append(f"  may have: {optional}")
    return "\n".join([*lines, f"  people say: {said}"])


def _examples(policy: Policy, intent: str) -> Iterator[str]:
    """As people say it, where the language's folder has it; else the plainest sentences of the ways of asking."""
    said = (policy.source.get("sayings") or {}).get(intent)
    if said:
        yield from said
        return
    frames = [frame for frame in policy.frames if frame.intent == intent and not frame.weak]
    for frame in frames[:_EXAMPLES]:
        yield _example(frame, policy)


def _example(frame: Frame, policy: Policy) -> str:
    return " ".join(_shortest(compile_pattern(frame.patterns[0]), policy))


def _shortest(nodes: tuple[Node, ...], policy: Policy) -> Iterator[str]:
    """The plainest sentence of a pattern: first choices, optional parts left out."""
    for node in nodes:
        if node.kind == "word":
            yield node.value
        elif node.kind == "class":
            yield policy.words[node.value][0]
        elif node.kind == "slot" and not node.optional:
            yield _PLACEHOLDER.get(node.value, f"<{node.value.removeprefix('new_')}>")
        elif node.kind == "options" and not node.optional:
            yield from _shortest(node.options[0], policy)


def _steps_text(policy: Policy) -> str:
    lines = [
        "Several requests in one message run in the order said, each as its own call.",
        "Words joined inside one title are one task: buy bread and butter.",
        "If a request needs an answer first, run what comes before it, ask, and run the rest after the answer.",
        "A message that answers your question belongs to that question; a new request replaces it.",
        "it, that, the second one: the task talked about last, or the place in the list shown last; if unsure, ask.",
        "Report what the tool returned, also a failure; never claim what was not done.",
    ]
    return f"## Several steps (policy {policy.version})\n" + "\n".join(f"- {line}" for line in lines)
