"""The pattern language of policy files, over words rather than characters.

    word          that word                    <class>     a word or phrase of a class
    [ ... ]       optional                     ( a | b c ) one of several
    {slot}        one or more words            {slot?}     none or more words
    {slot!}       one word                     ..          up to four words
    ^  $          start / end of the request

A slot reaches as far as it can while the rest still fits ("mark X as done as done"), at most
SLOT_LIMIT words, so that matching stays linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

SLOT_LIMIT = 48
GAP_LIMIT = 4
_MESSAGES_KEPT = 64
GAP = ".."
"""The name under which a gap appears among the slots."""
_SYMBOL = re.compile(r"\{(\w+)([?!]?)\}|<(\w+)>|\.\.|[\[\]()|^$]|[^\s\[\]()|{}<>^$]+|(\S)")

_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
"""Messages are cut at hyphens, so patterns are too."""

Slots = tuple[tuple[str, int, int], ...]


class PatternError(ValueError):
    """A pattern that cannot be read."""


class Known(NamedTuple):
    """What a lexicon knows of the words of a message."""

    words: tuple[str, ...]
    classes: tuple[tuple[tuple[str, int], ...], ...]
    """At each place, every class with a phrase there and the phrase's length, longest first."""
    names: frozenset[str]
    """Every class with a phrase anywhere."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Words and phrases by class, ready to be looked up from their first word."""

    phrases: Mapping[str, frozenset[tuple[str, ...]]]
    by_first: Mapping[str, tuple[tuple[str, tuple[str, ...]], ...]]
    by_class: Mapping[str, Mapping[str, tuple[tuple[str, ...], ...]]]
    firsts: Mapping[str, frozenset[str]]
    """The words that a phrase of each class can begin with."""
    alone: Mapping[str, tuple[tuple[str, int], ...]]
    """The classes that a word belongs to by itself, each with the length 1."""
    by_two: Mapping[tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]
    """The phrases of two words and more by the first two, longest first."""
    _found: dict[tuple[str, ...], Known] = field(default_factory=dict, compare=False, repr=False)
    """What is known of the words asked about last: each stage of a reading asks again about the same ones."""
    _last: list[Known] = field(default_factory=lambda: [Known((), (), frozenset())], compare=False, repr=False)
    """The same for the very words asked about last: to look a long message up takes the hash of each of its words."""
    noted: list[Scene] | None = field(default=None, compare=False, repr=False)
    """Where somebody wants to know what patterns were held to: every scene that was made with this lexicon."""

    def ends(self, name: str, words: tuple[str, ...], place: int) -> Sequence[int]:
        """Where a phrase of the class that begins at `place` can end, longest first."""
        by_first = self.by_class.get(name)
        if by_first is None or place >= len(words):
            return ()
        found = by_first.get(words[place])
        if found is None:  # nearly always
            return ()
        return [place + len(phrase) for phrase in found if words[place : place + len(phrase)] == phrase]

    def says(self, name: str, words: tuple[str, ...]) -> bool:
        """Whether a phrase of the class stands anywhere in the words."""
        firsts = self.firsts.get(name)
        if firsts is None or firsts.isdisjoint(words):  # nearly always
            return False
        return name in self.names(words)

    def names(self, words: tuple[str, ...]) -> frozenset[str]:
        """Every class with a phrase anywhere in the words: who looks for one of them mostly need not look further."""
        known = self._last[0]
        return known.names if known.words is words or known.words == words else self._look_up(words).names

    def names_beginning(self, start: str, words: tuple[str, ...]) -> tuple[str, ...]:
        """Of those the ones that are called so at their beginning."""
        return tuple([name for name in self.names(words) if name.startswith(start)])

    def classes(self, words: tuple[str, ...], place: int) -> Sequence[tuple[str, int]]:
        """Every class with a phrase at `place`, with the phrase's length, longest first."""
        known = self._last[0]
        if known.words is not words and known.words != words:
            known = self._look_up(words)
        return known.classes[place]

    def among(self, names: Collection[str], words: tuple[str, ...], place: int) -> list[tuple[str, int]]:
        """Those of these classes with a phrase at `place`. Whoever asks for what it looks for, and not for all classes,
        lets an edit of another one pass by (`engine/editing/noting.py`)."""
        return [each for each in self.classes(words, place) if each[0] in names]

    def beginning(self, start: str | tuple[str, ...], words: tuple[str, ...], place: int) -> list[tuple[str, int]]:
        """The same of the classes that are called so at their beginning."""
        known = self._last[0]
        if known.words is not words and known.words != words:
            known = self._look_up(words)
        return [each for each in known.classes[place] if each[0].startswith(start)]

    def _look_up(self, words: tuple[str, ...]) -> Known:
        known = self._found.get(words)
        if known is None:
            if len(self._found) >= _MESSAGES_KEPT:
                self._found.clear()
            classes = tuple([self._classes_at(words, each) for each in range(len(words))])
            names = frozenset([name for found in classes for name, _ in found])
            known = self._found[words] = Known(words, classes, names)
        self._last[0] = known
        return known

    def _classes_at(self, words: tuple[str, ...], place: int) -> tuple[tuple[str, int], ...]:
        """Of the many phrases that begin with "the" only those are compared that go on with the next word, too."""
        alone = self.alone.get(words[place], ())
        longer = self.by_two.get(words[place : place + 2])
        if longer is None:  # mostly
            return alone
        found = [(name, len(phrase)) for name, phrase in longer if words[place : place + len(phrase)] == phrase]
        return (*found, *alone)


