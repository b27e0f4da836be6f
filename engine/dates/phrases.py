"""Phrases of several words, ready to be looked up in a text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

from engine.dates.tokens import DateToken, tokenize

Payload = TypeVar("Payload")


class Phrases(Generic[Payload]):
    """Phrases found by their first two words, the longest first. A lookup reads a bounded number of tokens."""

    __slots__ = ("_longer", "_single", "first_words", "phrases")

    def __init__(self, payloads: Mapping[str, Payload]) -> None:
        self._single: dict[str, Payload] = {}
        self._longer: dict[str, dict[str, list[tuple[tuple[str, ...], Payload]]]] = {}
        said: list[tuple[str, ...]] = []
        for phrase, payload in payloads.items():
            words = tuple(token.word for token in tokenize(phrase))
            said.append(words)
            if len(words) == 1:
                self._single[words[0]] = payload
            else:
                self._longer.setdefault(words[0], {}).setdefault(words[1], []).append((words[2:], payload))
        self.phrases = tuple(said)
        self.first_words = frozenset(self._single) | frozenset(self._longer)
        for seconds in self._longer.values():
            for entries in seconds.values():
                entries.sort(key=lambda entry: -len(entry[0]))

    def second_words(self, first: str) -> frozenset[str] | None:
        """What may follow this first word; None where the first word alone is a phrase."""
        return None if first in self._single else frozenset(self._longer.get(first, ()))

    def find(self, tokens: Sequence[DateToken], start: int) -> tuple[int, Payload] | None:
        """The token after the longest phrase that starts here, and what the phrase stands for."""
        if start >= len(tokens):
            return None
        word = tokens[start].word
        seconds = self._longer.get(word)
        if seconds is not None and start + 1 < len(tokens) and tokens[start + 1].word in seconds:
            for found in self.find_all(tokens, start):
                return found
        return (start + 1, self._single[word]) if word in self._single else None

    def find_all(self, tokens: Sequence[DateToken], start: int) -> Iterator[tuple[int, Payload]]:
        """Every phrase that starts here, the longest first."""
        if start >= len(tokens):
            return
        word = tokens[start].word
        seconds = self._longer.get(word)
        if seconds is not None and start + 1 < len(tokens):
            for rest, payload in seconds.get(tokens[start + 1].word, ()):
                end = start + 2 + len(rest)
                if tuple(token.word for token in tokens[start + 2 : end]) == rest:
                    yield end, payload
        if word in self._single:
            yield start + 1, self._single[word]


def find_telling_words(tables: Iterable[Phrases[Any]]) -> frozenset[str]:
    """Words of which every phrase has one at least: those that stand alone, and from each phrase that has none of them
    the longest, and of equals the last ("day" in "the day")."""
    phrases = [phrase for table in tables for phrase in table.phrases]
    told = {phrase[0] for phrase in phrases if len(phrase) == 1}
    others = [phrase for phrase in phrases if told.isdisjoint(phrase)]
    longest = {max(enumerate(phrase), key=lambda place: (len(place[1]), place[0]))[1] for phrase in others}
    return frozenset(told | longest)
