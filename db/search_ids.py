"""Under which number a task stands in the search index: its owner's serial number, followed by its own.

So one person's tasks lie next to each other in the index, and a search reads no posting of anybody else.
"""

from __future__ import annotations

SERIAL_SHIFT = 32


def search_id_of(serial: int, number: int) -> int:
    return (serial << SERIAL_SHIFT) + number


def serial_of(search_id: int) -> int:
    return search_id >> SERIAL_SHIFT
