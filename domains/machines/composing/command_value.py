"""The number that a command such as set_temperature needs: said, given, or asked for; never made up."""

from __future__ import annotations

from domains.machines.composing.commands import (
    Said,
    find_values,
    unit_fits,
)
from domains.machines.composing.parts import (
    Part,
    Scene,
    refuse,
)
from domains.machines.composing.phrasing import (
    label_command,
    plain_number,
    say,
)
from domains.machines.composing.wishes import Wish
from domains.machines.values import Machine, MachineCommand
from engine.completing.values import Why
from engine.completing.worth import factor
from engine.values import Argument, Provenance


def read_value(wish: Wish, command: MachineCommand, machine: Machine, scene: Scene) -> Argument | Part:
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
