"""Why a call is not about the wanted thing, or lacks a wanted value: references and filters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.catalogue.facts import Reads, ToolFacts
from engine.decision import Context, Decision, Intent
from engine.explaining.agreement import calls_of
from engine.policy.values import Policy
from engine.text.folding import title_words
from engine.text.normalise import normalise
from engine.why.values import ValueGap

_BY_CLASS: tuple[tuple[Reads, str], ...] = (
    ("level", ""), ("level_filter", ""), ("state_filter", "status"), ("status", "status"),
)  # fmt: skip
"""Arguments whose values are said by words of a class, with what the names of these classes begin with."""
_EXAMPLES = 3


def find_gaps(
    text: str, decision: Decision, context: Context, wanted: Intent, arguments: Mapping[str, str], policy: Policy
) -> Iterator[ValueGap]:
    """`arguments` are the wanted ones; the one that names the target is a thing's id or its title."""
    facts = policy.catalogue.by_intent.get(wanted)
    call = next((each for each in calls_of(decision) if facts and each.tool_name == facts.name), None)
    for name, value in arguments.items() if facts else ():
        assert facts is not None  # noqa: S101 - for the type checker: there is nothing to look at without facts
        found = call.parameters.get(name) if call else None
        if name == facts.target:
            yield from _target(decision, context, str(value), policy)
        elif str(found) != str(value):
            yield _value(text, facts, name, str(value), found, policy)


def _target(decision: Decision, context: Context, wanted: str, policy: Policy) -> Iterator[ValueGap]:
    references = decision.references
    if any(each.task_id is not None and _is(each.task_id, wanted, context) for each in references):
        return
    limits, name = policy.thresholds, _name(wanted, context)
    reference = references[0] if references else None
    if reference is None:
        yield ValueGap("target", name, "", "no words of the message were taken for a name")
        return
    best = reference.candidates[0] if reference.candidates else None
    found = _name(best.task_id, context) if best else ""
    own = next((each for each in reference.candidates if _is(each.task_id, wanted, context)), None)
    if own is None:
        task = context.tasks.find_by_id(wanted)
        shared = set(title_words(task.title)) & set(title_words(reference.mention)) if task else set()
        why = "they have no word in common" if not shared else f"only {', '.join(map(repr, sorted(shared)))} is in both"
        yield ValueGap("target", name, found, f"“{reference.mention}” does not name “{name}”: {why}")
    elif own.score < limits.target:
        short = f"below the threshold “target” of {limits.target:.2f}"
        told = f"“{reference.mention}” fits “{name}” to {own.score:.2f}, {short}"
        yield ValueGap("target", name, found, told)
    elif best and best.task_id != own.task_id:
        told = f"“{name}” fits to {own.score:.2f}, and loses by {best.score - own.score:.2f} to “{found}” ({best.how})"
        yield ValueGap("target", name, found, told)
    else:
        rival = next((each for each in reference.candidates if each.task_id != own.task_id), None)
        closer = f": “{_name(rival.task_id, context)}” is only {own.score - rival.score:.2f} behind" if rival else ""
        told = f"“{name}” fits best, to {own.score:.2f}, and is asked about{closer}"
        yield ValueGap("target", name, found, told)


def _is(task_id: str, wanted: str, context: Context) -> bool:
    return task_id == wanted or _name(task_id, context).casefold() == wanted.casefold()


def _name(task_id: str, context: Context) -> str:
    task = context.tasks.find_by_id(task_id)
    return task.title if task else task_id


def _value(text: str, facts: ToolFacts, name: str, wanted: str, found: object, policy: Policy) -> ValueGap:
    """For a value that words of a class say: whether one of them is there."""
    shown = "nothing" if found is None else f"“{found}”"
    classes = tuple(dict.fromkeys(_classes(facts, name, wanted, policy)))
    if not classes:
        return ValueGap(name, wanted, str(found or ""), f"{name} is {shown} instead of “{wanted}”")
    words = normalise(text, policy.spellings, policy.elisions).words
    said = [
        " ".join(words[place:end])
        for class_name in classes
        for place in range(len(words))
        for end in policy.lexicon.ends(class_name, words, place)
    ]
    if said:
        told = f"{name} is {shown} although “{said[0]}” says “{wanted}”: it was read as something else"
        return ValueGap(name, wanted, str(found or ""), told, classes)
    known = ", ".join(f"“{phrase}”" for phrase in policy.words.get(classes[0], ())[:_EXAMPLES])
    told = f"{name} is {shown}: no word of the message is a {' or '.join(f'<{each}>' for each in classes)} ({known}, …)"
    return ValueGap(name, wanted, str(found or ""), told, classes)


def _classes(facts: ToolFacts, name: str, wanted: str, policy: Policy) -> Iterator[str]:
    catalogue = policy.catalogue
    kind = facts.reads.get(name)
    for reads, prefix in _BY_CLASS:
        if kind == reads:
            found = catalogue.classes_of(facts, reads, prefix).items()
            yield from (each for each, value in found if value == wanted and each in policy.words)
            yield from (each for each in (f"level_{wanted}",) if "level" in reads and each in policy.words)
    if kind == "day_filter" and f"{name}_{wanted}" in policy.words:
        yield f"{name}_{wanted}"
