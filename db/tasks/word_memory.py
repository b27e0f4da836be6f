"""What the word index said, kept while one message is read: its stages ask about the same words again and again."""

from __future__ import annotations

from sqlalchemy import Connection

from db.dialects import WordIndex


class WordMemory:
    """A `WordIndex` of one person that asks about each word once. Only for who reads one state of the store."""

    def __init__(self, index: WordIndex) -> None:
        self._index = index
        self._known: dict[str, bool] = {}
        self._containing: dict[str, list[str] | None] = {}
        self._sharing: dict[tuple[str, int], list[str]] = {}
        self.contains_each = index.contains_each
        self.find_newest = index.find_newest
        self.find_newest_titled = index.find_newest_titled

    def known_words(self, connection: Connection, serial: int, words: list[str], /) -> set[str]:
        new = [word for word in words if word not in self._known]
        if new:
            found = self._index.known_words(connection, serial, new)
            self._known |= {word: word in found for word in new}
        return {word for word in words if self._known[word]}

    def words_containing(self, connection: Connection, serial: int, fragment: str, /) -> list[str] | None:
        if fragment not in self._containing:
            self._containing[fragment] = self._index.words_containing(connection, serial, fragment)
        return self._containing[fragment]

    def words_sharing_trigrams(self, connection: Connection, serial: int, word: str, limit: int, /) -> list[str]:
        if (word, limit) not in self._sharing:
            self._sharing[word, limit] = self._index.words_sharing_trigrams(connection, serial, word, limit)
        return self._sharing[word, limit]
