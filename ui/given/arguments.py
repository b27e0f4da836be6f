"""What an intent's tool can be told. No streamlit."""

from __future__ import annotations

from domains.catalogues import load_tools
from domains.loading import TASKS, load_domain


def arguments_of(intent: str, domain: str = TASKS) -> tuple[str, ...]:
    """The arguments that the intent's tool takes, its target aside."""
    facts = load_domain(domain).catalogue.by_intent.get(intent)
    tool = load_tools(domain).get(facts.name) if facts else None
    return tuple(name for name in tool.arguments.model_fields if name != facts.target) if facts and tool else ()
