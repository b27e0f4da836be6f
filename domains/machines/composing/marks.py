"""Which words of a message mean something: every word gets a mark, by the hint files and by the fleet's own words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from domains.machines.memory_fleet import Group
from domains.machines.rules import load_rules
from engine.text.folding import fold
from engine.text.normalise import Utterance
from engine.values import Span


class Mark(NamedTuple):
    kind: str
    meaning: str
    first: int
    last: int
    """The place after its last word."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A message whose words are marked, in their order."""

    utterance: Utterance
    marks: tuple[Mark, ...]
    exact: tuple[tuple[int, int, Group], ...]
    """Where an id or a serial number stands, with the machine that has it."""
    clauses: tuple[int, ...] = ()
    """For each word, the number of its clause."""

    def clause_of(self, place: int) -> int:
        """Which part of the sentence a word stands in: a remark after a comma says nothing about the request."""
        return self.clauses[place] if place < len(self.clauses) else 0

    def span(self, first: int, last: int) -> Span:
        return self.utterance.span(first, last)

    def said(self, first: int, last: int) -> str:
        return self.utterance.slice(self.span(first, last))


def plain_word(word: str) -> str:
    """As the fleet's words are kept: no accents, no English possessive."""
    return fold(word).removesuffix("'s").rstrip("'")


def object_words(meaning: str) -> tuple[str, ...]:
    """How a command's name may call an object."""
    return tuple(load_rules()["objects"].get(meaning, (meaning,)))
