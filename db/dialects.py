"""What differs between SQLite and PostgreSQL, as two small interfaces that both have alike, module by module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from sqlalchemy import URL, ColumnElement, Connection, Engine, TextClause

from db import postgres, postgres_words, sqlite, sqlite_words
from db.failures import StoreUnavailableError


class Dialect(Protocol):
    """Opening, writing and comparing: `db.sqlite` and `db.postgres`."""

    def open_engines(
        self, url: URL, patience_seconds: float, /, *, durable: bool, connections: int
    ) -> tuple[Engine, Engine]:
        """For who reads, whose transactions each see one state from start to end, and for who writes. Raises
        StoreUnavailableError, in a sentence, where the address cannot work."""

    def start_writing(self, connection: Connection, seconds: float, /) -> str:
        """Be the only one who writes until the transaction ends. Waits for so long for whoever does. What the server
        knows the transaction by."""

    def was_kept(self, connection: Connection, transaction: str, /) -> bool | None:
        """How a transaction ended whose commit was not answered; None: not known, or not yet."""

    def is_busy(self, error: BaseException | None, /) -> bool:
        """Whether others were writing for longer than one waited."""

    def may_pass(self, error: BaseException | None, waited: float, /) -> bool:
        """Whether a transaction that could not even begin is to be begun again, after so many seconds."""

    def is_lost(self, error: BaseException | None, /) -> bool:
        """Whether the connection ended before the answer came: of a commit nobody knows, then, if it was kept."""

    def same_text(self, column: Any, value: str, /) -> ColumnElement[bool]:
        """The column is exactly this, found by its index however long the text is."""


class WordIndex(Protocol):
    """The words of tasks, each person's own: `db.sqlite_words` and `db.postgres_words`."""

    def remember_words(self, connection: Connection, serial: int, words: set[str], /) -> None: ...

    def forget_words(self, connection: Connection, serial: int, words: set[str], /) -> None: ...

    def known_words(self, connection: Connection, serial: int, words: list[str], /) -> set[str]: ...

    def words_containing(self, connection: Connection, serial: int, fragment: str, /) -> list[str] | None: ...

    def words_sharing_trigrams(self, connection: Connection, serial: int, word: str, limit: int, /) -> list[str]: ...

    def contains_each(self, groups: Sequence[Sequence[str]], /, *, title_only: bool) -> Any:
        """What the three below look for: a word of every group stands in the task."""

    def find_newest(self, connection: Connection, serial: int, match: Any, limit: int, /) -> list[int]: ...

    def find_newest_titled(
        self, connection: Connection, serial: int, match: Any, part: str, limit: int, /
    ) -> list[int]: ...

    def matches(self, connection: Connection, serial: int, match: Any, /) -> TextClause: ...


_DIALECTS: dict[str, Dialect] = {"sqlite": sqlite, "postgresql": postgres}
_WORDS: dict[str, WordIndex] = {"sqlite": sqlite_words, "postgresql": postgres_words}


def dialect_named(name: str) -> Dialect:
    """As an address of a database begins."""
    found = _DIALECTS.get("postgresql" if name == "postgres" else name)
    if found is None:
        raise StoreUnavailableError(f"DATABASE_URL names {name}; Twolane runs on SQLite and PostgreSQL.")
    return found


def dialect_of(connection: Connection) -> Dialect:
    return _DIALECTS[connection.dialect.name]


def words_of(connection: Connection) -> WordIndex:
    return _WORDS[connection.dialect.name]
