"""Messages that need what went before: "it", "the second one", a yes, a title that was asked for, one of several."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.decision import Context, Message, Pending
from engine.values import Task, make_call
from llm.prompt import trained_messages
from llm.tool_list import REDO, UNDO
from training.adapter.example import Call, Example, in_order
from training.adapter.requests import TOOL_OF
from training.adapter.sentences import say
from training.adapter.speaker import Said, Speaker
from training.adapter.stores import did, find, in_context, make_store

_CLITICS = {
    "complete_task": ("completala", "spuntala", "completalo", "segnala come fatta", "segnalo come fatto"),
    "delete_task": ("eliminala", "cancellalo", "cancellala", "rimuovila", "toglila dalla lista"),
    "new_due_date": ("spostala a {}", "rimandalo a {}", "spostalo a {}", "posticipala a {}"),
    "new_title": ("rinominala in {}", "rinominalo in {}"),
}
_INSTEAD = {
    "en": ("no, just mark it as done", "no, complete it instead", "keep it, but mark that as done"),
    "it": ("no, segnala come fatta", "no, completala", "no, spuntala e basta"),
}
_BACK = {
    "en": ("undo that", "undo", "take that back", "revert the last change", "put it back as it was", "undo it please"),
    "it": ("annulla", "torna indietro", "annulla l'ultima modifica", "rimetti com'era", "disfa"),
}
_AGAIN = {
    "en": ("redo", "redo that", "no, do it again", "redo it after all"),
    "it": ("rifai", "ripristina", "no, rifallo", "rifallo"),
}
_WORDY = ("complete", "complete", "delete", "update", "update", "update")
_DONE = ("add_task", "update_task", "complete_task")


def conversations(speaker: Speaker, count: int) -> Iterator[Example]:
    makers: tuple[Callable[[Speaker], Example], ...] = (
        _pointing, _pointing, _pointing, _after_list, _after_list, _after_list, _answer_delete, _answer_delete,
        _answer_question, _choose, _several_fit, _take_back, _new_request,
    )  # fmt: skip
    for _ in range(count):
        yield speaker.chooser.choice(makers)(speaker)


def _make(speaker: Speaker, kind: str, context: Context, text: str, *calls: Call, reply: str = "") -> Example:
    made = tuple(in_order(*call) if call[0] in TOOL_OF.values() else call for call in calls)
    return Example(kind, speaker.language, tuple(trained_messages(text, context)), made, reply)


def _said_with(speaker: Speaker, kind: str, words: str) -> tuple[str, str, dict[str, Any]]:
    """A request whose target is the given words."""
    while True:
        entry = speaker.pick(kind)
        template = entry if isinstance(entry, str) else entry["say"]
        if "{target}" in template:
            break
    plain = template.replace("{target}", "\x00")
    sentence = say(speaker, plain if isinstance(entry, str) else {**entry, "say": plain}, TOOL_OF[kind])
    return sentence.text.replace("\x00", words), TOOL_OF[kind], dict(sentence.arguments)


def _number(task: Task) -> str:
    return f"#{task.number}"


def _after_doing(speaker: Speaker) -> tuple[Context, Task]:
    """Something was just done to a task."""
    title = speaker.thing().title
    tasks = make_store(speaker, [title])
    task = find(tasks, title)
    request = f"add {title}" if speaker.language == "en" else f"aggiungi {title}"
    said = [Message("user", request), did(speaker.chooser.choice(_DONE), [task])]
    if speaker.chance(0.15):
        thanks = "thanks" if speaker.language == "en" else "grazie"
        said += [Message("user", thanks), Message("assistant", "OK.")]
    return in_context(tasks, speaker.language, *said), task


def _pointing(speaker: Speaker) -> Example:
    """ "make it urgent": what was talked about last."""
    context, task = _after_doing(speaker)
    if speaker.language == "it" and speaker.chance(0.5):
        return _clitic(speaker, context, task)
    text, tool, arguments = _said_with(speaker, speaker.chooser.choice(_WORDY), speaker.pick("pronouns"))
    return _make(speaker, "pointing", context, text, (tool, {**arguments, "task_identifier": _number(task)}))


def _clitic(speaker: Speaker, context: Context, task: Task) -> Example:
    kind = speaker.chooser.choice(sorted(_CLITICS))
    template = speaker.chooser.choice(_CLITICS[kind])
    target = {"task_identifier": _number(task)}
    if kind in ("complete_task", "delete_task"):
        return _make(speaker, "pointing", context, template, (kind, target))
    said = speaker.date(plain=True) if kind == "new_due_date" else Said(*[speaker.title()] * 2)
    call = ("update_task", {**target, kind: said.value})
    return _make(speaker, "pointing", context, template.format(said.words), call)


def _shown(speaker: Speaker) -> tuple[Context, list[Task]]:
    """A list was just shown, in an order of its own."""
    tasks = make_store(speaker, [speaker.thing().title, speaker.pick("nouns")])
    listed = speaker.chooser.sample(tasks, speaker.chooser.randint(2, len(tasks)))
    asked = "show my tasks" if speaker.language == "en" else "mostrami le attività"
    return in_context(tasks, speaker.language, Message("user", asked), did("list_tasks", listed)), listed


_PLACES = {
    "en": {0: ("first",), 1: ("second",), 2: ("third",), 3: ("fourth",), -1: ("last",)},
    "it": {0: ("prima", "primo"), 1: ("seconda", "secondo"), 2: ("terza", "terzo"), -1: ("ultima", "ultimo")},
}


def _place_of(words: str, language: str) -> int | None:
    return next(
        (place for place, names in _PLACES[language].items() if any(name in words.lower() for name in names)), None
    )


def _after_list(speaker: Speaker) -> Example:
    context, listed = _shown(speaker)
    words = str(speaker.pick("ordinals"))
    place = _place_of(words, speaker.language)
    text, tool, arguments = _said_with(speaker, speaker.chooser.choice(_WORDY), words)
    known = place is not None and place < len(listed)
    target = _number(listed[place]) if known and place is not None else words
    return _make(speaker, "after_list", context, text, (tool, {**arguments, "task_identifier": target}))


def _asked_to_delete(speaker: Speaker) -> tuple[Context, Task]:
    title = speaker.thing().title
    tasks = make_store(speaker, [title])
    task = find(tasks, title)
    asked = f"delete {title}" if speaker.language == "en" else f"elimina {title}"
    call = make_call("delete_task", {"task_identifier": task.id}, "conversation")
    pending = Pending("confirm", "delete_task", call, question="?")
    said = (Message("user", asked), Message("assistant", "?", (task.id,)))
    return in_context(tasks, speaker.language, *said, pending=pending), task


def _answer_delete(speaker: Speaker) -> Example:
    """A yes repeats the call, which runs only if the engine heard the yes as well."""
    context, task = _asked_to_delete(speaker)
    draw, target = speaker.chooser.random(), {"task_identifier": _number(task)}
    if draw < 0.5:
        return _make(speaker, "yes", context, _spoken(speaker, "accept"), ("delete_task", target))
    if draw < 0.85:
        reply = speaker.words["replies"]["chat"]
        return _make(speaker, "no", context, _spoken(speaker, "refuse"), reply=reply)
    text = speaker.chooser.choice(_INSTEAD[speaker.language])
    return _make(speaker, "instead", context, text, ("complete_task", target))


def _spoken(speaker: Speaker, name: str) -> str:
    text = str(speaker.pick(name))
    return (text[0].upper() + text[1:] if speaker.chance(0.4) else text) + speaker.chooser.choice(["", "", ".", "!"])


def _answer_question(speaker: Speaker) -> Example:
    """The answer to a question of ours."""
    kind = speaker.chooser.choice(("add", "complete", "delete"))
    own = {"add": "ask_title", "complete": "ask_complete", "delete": "ask_delete"}[kind]
    asked = say(speaker, speaker.pick(own).replace(" {date}", "").replace("{prio_adj} ", ""), "").text
    tool = TOOL_OF[kind]
    pending = Pending(
        "fill", tool, make_call(tool, {}, "conversation"), "title" if kind == "add" else "task_identifier"
    )
    before = (Message("user", asked), Message("assistant", "?"))
    title = speaker.title()
    tasks = make_store(speaker, [] if kind == "add" else [title])
    context = in_context(tasks, speaker.language, *before, pending=pending)
    if kind == "add":
        if speaker.chance(0.3):
            date = speaker.date()
            call: Call = ("add_task", {"title": title, "due_date": date.value})
            return _make(speaker, "answer", context, f"{title} {date.words}", call)
        return _make(speaker, "answer", context, title, ("add_task", {"title": title}))
    return _make(speaker, "answer", context, title, (tool, {"task_identifier": _number(find(tasks, title))}))


def _choose(speaker: Speaker) -> Example:
    """One of the tasks that a question offered."""
    kind = speaker.chooser.choice(("complete", "delete"))
    first, second = speaker.thing(), speaker.thing()
    tasks = make_store(speaker, list(dict.fromkeys([first.title, second.title])))
    offered = [find(tasks, first.title), find(tasks, second.title)]
    asked, tool, _arguments = _said_with(speaker, kind, first.title.split()[0])
    options = tuple(task.id for task in offered)
    call = make_call(tool, {}, "conversation")
    pending = Pending("choose", tool, call, "task_identifier", options, "?")
    before = (Message("user", asked), Message("assistant", "?", options))
    context = in_context(tasks, speaker.language, *before, pending=pending)
    if speaker.chance(0.15):
        return _make(speaker, "no", context, _spoken(speaker, "refuse"), reply=speaker.words["replies"]["chat"])
    place = speaker.chooser.randint(0, 1)
    words = [offered[place].title, f"#{offered[place].number}", (first, second)[place].thing]
    return _make(
        speaker, "choice", context, speaker.chooser.choice(words), (tool, {"task_identifier": _number(offered[place])})
    )


def _several_fit(speaker: Speaker) -> Example:
    """Two tasks that the words name alike: both go out, and the user is asked which."""
    kind = speaker.chooser.choice(_WORDY)
    noun, one, other = speaker.pick("nouns"), *speaker.chooser.sample(speaker.words["names"], 2)
    joint = " with " if speaker.language == "en" else " con "
    titles = [f"{noun}{joint}{one}", f"{noun}{joint}{other}"]
    tasks = make_store(speaker, titles)
    text, tool, arguments = _said_with(speaker, kind, f"the {noun}" if speaker.language == "en" else noun)
    numbers = sorted(task.number for task in tasks if task.title in titles)
    target = " or ".join(f"#{number}" for number in numbers)
    context = in_context(tasks, speaker.language)
    return _make(speaker, "several_fit", context, text, (tool, {**arguments, "task_identifier": target}))


def _take_back(speaker: Speaker) -> Example:
    context, task = _after_doing(speaker)
    if speaker.chance(0.25):
        back = (Message("user", speaker.chooser.choice(_BACK[speaker.language])), did(UNDO, [task]))
        context = in_context([task], speaker.language, *context.history, *back)
        return _make(speaker, "redo", context, speaker.chooser.choice(_AGAIN[speaker.language]), (REDO, {}))
    return _make(speaker, "undo", context, speaker.chooser.choice(_BACK[speaker.language]), (UNDO, {}))


def _new_request(speaker: Speaker) -> Example:
    """What went before has nothing to do with it."""
    context = speaker.chooser.choice((_shown, _after_doing))(speaker)[0]
    if speaker.chance(0.3):
        said, reply = speaker.pick("small_talk")
        return _make(speaker, "small_talk", context, say(speaker, said, "").text, reply=reply)
    if speaker.chance(0.3):
        text = say(speaker, speaker.pick("other"), "").text
        return _make(speaker, "other", context, text, reply=speaker.words["replies"]["other"])
    kind = speaker.chooser.choice(("add", "add_date", "list", "list_more", "identity"))
    text, arguments = say(speaker, speaker.pick(kind), TOOL_OF[kind])
    return _make(speaker, "new_request", context, text, (TOOL_OF[kind], arguments))
