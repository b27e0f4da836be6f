"""One command on one machine: `machine_command_execute`, completed, asked back or refused."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from engine.composer.commands import (
    Meant,
    Said,
    find_commands,
    find_named_command,
    find_spelt_out,
    find_values,
    read_command,
    unit_fits,
)
from engine.composer.locating import Located, refers_back
from engine.composer.parts import (
    Chosen,
    Part,
    Scene,
    ask_which,
    choice_key,
    choose_machine,
    factor,
    list_candidates,
    refuse,
    settle,
    unexplained,
)
from engine.composer.phrasing import (
    label_action,
    label_command,
    label_on,
    label_reading,
    list_commands,
    plain_number,
    say,
)
from engine.composer.values import Suggestion, Why
from engine.composer.wishes import Wish
from engine.decision import Factor
from engine.machines import Machine, MachineCommand
from engine.values import Argument, Provenance

TOOL = "machine_command_execute"


@dataclass(frozen=True, slots=True)
class _Asked:
    """What the words and the call say about the command."""

    meant: Meant
    label: str
    given: str
    """The command as the call names it."""
    said: bool
    """Whether the words themselves speak of a command."""


def compose_command(wish: Wish, located: Located, scene: Scene) -> Part:
    asked = _read_asked(wish, scene)
    if not asked.meant.ranks and not asked.given:
        return _without_command(wish, located, asked, scene)
    able = located.group & scene.fleet.with_commands(asked.meant.names)
    if asked.given:
        able = _group_with_given(located, asked, scene) or (0 if scene.fleet.with_command_id(asked.given) else able)
    lost = f"has no command for “{asked.label}”"
    candidates = list_candidates(located, able, asked.label, lost, scene)
    if not able:
        return replace(_unable(located, asked, scene), candidates=candidates)
    key = choice_key(TOOL, f"{wish.action} {wish.target}".strip() or asked.given, located)
    implied = bool(wish.target) and not refers_back(wish, scene.marked)
    alone = scene.fleet.with_commands(asked.meant.names) == able
    chosen = choose_machine(located, able, implied, key, scene, alone=alone)
    part = _for_machines(wish, located, asked, chosen, scene)
    learnable = part.why is Why.SEVERAL_MACHINES or chosen.how == "learned"
    return replace(part, candidates=candidates, choice_key=key if learnable else "")


def _read_asked(wish: Wish, scene: Scene) -> _Asked:
    meant = find_commands(wish.action, wish.target, scene.fleet)
    if not meant.ranks and wish.action:
        verb = wish.all_of("actions")[:1]
        said = scene.marked.said(verb[0].first, verb[0].last).lower() if verb else ""
        meant = find_spelt_out(said, wish.plain_words(scene.marked), scene.fleet)
    label = label_action(wish.action, wish.target, scene.language)
    given = str(scene.given.get("machine_command_id") or scene.given.get("command_name") or "")
    return _Asked(meant, label, given, bool(wish.action or wish.target))


def _group_with_given(located: Located, asked: _Asked, scene: Scene) -> int:
    """Machines that have the command that the call names, by id, by name, or by its meaning."""
    fleet = scene.fleet
    named = fleet.with_commands((asked.given,))
    if not named and not fleet.with_command_id(asked.given):
        names = find_commands(*read_command(asked.given, fleet), fleet).names
        named = fleet.with_commands(names)
    named = named or fleet.with_command_id(asked.given)
    return located.group & named


def _without_command(wish: Wish, located: Located, asked: _Asked, scene: Scene) -> Part:
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
        return replace(_which_machine(located, scene), candidates=candidates)
    if located.group.bit_count() > 1:
        return replace(_which_machine(located, scene), candidates=candidates)
    machine = scene.fleet.pick(located.group, 1)[0]
    return replace(_offer_commands(machine, machine.commands, Why.NO_COMMAND_SAID, scene), candidates=candidates)


def _which_machine(located: Located, scene: Scene) -> Part:
    count = located.group.bit_count()
    shown = scene.fleet.pick(located.group, max(25, scene.settings.max_suggestions))
    chosen = Chosen(shown, count, factor("several"), located.provenance, located.level)
    if located.said:
        message = say(scene.language, "several_machines_named", count=count, said=located.said)
    else:
        message = say(scene.language, "several_machines", count=count)
    return ask_which(chosen, TOOL, {}, Why.SEVERAL_MACHINES, message, scene)


def _offer_commands(machine: Machine, commands: tuple[MachineCommand, ...], why: Why, scene: Scene) -> Part:
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


def _unable(located: Located, asked: _Asked, scene: Scene) -> Part:
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


def _for_machines(wish: Wish, located: Located, asked: _Asked, chosen: Chosen, scene: Scene) -> Part:
    language = scene.language
    if chosen.count > 1:
        why = Why.BATCH if wish.all_of("all") else Why.SEVERAL_MACHINES
        if why is Why.BATCH:
            message = say(language, "batch")
        elif located.said:
            message = say(language, "several_machines_named", count=chosen.count, said=located.said)
        else:
            message = say(language, "several_machines_command", count=chosen.count, what=asked.label)
        return _ask_with_commands(chosen, asked, why, message, scene)
    machine = chosen.machines[0]
    commands = _commands_of(machine, asked)
    if asked.given and asked.said and commands:
        meant = asked.meant.of(machine)
        if meant and commands[0] not in meant:
            return _contradiction(machine, (commands[0], *meant), asked, scene)
    if len(commands) > 1:
        return _offer_commands(machine, commands, Why.SEVERAL_COMMANDS, scene)
    return _for_command(wish, located, asked, chosen, machine, commands[0], scene)


def _commands_of(machine: Machine, asked: _Asked) -> tuple[MachineCommand, ...]:
    if not asked.given:
        return asked.meant.of(machine)
    named = find_named_command(asked.given, machine)
    if named:
        return (named,)
    return asked.meant.of(machine)


def _ask_with_commands(chosen: Chosen, asked: _Asked, why: Why, message: str, scene: Scene) -> Part:
    """Each suggestion carries its machine's own command, where there is just one."""
    part = ask_which(chosen, TOOL, {}, why, message, scene)
    completed = []
    for suggestion in part.suggestions:
        machine = scene.fleet.find_by_id(str(suggestion.value["device_id"]))
        commands = _commands_of(machine, asked) if machine else ()
        more = {"machine_command_id": commands[0].id} if len(commands) == 1 else {}
        completed.append(replace(suggestion, value={**suggestion.value, **more}))
    return replace(part, suggestions=tuple(completed))


