"""Where the temporary files of a run lie: in memory, where the system keeps a folder there and it has room.

Each change of a test's store is written to the disk before it counts, and the test waits for that: 6 ms a change, most
of what the smaller tests of the store take. What is tried is that nothing is lost with a process, not with the power,
and a file in memory outlives the process as one on the disk does.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM_BYTES = 4 * 1024**3
"""A container that has 64 MB of it stays on its disk."""


def use_memory(folder: Path = MEMORY) -> None:
    """For this process and those it starts, unless somebody chose a folder."""
    if "TMPDIR" in os.environ or not os.access(folder, os.W_OK) or shutil.disk_usage(folder).free < ROOM_BYTES:
        return
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)
