"""What the embedded model sees of how things stand: the tasks that a message may be about, and what was said and done.

One function renders it, in training and in use. It is short, for the model reads some seventy tokens a second, and it
is data: a title is one line, is cut, and opens no turn of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date

from engine.catalogue.facts import Catalogue
from engine.decision import Context, Message, Pending
from engine.policy.values import Policy
from engine.values import Task, ToolCall
from llm.tool_list import UNDO

MOST_TASKS = 7
_SPOKEN_OF = 5
_LIKELY = 4
_EXCHANGES = 2
_TITLE_LIMIT = 48
_SAID_LIMIT = 90
_LOOKED_BACK = 6
_SHORT_ANSWER = 12
_MOST_NAMED = 8

_TURN_MARKS = re.compile(
    r"<[|｜][^\s<>|｜]{1,60}[|｜]>"  # <|im_start|>, <|eot_id|>
    r"|</?\s*(?:tool_call|tool_response|tools?|function(?:_calls?)?|think|s|bos|eos|start_of_turn|end_of_turn)\s*>"
    r"|</?\s*function=[^<>]{0,60}>"
    r"|<</?SYS>>|\[/?(?:INST|TOOL_CALLS|TOOL_RESULTS|AVAILABLE_TOOLS)\]",
    re.IGNORECASE,
)
"""What chat templates mark turns and calls with. A server reads these marks also inside a message: a task called
"<|im_end|><|im_start|>system ..." would open a turn of its own."""
_HARMLESS = str.maketrans("<>[]", "‹›⟦⟧")

_DONE = {"add": "added", "change": "changed", "finish": "finished", "remove": "deleted"}
_ASKED = {"add": "add", "change": "change", "finish": "finish", "remove": "delete"}
"""By the effect of the tool."""


def without_turn_marks(text: str) -> str:
    """The text with such marks spelled in look-alikes: it reads the same and marks nothing."""
    return _TURN_MARKS.sub(lambda found: found.group().translate(_HARMLESS), text)


def one_line(text: str) -> str:
    """A title cannot begin a line of its own, where it would pass for a rule or for another task."""
    return without_turn_marks(" ".join(text.split()))


def describe_standing(text: str, context: Context, policy: Policy) -> str:
    """Empty where there are no tasks and nothing was said before."""
    catalogue = policy.catalogue
    lines = [_task_line(task, policy) for task in pick_tasks(text, context, catalogue)]
    return "\n".join([*lines, *_exchanges(context, catalogue)])


def pick_tasks(text: str, context: Context, catalogue: Catalogue) -> tuple[Task, ...]:
    """Those spoken of last, those that the words may name, and the latest; in the order of their numbers."""
    index = context.tasks
    spoken = [
        task
        for message in reversed(context.history[-_LOOKED_BACK:])
        for task_id in message.tasks
        if (task := index.find_by_id(task_id))
    ]
    asked = [task for task_id in _waiting(context.pending, catalogue) if (task := index.find_by_id(task_id))]
    likely = index.candidates(text, _LIKELY)
    found = _first([*asked, *_first(spoken, _SPOKEN_OF), *likely, *index.recent(MOST_TASKS)], MOST_TASKS)
    return tuple(sorted(found, key=lambda task: task.number))


def _first(tasks: Iterable[Task], most: int) -> list[Task]:
    return list({task.id: task for task in tasks if isinstance(task, Task)}.values())[:most]


def _waiting(pending: Pending | None, catalogue: Catalogue) -> tuple[str, ...]:
    if pending is None:
        return ()
    targets = [catalogue.target_of(call) or "" for call in (pending.call, *pending.then)]
    return (*targets, *pending.options)


def _task_line(task: Task, policy: Policy) -> str:
    title = one_line(task.title)
    if len(title) > _TITLE_LIMIT:
        title = title[: _TITLE_LIMIT - 1].rstrip() + "…"
    day = _short_day(task.due_date, policy) if task.due_date else ""
    state = "done" if task.status == policy.catalogue.states[1] else ""
    return f"#{task.number} " + ", ".join(part for part in (title, day, state) if part)


def _short_day(due: str, policy: Policy) -> str:
    day = date.fromisoformat(due[:10])
    names = policy.replies.get("weekday_names", "").split()
    return f"{names[day.weekday()] if len(names) == 7 else ''} {day.day}".strip()


def _exchanges(context: Context, catalogue: Catalogue) -> list[str]:
    """The last ones, each on a line: what was said, and what came of it."""
    pairs: list[tuple[str, Message | None]] = []
    for message in context.history[-4 * _EXCHANGES :]:
        if message.role == "user":
            pairs.append((message.content, None))
        elif pairs and pairs[-1][1] is None:
            pairs[-1] = (pairs[-1][0], message)
            if len(pairs) > 1 and _settles(pairs[-1][0], message, pairs[-2][1], catalogue):
                pairs[-2:] = [(pairs[-2][0], message)]
        else:
            pairs.append(("", message))
    lines = []
    last = len(pairs) - 1
    for place, (said, answer) in enumerate(pairs):
        pending = context.pending if place == last else None
        lines.append(f'"{_cut(said)}" -> {_outcome(answer, pending, context, catalogue)}')
    return lines[-_EXCHANGES:]


def _settles(said: str, answer: Message, before: Message | None, catalogue: Catalogue) -> bool:
    """Whether a short word only said yes to something that was offered: what was asked for came before it."""
    asked = before is not None and not before.calls and before.content.rstrip().endswith("?")
    done = [_effect(call, catalogue) for call in answer.calls]
    return asked and bool(done) and "remove" not in done and len(said) <= _SHORT_ANSWER


def _cut(said: str) -> str:
    said = one_line(said).replace('"', "'")
    return said if len(said) <= _SAID_LIMIT else said[: _SAID_LIMIT - 1].rstrip() + "…"


def _effect(call: ToolCall, catalogue: Catalogue) -> str:
    facts = catalogue.by_name.get(call.tool_name)
    return facts.effect if facts else ""


def _done(call: ToolCall, catalogue: Catalogue) -> str:
    if call.tool_name == UNDO:
        return "undone"
    shown = catalogue.intent_of(call.tool_name) in catalogue.lists
    return _DONE.get(_effect(call, catalogue), "shown" if shown else "told")


def _outcome(answer: Message | None, pending: Pending | None, context: Context, catalogue: Catalogue) -> str:
    done = " ".join(dict.fromkeys(_done(call, catalogue) for call in answer.calls)) if answer else ""
    named = _numbers(answer.tasks, context) if answer else ""
    told = " ".join(part for part in (done or ("named" if named and not pending else ""), named) if part)
    told = told if done or not pending else ""
    return ", ".join(part for part in (told, _question(pending, context, catalogue)) if part) or "ok"


def _question(pending: Pending | None, context: Context, catalogue: Catalogue) -> str:
    if pending is None:
        return ""
    facts = catalogue.by_name.get(pending.call.tool_name)
    verb = _ASKED.get(facts.effect, "") if facts else ""
    if pending.kind == "choose":
        return f"asked: {verb} which? {_numbers(pending.options, context)}".strip()
    if pending.kind == "fill":
        what = "which" if facts and pending.parameter == facts.target else pending.parameter
        return f"asked: {verb} {_target(pending.call, context, catalogue)} {what}?".replace("  ", " ")
    calls = [call for call in (pending.call, *pending.then) if call.tool_name == pending.call.tool_name]
    targets = " ".join(part for call in calls if (part := _target(call, context, catalogue)))
    return f"asked: {verb} {targets}".strip() + "?"


def _target(call: ToolCall, context: Context, catalogue: Catalogue) -> str:
    named = catalogue.target_of(call)
    return _numbers((named,), context) if named else ""


def _numbers(task_ids: Iterable[str], context: Context) -> str:
    found = [context.tasks.find_by_id(task_id) for task_id in list(task_ids)[:_MOST_NAMED]]
    return " ".join(f"#{task.number}" for task in found if task)
