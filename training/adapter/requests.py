"""Single messages: requests for every tool, several at once, questions back, and silence on everything else."""

from __future__ import annotations

from collections.abc import Iterator

from training.adapter.example import Example, in_order, user
from training.adapter.sentences import say
from training.adapter.speaker import Speaker

TOOL_OF = {
    "add": "add_task", "add_date": "add_task", "add_prio": "add_task", "add_desc": "add_task", "list": "list_tasks",
    "list_more": "list_tasks", "complete": "complete_task", "delete": "delete_task", "update": "update_task",
    "identity": "get_user_info", "ask_change": "update_task",
}  # fmt: skip
ANSWERED_IN_WORDS = ("bulk_delete", "bulk_complete", "about_tool", "nothing_done", "other")
LEFT_OPEN = {
    "ask_title": ("add_task", "title"), "ask_complete": ("complete_task", "task_identifier"),
    "ask_delete": ("delete_task", "task_identifier"), "ask_update": ("update_task", "task_identifier"),
}  # fmt: skip
"""Requests without what they are about: the call leaves it empty, and our code asks for it."""
_JOINTS = {
    "en": (" and ", " and then ", ", then ", ". Then ", ". Also, ", ", and ", "; ", " and also "),
    "it": (" e ", " e poi ", ", poi ", ". Poi ", ". Inoltre ", "; "),
}
_LISTED = {
    "en": ("add these tasks: {}", "add {} as separate tasks", "new tasks: {}", "create tasks for {}"),
    "it": ("aggiungi queste attività: {}", "nuove attività: {}"),
}


def requests(speaker: Speaker, kind: str, count: int) -> Iterator[Example]:
    tool = TOOL_OF[kind]
    for _ in range(count):
        text, arguments = say(speaker, speaker.pick(kind), tool)
        yield Example(kind, speaker.language, (user(text),), (in_order(tool, arguments),))


def in_words(speaker: Speaker, kind: str, count: int) -> Iterator[Example]:
    for _ in range(count):
        text, _nothing = say(speaker, speaker.pick(kind), "")
        yield Example(kind, speaker.language, (user(text),), text=speaker.words["replies"][kind])


def left_open(speaker: Speaker, kind: str, count: int) -> Iterator[Example]:
    tool, empty = LEFT_OPEN[kind]
    for _ in range(count):
        text, arguments = say(speaker, speaker.pick(kind), tool)
        yield Example(kind, speaker.language, (user(text),), (in_order(tool, {**arguments, empty: ""}),))


def small_talk(speaker: Speaker, count: int) -> Iterator[Example]:
    for _ in range(count):
        said, reply = speaker.pick("small_talk")
        text, _nothing = say(speaker, said, "")
        yield Example("small_talk", speaker.language, (user(text),), text=reply)


def several(speaker: Speaker, count: int) -> Iterator[Example]:
    """Two requests, or a list of things to add: one call for each."""
    kinds = ("add", "add", "add_date", "list", "complete", "delete", "update", "list_more")
    for _ in range(count):
        if speaker.chance(0.3):
            yield _listed(speaker)
            continue
        first, second = (speaker.chooser.choice(kinds) for _ in range(2))
        parts = [
            (TOOL_OF[kind], say(speaker, _imperative(speaker, kind), TOOL_OF[kind], bare=True))
            for kind in (first, second)
        ]
        text = speaker.chooser.choice(_JOINTS[speaker.language]).join(sentence.text for _, sentence in parts)
        if speaker.chance(0.3):
            text = text[0].upper() + text[1:]
        calls = tuple(in_order(tool, sentence.arguments) for tool, sentence in parts)
        yield Example("several", speaker.language, (user(text),), calls)


_DATED = {
    "en": ("for {date}: {}", "{date}: {}", "add {} for {date}", "I need to {} {date}", "{date}\n{}"),
    "it": ("per {date}: {}", "{date}: {}", "aggiungi {} per {date}", "devo {} {date}", "{date}\n{}"),
}
"""Things to do that share a day."""


def _dated(speaker: Speaker) -> Example:
    titles = [speaker.thing().title for _ in range(speaker.chooser.randint(2, 4))]
    last = " and " if speaker.language == "en" else " e "
    joints = [", ".join(titles), ", ".join(titles[:-1]) + last + titles[-1], "\n".join(f"- {each}" for each in titles)]
    date = speaker.date(plain=True)
    text = speaker.chooser.choice(_DATED[speaker.language]).format(speaker.chooser.choice(joints), date=date.words)
    calls = tuple(in_order("add_task", {"title": title, "due_date": date.value}) for title in titles)
    return Example("several", speaker.language, (user(text),), calls)


def _listed(speaker: Speaker) -> Example:
    if speaker.chance(0.5):
        return _dated(speaker)
    titles = [speaker.thing().title for _ in range(speaker.chooser.randint(2, 3))]
    last = " and " if speaker.language == "en" else " e "
    joined = ", ".join(titles) if speaker.chance(0.5) else ", ".join(titles[:-1]) + last + titles[-1]
    text = speaker.chooser.choice(_LISTED[speaker.language]).format(joined)
    calls = tuple(in_order("add_task", {"title": title}) for title in titles)
    return Example("several", speaker.language, (user(text),), calls)


def _imperative(speaker: Speaker, kind: str) -> object:
    while True:
        entry = speaker.pick(kind)
        if (entry if isinstance(entry, str) else entry["say"]).startswith("!"):
            return entry
