"""Written conversations, turn by turn, as if each had come out as it should: message, Context and what is expected.

Nothing is stored and nothing is decided here, so that thousands of turns are there in a second. What the assistant said
and did before a turn is made from what the earlier turns expect.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from engine.border.wire import read_context
from engine.decision import Context
from engine.domain import Domain
from engine.text.folding import split_words
from evals.conversations.form import ExpectedOutcome, WrittenConversation, WrittenTurn
from evals.conversations.titles import same_form

_HISTORY = 12
_TELLING, _STEM = 4, 5
"""Letters: of words that say something, and of what forms of a word share."""
_USUAL = {"description": "", "priority": "medium", "due_date": None, "status": "pending"}


@dataclass
class KeptStore:
    """The tasks as they are before a turn."""

    language: str
    tasks: list[dict[str, Any]] = field(default_factory=list)
    gone: list[dict[str, Any]] = field(default_factory=list)
    number: int = 0

    def add(self, fields: dict[str, Any]) -> dict[str, Any]:
        back = next((each for each in self.gone if self._is(each, _forms(fields["title"]))), None)
        self.number += 1
        named = {"id": f"t{self.number}", "number": self.number, "forms": _forms(fields["title"])}
        task = back or {**_USUAL, **named}
        task.update({name: value for name, value in fields.items() if name != "title"})
        task["title"] = task.get("title") or named["forms"][0]
        task["description"] = task["description"] or ""
        self.tasks.append(task)
        return task

    def find(self, titles: tuple[str, ...]) -> dict[str, Any] | None:
        return next((each for each in self.tasks if self._is(each, titles)), None)

    def _is(self, task: dict[str, Any], titles: tuple[str, ...]) -> bool:
        forms = {same_form(form, self.language) for form in (*task["forms"], task["title"])}
        return not forms.isdisjoint(same_form(title, self.language) for title in titles)


def _forms(title: Any) -> tuple[str, ...]:
    return (title,) if isinstance(title, str) else tuple(title)


@dataclass(frozen=True)
class StandingTurn:
    conversation: WrittenConversation
    place: int
    turn: WrittenTurn
    context: Context
    store: KeptStore


def each_turn(conversation: WrittenConversation, domain: Domain) -> Iterator[StandingTurn]:
    store = KeptStore(conversation.lang)
    for task in conversation.tasks:
        store.add(task.model_dump(exclude_unset=True))
    history: list[dict[str, Any]] = []
    pending: dict[str, Any] | None = None
    for place, turn in enumerate(conversation.turns, start=1):
        now = datetime.fromisoformat(conversation.now) + timedelta(seconds=place)
        data = {
            "tasks": [{name: value for name, value in each.items() if name != "forms"} for each in store.tasks],
            "history": history[-_HISTORY:],
            "pending": pending,
            "now": now.isoformat(),
            "lang": conversation.lang,
        }
        yield StandingTurn(conversation, place, turn, read_context(data, now, domain), store)
        outcome = turn.expect.outcomes[0]
        calls, named, said = apply(outcome, store)
        if outcome.tell and not named:
            named = _spoken_of(turn.say, store) or next(
                (each["tasks"] for each in reversed(history) if "tasks" in each), []
            )
        pending = _question(outcome, store)
        history += [
            {"role": "user", "content": turn.say},
            {"role": "assistant", "content": said, "tasks": named, "calls": calls},
        ]


def apply(outcome: ExpectedOutcome, store: KeptStore) -> tuple[list[dict[str, Any]], list[str], str]:
    """Makes the changes; says what was called, which tasks were named, and how that was told."""
    calls: list[dict[str, Any]] = []
    named: list[str] = []
    for added in outcome.add:
        task = store.add(added.fields)
        given = {name: task[name] for name in ("title", "due_date", "priority", "description") if task[name]}
        calls.append({"tool_name": "add_task", "parameters": given})
        named.append(task["id"])
    for changed in outcome.set:
        found = store.find(changed.task)
        if found is None:
            continue
        fields = changed.fields
        if "title" in fields:
            found["forms"] = fields["title"]
            fields = {**fields, "title": fields["title"][0]}
        found.update(fields)
        done = set(fields) == {"status"} and fields["status"] == "completed"
        given = {} if done else {f"new_{name}": value for name, value in fields.items() if value is not None}
        calls.append(
            {
                "tool_name": "complete_task" if done else "update_task",
                "parameters": {"task_identifier": found["id"], **given},
            }
        )
        found["description"] = found["description"] or ""
        named.append(found["id"])
    for titles in outcome.delete:
        found = store.find(titles)
        if found:
            store.tasks.remove(found)
            store.gone.append(found)
            calls.append({"tool_name": "delete_task", "parameters": {"task_identifier": found["id"]}})
            named.append(found["id"])
    if outcome.show is not None or outcome.tell:
        shown = [task["id"] for titles in outcome.show or () if (task := store.find(titles))]
        calls.append({"tool_name": "list_tasks", "parameters": {}})
        named += shown
    asked = [task["id"] for titles in outcome.ask_delete if (task := store.find(titles))]
    return calls, [*named, *asked], "OK." if calls else ""


def _spoken_of(said: str, store: KeptStore) -> list[str]:
    """What an answer in words is about: the task whose title has most of the question's words."""
    asked = [word[:_STEM] for word in split_words(said) if len(word) >= _TELLING]
    hits = {each["id"]: sum(word[:_STEM] in asked for word in split_words(each["title"])) for each in store.tasks}
    best = max(hits.values(), default=0)
    found = [each for each, count in hits.items() if best and count == best]
    return found if len(found) == 1 else []


def _question(outcome: ExpectedOutcome, store: KeptStore) -> dict[str, Any] | None:
    asked = [task["id"] for titles in outcome.ask_delete if (task := store.find(titles))]
    if not asked:
        return None
    calls = [{"tool_name": "delete_task", "parameters": {"task_identifier": each}} for each in asked]
    return {
        "kind": "confirm", "intent": "delete_task", "call": calls[0], "question": "?", "then": calls[1:],
    }  # fmt: skip
