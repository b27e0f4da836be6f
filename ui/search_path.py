"""Where Python looks for modules, which all sessions of the workbench share."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path


def leave_out(folder: Path) -> None:
    """Takes a folder out of the search path, in one step: sessions that begin together do so at the same time, and a
    list made anew here would lack what another one moved while it was read."""
    while str(folder) in sys.path:
        with suppress(ValueError):  # another session was quicker
            sys.path.remove(str(folder))
