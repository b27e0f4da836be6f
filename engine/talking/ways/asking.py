"""Questions about one thing, or how things stand: answered in a sentence from the store, with what is meant shown."""

from __future__ import annotations

from datetime import date

from engine.catalogue.facts import ToolFacts
from engine.decision import Reason, Slot
from engine.outcome.replies import say
from engine.outcome.report import spell_due
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.talking.lists.narrowing import read_filters
from engine.talking.values import Heard, Told
from engine.talking.ways.requesting import judge_as
from engine.values import DAY_LENGTH, Argument, Provenance, Span, Task, ToolCall

_PLURAL = ("count", "next", "urgent")


def ask_about(heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    policy = told.policy
    facts = next((tool for tool in policy.catalogue.tools if tool.intent in policy.catalogue.lists), None)
    if facts is None:
        return None
    if heard.way.asks in _PLURAL:
        return _how_things_stand(heard, facts, told)
    if heard.reference is None:
        return None
    if heard.reference.task_id is None:
        return _about_several(heard, facts, told)
    task = told.context.tasks.find_by_id(heard.reference.task_id)
    if task is None:
        return None
    search = Argument(facts.argument("search"), task.title, Provenance("store", heard.reference.span, "the title"))
    outcome = _shown(heard, facts, Draft(facts.intent, (search,)), told)
    answer = tell(task, heard.way.asks, told) if isinstance(task, Task) else ""
    return (outcome._replace(references=(heard.reference,), answer=answer, asks=heard.way.asks),)


def _about_several(heard: Heard, facts: ToolFacts, told: Told) -> tuple[Outcome, ...] | None:
    """Several tasks fit: all of them are shown."""
    reference = heard.reference
    if reference is None:
        return None
    search = Argument(facts.argument("search"), reference.mention, Provenance("words", reference.span))
    outcome = judge_as(heard, facts, Draft(facts.intent, (search,)), None, told)
    return (outcome._replace(references=(reference,), asks="several"),)


def _how_things_stand(heard: Heard, facts: ToolFacts, told: Told) -> tuple[Outcome, ...] | None:
    still_open = told.policy.catalogue.states[0]
    place = heard.slot("filter", "rest")
    slots: tuple[Slot, ...] = read_filters(place, facts, told) if place else ()
    span: Span = told.reading.utterance.span(heard.start, heard.end)
    given = {each.name: Argument(each.name, each.value, Provenance("words", each.span)) for each in slots}
    wanted = {facts.argument("state_filter"): still_open}
    if heard.way.asks == "next":
        wanted[facts.argument("limit")] = 1  # type: ignore[assignment]
    wanted.update(heard.way.sets)
    for name, value in wanted.items():
        if name and name not in given:
            given[name] = Argument(name, value, Provenance("words", span))
    outcome = _shown(heard, facts, Draft(facts.intent, tuple(given.values()), slots), told)
    return (outcome._replace(asks=heard.way.asks),)


def _shown(heard: Heard, facts: ToolFacts, draft: Draft, told: Told) -> Outcome:
    """To tell somebody how things stand harms nobody: it is done however sure the question is."""
    outcome = judge_as(heard, facts, draft, None, told)
    if outcome.action == "execute":
        return outcome
    call = ToolCall(facts.name, draft.arguments)
    return outcome._replace(action="execute", reason=Reason.MATCHED_RULE, message="", call=call, pending=None)


def tell(task: Task, asks: str, told: Told) -> str:
    """One sentence about one task."""
    policy, now = told.policy, told.context.now
    settled = policy.catalogue.states[1]
    title = task.title
    if asks in ("date", "days"):
        if not task.due_date:
            return say(policy, "told_no_date", title=title)
        days = (date.fromisoformat(task.due_date[:DAY_LENGTH]) - now.date()).days if asks == "days" else 0
        value = spell_due(policy, task.due_date, now)
        if days > 1:  # "tomorrow" says it by itself
            return say(policy, "told_days", title=title, count=days, value=value)
        return say(policy, "told_date", title=title, value=value)
    if asks == "level":
        return say(policy, "told_level", title=title, value=say(policy, f"value_{task.priority}"))
    if asks == "note":
        return say(policy, "told_note" if task.description else "told_no_note", title=title, value=task.description)
    state = say(policy, "told_done" if task.status == settled else "told_open", title=title)
    dated = task.due_date and asks in ("exists", "all")
    when = say(policy, "told_due", value=spell_due(policy, task.due_date or "", now)) if dated else ""
    due = f"{state} {when}".strip()
    tells = task.description and (asks == "all" or wonders(told))
    noted = say(policy, "told_its_note", value=task.description) if tells else ""
    return f"{due} {noted}".strip()


def wonders(told: Told) -> bool:
    """ "which leg was it", and not "is it done?": what begins so asks for more than a yes or no."""
    words, classes = told.reading.scene.words, told.policy.word_classes
    return any("wh" in classes.get(word, ()) for word in words[: told.reading.scene.opening + _FIRST])


_FIRST = 2
