"""Messages that need the ones before them: "it", "the second one", a yes, a title that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from domains.loading import load_policy
from training.adapter.example import Example, assistant, in_order, user
from training.adapter.requests import TOOL_OF
from training.adapter.sentences import say
from training.adapter.speaker import Said, Speaker

_ADDED = {
    "en": ("I added '{}'.", "I add '{}' to your tasks.", "Added '{}'.", "Done: '{}' is on your list."),
    "it": ("Ho aggiunto '{}'.", "Aggiungo '{}' alle tue attività.", "Fatto: '{}' è nella lista."),
}
_SHOWN = {
    "en": ("Here are your tasks: {}.", "You have {count} tasks: {}.", "Your tasks:\n{}", "Here are your tasks."),
    "it": ("Ecco le tue attività: {}.", "Hai {count} attività: {}.", "Le tue attività:\n{}", "Ecco le tue attività."),
}
_CLITICS = {
    "complete_task": ("completala", "spuntala", "completalo", "segnala come fatta", "segnalo come fatto"),
    "delete_task": ("eliminala", "cancellalo", "cancellala", "rimuovila", "toglila dalla lista"),
    "new_due_date": ("spostala a {}", "rimandalo a {}", "spostalo a {}", "posticipala a {}"),
    "new_title": ("rinominala in {}", "rinominalo in {}"),
}
_INSTEAD = {
    "en": (
        ("no, just mark it as done", "it"),
        ("no, complete it instead", "it"),
        ("keep it, but mark that as done", "that"),
    ),
    "it": (
        ("no, segnala come fatta", "segnala"),
        ("no, completala", "completala"),
        ("no, spuntala e basta", "spuntala"),
    ),
}
_WORDY = ("complete", "complete", "delete", "update", "update", "update")


def conversations(speaker: Speaker, count: int) -> Iterator[Example]:
    makers: tuple[Callable[[Speaker], Example], ...] = (
        _pointing, _pointing, _pointing, _after_list, _after_list, _after_list, _answer_delete, _answer_delete,
        _answer_question, _choose, _new_request,
    )  # fmt: skip
    for _ in range(count):
        yield speaker.chooser.choice(makers)(speaker)


def _reply(speaker: Speaker, key: str, **values: Any) -> str:
    """The sentence that the other lane would say, for the two share one conversation."""
    language: Any = speaker.language
    return load_policy(language).replies[key].format(**values)


def _make(speaker: Speaker, kind: str, before: list[Any], text: str, call: Any = None, reply: str = "") -> Example:
    calls = (in_order(*call),) if call else ()
    return Example(kind, speaker.language, (*before, user(text)), calls, reply)


def _said_with(speaker: Speaker, kind: str, target: str) -> tuple[str, str, dict[str, Any]]:
    """A request whose target is the given words."""
    while True:
        entry = speaker.pick(kind)
        template = entry if isinstance(entry, str) else entry["say"]
        if "{target}" in template:
            break
    plain = template.replace("{target}", "\x00")
    sentence = say(speaker, plain if isinstance(entry, str) else {**entry, "say": plain}, TOOL_OF[kind])
    return sentence.text.replace("\x00", target), TOOL_OF[kind], {**sentence.arguments, "task_identifier": target}


def _added(speaker: Speaker) -> list[Any]:
    title = speaker.thing().title
    answer = speaker.chooser.choice(_ADDED[speaker.language]).format(title)
    request = f"add {title}" if speaker.language == "en" else f"aggiungi {title}"
    before = [user(request), assistant(answer)] if speaker.chance(0.7) else [assistant(answer)]
    if speaker.chance(0.15):
        thanks = ("thanks", "You're welcome.") if speaker.language == "en" else ("grazie", "Prego.")
        before += [user(thanks[0]), assistant(thanks[1])]
    return before[-4:]


def _pointing(speaker: Speaker) -> Example:
    """ "make it urgent": the words go out as they are; our own code knows what was talked about."""
    before = _added(speaker) if speaker.chance(0.85) else []
    if speaker.language == "it" and speaker.chance(0.5):
        return _clitic(speaker, before)
    text, tool, arguments = _said_with(speaker, speaker.chooser.choice(_WORDY), speaker.pick("pronouns"))
    return _make(speaker, "pointing", before, text, (tool, arguments))


def _clitic(speaker: Speaker, before: list[Any]) -> Example:
    kind = speaker.chooser.choice(sorted(_CLITICS))
    template = speaker.chooser.choice(_CLITICS[kind])
    target = template.split()[0]
    if kind in ("complete_task", "delete_task"):
        return _make(speaker, "pointing", before, template, (kind, {"task_identifier": target}))
    said = speaker.date(plain=True) if kind == "new_due_date" else Said(*[speaker.title()] * 2)
    call = ("update_task", {"task_identifier": target, kind: said.value})
    return _make(speaker, "pointing", before, template.format(said.words), call)


def _shown(speaker: Speaker) -> list[Any]:
    titles = [speaker.thing().title for _ in range(speaker.chooser.randint(2, 5))]
    numbered = speaker.chance(0.5)
    lines = [f"{place}. {title}" if numbered else f"#{place * 2} {title}" for place, title in enumerate(titles, 1)]
    template = speaker.chooser.choice(_SHOWN[speaker.language])
    answer = template.format(("\n" if "\n" in template else ", ").join(lines), count=len(titles))
    asked = "show my tasks" if speaker.language == "en" else "mostrami le attività"
    return [user(asked), assistant(answer)] if speaker.chance(0.8) else [assistant(answer)]


def _after_list(speaker: Speaker) -> Example:
    text, tool, arguments = _said_with(speaker, speaker.chooser.choice(_WORDY), speaker.pick("ordinals"))
    return _make(speaker, "after_list", _shown(speaker), text, (tool, arguments))


def _answer_delete(speaker: Speaker) -> Example:
    """A yes repeats the call, which runs only if the engine heard the yes as well."""
    title, number = speaker.thing().title, speaker.chooser.randint(1, 40)
    asked = f"delete {title}" if speaker.language == "en" else f"elimina {title}"
    before = [user(asked), assistant(_reply(speaker, "confirm_delete_task", title=title, number=number))]
    draw = speaker.chooser.random()
    if draw < 0.5:
        return _make(speaker, "yes", before, _spoken(speaker, "accept"), ("delete_task", {"task_identifier": title}))
    if draw < 0.85:
        return _make(speaker, "no", before, _spoken(speaker, "refuse"), reply=_reply(speaker, "cancelled"))
    text, target = speaker.chooser.choice(_INSTEAD[speaker.language])
    return _make(speaker, "instead", before, text, ("complete_task", {"task_identifier": target}))


def _spoken(speaker: Speaker, name: str) -> str:
    text = str(speaker.pick(name))
    return (text[0].upper() + text[1:] if speaker.chance(0.4) else text) + speaker.chooser.choice(["", "", ".", "!"])


def _answer_question(speaker: Speaker) -> Example:
    """The answer to a question of ours."""
    kind = speaker.chooser.choice(("add", "complete", "delete"))
    asking, own = {
        "add": ("missing_title", "ask_title"),
        "complete": ("which_complete_task", "ask_complete"),
        "delete": ("which_delete_task", "ask_delete"),
    }[kind]
    question = _reply(speaker, asking) if speaker.chance(0.5) else speaker.words["replies"][own]
    asked = say(speaker, speaker.pick(own).replace(" {date}", "").replace("{prio_adj} ", ""), "").text
    before = [user(asked), assistant(question)]
    if kind == "add":
        if speaker.chance(0.3):
            title, date = speaker.title(), speaker.date()
            call = ("add_task", {"title": title, "due_date": date.value})
            return _make(speaker, "answer", before, f"{title} {date.words}", call)
        title = speaker.title()
        return _make(speaker, "answer", before, title, ("add_task", {"title": title}))
    target = speaker.target()
    return _make(speaker, "answer", before, target.words, (TOOL_OF[kind], {"task_identifier": target.value}))


def _choose(speaker: Speaker) -> Example:
    """One of the tasks that a question offered."""
    kind = speaker.chooser.choice(("complete", "delete"))
    first, second = speaker.thing(), speaker.thing()
    word = "or" if speaker.language == "en" else "o"
    numbers = speaker.chooser.randint(1, 9), speaker.chooser.randint(10, 30)
    choices = f"'{first.title}' (#{numbers[0]}) {word} '{second.title}' (#{numbers[1]})"
    asked, tool, _arguments = _said_with(speaker, kind, first.title.split()[0])
    before = [user(asked), assistant(_reply(speaker, "ambiguous", mention=first.title.split()[0], choices=choices))]
    if speaker.chance(0.15):
        return _make(speaker, "no", before, _spoken(speaker, "refuse"), reply=_reply(speaker, "cancelled"))
    wanted = speaker.chooser.choice(
        [first.title, second.title, speaker.pick("ordinals"), f"#{speaker.chooser.randint(1, 30)}"]
    )
    return _make(speaker, "choice", before, wanted, (tool, {"task_identifier": wanted}))


def _new_request(speaker: Speaker) -> Example:
    """What went before has nothing to do with it."""
    before = speaker.chooser.choice((_shown, _added))(speaker)
    if speaker.chance(0.3):
        said, reply = speaker.pick("small_talk")
        return _make(speaker, "small_talk", before, say(speaker, said, "").text, reply=reply)
    if speaker.chance(0.3):
        text = say(speaker, speaker.pick("other"), "").text
        return _make(speaker, "other", before, text, reply=speaker.words["replies"]["other"])
    kind = speaker.chooser.choice(("add", "add_date", "list", "list_more", "complete", "delete", "update", "identity"))
    text, arguments = say(speaker, speaker.pick(kind), TOOL_OF[kind])
    return _make(speaker, "new_request", before, text, (TOOL_OF[kind], arguments))
