"""A store for a while: in a folder of its own that is gone afterwards, quick to begin anew and to put back."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import ClassVar

from db.connection import Database


class TemporaryStore:
    """Use it with `with`. One thread at a time: a store that somebody reads cannot be put back."""

    _made: ClassVar[bytes] = b""
    """The first one of this process, with all tables and nothing in them: to copy them is ten times as quick as to make
    them."""

    def __init__(self) -> None:
        self._folder = TemporaryDirectory(prefix="twolane-")
        self._file = Path(self._folder.name) / "store.db"
        self._file.write_bytes(self._made)
        self.database = Database(f"sqlite:///{self._file}", durable=False)
        TemporaryStore._made = self._made or self.mark()

    def begin_anew(self) -> None:
        self.put_back(self._made)

    def mark(self) -> bytes:
        """All that is in it."""
        self.database.close()  # the last connection takes what was written into the one file
        return self._file.read_bytes()

    def put_back(self, mark: bytes) -> None:
        self.database.close()
        self._file.write_bytes(mark)

    def __enter__(self) -> TemporaryStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.database.close()
        self._folder.cleanup()
