"""After a tool has answered: one or two plain sentences that say what the result says."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from typing import Any

from training.adapter.example import Example, in_order, user
from training.adapter.requests import TOOL_OF
from training.adapter.sentences import say
from training.adapter.speaker import Speaker

_MOST_NAMED = 3
_DONE = {
    "en": {"add_task": "I added '{title}' (#{number}){due}.", "complete_task": "'{title}' (#{number}) is done.",
           "delete_task": "I deleted '{title}' (#{number}).", "update_task": "I changed '{title}' (#{number}){due}.",
           "unchanged": "Nothing to do: '{title}' (#{number}) was already so.", "due": ", due {date}",
           "none": "You have no such tasks.", "list": "You have {total} tasks: {names}.",
           "one": "You have one task: {names}.",
           "more": "You have {total} tasks, among them {names}.", "error": "That did not work: {message}",
           "near": "{message} Did you mean {names}?",
           "user": "You are {name}: {pending} tasks pending, {completed} completed, {overdue} overdue."},
    "it": {"add_task": "Ho aggiunto '{title}' (#{number}){due}.", "complete_task": "'{title}' (#{number}) è fatta.",
           "delete_task": "Ho eliminato '{title}' (#{number}).",
           "update_task": "Ho cambiato '{title}' (#{number}){due}.",
           "unchanged": "Niente da fare: '{title}' (#{number}) era già così.", "due": ", scadenza {date}",
           "none": "Non hai attività di questo tipo.", "list": "Hai {total} attività: {names}.",
           "one": "Hai un'attività: {names}.", "more": "Hai {total} attività, tra cui {names}.",
           "error": "Non ha funzionato: {message}", "near": "{message} Intendevi {names}?",
           "user": "Sei {name}: {pending} attività aperte, {completed} completate, {overdue} scadute."},
}  # fmt: skip


def results(speaker: Speaker, count: int) -> Iterator[Example]:
    kinds = ("add", "add_date", "add_prio", "complete", "delete", "update", "list", "list_more", "identity")
    for _ in range(count):
        asked = [speaker.chooser.choice(kinds)]
        if speaker.chance(0.12):
            asked.append("list")
        sentences = [say(speaker, speaker.pick(kind), TOOL_OF[kind], bare=len(asked) > 1) for kind in asked]
        text = (" and " if speaker.language == "en" else " e ").join(each.text.removeprefix("!") for each in sentences)
        calls, answers, sentence = [], [], []
        for place, (kind, each) in enumerate(zip(asked, sentences, strict=True)):
            name, arguments = in_order(TOOL_OF[kind], each.arguments)
            result = _result(speaker, name, arguments)
            function = {"name": name, "arguments": json.dumps(arguments, ensure_ascii=False)}
            calls.append({"id": f"call_{place}", "type": "function", "function": function})
            content = json.dumps(result, ensure_ascii=False)
            answers.append({"role": "tool", "tool_call_id": f"call_{place}", "content": content})
            sentence.append(describe(speaker.language, name, result))
        messages = (user(text), {"role": "assistant", "content": "", "tool_calls": calls}, *answers)
        yield Example("result", speaker.language, messages, text=" ".join(sentence))


def describe(language: str, tool: str, result: dict[str, Any]) -> str:
    words = _DONE[language]
    if result["status"] == "error":
        near = [f"'{task['title']}' (#{task['number']})" for task in result.get("suggestions", ())[:_MOST_NAMED]]
        joint = " or " if language == "en" else " o "
        if near:
            return words["near"].format(message=result["error_message"], names=joint.join(near))
        return words["error"].format(message=result["error_message"])
    if tool == "get_user_info":
        return words["user"].format(**result)
    if tool == "list_tasks":
        names = ", ".join(f"#{task['number']} {task['title']}" for task in result["tasks"][:_MOST_NAMED])
        total = result["total"]
        key = "none" if not total else "one" if total == 1 else "list" if total <= _MOST_NAMED else "more"
        return words[key].format(total=total, names=names)
    if result.get("changed") is False:
        return words["unchanged"].format(**result)
    date = result.get("due_date")
    shown = words["due"].format(date=date.replace("T", " ")) if date and tool != "complete_task" else ""
    return words[tool].format(title=result["title"], number=result["number"], due=shown)


def _result(speaker: Speaker, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    if tool == "get_user_info":
        numbers = {name: speaker.chooser.randint(0, 20) for name in ("pending", "completed", "overdue")}
        name = speaker.pick("names")
        return {"status": "success", "name": name, "handle": name.lower(), **numbers}
    if tool == "list_tasks":
        total = speaker.chooser.choice((0, 1, 2, 3, 4, 5, 7))
        tasks = [_task(speaker, speaker.thing().title) for _ in range(total)]
        short = speaker.chance(0.5)
        shown = [{key: task[key] for key in ("number", "title", "due_date", "completed")} for task in tasks]
        return {"status": "success", "count": total, "total": total, "tasks": shown if short else tasks}
    if tool != "add_task" and speaker.chance(0.2):
        return _failure(speaker, str(arguments["task_identifier"]))
    title = arguments.get("title") or arguments.get("new_title") or speaker.thing().title
    task = _task(speaker, title, dated="due_date" in arguments or "new_due_date" in arguments)
    task["task_id"] = task.pop("id")
    del task["created_at"]
    if speaker.chance(0.4):
        task = {key: task[key] for key in ("number", "title", "due_date", "completed")}
    changed = {"changed": False} if tool in ("complete_task", "update_task") and speaker.chance(0.1) else {}
    return {"status": "success", **task, **changed}


def _task(speaker: Speaker, title: str, *, dated: bool | None = None) -> dict[str, Any]:
    draw = speaker.chooser
    day = f"2026-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}"
    due = day + draw.choice(["", "", f"T{draw.randint(7, 20):02}:{draw.choice(['00', '30'])}"])
    return {
        "id": str(uuid.UUID(int=draw.getrandbits(128))),
        "number": draw.randint(1, 60),
        "title": title,
        "description": "",
        "priority": draw.choice(("low", "medium", "medium", "high")),
        "due_date": due if (draw.random() < 0.4 if dated is None else dated) else None,
        "completed": draw.random() < 0.2,
        "created_at": f"{day}T09:00:00",
    }


def _failure(speaker: Speaker, named: str) -> dict[str, Any]:
    message = speaker.chooser.choice([f"There is no task '{named}'.", f"No task '{named}' was found."])
    near = [
        {"id": "x", "number": speaker.chooser.randint(1, 40), "title": speaker.thing().title}
        for _ in range(speaker.chooser.randint(0, 2))
    ]
    answer: dict[str, Any] = {"status": "error", "error_kind": "not_found", "error_message": message}
    return {**answer, "suggestions": near} if near else answer
