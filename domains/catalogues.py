"""The tools of all domains as others see them: schemas by name, and which domain a tool belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from domains.loading import TASKS, list_domains, load_domain
from engine.catalogue.schemas import Tool, read_tools
from engine.domain import UNKNOWN, Domain, ToolFacts
from engine.values import ToolCall


@cache
def load_tools(domain: str = TASKS) -> Mapping[str, Tool]:
    """A domain's tools by name, in the order of its signatures."""
    return read_tools(load_domain(domain).catalogue)


@cache
def load_all_domains() -> tuple[Domain, ...]:
    return tuple(load_domain(name) for name in list_domains())


@cache
def load_all_tools() -> Mapping[str, Tool]:
    """The tools of every domain: what the executor can carry out."""
    return {name: tool for domain in list_domains() for name, tool in load_tools(domain).items()}


@cache
def _domains_by_tool() -> Mapping[str, str]:
    return {tool: domain for domain in list_domains() for tool in load_domain(domain).catalogue.by_name}


def find_domain_of(tool_name: str) -> Domain | None:
    """The domain whose tool this is."""
    name = _domains_by_tool().get(tool_name)
    return load_domain(name) if name else None


def find_facts(tool_name: str) -> ToolFacts | None:
    """What is to be known of a tool, of whichever domain it is."""
    domain = find_domain_of(tool_name)
    return domain.catalogue.by_name[tool_name] if domain else None


def needs_yes(tool_name: str) -> bool:
    facts = find_facts(tool_name)
    return facts is not None and facts.needs_yes


def find_target(call: ToolCall) -> str | None:
    """What a call acts on, as it names it, of whichever domain its tool is."""
    domain = find_domain_of(call.tool_name)
    return domain.catalogue.target_of(call) if domain else None


def find_intent(tool_name: str) -> str:
    """The intent that a tool serves, of whichever domain it is."""
    domain = find_domain_of(tool_name)
    return domain.catalogue.intent_of(tool_name) if domain else UNKNOWN
