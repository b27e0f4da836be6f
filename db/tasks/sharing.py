"""Which titles share words with a text, by whatever knows the words: the index of the store, or a few tasks at hand.

Each step looks at a bounded number of titles, whatever the number of tasks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from rapidfuzz import fuzz, process

from engine.text.folding import split_words

Group = Sequence[str]
"""Words of one person's tasks that one word of a text may stand for."""

_LOOKALIKE_SCORE = 70
"""How similar (of 100) a word of the vocabulary must be to stand in for a misspelt one."""
_LOOKALIKES = 30
_POOL = 60
"""How many titles are compared one by one, whatever the number of tasks."""
_WORDS_OF_TEXT = 14
"""How many words of a whole message are looked up."""
_SINGLE_WORDS = 4


class TitleWords(Protocol):
    """What is asked of one person's titles."""

    def known(self, words: list[str], /) -> set[str]:
        """Those that stand in some task."""

    def similar(self, word: str, limit: int, /) -> list[str]:
        """Words that share most letters, three in a row, with this one."""

    def newest(self, groups: Sequence[Group], limit: int, /) -> list[int]:
        """The search ids of titles with a word of every group, the newest first."""

    def rows(self, search_ids: list[int], /) -> list[Any]:
        """Their rows, the newest first."""

    def words_of(self, row: Any, /) -> frozenset[str]:
        """Those of its title."""


def find_sharing(titles: TitleWords, text: str, limit: int) -> list[Any]:
    """Rows whose title shares words with a text, those with the most and rarest first, however much else the text
    says: "the boiler man came at last" is about "Boiler service"."""
    groups = find_groups(titles, split_words(text)[:_WORDS_OF_TEXT])
    rows = gather(titles, groups)
    titled = [titles.words_of(row) for row in rows]
    scores = [0.0] * len(rows)
    for group in groups:
        shared = [not words.isdisjoint(group) for words in titled]
        worth = 1 + 1 / (1 + sum(shared))
        scores = [score + worth if has else score for score, has in zip(scores, shared, strict=True)]
    order = sorted(range(len(rows)), key=lambda place: (-scores[place], -rows[place].number))
    return [rows[place] for place in order[:limit]]


def gather(titles: TitleWords, groups: list[Group]) -> list[Any]:
    """TitleWords with words of every group, then titles with a word of one, the longest words first: they say most."""
    if not groups:
        return []
    ids = titles.newest(groups, _POOL)
    for group in sorted(groups, key=lambda group: -len(group[0]))[:_SINGLE_WORDS]:
        if len(ids) < _POOL:
            ids += titles.newest([group], _POOL // 3)
    return titles.rows(list(dict.fromkeys(ids)))


def find_groups(titles: TitleWords, words: Sequence[str]) -> list[Group]:
    """Per word of a text the words of the person's own tasks that it may stand for."""
    swapped = {word: _with_letters_swapped(word) for word in words}
    looked_up = [*words, *(other for others in swapped.values() for other in others)]
    known = titles.known(looked_up) if words else set()
    groups: list[Group] = []
    for word in dict.fromkeys(words):
        if word in known:
            groups.append([word])
            continue
        similar = titles.similar(word, _LOOKALIKES)
        close = process.extract(word, similar, scorer=fuzz.ratio, limit=5, score_cutoff=_LOOKALIKE_SCORE)
        found = dict.fromkeys([*known.intersection(swapped[word]), *(found for found, _, _ in close)])
        if found:
            groups.append(list(found))
    return groups


def _with_letters_swapped(word: str) -> list[str]:
    """Two letters in the wrong order: of a short word that leaves no three letters as they were."""
    if not _SHORTEST_SWAPPED <= len(word) <= _LONGEST_SWAPPED:
        return []
    return [word[:place] + word[place + 1] + word[place] + word[place + 2 :] for place in range(len(word) - 1)]


_SHORTEST_SWAPPED, _LONGEST_SWAPPED = 4, 8
