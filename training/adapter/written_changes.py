"""From an expected change of the store to the call that makes it, in the model's form: words of the message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.text.folding import fold, split_words
from engine.values import Task
from evals.conversations.form import AddedTask, ChangedTask, ExpectedOutcome
from llm.words import says_more
from training.adapter.example import Call, in_order
from training.adapter.spans import due_words, spelled_as, title_words_of
from training.adapter.written_scene import Scene


def brought_back(outcome: ExpectedOutcome, scene: Scene) -> str | None:
    """What was deleted a while ago and is wanted again, in words of the message."""
    if len(outcome.add) != 1 or outcome.set or outcome.delete or scene.store is None:
        return None
    forms = {fold(form) for form in outcome.add[0].title}
    gone = next((each for each in scene.store.gone if fold(each["title"]) in forms), None)
    if gone is None:
        return None
    spoken = set(split_words(scene.text))
    said = [word for word in split_words(gone["title"]) if len(word) > 3 and word in spoken]
    return spelled_as(said[0], scene.text) if said else None


def write_add(added: AddedTask, scene: Scene) -> Call | None:
    title = title_words_of(added.title, scene.text, scene.known)
    if title is None:
        return None
    arguments: dict[str, Any] = {"title": title}
    fields = added.fields
    if fields.get("due_date"):
        words = due_words(fields["due_date"], scene.text, scene.context, scene.policy, None)
        if words is None:
            return None
        arguments["due_date"] = words
    if fields.get("priority"):
        arguments["priority"] = fields["priority"]
    if fields.get("description"):
        note = _note(fields["description"], scene)
        if note is None:
            return None
        arguments["description"] = note
    return in_order("add_task", arguments)


def _note(wanted: str, scene: Scene) -> str | None:
    if fold(wanted) in fold(scene.text):
        return spelled_as(wanted, scene.text)
    return wanted if set(split_words(wanted)) <= set(split_words(scene.text)) else None


def _new_note(wanted: str, task: Task, scene: Scene) -> str | None:
    """The note, or what is put behind the one that is there."""
    old = task.description
    if old and fold(wanted).startswith(fold(old)) and len(wanted) > len(old):
        more = wanted[len(old) :].strip(" \n,;.-:/+")
        return _note(more, scene) if more and says_more(scene.text, scene.policy) else None
    if old and says_more(scene.text, scene.policy):
        return None  # our code would put it behind the old one
    return _note(wanted, scene)


def write_set(changed: ChangedTask, scene: Scene) -> Call | None:
    found = scene.find(changed.task)
    if found not in scene.in_view:
        return None
    task, fields = scene.task(str(found)), changed.fields
    target = {"task_identifier": f"#{task.number}"}
    if set(fields) == {"status"} and fields["status"] == "completed":
        return in_order("complete_task", target)
    arguments: dict[str, Any] = dict(target)
    for name, value in fields.items():
        given = _field(name, value, task, scene)
        if given is None:
            return None
        arguments[f"new_{name}"] = given
    return in_order("update_task", arguments)


def _field(name: str, value: Any, task: Task, scene: Scene) -> str | None:
    if name == "title":
        return title_words_of(value, scene.text, scene.known)
    if name == "due_date":
        return due_words(value, scene.text, scene.context, scene.policy, task) if value else "none"
    if name == "description":
        return _new_note(value, task, scene) if value else ""
    return str(value)


def write_delete(forms: Sequence[str], scene: Scene) -> Call | None:
    found = scene.find(forms)
    return ("delete_task", {"task_identifier": scene.number(str(found))}) if found in scene.in_view else None
