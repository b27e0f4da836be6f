"""Which classes of words a decision asked for, and of which words.

A word that comes into a class, or leaves it, changes only what is read where somebody asked whether that word is in
that class. So the tables of a policy are stood in for by some that note it. Whoever goes through all classes of a word,
or in a way that is not known here, is noted as having asked for every one: nothing is lost, only more is run again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, NamedTuple

from engine.policy.patterns import Lexicon
from engine.policy.values import Policy

EVERY = "*"
"""Every word, and after the beginning of a name every class that is called so."""
KNOWN, TAG = "#known", "#tag"
"""Whether a word is in any class, and which of its classes tells most."""
DERIVED = {
    "#small_words": ("small_word",),
    "#splitters": ("splitter",),
    "#pointing_words": ("pronoun", "clitic"),
    "#function_words": ("function",),
    "#empty_words": ("function", "light", "item", "list", "date_word"),
}
"""Sets of words that a policy makes of its classes, and of which."""
_NOTHING: frozenset[str] = frozenset()
_Pairs = set[tuple[str | tuple[str, ...], str]]


class AskedFor(NamedTuple):
    """Kept with thousands of messages, so in little room: bit n of a mask is the word, or the name, at place n."""

    words: tuple[str, ...] = ()
    masks: tuple[tuple[int, int], ...] = ()
    """Of which words together which names were asked for."""

    def covers(self, names: int, words: Iterable[str]) -> bool:
        """Whether one of these names was asked for of one of these words."""
        wanted = sum(1 << place for place, word in enumerate(self.words) if word == EVERY or word in words)
        return any(of & wanted and asked & names for of, asked in self.masks)


class AskedNames:
    """Names as bits: classes, and tables that are made of them."""

    def __init__(self, policy: Policy) -> None:
        names = (*sorted(policy.reading_words), KNOWN, TAG, *DERIVED)
        self._bits = {name: 1 << place for place, name in enumerate(names)}
        self.mask_of = cache(self._mask_of)

    def _mask_of(self, name: str) -> int:
        if name.endswith(EVERY):
            start = name.removesuffix(EVERY)
            return sum(bit for known, bit in self._bits.items() if known[0] != "#" and known.startswith(start))
        return self._bits.get(name, 0)

    def write(self, pairs: _Pairs) -> AskedFor:
        by_word: dict[str, int] = {}
        for owner, name in pairs:
            mask = self.mask_of(name)
            for word in owner if isinstance(owner, tuple) else (owner,):
                by_word[word] = by_word.get(word, 0) | mask
        words = tuple(sorted(by_word))
        together: dict[int, int] = {}
        for place, word in enumerate(words):
            together[by_word[word]] = together.get(by_word[word], 0) | 1 << place
        return AskedFor(words, tuple((of, names) for names, of in together.items()))


class _NotingSet(Set[Any]):
    """As good as the set, and notes what of it is looked at."""

    __slots__ = ("_pairs", "_set")

    def __init__(self, pairs: _Pairs, own: frozenset[str]) -> None:
        self._pairs, self._set = pairs, own

    def _note(self, looked_at: object) -> None:
        raise NotImplementedError

    @classmethod
    def _from_iterable(cls, each: Iterable[Any]) -> Any:
        return frozenset(each)

    def __contains__(self, each: object) -> bool:
        self._note(each)
        return each in self._set

    def __iter__(self) -> Iterator[Any]:
        self._note(EVERY)
        return iter(self._set)

    def __len__(self) -> int:
        self._note(EVERY)
        return len(self._set)

    def isdisjoint(self, other: Iterable[Any]) -> bool:
        return not any(each in self for each in other)

    def __and__(self, other: Iterable[Any]) -> Any:
        return frozenset([each for each in other if each in self])

    __rand__ = __and__

    def __ge__(self, other: Set[Any]) -> bool:
        return all(each in self for each in other)

    def __hash__(self) -> int:
        self._note(EVERY)
        return hash(self._set)


class _Classes(_NotingSet):
    """Of a word, or of several: what is looked at is a class."""

    __slots__ = ("_owner",)

    def __init__(self, pairs: _Pairs, own: frozenset[str], owner: str | tuple[str, ...]) -> None:
        super().__init__(pairs, own)
        self._owner = owner

    def _note(self, looked_at: object) -> None:
        self._pairs.add((self._owner, str(looked_at)))


class _Words(_NotingSet):
    """Of a table: what is looked at is a word."""

    __slots__ = ("_name",)

    def __init__(self, pairs: _Pairs, own: frozenset[str], name: str) -> None:
        super().__init__(pairs, own)
        self._name = name

    def _note(self, looked_at: object) -> None:
        self._pairs.add((str(looked_at), self._name))


class _ByWord(dict[str, Any]):
    """The classes of each word."""

    def __init__(self, table: Mapping[str, frozenset[str]], pairs: _Pairs) -> None:
        super().__init__(table)
        self._pairs = pairs

    def get(self, word: str, default: Any = None) -> Any:
        return _Classes(self._pairs, super().get(word, _NOTHING), word)

    def __getitem__(self, word: str) -> Any:
        return _Classes(self._pairs, super().__getitem__(word), word)

    def __contains__(self, word: object) -> bool:
        self._pairs.add((str(word), KNOWN))
        return super().__contains__(word)


class _Tags(dict[str, str]):
    def __init__(self, table: Mapping[str, str], pairs: _Pairs) -> None:
        super().__init__(table)
        self._pairs = pairs

    def get(self, word: str, default: Any = None) -> Any:
        self._pairs.add((word, TAG))
        return super().get(word, default)


class _ByClass(dict[str, Any]):
    """The words of each class: who asks for it may look at any of them."""

    def __init__(self, table: Mapping[str, Any], pairs: _Pairs) -> None:
        super().__init__(table)
        self._pairs = pairs

    def get(self, name: str, default: Any = None) -> Any:
        self._pairs.add((EVERY, name))
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        self._pairs.add((EVERY, name))
        return super().__getitem__(name)


@dataclass(frozen=True)
class _NotingLexicon(Lexicon):
    plain: Lexicon | None = None
    pairs: _Pairs = field(default_factory=set, compare=False)

    def ends(self, name: str, words: tuple[str, ...], place: int) -> Sequence[int]:
        if place < len(words):
            self.pairs.add((words[place], name))
        return self.plain.ends(name, words, place) if self.plain else ()

    def says(self, name: str, words: tuple[str, ...]) -> bool:
        self.pairs.add((words, name))
        return self.plain is not None and self.plain.says(name, words)

    def names(self, words: tuple[str, ...]) -> Any:
        return _Classes(self.pairs, self.plain.names(words) if self.plain else _NOTHING, words)

    def names_beginning(self, start: str, words: tuple[str, ...]) -> tuple[str, ...]:
        self.pairs.add((words, start + EVERY))
        return self.plain.names_beginning(start, words) if self.plain else ()

    def classes(self, words: tuple[str, ...], place: int) -> Sequence[tuple[str, int]]:
        self.pairs.add((words[place], EVERY))
        return self.plain.classes(words, place) if self.plain else ()

    def among(self, names: Collection[str], words: tuple[str, ...], place: int) -> list[tuple[str, int]]:
        self.pairs.update([(words[place], name) for name in names])
        return self.plain.among(names, words, place) if self.plain else []

    def beginning(self, start: str | tuple[str, ...], words: tuple[str, ...], place: int) -> list[tuple[str, int]]:
        self.pairs.update([(words[place], each + EVERY) for each in ((start,) if isinstance(start, str) else start)])
        return self.plain.beginning(start, words, place) if self.plain else []


def note_tables(policy: Policy, pairs: _Pairs, noted: list[Any]) -> dict[str, Any]:
    """The tables of a policy that stand in for its own; scenes go to `noted`."""
    lexicon = policy.lexicon
    own = {each.name: getattr(lexicon, each.name) for each in fields(Lexicon)}
    own |= {"by_class": _ByClass(lexicon.by_class, pairs), "firsts": _ByClass(lexicon.firsts, pairs), "noted": noted}
    return {
        "lexicon": _NotingLexicon(**own, plain=lexicon, pairs=pairs),
        "word_classes": _ByWord(policy.word_classes, pairs),
        "tags": _Tags(policy.tags, pairs),
        # What was made of titles before was not asked for again.
        "titles": {},
        **{name[1:]: _Words(pairs, getattr(policy, name[1:]), name) for name in DERIVED},
    }
