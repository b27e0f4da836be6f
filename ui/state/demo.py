"""What the Demo page remembers: which run it shows and whether for a projector, both in the address; and the script
of somebody's own, in their browser."""

from __future__ import annotations

from ui.state.address import drop_from_address, put_in_address, read_address
from ui.state.kept import keep, read_kept

_RUN, _PROJECTOR, _SCRIPT = "run", "projector", "demo_script"


def read_run_id() -> str:
    return read_address(_RUN)


def show_run(run_id: str | None) -> None:
    if run_id:
        put_in_address(_RUN, run_id)
    else:
        drop_from_address(_RUN)


def is_projected() -> bool:
    return bool(read_address(_PROJECTOR))


def switch_projector() -> None:
    if is_projected():
        drop_from_address(_PROJECTOR)
    else:
        put_in_address(_PROJECTOR, "1")


def read_own_script() -> str:
    """Empty: there is none."""
    return str(read_kept(_SCRIPT) or "")


def keep_own_script(text: str) -> None:
    keep(_SCRIPT, text)
