"""One command on one machine: `machine_command_execute`, completed, asked back or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from domains.machines.composing.command_questions import (
    TOOL,
    AskedCommand,
    ask_contradiction,
    ask_for_command,
    ask_with_commands,
    commands_of,
    offer_commands,
    refuse_unable,
)
from domains.machines.composing.command_value import read_value
from domains.machines.composing.commands import (
    find_commands,
    find_spelt_out,
    read_command,
)
from domains.machines.composing.locating import Located, refers_back
from domains.machines.composing.parts import (
    Chosen,
    Part,
    Scene,
    choice_key,
    choose_machine,
    list_candidates,
    settle,
    unexplained,
)
from domains.machines.composing.phrasing import (
    label_action,
    label_command,
    label_on,
    plain_number,
    say,
)
from domains.machines.composing.wishes import Wish
from domains.machines.values import Machine, MachineCommand
from engine.completing.values import Why
from engine.completing.worth import factor
from engine.decision import Factor
from engine.values import Argument, Provenance


def compose_command(wish: Wish, located: Located, scene: Scene) -> Part:
    asked = _read_asked(wish, scene)
    if not asked.meant.ranks and not asked.given:
        return ask_for_command(wish, located, asked, scene)
    able = located.group & scene.fleet.with_commands(asked.meant.names)
    if asked.given:
        able = _group_with_given(located, asked, scene) or (0 if scene.fleet.with_command_id(asked.given) else able)
    lost = f"has no command for “{asked.label}”"
    candidates = list_candidates(located, able, asked.label, lost, scene)
    if not able:
        return replace(refuse_unable(located, asked, scene), candidates=candidates)
    key = choice_key(TOOL, f"{wish.action} {wish.target}".strip() or asked.given, located)
    implied = bool(wish.target) and not refers_back(wish, scene.marked)
    alone = scene.fleet.with_commands(asked.meant.names) == able
    chosen = choose_machine(located, able, implied, key, scene, alone=alone, every=bool(wish.all_of("all")))
    part = _for_machines(wish, located, asked, chosen, scene)
    learnable = part.why is Why.SEVERAL_MACHINES or chosen.how == "learned"
    return replace(part, candidates=candidates, choice_key=key if learnable else "")


def _read_asked(wish: Wish, scene: Scene) -> AskedCommand:
    meant = find_commands(wish.action, wish.target, scene.fleet)
    if not meant.ranks and wish.action:
        verb = wish.all_of("actions")[:1]
        said = scene.marked.said(verb[0].first, verb[0].last).lower() if verb else ""
        meant = find_spelt_out(said, wish.plain_words(scene.marked), scene.fleet)
    label = label_action(wish.action, wish.target, scene.language)
    given = str(scene.given.get("machine_command_id") or scene.given.get("command_name") or "")
    return AskedCommand(meant, label, given, bool(wish.action or wish.target))


def _group_with_given(located: Located, asked: AskedCommand, scene: Scene) -> int:
    """Machines that have the command that the call names, by id, by name, or by its meaning."""
    fleet = scene.fleet
    named = fleet.with_commands((asked.given,))
    if not named and not fleet.with_command_id(asked.given):
        names = find_commands(*read_command(asked.given, fleet), fleet).names
        named = fleet.with_commands(names)
    named = named or fleet.with_command_id(asked.given)
    return located.group & named


def _for_machines(wish: Wish, located: Located, asked: AskedCommand, chosen: Chosen, scene: Scene) -> Part:
    language = scene.language
    if chosen.count > 1:
        why = Why.BATCH if wish.all_of("all") else Why.SEVERAL_MACHINES
        if why is Why.BATCH:
            message = say(language, "batch")
        elif located.said:
            message = say(language, "several_machines_named", count=chosen.count, said=located.said)
        else:
            message = say(language, "several_machines_command", count=chosen.count, what=asked.label)
        return ask_with_commands(chosen, asked, why, message, scene)
    machine = chosen.machines[0]
    commands = commands_of(machine, asked)
    if asked.given and asked.said and commands:
        meant = asked.meant.of(machine)
        if meant and commands[0] not in meant:
            return ask_contradiction(machine, (commands[0], *meant), asked, scene)
    if len(commands) > 1:
        return offer_commands(machine, commands, Why.SEVERAL_COMMANDS, scene)
    return _for_command(wish, located, asked, chosen, machine, commands[0], scene)


def _for_command(
    wish: Wish,
    located: Located,
    asked: AskedCommand,
    chosen: Chosen,
    machine: Machine,
    command: MachineCommand,
    scene: Scene,
) -> Part:
    span = _command_span(wish, scene)
    origin = Provenance("llm", detail="the call") if asked.given else Provenance("words", span, command.name)
    if wish.recalled and not asked.given:
        origin = Provenance("conversation", span, f"{command.name}: the {wish.target} of the message before")
    how = "given" if asked.given else "conversation" if wish.recalled else "command_words"
    arguments = [
        Argument("device_id", machine.id, chosen.provenance),
        Argument("machine_command_id", command.id, origin),
    ]
    ledger = [
        Factor(f"machine: {chosen.how}", chosen.confidence, chosen.provenance.span, machine.name),
        Factor(f"command: {how}", factor(how), span, command.name),
    ]
    what = label_command(command, scene.language)
    if command.value is not None:
        value = read_value(wish, command, machine, scene)
        if isinstance(value, Part):
            return replace(value, settled={each.name: each.value for each in arguments})
        arguments.append(value)
        ledger.append(Factor("value", factor("value_words"), value.provenance.span, str(value.value)))
        what = f"{what}: {plain_number(float(str(value.value)))} {command.value.unit}"
    unheard = unexplained(wish, scene.marked)
    if unheard and not (located.mention and wish.target) and not asked.given:
        ledger.append(Factor("words not understood", factor("unexplained"), None, unheard))
    return settle(TOOL, arguments, ledger, label_on(machine.name, what, scene.language), chosen, scene)


def _command_span(wish: Wish, scene: Scene) -> Any:
    marks = wish.all_of("actions", "objects")
    return scene.marked.span(marks[0].first, marks[-1].last) if marks else None
