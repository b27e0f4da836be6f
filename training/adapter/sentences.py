"""From a sentence of `words/` to a message with its arguments, dressed as people dress what they say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from training.adapter.speaker import Speaker, join_words

_FREE = frozenset({"title", "description", "due_date", "search", "task_identifier", "new_title", "new_description",
                   "new_due_date"})  # fmt: skip
"""Arguments in the user's own words: they follow the message's capitals."""
_FIXED_VALUES = ("none", "")
_OF_TOOL: dict[str, dict[str, str]] = {
    "add_task": {"title": "title", "noun": "title", "date": "due_date", "plain_date": "due_date", "desc": "description",
                 "prio": "priority", "prio_adj": "priority", "prio_adj2": "priority", "prio_tail": "priority"},
    "list_tasks": {"due": "due", "due2": "due", "search": "search", "number": "limit", "offset": "offset",
                   "prio": "priority", "prio_adj": "priority", "prio_adj2": "priority"},
    "complete_task": {"target": "task_identifier"},
    "delete_task": {"target": "task_identifier", "title": "task_identifier", "bare": "task_identifier"},
    "update_task": {"target": "task_identifier", "new_title": "new_title", "quoted_title": "new_title",
                    "date": "new_due_date", "plain_date": "new_due_date", "new_desc": "new_description",
                    "prio": "new_priority", "prio_adj": "new_priority", "prio_adj2": "new_priority"},
    "get_user_info": {},
    "": {},
}  # fmt: skip
_GREETINGS = {"en": ["hey,", "ok,", "so,"], "it": ["ciao,", "allora,"]}
_ARTICLES = re.compile(r"^(the|a|an)\s+", re.I)


class Sentence(NamedTuple):
    text: str
    arguments: dict[str, Any]


def say(speaker: Speaker, entry: str | Mapping[str, Any], tool: str, *, bare: bool = False) -> Sentence:
    """`bare` leaves out greetings and the like, for sentences that are joined to others."""
    template = entry if isinstance(entry, str) else str(entry["say"])
    arguments: dict[str, Any] = dict(entry["with"]) if not isinstance(entry, str) else {}
    imperative = template.startswith("!")
    template = template.removeprefix("!")
    if speaker.chance(0.05):
        template = _mistype(template, speaker)
    text = template
    for name in speaker.slots_of(template):
        said = speaker.slot(name)
        text = text.replace(f"{{{name}}}", said.words, 1)
        argument = _OF_TOOL[tool].get(name)
        if argument:
            arguments[argument] = _ARTICLES.sub("", said.value) if argument == "search" else said.value
    if speaker.language == "it":
        text = join_words(text)
    if bare:
        return Sentence(text, arguments)
    return _dress(speaker, text, arguments, imperative, starts_with_slot=template.startswith("{"))


def _dress(
    speaker: Speaker, text: str, arguments: dict[str, Any], imperative: bool, *, starts_with_slot: bool
) -> Sentence:
    question = text.endswith("?")
    if imperative and speaker.chance(0.3):
        opener = speaker.pick("opener")
        text, question = f"{opener} {text}", opener.split()[0] in ("can", "could", "would", "puoi", "potresti")
    elif not imperative and speaker.chance(0.06):
        text = f"{speaker.chooser.choice(_GREETINGS[speaker.language])} {text}"
    if not question and speaker.chance(0.12):
        text = f"{text}{speaker.chooser.choice([',', ''])} {speaker.pick('closer')}"
    draw = speaker.chooser.random()
    if draw < 0.35:
        return Sentence(text.lower() + _ending(speaker, question), _lowered(arguments))
    if draw < 0.7 and not starts_with_slot:
        text = text[0].upper() + text[1:]
    return Sentence(text + _ending(speaker, question), arguments)


def _ending(speaker: Speaker, question: bool) -> str:
    if question:
        return speaker.chooser.choice(["?", "?", ""])
    return speaker.chooser.choice(["", "", "", ".", "!", " ."])


def _lowered(arguments: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.lower() if name in _FREE and isinstance(value, str) else value for name, value in arguments.items()
    }


def _mistype(template: str, speaker: Speaker) -> str:
    """Two letters of one word change places, outside the slots."""
    words = template.split(" ")
    places = [place for place, word in enumerate(words) if len(word) > 3 and word.isalpha()]
    if not places:
        return template
    place = speaker.chooser.choice(places)
    word = words[place]
    at = speaker.chooser.randint(1, len(word) - 3)
    words[place] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return " ".join(words)
