"""Questions and refusals about commands: which machine, which command, and what cannot be done."""

from __future__ import annotations

from dataclasses import dataclass, replace

from domains.machines.composing.commands import (
    Meant,
    find_named_command,
)
from domains.machines.composing.locating import Located
from domains.machines.composing.parts import (
    Chosen,
    Part,
    Scene,
    ask_which,
    list_candidates,
    refuse,
    unexplained,
)
from domains.machines.composing.phrasing import (
    label_command,
    label_on,
    label_reading,
    list_commands,
    say,
)
from domains.machines.composing.wishes import Wish
from domains.machines.values import Machine, MachineCommand
from engine.completing.values import Suggestion, Why
from engine.completing.worth import factor
from engine.values import Provenance

TOOL = "machine_command_execute"


@dataclass(frozen=True, slots=True)
class AskedCommand:
    """What the words and the call say about the command."""

    meant: Meant
    label: str
    given: str
    """The command as the call names it."""
    said: bool
    """Whether the words themselves speak of a command."""


def commands_of(machine: Machine, asked: AskedCommand) -> tuple[MachineCommand, ...]:
    if not asked.given:
        return asked.meant.of(machine)
    named = find_named_command(asked.given, machine)
    if named:
        return (named,)
    return asked.meant.of(machine)


def ask_for_command(wish: Wish, located: Located, asked: AskedCommand, scene: Scene) -> Part:
    """Nothing that any machine can do: either no command was said, or none here has it."""
    language, unheard = scene.language, unexplained(wish, scene.marked)
    candidates = list_candidates(located, located.group, "", "", scene)
    named = scene.fleet.pick(located.group, 1)[0] if located.group.bit_count() == 1 and located.level != "any" else None
    if asked.said:
        if named:
            commands = list_commands(named, language)
            message = say(language, "no_command_machine", machine=named.name, what=asked.label, commands=commands)
        else:
            message = say(language, "no_command", what=asked.label)
        return refuse(Why.NO_COMMAND, message, candidates)
    if named and unheard and not wish.mentions:
        message = say(
            language, "no_command_word", machine=named.name, said=unheard, commands=list_commands(named, language)
        )
        return refuse(Why.NO_COMMAND, message, candidates)
    if located.level == "any" and len(scene.fleet) != 1:
        return replace(ask_machine(located, scene), candidates=candidates)
    if located.group.bit_count() > 1:
        return replace(ask_machine(located, scene), candidates=candidates)
    machine = scene.fleet.pick(located.group, 1)[0]
    return replace(offer_commands(machine, machine.commands, Why.NO_COMMAND_SAID, scene), candidates=candidates)


def ask_machine(located: Located, scene: Scene) -> Part:
    count = located.group.bit_count()
    shown = scene.fleet.pick(located.group, max(25, scene.settings.max_suggestions))
    chosen = Chosen(shown, count, factor("several"), located.provenance, located.level)
    if located.said:
        message = say(scene.language, "several_machines_named", count=count, said=located.said)
    else:
        message = say(scene.language, "several_machines", count=count)
    return ask_which(chosen, TOOL, {}, Why.SEVERAL_MACHINES, message, scene)


def offer_commands(machine: Machine, commands: tuple[MachineCommand, ...], why: Why, scene: Scene) -> Part:
    """What the machine can be told; where nothing was said at all, also what it can be asked."""
    language, limit = scene.language, scene.settings.max_suggestions
    worth = factor("several")
    suggestions = [
        Suggestion(
            label_command(command, language), {"device_id": machine.id, "machine_command_id": command.id}, worth, TOOL
        )
        for command in commands
    ]
    if why is Why.NO_COMMAND_SAID and scene.tool is None:
        readings = [
            Suggestion(
                label_reading(metric.name, language),
                {"device_id": machine.id, "metrics": [metric.name]},
                worth,
                "metrics_read",
            )
            for metric in machine.metrics[:1]
        ]
        suggestions = suggestions[: limit - len(readings)] + readings
    message = say(language, str(why), machine=machine.name)
    more = max(0, len(commands) - limit)
    return Part(
        "needs_clarification", why, message, suggestions=tuple(suggestions[:limit]), more=more, confidence=worth
    )


def refuse_unable(located: Located, asked: AskedCommand, scene: Scene) -> Part:
    language = scene.language
    if located.level == "conversation":
        # The machine spoken of cannot do it; another one can, but it was not spoken of: ask.
        others = scene.fleet.with_commands(asked.meant.names)
        if others:
            shown = scene.fleet.pick(others, 25)
            chosen = Chosen(shown, others.bit_count(), factor("only"), Provenance("store"), "only")
            message = say(language, "several_machines_command", count=others.bit_count(), what=asked.label)
            if others.bit_count() == 1:
                message = say(language, "not_sure_enough", label=label_on(shown[0].name, asked.label, language))
            return ask_which(chosen, TOOL, {}, Why.SEVERAL_MACHINES, message, scene)
    if located.group.bit_count() == 1 and located.level != "any":
        machine = scene.fleet.pick(located.group, 1)[0]
        commands = list_commands(machine, language)
        what = asked.given or asked.label
        message = say(language, "no_command_machine", machine=machine.name, what=what, commands=commands)
    else:
        message = say(language, "no_command", what=asked.label or asked.given)
    return refuse(Why.NO_COMMAND, message)


def ask_with_commands(chosen: Chosen, asked: AskedCommand, why: Why, message: str, scene: Scene) -> Part:
    """Each suggestion carries its machine's own command, where there is just one."""
    part = ask_which(chosen, TOOL, {}, why, message, scene)
    completed = []
    for suggestion in part.suggestions:
        machine = scene.fleet.find_by_id(str(suggestion.value["device_id"]))
        commands = commands_of(machine, asked) if machine else ()
        more = {"machine_command_id": commands[0].id} if len(commands) == 1 else {}
        completed.append(replace(suggestion, value={**suggestion.value, **more}))
    return replace(part, suggestions=tuple(completed))


def ask_contradiction(
    machine: Machine, commands: tuple[MachineCommand, ...], asked: AskedCommand, scene: Scene
) -> Part:
    part = offer_commands(machine, commands, Why.SEVERAL_COMMANDS, scene)
    given = label_command(commands[0], scene.language)
    message = say(scene.language, "contradiction", said=asked.label, given=given)
    return replace(part, why=Why.CONTRADICTION, message=message)
