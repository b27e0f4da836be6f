"""Spec 2's guidance for the LLM as text: the policy, how to choose a tool, several steps.

Generated from the policy and the tool catalogue, so that both lanes follow the same rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.catalogue.facts import Catalogue, Reads, ToolFacts, base_name
from engine.catalogue.schemas import Tool, read_tools
from engine.policy.patterns import Node, compile_pattern
from engine.policy.values import Frame, Policy

_EXAMPLES = 4
_FREE: tuple[Reads, ...] = ("name", "note", "search", "words")
"""Arguments that hold the user's own words."""
_MANY = {"remove": "deleting", "finish": "completing", "change": "changing"}
"""What is not done to many things at once, by the effect of a tool; the first two where a domain has them."""


def make_guidance(policy: Policy, thing: str) -> str:
    """`thing`: what the tools are about, in one word ("task")."""
    return "\n\n".join((_policy_text(policy, thing), _strategy_text(policy, thing), _steps_text(policy, thing))) + "\n"


def _policy_text(policy: Policy, thing: str) -> str:
    act = policy.thresholds.act
    careful = sorted(facts.name for facts in policy.catalogue.tools if facts.needs_yes)
    lines = [
        f"Act without asking only when you are at least {act:.0%} sure; otherwise say what you understood and ask.",
        "Call a tool only for what the user asks: small talk, questions about you, hypotheses and negations call none.",
        f"The object decides, not the verb: an e-mail, a song, a light or an account is not a {thing}.",
        "Never invent a value. What the user did not say stays out; a required value that is missing is asked for.",
        *([f"{' and '.join(careful)}: name the {thing} and wait for a yes before you call it."] if careful else ()),
        *_about_many(policy.catalogue, thing),
        f"If several {thing}s fit, ask which one, with the choices. If none fits, say so and offer the nearest titles.",
        *_about_lengths(policy.catalogue),
        "The user is known from the session: no tool takes a user id.",
    ]
    return "## Policy\n" + "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))


def _about_many(catalogue: Catalogue, thing: str) -> Iterator[str]:
    effects = {facts.effect for facts in catalogue.tools if facts.target}
    settling = [_MANY[effect] for effect in ("remove", "finish") if effect in effects]
    verbs = settling or [_MANY[effect] for effect in ("change",) if effect in effects]
    if verbs:
        said = " or ".join(verbs)
        yield f"{said[0].upper()}{said[1:]} many {thing}s at once is answered, not done: ask for one {thing}."


def _about_lengths(catalogue: Catalogue) -> Iterator[str]:
    """How long names and notes may be, where a tool takes any."""
    kinds: dict[Reads, int] = {
        kind: limit
        for facts in catalogue.tools
        for argument, kind in facts.reads.items()
        if (limit := catalogue.limits.get((facts.name, argument)))
    }
    told = [
        *([f"titles have 1 to {kinds['name']} characters"] if "name" in kinds else ()),
        *([f"descriptions at most {kinds['note']}"] if "note" in kinds else ()),
    ]
    if told:
        said = ", ".join(told)
        yield f"{said[0].upper()}{said[1:]}."


def _strategy_text(policy: Policy, thing: str) -> str:
    tools = read_tools(policy.catalogue)
    blocks = [_tool_text(policy, facts, tools[facts.name], thing) for facts in policy.catalogue.tools]
    return "## Choosing a tool\n" + "\n".join(blocks)


def _tool_text(policy: Policy, facts: ToolFacts, tool: Tool, thing: str) -> str:
    schema = tool.input_schema
    required = ", ".join(schema.get("required", ())) or "nothing"
    optional = ", ".join(name for name in schema.get("properties", {}) if name not in schema.get("required", ()))
    said = "; ".join(f'"{example}"' for example in _examples(policy, facts, thing))
    lines = [f"- {tool.name}: {tool.description}", f"  needs: {required}"]
    if optional:
        lines.append(f"  may have: {optional}")
    if said:  # a language that begins with a few phrases has none for some tools
        lines.append(f"  people say: {said}")
    return "\n".join(lines)


def _examples(policy: Policy, facts: ToolFacts, thing: str) -> Iterator[str]:
    """As people say it, where the language's folder has it; else the plainest sentences of the ways of asking."""
    said = (policy.source.get("sayings") or {}).get(facts.intent)
    if said:
        yield from said
        return
    frames = [frame for frame in policy.frames if frame.intent == facts.intent and not frame.weak]
    for frame in frames[:_EXAMPLES]:
        yield _example(frame, policy, {"target": f"<{thing}>", **_placeholders(facts)})


def _placeholders(facts: ToolFacts) -> dict[str, str]:
    return {name: "..." if kind in _FREE else f"<{base_name(name)}>" for name, kind in facts.reads.items()}


def _example(frame: Frame, policy: Policy, placeholders: Mapping[str, str]) -> str:
    return " ".join(_shortest(compile_pattern(frame.patterns[0]), policy, placeholders))


def _shortest(nodes: tuple[Node, ...], policy: Policy, placeholders: Mapping[str, str]) -> Iterator[str]:
    """The plainest sentence of a pattern: first choices, optional parts left out."""
    for node in nodes:
        if node.kind == "word":
            yield node.value
        elif node.kind == "class":
            yield policy.words[node.value][0]
        elif node.kind == "slot" and not node.optional:
            yield placeholders.get(node.value, f"<{node.value}>")
        elif node.kind == "options" and not node.optional:
            yield from _shortest(node.options[0], policy, placeholders)


def _steps_text(policy: Policy, thing: str) -> str:
    adds = any(facts.effect == "add" for facts in policy.catalogue.tools)
    lines = [
        "Several requests in one message run in the order said, each as its own call.",
        *([f"Words joined inside one title are one {thing}: buy bread and butter."] if adds else ()),
        "If a request needs an answer first, run what comes before it, ask, and run the rest after the answer.",
        "A message that answers your question belongs to that question; a new request replaces it.",
        f"it, that, the second one: the {thing} talked about last, or the place in the list shown last; "
        "if unsure, ask.",
        "Report what the tool returned, also a failure; never claim what was not done.",
    ]
    return f"## Several steps (policy {policy.version})\n" + "\n".join(f"- {line}" for line in lines)
