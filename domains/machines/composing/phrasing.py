"""What the composer says: sentences and labels from the word files, in the user's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from domains.machines.composing.lexicon import load_rules
from domains.machines.memory_fleet import command_words
from domains.machines.values import Machine, MachineCommand
from engine.decision import Language

_FOLDER = Path(__file__).parent.parent
_LISTED_COMMANDS = 8


@cache
def _words(language: Language) -> dict[str, Any]:
    return yaml.safe_load((_FOLDER / language / "words.yaml").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def say(language: Language, message: str, **values: object) -> str:
    text = str(_words(language)["messages"][message]).format(**values)
    return text[:1].upper() + text[1:]


def label_tool(tool: str, language: Language) -> str:
    """What a tool is for, in a verb: "run a command"."""
    return str(_words(language)["labels"]["tools"].get(tool, tool))


def label_action(action: str, target: str, language: Language) -> str:
    """ "turn on the light", also for a command that no machine has."""
    labels = _words(language)["labels"]
    verb = labels["actions"].get(action, action.replace("_", " "))
    of = labels["objects"].get(target, target.replace("_", " "))
    return f"{verb} {of}".strip()


def label_command(command: MachineCommand, language: Language) -> str:
    """A command's name in the user's words: turn_on_light is "accendi la luce"."""
    labels = _words(language)["labels"]
    words = command_words(command.name)
    for length in range(len(words), 0, -1):
        verb = labels["actions"].get("_".join(words[:length]))
        if verb:
            return f"{verb} {_label_object(words[length:], labels)}".strip()
    return command.name.replace("_", " ")


def _label_object(words: tuple[str, ...], labels: Mapping[str, Any]) -> str:
    said = "_".join(words)
    meaning = next((key for key, names in load_rules()["objects"].items() if said in names), said)
    return str(labels["objects"].get(meaning, said.replace("_", " ")))


def label_metric(metric: str, language: Language) -> str:
    return str(_words(language)["labels"]["metrics"].get(metric, metric.replace("_", " ")))


def label_reading(metric: str, language: Language) -> str:
    labels = _words(language)["labels"]
    return str(labels["read"].format(metric=label_metric(metric, language)) if metric else labels["read_all"])


def label_detail(language: Language) -> str:
    return str(_words(language)["labels"]["detail"])


def label_machine(machine: Machine, others: Iterable[Machine], language: Language) -> str:
    """The name; with its place, or its serial number, where another one has the same name."""
    alike = [other for other in others if other.name == machine.name and other.id != machine.id]
    if not alike:
        return machine.name
    place = machine.place if all(other.place != machine.place for other in alike) else machine.serial
    return str(_words(language)["labels"]["with_place"].format(machine=machine.name, place=place or machine.id))


def label_on(machine: str, what: str, language: Language) -> str:
    return str(_words(language)["labels"]["on_machine"].format(machine=machine, what=what))


def list_commands(machine: Machine, language: Language) -> str:
    shown = [label_command(command, language) for command in machine.commands[:_LISTED_COMMANDS]]
    return ", ".join(shown) + (", …" if len(machine.commands) > _LISTED_COMMANDS else "") if shown else "—"


def list_metrics(machine: Machine, language: Language) -> str:
    return ", ".join(label_metric(metric.name, language) for metric in machine.metrics) or "—"


def plain_number(value: float) -> str:
    return f"{value:g}"
