"""What an assistant can do, as a value: tools with their facts, and for each language the ways of asking for them.

The engine takes a Domain and knows none by name. A domain is a folder under `domains/` (or one that `DOMAINS` names):
typed signatures with facts beside them, and one folder a language.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeVar

if TYPE_CHECKING:
    from engine.policy.values import Policy
    from engine.text.language import SmallWords

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


@dataclass(frozen=True, slots=True)
class ToolFacts:
    """What the engine has to know of a tool beside its signature."""

    name: str
    intent: str
    effect: Effect
    target: str = ""
    """The argument that names what the tool acts on; empty: it acts on nothing that exists already."""
    needs_yes: bool = False
    """Whether a person has to say yes first."""
    undo: bool = True
    """Whether its change is taken back through the audit trail."""
    reads: Mapping[str, Reads] = field(default_factory=dict)
    """Argument -> how it is read."""

    @property
    def changes_something(self) -> bool:
        return self.effect != "read"

    def argument(self, kind: Reads) -> str:
        """The argument that is read this way; empty where the tool has none."""
        return next((name for name, reads in self.reads.items() if reads == kind), "")


_FACTS = "__tool_facts__"
_Function = TypeVar("_Function", bound=Callable[..., object])


def tool(
    *,
    intent: str,
    effect: Effect,
    target: str = "",
    needs_yes: bool = False,
    undo: bool = True,
    reads: Mapping[str, Reads] | None = None,
) -> Callable[[_Function], _Function]:
    """Puts the facts of a tool beside its signature."""

    def mark(function: _Function) -> _Function:
        facts = ToolFacts(function.__name__, intent, effect, target, needs_yes, undo, MappingProxyType(reads or {}))
        setattr(function, _FACTS, facts)
        return function

    return mark


@dataclass(frozen=True)
class Catalogue:
    """The tools of a domain, in the order of its signatures. No language is in it."""

    tools: tuple[ToolFacts, ...]
    signatures: type | None = None
    """The Protocol whose typed methods with docstrings are the tools."""

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
    def on_target(self) -> frozenset[str]:
        """The intents that are about something that exists."""
        return frozenset(each.intent for each in self.tools if each.target)

    @cached_property
    def changing_tools(self) -> frozenset[str]:
        return frozenset(each.name for each in self.tools if each.changes_something)

    def tool_of(self, intent: object) -> str | None:
        """The tool for an intent, or None: for an unknown one, another spelling, or no string at all."""
        facts = self.by_intent.get(intent) if isinstance(intent, str) else None
        return facts.name if facts else None

    def intent_of(self, tool_name: str) -> str:
        facts = self.by_name.get(tool_name)
        return facts.intent if facts else UNKNOWN


def read_catalogue(signatures: type) -> Catalogue:
    """The catalogue of a Protocol whose methods carry facts, in the order they are written."""
    marked = [getattr(function, _FACTS, None) for function in vars(signatures).values()]
    return Catalogue(tuple(facts for facts in marked if facts is not None), signatures)


@dataclass(frozen=True)
class Domain:
    """Everything an assistant for one matter is made of."""

    name: str
    catalogue: Catalogue
    policies: Mapping[str, Policy]
    """By language."""
    label: str = ""
    """How pages call it."""
    small_words: Mapping[str, SmallWords] = field(default_factory=dict)
    """By language: what a message is told to be in that language by."""

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.policies)