def _contradiction(machine: Machine, commands: tuple[MachineCommand, ...], asked: _Asked, scene: Scene) -> Part:
    part = _offer_commands(machine, commands, Why.SEVERAL_COMMANDS, scene)
    given = label_command(commands[0], scene.language)
    message = say(scene.language, "contradiction", said=asked.label, given=given)
    return replace(part, why=Why.CONTRADICTION, message=message)


def _for_command(
    wish: Wish,
    located: Located,
    asked: _Asked,
    chosen: Chosen,
    machine: Machine,
    command: MachineCommand,
    scene: Scene,
) -> Part:
    span = _command_span(wish, scene)
    origin = Provenance("llm", detail="the call") if asked.given else Provenance("words", span, command.name)
    how = "given" if asked.given else "command_words"
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
        value = _read_value(wish, command, machine, scene)
        if isinstance(value, Part):
            return value
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


def _read_value(wish: Wish, command: MachineCommand, machine: Machine, scene: Scene) -> Argument | Part:
    """The number that the command needs: said, given, or asked for; never made up."""
    limits = command.value
    assert limits is not None  # noqa: S101 - the caller looked
    words = {
        "what": label_command(command, scene.language),
        "machine": machine.name,
        "unit": limits.unit,
        "minimum": plain_number(limits.minimum),
        "maximum": plain_number(limits.maximum),
    }
    said = [each for each in find_values(wish.marks) if not each.relative]
    given = scene.given.get("value")
    if isinstance(given, int | float) and not isinstance(given, bool):
        if said and all(each.number != given for each in said):
            text = say(scene.language, "contradiction", said=plain_number(said[0].number), given=plain_number(given))
            return Part("needs_clarification", Why.CONTRADICTION, text, confidence=factor("several"))
        return _check_value(
            float(given), Provenance("llm", detail="the call"), words, limits.minimum, limits.maximum, scene
        )
    if len(said) != 1:
        text = say(scene.language, "no_value_said", **words)
        return Part("needs_clarification", Why.NO_VALUE_SAID, text, confidence=factor("several"))
    value: Said = said[0]
    if not unit_fits(value.unit, limits.unit):
        text = say(scene.language, "value_unit", **words, said=value.unit)
        return Part("needs_clarification", Why.NO_VALUE_SAID, text, confidence=factor("several"))
    origin = Provenance("words", scene.marked.span(value.mark.first, value.mark.last))
    return _check_value(value.number, origin, words, limits.minimum, limits.maximum, scene)


def _check_value(
    value: float, origin: Provenance, words: dict[str, str], least: float, most: float, scene: Scene
) -> Argument | Part:
    if not least <= value <= most:
        text = say(scene.language, "value_out_of_range", **words, value=plain_number(value))
        return refuse(Why.VALUE_OUT_OF_RANGE, text)
    return Argument("value", value, origin)
