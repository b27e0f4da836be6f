"""What the composer says: sentences and labels of the policy, in the user's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from domains.machines.in_force import load_policies
from domains.machines.memory_fleet import command_words
from domains.machines.rules import load_rules
from domains.machines.values import Machine, MachineCommand
from engine.completing.means import say_completing
from engine.decision import Language
from engine.domain import Catalogue

_LISTED_COMMANDS = 8


def replies_of(language: Language) -> Mapping[str, str]:
    return load_policies()[language].replies


def say(language: Language, message: str, **values: object) -> str:
    return say_completing(load_policies()[language], message, **values)


def label_tool(tool: str, language: Language) -> str:
    """What a tool is for, in a verb: "run a command"."""
    catalogue: Catalogue = load_policies()[language].catalogue
    return replies_of(language)[f"verb_{catalogue.intent_of(tool)}"]


def label_action(action: str, target: str, language: Language) -> str:
    """ "turn on the light", also for a command that no machine has."""
    return f"{_label('action', action, language)} {_label('object', target, language)}".strip()


def _label(kind: str, name: str, language: Language) -> str:
    return replies_of(language).get(f"label_{kind}_{name}", name.replace("_", " "))


def label_command(command: MachineCommand, language: Language) -> str:
    """A command's name in the user's words: turn_on_light is "accendi la luce"."""
    words = command_words(command.name)
    for length in range(len(words), 0, -1):
        verb = replies_of(language).get(f"label_action_{'_'.join(words[:length])}")
        if verb:
            return f"{verb} {_label_object(words[length:], language)}".strip()
    return command.name.replace("_", " ")


def _label_object(words: tuple[str, ...], language: Language) -> str:
    said = "_".join(words)
    meaning = next((key for key, names in load_rules()["objects"].items() if said in names), said)
    return replies_of(language).get(f"label_object_{meaning}", said.replace("_", " "))


def label_metric(metric: str, language: Language) -> str:
    return _label("metric", metric, language)


def label_reading(metric: str, language: Language) -> str:
    replies = replies_of(language)
    if not metric:
        return replies["label_reading_all"]
    return replies["label_reading"].format(metric=label_metric(metric, language))


def label_detail(language: Language) -> str:
    return replies_of(language)["label_detail"]


def label_machine(machine: Machine, others: Iterable[Machine], language: Language) -> str:
    """The name; with its place, or its serial number, where another one has the same name."""
    alike = [other for other in others if other.name == machine.name and other.id != machine.id]
    if not alike:
        return machine.name
    place = machine.place if all(other.place != machine.place for other in alike) else machine.serial
    return replies_of(language)["label_with_place"].format(machine=machine.name, place=place or machine.id)


def label_on(machine: str, what: str, language: Language) -> str:
    return replies_of(language)["label_on_machine"].format(machine=machine, what=what)


def list_commands(machine: Machine, language: Language) -> str:
    shown = [label_command(command, language) for command in machine.commands[:_LISTED_COMMANDS]]
    return ", ".join(shown) + (", …" if len(machine.commands) > _LISTED_COMMANDS else "") if shown else "—"


def list_metrics(machine: Machine, language: Language) -> str:
    return ", ".join(label_metric(metric.name, language) for metric in machine.metrics) or "—"


def plain_number(value: float) -> str:
    return f"{value:g}"