def make_lexicon(classes: Mapping[str, tuple[str, ...]]) -> Lexicon:
    phrases = {name: frozenset(tuple(phrase.split()) for phrase in entries) for name, entries in classes.items()}
    by_first: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    for name, entries in phrases.items():
        for phrase in entries:
            by_first.setdefault(phrase[0], []).append((name, phrase))
    ordered = {first: tuple(sorted(found, key=lambda each: -len(each[1]))) for first, found in by_first.items()}
    by_class: dict[str, dict[str, tuple[tuple[str, ...], ...]]] = {name: {} for name in phrases}
    for first, found in ordered.items():
        for name, phrase in found:
            by_class[name][first] = (*by_class[name].get(first, ()), phrase)
    alone: dict[str, tuple[tuple[str, int], ...]] = {}
    by_two: dict[tuple[str, ...], list[tuple[str, tuple[str, ...]]]] = {}
    for first, found in ordered.items():
        alone[first] = tuple((name, 1) for name, phrase in found if len(phrase) == 1)
        for name, phrase in found:
            if len(phrase) > 1:
                by_two.setdefault(phrase[:2], []).append((name, phrase))
    firsts = {name: frozenset(found) for name, found in by_class.items()}
    return Lexicon(phrases, ordered, by_class, firsts, alone, {words: tuple(found) for words, found in by_two.items()})


@dataclass(frozen=True, slots=True)
class Node:
    kind: str
    """word, class, slot, gap, options, start, end."""
    value: str = ""
    optional: bool = False
    options: tuple[tuple[Node, ...], ...] = ()
    single: bool = False
    """For a slot: that it takes one word."""
    follow: frozenset[str] | None = None
    """For a slot: the words that can come after it, if that is known. Saves trying everywhere."""


@dataclass(slots=True)
class Scene:
    """What a pattern is matched against: one request of the message. Nobody changes it once it is made; it is not
    frozen because that makes making it three times as slow, and no tuple because matching asks for its parts often."""

    words: tuple[str, ...]
    lexicon: Lexicon
    starts: frozenset[int]
    ends: frozenset[int]
    stop: int = 0
    present: frozenset[str] = frozenset()
    quoted: frozenset[int] = frozenset()
    """Places of quoted words: what somebody quotes asks for nothing."""
    opening: int = 0
    """Where polite words at the start end: "could you please" says nothing about what is asked."""
    fitting: dict[frozenset[str], frozenset[str]] = field(default_factory=dict)
    """What of its words may stand in a slot that needs one of these classes."""


@lru_cache(maxsize=8192)
def compile_pattern(source: str) -> tuple[Node, ...]:
    symbols = list(_SYMBOL.finditer(_HYPHEN.sub(" ", source)))
    nodes, rest = _read_sequence(symbols, 0, closing="")
    if rest != len(symbols):
        raise PatternError(f"unbalanced bracket in {source!r}")
    if not nodes:
        raise PatternError("a pattern needs at least one word")
    return nodes


def _read_sequence(symbols: list[re.Match[str]], place: int, closing: str) -> tuple[tuple[Node, ...], int]:
    nodes: list[Node] = []
    while place < len(symbols):
        symbol = symbols[place].group()
        if symbol in ("]", ")", "|"):
            return tuple(nodes), place
        if symbol in ("[", "("):
            node, place = _read_group(symbols, place)
        else:
            node, place = _read_single(symbols[place]), place + 1
        nodes.append(node)
    if closing:
        raise PatternError(f"missing {closing!r}")
    return tuple(nodes), place


def _read_group(symbols: list[re.Match[str]], place: int) -> tuple[Node, int]:
    optional = symbols[place].group() == "["
    closing = "]" if optional else ")"
    options: list[tuple[Node, ...]] = []
    while True:
        option, place = _read_sequence(symbols, place + 1, closing)
        options.append(option)
        end = symbols[place].group()
        if end == closing:
            return Node("options", optional=optional, options=tuple(options)), place + 1
        if end != "|":
            raise PatternError(f"{end!r} where {closing!r} was expected")


def _read_single(symbol: re.Match[str]) -> Node:
    slot, mark, class_name, junk = symbol.groups()
    if junk:
        raise PatternError(f"unexpected {junk!r}")
    if slot:
        return Node("slot", slot, optional=mark == "?", single=mark == "!")
    if class_name:
        return Node("class", class_name)
    special = {"..": "gap", "^": "start", "$": "end"}
    return Node(special.get(symbol.group(), "word"), symbol.group())


def first_words(nodes: tuple[Node, ...], lexicon: Lexicon) -> frozenset[str] | None:
    """The words a match can begin with; None if it can begin with any word."""
    found: set[str] = set()
    for node in nodes:
        if node.kind in ("slot", "gap"):
            return None
        if node.kind == "word":
            return frozenset(found | {node.value})
        if node.kind == "class":
            firsts = lexicon.firsts[node.value]
            return firsts | found if found else firsts
        for option in node.options:
            inner = first_words(option, lexicon)
            if inner is None:
                return None
            found |= inner
        if node.kind == "options" and not node.optional and all(node.options):
            return frozenset(found)
    return None
