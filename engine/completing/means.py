"""What completing the calls of one domain takes, in one language. The engine brings none of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.catalogue.facts import Catalogue, ToolFacts
from engine.completing.values import Why
from engine.dates.words import DateWords
from engine.decision import Decider
from engine.policy.values import Policy


@dataclass(frozen=True, slots=True)
class Sentences:
    """What is said while a call is completed."""

    messages: Mapping[str, str]
    questions: Mapping[str, str]
    """By the argument that is asked for; `change`: for something to change."""
    tools: Mapping[str, str]
    """What each tool is for, in a verb: "add a task"."""

    def say(self, message: str, **values: object) -> str:
        text = self.messages[message].format(**values)
        return text[:1].upper() + text[1:]

    def ask_for(self, argument: str) -> str:
        return self.questions[argument]

    def label_tool(self, tool: str) -> str:
        return self.tools.get(tool, tool)


@dataclass(frozen=True, slots=True)
class Means:
    catalogue: Catalogue
    policy: Policy
    decider: Decider
    """Whose reading of the message the missing arguments are taken from."""
    sentences: Sentences
    speaks_against: Callable[[str], Why | None]
    """For a message that the decider reads no request in: what in its words asks, denies or puts off."""
    small_words: frozenset[str]
    """Words that name nothing: articles, fillers."""
    date_words: tuple[DateWords, ...]
    """In which a date may be written, in this order: the language of the message, and the one that models prefer."""
    day_names: frozenset[str]
    """What a filter by day takes beside dates: today, this_week."""

    def facts(self, tool: str) -> ToolFacts:
        return self.catalogue.by_name[tool]
