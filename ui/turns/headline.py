"""A decision in one line, as people would say it: "Would delete #4 “Renew passport”, after a yes". No streamlit."""

from __future__ import annotations

from collections.abc import Mapping

from domains.catalogues import find_domain_of, find_facts
from domains.loading import list_domains, load_domain
from engine.catalogue.facts import ToolFacts, base_name
from engine.decision import Context, Decision, Intent
from engine.domain import Domain
from engine.values import Task, ToolCall
from ui.call_words import name_argument, show_value


def headline(decision: Decision, context: Context) -> str:
    """What was decided, in one line: "Would delete #4 “Renew passport”, after a yes"."""
    waiting = decision.pending.call if decision.pending else None
    if decision.action == "execute":
        return "Will " + " and then ".join(describe_call(call, decision.intent, context) for call in decision.calls)
    if decision.action == "confirm":
        return f"Would {describe_call(decision.calls[0], decision.intent, context)}, after a yes"
    if decision.action == "clarify":
        meant = describe_call(waiting, decision.intent, context) if waiting else _do(find_facts_of(decision.intent))
        return f"Would {meant}, but has to ask first"
    return "Does nothing, only replies"


def describe_call(call: ToolCall, intent: Intent, context: Context) -> str:
    facts = find_facts(call.tool_name) or find_facts_of(intent)
    about = _about(call, facts, context)
    named = {facts.target, facts.argument("name") if not facts.target else ""} if facts else set()
    known = names_of_values(find_domain_of(call.tool_name), context)
    values = {
        name: show_value(call.tool_name, name, value, known)
        for name, value in call.parameters.items()
        if name not in named
    }
    details = ", ".join(f"{name_argument(base_name(name))} {value}" for name, value in values.items())
    return f"{_do(facts, about)}{f' ({details})' if details else ''}"


def find_facts_of(intent: Intent) -> ToolFacts | None:
    """Of whichever domain has the intent."""
    found = (load_domain(name).catalogue.by_intent.get(intent) for name in list_domains())
    return next((facts for facts in found if facts), None)


def _do(facts: ToolFacts | None, about: str = "") -> str:
    """The verb of the label and what it is about: "delete #4 “Renew passport”"; without it "delete a task"."""
    if facts is None:
        return "do nothing"
    verb, _, something = facts.label.partition(" ")
    return facts.doing or f"{verb.lower()} {about or something}".strip()


def _about(call: ToolCall, facts: ToolFacts | None, context: Context) -> str:
    target = str(call.parameters.get(facts.target, "")) if facts and facts.target else ""
    task = context.tasks.find_by_id(target)
    if task:
        return name_thing(task, find_domain_of(call.tool_name))
    title = call.parameters.get(facts.argument("name")) if facts and not facts.target else None
    return f"“{title}”" if title else ""


def name_thing(task: Task, domain: Domain | None) -> str:
    numbered = domain is None or domain.catalogue.numbered
    return f"#{task.number} “{task.title}”" if numbered else f"“{task.title}”"


def names_of_values(domain: Domain | None, context: Context) -> Mapping[str, str]:
    """What ids stand for, where the domain has other things than targets."""
    return domain.conduct.name_values(context) if domain and domain.conduct else {}
