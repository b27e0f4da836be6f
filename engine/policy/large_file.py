"""A large file beside the language folders: read once, and not once for each draft of a policy."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path


def read_large(path: Path) -> tuple[bytes, str]:
    """The file's bytes, and its text."""
    found = path.stat()
    return _read(path, found.st_ino, found.st_mtime_ns, found.st_size)


@lru_cache(maxsize=4)
def _read(path: Path, _file: int, _changed: int, _size: int) -> tuple[bytes, str]:
    """Kept as long as it is the same file and nobody has written to it."""
    raw = path.read_bytes()
    return raw, raw.decode("utf-8", "replace")
