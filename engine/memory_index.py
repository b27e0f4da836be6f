"""A TaskIndex over tasks in memory: for the batch interface, the tests and Inspect's edited contexts.

Looking a mention up costs the same with a hundred tasks as with a hundred thousand: words lead to
tasks through an inverted index, and misspelt words to known words through their deletion variants.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator

from engine.values import Task

_POSTING_LIMIT = 64
"""Tasks looked at per word. A word that stands in more titles than this tells them apart poorly."""
_SHORTEST_MISSPELT_WORD = 4
_PREFIX_LENGTH = 4


def fold(text: str) -> str:
    """Lower case without accents, so that "Caffè" and "caffe" meet."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if not unicodedata.combining(character))


def title_words(text: str) -> tuple[str, ...]:
    folded = "".join(character if character.isalnum() else " " for character in fold(text))
    return tuple(folded.split())


class MemoryIndex:
    """Serves `engine.decision.TaskIndex` from a list. Later tasks count as more recent."""

    def __init__(self, tasks: Iterable[Task] = ()) -> None:
        self._tasks: tuple[Task, ...] = tuple(tasks)
        self._by_id = {task.id: task for task in self._tasks}
        self._by_number = {task.number: task for task in self._tasks}
        self._postings: dict[str, list[int]] | None = None
        self._variants: dict[str, list[str]] = {}

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
        if self._postings is None:
            self._build()
        votes: defaultdict[int, float] = defaultdict(float)
        for word in dict.fromkeys(title_words(mention)):
            for known, closeness in self._known_words(word):
                found = self._found(known)
                rarity = closeness / (1 + len(found))
                for position in found[-_POSTING_LIMIT:]:
                    votes[position] += closeness + rarity
        best = sorted(votes, key=lambda position: (-votes[position], -position))[:limit]
        return tuple(self._tasks[position] for position in best)

    def _found(self, word: str) -> list[int]:
        return (self._postings or {}).get(word, [])

    def _known_words(self, word: str) -> Iterator[tuple[str, float]]:
        """The word itself if a title has it, else known words one slip away from it."""
        postings = self._postings or {}
        if word in postings:
            yield word, 1.0
            return
        if len(word) < _SHORTEST_MISSPELT_WORD:
            return
        seen: set[str] = set()
        for variant in (word, *_deletions(word), _prefix(word)):
            for known in self._variants.get(variant, ())[:8]:
                if known not in seen:
                    seen.add(known)
                    yield known, 0.7

    def _build(self) -> None:
        postings: defaultdict[str, list[int]] = defaultdict(list)
        for position, task in enumerate(self._tasks):
            for word in set(title_words(task.title)):
                postings[word].append(position)
        variants: defaultdict[str, list[str]] = defaultdict(list)
        for word in postings:
            if len(word) >= _SHORTEST_MISSPELT_WORD:
                for variant in {word, *_deletions(word), _prefix(word)}:
                    variants[variant].append(word)
        self._variants = dict(variants)
        self._postings = dict(postings)


def _deletions(word: str) -> tuple[str, ...]:
    """The word with each letter left out once: two words one slip apart share one of these."""
    return tuple(word[:place] + word[place + 1 :] for place in range(len(word)))


def _prefix(word: str) -> str:
    """Marks a shared beginning, so that "present" finds "presentation"."""
    return word[:_PREFIX_LENGTH] + "*"
