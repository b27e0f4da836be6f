"""A TaskIndex over tasks in memory: for the batch interface, the tests and Inspect's edited contexts.

Looking a mention up costs the same with a hundred tasks as with a hundred thousand: words lead to
tasks through an inverted index, and misspelt words to known words through their deletion variants.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from engine.text.folding import split_words, title_words
from engine.values import Task

_TOGETHER_LIMIT = 8
"""Tasks kept of those that have the most words of a mention; the newest, where there are more."""
_STRETCH = 1024
_RARE_WORDS = 2
"""So many of a mention's words also bring in tasks by themselves: near misses, for "did you mean"."""
_SHORTEST_MISSPELT_WORD = 4
_PREFIX_LENGTH = 4
_LONGEST_WORD = 200
"""No title has a longer word, so none is misspelt: looking for the slips in one of ten thousand letters takes long."""
_WORDS_KEPT = 4096
_FEW = 32


_Known = tuple[str, float, list[int]]
"""A word of some title, how close it is to the one asked for, and the positions of the tasks that have it."""


def _count_positions(known: _Known) -> int:
    return len(known[2])


class MemoryIndex:
    """Serves `engine.decision.TaskIndex` from a list. Later tasks count as more recent."""

    def __init__(self, tasks: Iterable[Task] = ()) -> None:
        self._tasks: tuple[Task, ...] = tuple(tasks)
        self._by_id = {task.id: task for task in self._tasks}
        self._by_number = {task.number: task for task in self._tasks}
        self._postings: dict[str, list[int]] | None = None
        self._variants: dict[str, list[str]] = {}
        self._close: dict[str, list[_Known]] = {}
        """By words that no title has: each stage of a reading asks again about the same ones."""
        self._bits: dict[str, int] = {}
        self._sets: dict[str, frozenset[int]] = {}
        """The tasks with a word that many have."""
        self._by_title: dict[tuple[str, ...], list[int]] = {}

    def __len__(self) -> int:
        return len(self._tasks)

    def find_by_id(self, task_id: str) -> Task | None:
        return self._by_id.get(task_id)

    def find_by_number(self, number: int) -> Task | None:
        return self._by_number.get(number)

    def recent(self, limit: int) -> tuple[Task, ...]:
        # Stamps decide where they exist; without any, the order of the list does.
        if not any(task.updated_at for task in self._tasks[-limit:]):
            return tuple(reversed(self._tasks[-limit:])) if limit else ()
        return tuple(sorted(self._tasks, key=lambda task: task.updated_at, reverse=True)[:limit])

    def candidates(self, mention: str, limit: int) -> tuple[Task, ...]:
        """Tasks that share words with the mention, those with the most (and rarest) words first."""
        if not self._tasks:
            return ()
        if self._postings is None:
            self._build()
        asked = title_words(mention)
        known = self._find_known(asked)
        known.sort(key=_count_positions)
        gathered = {*self._by_title.get(asked, ())[-limit:], *self._with_most_words(known)}
        for _, _, positions in known[:_RARE_WORDS]:
            gathered.update(positions[-limit:])
        totals = dict.fromkeys(gathered, 0.0)
        for word, closeness, positions in known:
            value = closeness + closeness / (1 + len(positions))
            for position in gathered.intersection(self._having(word, positions)):
                totals[position] += value
        votes = [(-total, -position) for position, total in totals.items()]
        votes.sort()
        return tuple([self._tasks[-position] for _, position in votes[:limit]])

    def _having(self, word: str, positions: list[int]) -> Iterable[int]:
        """The tasks with the word, so that to look up a few of them takes no walk through many."""
        if len(positions) <= _FEW:
            return positions
        found = self._sets.get(word)
        if found is None:
            found = self._sets[word] = frozenset(positions)
        return found

    def _with_most_words(self, known: list[_Known]) -> list[int]:
        """Tasks that have as many of the words as can be had together, beginning with the rarest word."""
        together = 0
        for word, _, _ in known:
            found = self._bits_of(word)
            together = (together & found or together) if together else found
        newest: list[int] = []
        while together and len(newest) < _TOGETHER_LIMIT:
            # A stretch at a time: each bit taken out of a hundred thousand is another number of that length.
            below = max(0, together.bit_length() - _STRETCH)
            stretch = together >> below
            while stretch and len(newest) < _TOGETHER_LIMIT:
                newest.append(below + stretch.bit_length() - 1)
                stretch ^= 1 << newest[-1] - below
            together &= (1 << below) - 1
        return newest

    def _bits_of(self, word: str) -> int:
        """The tasks with the word as one number, bit n for task n: of a hundred thousand tasks, those with two
        words are found in a microsecond. Made when first asked for."""
        bits = self._bits.get(word)
        if bits is None:
            marked = bytearray(len(self._tasks) // 8 + 1)
            for position in (self._postings or {}).get(word, ()):
                marked[position >> 3] |= 1 << (position & 7)
            bits = self._bits[word] = int.from_bytes(marked, "little")
        return bits

    def _find_known(self, asked: tuple[str, ...]) -> list[_Known]:
        """Each word itself if a title has it, else known words one slip away from it."""
        postings, known = self._postings or {}, []
        for word in dict.fromkeys(asked):
            positions = postings.get(word)
            if positions is None:
                known += self._close_words(word, postings)
            else:
                known.append((word, 1.0, positions))
        return known

    def _close_words(self, word: str, postings: dict[str, list[int]]) -> list[_Known]:
        if not _SHORTEST_MISSPELT_WORD <= len(word) <= _LONGEST_WORD:
            return []
        found = self._close.get(word)
        if found is None:
            variants = (word, *_deletions(word), _prefix(word))
            close = dict.fromkeys(known for variant in variants for known in self._variants.get(variant, ())[:8])
            if len(self._close) >= _WORDS_KEPT:
                self._close.clear()
            found = self._close[word] = [(known, 0.7, postings[known]) for known in close]
        return found

    def _build(self) -> None:
        postings: defaultdict[str, list[int]] = defaultdict(list)
        by_title: defaultdict[tuple[str, ...], list[int]] = defaultdict(list)
        # Not through the cache: a hundred thousand titles would only wash it out.
        for position, words in enumerate([split_words(task.title) for task in self._tasks]):
            by_title[words].append(position)
            for word in set(words):
                postings[word].append(position)
        self._by_title = dict(by_title)
        variants: defaultdict[str, list[str]] = defaultdict(list)
        make = _variants if len(postings) <= _WORDS_KEPT // 4 else _variants.__wrapped__  # as above
        for word in postings:
            if len(word) >= _SHORTEST_MISSPELT_WORD:
                for variant in make(word):
                    variants[variant].append(word)
        self._variants = dict(variants)
        self._postings = dict(postings)


def _deletions(word: str) -> tuple[str, ...]:
    """The word with each letter left out once: two words one slip apart share one of these."""
    return tuple(word[:place] + word[place + 1 :] for place in range(len(word)))


@lru_cache(maxsize=_WORDS_KEPT)
def _variants(word: str) -> frozenset[str]:
    """Under which a word is found. Kept: the lists of many short conversations have much the same words."""
    return frozenset((word, *_deletions(word), _prefix(word)))


def _prefix(word: str) -> str:
    """Marks a shared beginning, so that "present" finds "presentation"."""
    return word[:_PREFIX_LENGTH] + "*"
