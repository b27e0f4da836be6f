"""Arguments that are longer than their tool takes: what is looked for is cut, what is to be kept is asked for anew."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import ToolFacts
from engine.policy.values import Policy
from engine.slots.draft import Draft


def within_limits(drafted: Draft, facts: ToolFacts, policy: Policy) -> Draft:
    search = facts.argument("search")
    kept, problem = [], drafted.problem
    for each in drafted.arguments:
        limit = policy.catalogue.limits.get((facts.name, each.name))
        if limit and isinstance(each.value, str) and len(each.value) > limit:
            if each.name == search:
                each = replace(each, value=each.value[:limit].rpartition(" ")[0] or each.value[:limit])
            else:
                problem = problem or each.name
        kept.append(each)
    return drafted._replace(arguments=tuple(kept), problem=problem)
