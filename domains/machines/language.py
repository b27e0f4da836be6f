"""What the machines take of a language: classes, ways of asking and replies. Loading holds every language to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from domains.machines.rules import load_rules
from engine.catalogue.own_reading import Needs, OwnReading
from engine.policy.patterns import Node, compile_pattern
from engine.policy.sections import Report
from engine.policy.values import Frame, Policy

COMMANDS = "run_command"
READING_KINDS = {"read_metrics": "data", "show_machine": "details", "list_machines": "lists"}
"""What the ways of asking for an intent are marked as."""
SLOT = "{}"
"""In a way of asking: what is switched, between a verb and its particle, or before it."""
_LONGEST_SPLIT = 3
PLACES = 10
"""An answer can name so many places of a list."""
_KNOWN = {"object_": "objects", "metric_": "metrics", "unit_": "unit_signs"}
"""How classes begin, and the table of rules.yaml that has the rest of their names."""


def _needs(must: str = "", may: str = "") -> Needs:
    return Needs(frozenset(must.split()), frozenset(f"{must} {may}".split()))


_RANGE = "what machine unit minimum maximum"
_REPLIES: Mapping[str, Needs] = {
    "compose_one_way": _needs("calls"),
    "compose_learned": _needs("calls machine times"),
    "compose_several_machines": _needs(may="count said"),
    "compose_several_machines_named": _needs("count said"),
    "compose_several_machines_command": _needs("count what"),
    "compose_several_commands": _needs("machine"),
    "compose_several_metrics": _needs("machine"),
    "compose_no_command_said": _needs("machine"),
    "compose_no_value_said": _needs(_RANGE),
    "compose_no_machine": _needs("said"),
    "compose_no_machines": _needs(),
    "compose_no_command": _needs("what"),
    "compose_no_command_machine": _needs("machine what commands"),
    "compose_no_command_word": _needs("machine said commands"),
    "compose_no_metric": _needs("what"),
    "compose_no_metric_machine": _needs("machine what metrics"),
    "compose_value_out_of_range": _needs("value minimum maximum", _RANGE),
    "compose_value_unit": _needs("unit said", _RANGE),
    "compose_not_about_machines": _needs(),
    **{f"verb_{intent}": _needs() for intent in (COMMANDS, *READING_KINDS)},
    "label_reading": _needs("metric"),
    "label_reading_all": _needs(),
    "label_detail": _needs(),
    "label_with_place": _needs("machine place"),
    "label_on_machine": _needs("machine what"),
    "told_line": _needs("machine facts"),
    "told_connected_true": _needs(),
    "told_connected_false": _needs(),
    "told_did_other": _needs("command"),
    "told_did_other_value": _needs("command value"),
    "told_already_other": _needs("command"),
    "told_state_other": _needs("key value"),
    "told_door_open": _needs(),
    "told_door_closed": _needs(),
    **dict.fromkeys(("told_list", "told_list_fitting"), _needs("total names")),
    **dict.fromkeys(("told_list_one", "told_list_fitting_one"), _needs("names")),
    "told_list_part": _needs("total count names"),
    "told_list_none": _needs(),
    "told_list_none_fitting": _needs(),
    "told_not_connected": _needs("name"),
    "told_decimal": _needs(),
    "told_nothing": _needs(),
    **dict.fromkeys(("doing_undo", "doing_redo", "nothing_to_undo", "nothing_to_redo"), _needs()),
    **dict.fromkeys(("undone_changed", "redone"), _needs("title")),
    "undone_several": _needs("count"),
    "guidance": _needs(),
}  # fmt: skip
_REPLY_FAMILIES: Mapping[str, Needs] = {
    "label_action_": _needs(),
    "label_object_": _needs(),
    "label_metric_": _needs(),
    "told_did_": _needs(may="value"),
    "told_already_": _needs(may="value"),
    "told_state_": _needs(may="value"),
    "told_failed_": _needs(may="machine"),
}
_CLASSES = (
    "hint_machines", "hint_states", "hint_joins", "hint_articles", "hint_because", "hint_towards", "hint_relative",
    "hint_or", "hint_but", "hint_minus", "hint_pronouns", "hint_others", "hint_all", "hint_reads", "hint_reads_if",
    "hint_later_before_number", "hint_later_after_number", "hint_hours_before", "connected_yes", "connected_no",
    "taken_back", "made_again", "taken_back_frill", "state_on", "state_off",
    "answer_filler", "answer_none", "answer_none_head", "answer_yes", "answer_yes_head", "ordinal_last",
    *(f"ordinal_{place}" for place in range(1, PLACES + 1)),
)  # fmt: skip


class WayOfAskingError(ValueError):
    """A pattern that is none of the ways in which machines are asked for something."""


def spell_out(pattern: str) -> tuple[tuple[str, ...], ...]:
    """Every way that a pattern stands for, word by word: "(turn|switch) {part} on" stands for two."""
    found = tuple(_ways(compile_pattern(pattern)))
    for words in found:
        if SLOT in words and (words[-1] == SLOT or len(words) > _LONGEST_SPLIT or words[-2] != SLOT):
            raise WayOfAskingError("a part stands between a verb and its particle, one word each, or before it")
    return found


def _ways(nodes: tuple[Node, ...]) -> Iterator[tuple[str, ...]]:
    for ways in product(*(tuple(_ways_of(node)) for node in nodes)):
        yield tuple(word for way in ways for word in way)


def _ways_of(node: Node) -> Iterator[tuple[str, ...]]:
    if node.kind == "word":
        yield (node.value,)
    elif node.kind == "slot" and not node.optional:
        yield (SLOT,)
    elif node.kind == "options":
        if node.optional:
            yield ()
        for option in node.options:
            yield from _ways(option)
    else:
        raise WayOfAskingError("machines are asked for in words, with one part between them at the most")


def split_name(frame: Frame) -> tuple[str, str]:
    """The action that a verb stands for, and the part that it carries: "start.defrost"."""
    action, _, part = frame.id.partition(".")
    return action, "" if frame.weak else part


def _check(policy: Policy, report: Report) -> None:
    """Ways of asking that the reading cannot use, and names that no table knows."""
    rules = load_rules()
    for frame in policy.frames:
        _check_frame(frame, policy, report)
    for name in policy.words:
        begin = next((begin for begin in _KNOWN if name.startswith(begin)), "")
        if begin and name.removeprefix(begin) not in rules[_KNOWN[begin]]:
            report(f"rules.yaml has no {name.removeprefix(begin)!r} under {_KNOWN[begin]}", ("words", name))
        if name.startswith("hours_") and not name.removeprefix("hours_").isdigit():
            report("a number of hours must stand after 'hours_'", ("words", name))


def _check_frame(frame: Frame, policy: Policy, report: Report) -> None:
    rules = load_rules()
    written = policy.source["frames"][frame.id]["patterns"]
    for pattern in frame.patterns:
        try:
            spell_out(pattern)
        except WayOfAskingError as error:
            report(str(error), ("frames", frame.id, "patterns", written.index(pattern)))
    action, part = split_name(frame)
    if frame.intent == COMMANDS and action not in rules["actions"]:
        report(f"rules.yaml has no action {action!r}", ("frames", frame.id))
    if frame.intent == COMMANDS and part and part not in rules["objects"]:
        report(f"rules.yaml has no object {part!r}", ("frames", frame.id))


OWN = OwnReading(
    classes=frozenset(_CLASSES),
    families=(*_KNOWN, "hours_", "kind_", "place_", "state_"),
    replies=_REPLIES,
    reply_families=_REPLY_FAMILIES,
    check=_check,
)
