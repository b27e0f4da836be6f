"""What a domain can do: its tools with the facts that stand beside their signatures."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from types import MappingProxyType
from typing import Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from annotated_types import MaxLen

from engine.catalogue.own_reading import OwnReading
from engine.values import ToolCall

UNKNOWN = "unknown"
"""The intent of a message that asks for nothing: the one intent that every domain has."""

Effect = Literal["add", "read", "change", "finish", "remove"]
"""What a tool does to the store: makes something new, only looks, changes, settles, or takes away."""

Reads = Literal[
    "name", "note", "level", "date", "status", "words", "state_filter", "level_filter", "day_filter", "search",
    "limit", "offset",
]  # fmt: skip
"""How an argument is read from the user's words: the name of something new, a note, one of a few levels, a date, a
status that the way of asking sets, the words of the frame's slot of that name; and for lists: which state, level or
day, words to look for, how many, from which on."""


@dataclass(frozen=True)
class ToolFacts:
    """What the engine has to know of a tool beside its signature."""

    name: str
    intent: str
    effect: Effect
    label: str = ""
    """The intent as pages call it: "Add a task"."""
    target: str = ""
    """The argument that names what the tool acts on; empty: it acts on nothing that exists already."""
    needs_yes: bool = False
    """Whether a person has to say yes first."""
    undo: bool = True
    """Whether its change is taken back through the audit trail."""
    reads: Mapping[str, Reads] = field(default_factory=dict)
    """Argument -> how it is read."""
    one_of: tuple[tuple[str, ...], ...] = ()
    """Of each group of arguments a call needs one: a machine by its id or by its name."""
    doing: str = ""
    """What a call does, where the label does not begin with the verb: "say who you are"."""

    @property
    def changes_something(self) -> bool:
        return self.effect != "read"

    def is_named(self, given: Collection[str]) -> bool:
        """Whether one argument of each group is given."""
        return all(any(name in given for name in group) for group in self.one_of)

    def argument(self, kind: Reads) -> str:
        """The argument that is read this way; empty where the tool has none."""
        return self._by_kind.get(kind, "")

    @cached_property
    def _by_kind(self) -> Mapping[str, str]:
        """Of two that are read the same way, the first."""
        return {kind: name for name, kind in reversed(tuple(self.reads.items()))}


_FACTS = "__tool_facts__"
_Function = TypeVar("_Function", bound=Callable[..., object])


def tool(
    *,
    intent: str,
    effect: Effect,
    label: str = "",
    target: str = "",
    needs_yes: bool = False,
    undo: bool = True,
    reads: Mapping[str, Reads] | None = None,
    one_of: tuple[tuple[str, ...], ...] = (),
    doing: str = "",
) -> Callable[[_Function], _Function]:
    """Puts the facts of a tool beside its signature."""

    def mark(function: _Function) -> _Function:
        known = MappingProxyType(reads or {})
        facts = ToolFacts(
            function.__name__, intent, effect, label or intent, target, needs_yes, undo, known, one_of, doing
        )
        setattr(function, _FACTS, facts)
        return function

    return mark


@dataclass(frozen=True)
class Catalogue:
    """The tools of a domain, in the order of its signatures. No language is in it."""

    tools: tuple[ToolFacts, ...]
    signatures: type | None = None
    """The Protocol whose typed methods with docstrings are the tools."""
    states: tuple[str, str] = ("open", "settled")
    """The status of what is still to be dealt with, and of what is settled."""
    numbered: bool = True
    """Whether people name things by their numbers: "#12"."""
    own: OwnReading | None = None
    """For a domain with a reading of its own: what it takes of a language."""

    @cached_property
    def intents(self) -> tuple[str, ...]:
        """In the order in which scores and weights are kept; that of nothing comes last."""
        return (*dict.fromkeys(each.intent for each in self.tools), UNKNOWN)

    @cached_property
    def unknown(self) -> int:
        return self.intents.index(UNKNOWN)

    @cached_property
    def by_intent(self) -> Mapping[str, ToolFacts]:
        return {each.intent: each for each in self.tools}

    @cached_property
    def by_name(self) -> Mapping[str, ToolFacts]:
        return {each.name: each for each in self.tools}

    @cached_property
    def by_effect(self) -> Mapping[str, ToolFacts]:
        """Of several tools with the same effect, the first."""
        return {each.effect: each for each in reversed(self.tools)}

    @cached_property
    def on_target(self) -> frozenset[str]:
        """The intents that are about something that exists."""
        return frozenset(each.intent for each in self.tools if each.target)

    @cached_property
    def changing_tools(self) -> frozenset[str]:
        return frozenset(each.name for each in self.tools if each.changes_something)

    @cached_property
    def lists(self) -> frozenset[str]:
        """The intents that show several things, those that fit."""
        return frozenset(each.intent for each in self.tools if each.effect == "read" and each.reads)

    @cached_property
    def renaming(self) -> frozenset[str]:
        """The arguments that give something that exists another name."""
        return frozenset(each.argument("name") for each in self.tools if each.target) - {""}

    @cached_property
    def limits(self) -> Mapping[tuple[str, str], int]:
        """How long a text may be, by tool and argument, as the signatures say."""
        found = {key: _longest(hint) for key, hint in self._hints.items()}
        return {key: longest for key, longest in found.items() if longest is not None}

    @cached_property
    def choices(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """The values that an argument may have, by tool and argument, where the signature names them."""
        return {key: values for key, hint in self._hints.items() if (values := _literals(hint))}

    def classes_of(self, facts: ToolFacts, kind: Reads, prefix: str = "") -> Mapping[str, str]:
        """The classes of words for the values of the argument that is read this way: `priority_high` -> `high`."""
        found = self._classes.get((facts.name, kind, prefix))
        if found is None:
            argument = facts.argument(kind)
            stem = prefix or base_name(argument)
            found = {f"{stem}_{value}": value for value in self.choices.get((facts.name, argument), ())}
            self._classes[facts.name, kind, prefix] = found
        return found

    @cached_property
    def required(self) -> Mapping[str, tuple[str, ...]]:
        """Tool -> the arguments that its signature gives no default for."""
        return {
            each.name: tuple(
                name
                for name, parameter in signature(getattr(self.signatures, each.name)).parameters.items()
                if name != "self" and parameter.default is parameter.empty
            )
            for each in self.tools
        }

    @cached_property
    def defaults(self) -> Mapping[str, Mapping[str, Any]]:
        """Tool -> what its signature gives where an argument is left out."""
        return {
            each.name: {
                name: parameter.default
                for name, parameter in signature(getattr(self.signatures, each.name)).parameters.items()
                if parameter.default is not parameter.empty
            }
            for each in self.tools
        }

    @cached_property
    def _classes(self) -> dict[tuple[str, Reads, str], Mapping[str, str]]:
        """What `classes_of` has found already."""
        return {}

    @cached_property
    def _hints(self) -> Mapping[tuple[str, str], object]:
        return {
            (each.name, name): hint
            for each in self.tools
            if (function := getattr(self.signatures, each.name, None))
            for name, hint in get_type_hints(function, include_extras=True).items()
        }

    def tool_of(self, intent: object) -> str | None:
        """The tool for an intent, or None: for an unknown one, another spelling, or no string at all."""
        facts = self.by_intent.get(intent) if isinstance(intent, str) else None
        return facts.name if facts else None

    def target_of(self, call: ToolCall) -> str | None:
        """What a call acts on, as it names it."""
        facts = self.by_name.get(call.tool_name)
        value = call.parameters.get(facts.target) if facts and facts.target else None
        return None if value is None else str(value)

    def intent_of(self, tool_name: str) -> str:
        facts = self.by_name.get(tool_name)
        return facts.intent if facts else UNKNOWN


def read_catalogue(
    signatures: type,
    states: tuple[str, str] = ("open", "settled"),
    *,
    numbered: bool = True,
    own: OwnReading | None = None,
) -> Catalogue:
    """The catalogue of a Protocol whose methods carry facts, in the order they are written."""
    marked = [getattr(function, _FACTS, None) for function in vars(signatures).values()]
    return Catalogue(tuple(facts for facts in marked if facts is not None), signatures, states, numbered, own)


def base_name(argument: str) -> str:
    """What an argument is about: `new_priority` and `priority` are about the priority."""
    return argument.removeprefix("new_")


def _literals(hint: object) -> tuple[str, ...]:
    if get_origin(hint) is Literal:
        return get_args(hint)
    return next((found for part in get_args(hint) if (found := _literals(part))), ())


def _longest(hint: object) -> int | None:
    """What `MaxLen` says of a text, also of one that may be left out."""
    for note in getattr(hint, "__metadata__", ()):
        if isinstance(note, MaxLen):
            return note.max_length
    return next((found for part in get_args(hint) if (found := _longest(part)) is not None), None)
