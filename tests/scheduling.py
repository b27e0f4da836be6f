"""Which process runs which test: whole files, from both ends of one list.

The browser's files stand at one end, the pages' at the other. Processes begin at the ends, and whoever is done earlier
takes more of what lies between. Only one begins with the browser's: a second Chromium has to be started and to compile
Streamlit's scripts anew, for as much work as several tests. The tests with the real model are one piece, so that it is
loaded once. They are what one process takes longest for, so the last process begins with them, and of four helps with
the browser's then; the model has a low priority and one core (`tests.one_core`), and computes while the others wait for
pages and servers.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

FRONT = ("tests/browser/", "tests/evals/")
"""In this order. Files of `evals` take up to 20 seconds each: what is left where processes meet at the end shall be
short, so that none of them works on while the others have nothing to do."""
MODEL = (
    "tests/llm/test_adapter.py",
    "tests/llm/test_connection.py",
    "tests/llm/test_embedded.py",
    "tests/llm/test_injections.py",
    "tests/llm/test_reload.py",
    "tests/training/test_adapter_examples.py",
    "tests/training/test_machine_examples.py",
)
MODEL_PIECE = "model"
CASES = "tests/cases/"
"""One piece as well: what the engine makes of each case is found once for all of its files."""
MIDDLE = len(FRONT)
BACK = ("tests/llm/", "tests/ui/", "tests/db/", "tests/mcp_door/", "tests/pages/")
"""In this order after the model's; the last of them is where the second process begins."""


def place(nodeid: str) -> int:
    """Where it stands in the list: `MIDDLE` is whatever has no place of its own."""
    if nodeid.startswith(MODEL):
        return MIDDLE + 1
    own = (*enumerate(FRONT), *enumerate(BACK, MIDDLE + 2))
    return next((number for number, folder in own if nodeid.startswith(folder)), MIDDLE)


def next_piece(pieces: Sequence[str], process: int, processes: int) -> str:
    """What this process takes of the pieces that are left."""
    if process == processes - 1 > 0 and MODEL_PIECE in pieces:
        return MODEL_PIECE
    return pieces[0] if process % 3 == 0 else pieces[-1]


def piece(nodeid: str) -> str:
    if nodeid.startswith(CASES):
        return CASES
    return MODEL_PIECE if nodeid.startswith(MODEL) else nodeid.split("::", 1)[0]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: place(item.nodeid))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    from xdist.scheduler import LoadScopeScheduling

    class FromBothEnds(LoadScopeScheduling):  # type: ignore[misc, unused-ignore]
        def _split_scope(self, nodeid: str) -> str:
            return piece(nodeid)

        def _assign_work_unit(self, node: object) -> None:
            taken = next_piece([*self.workqueue], self.nodes.index(node), len(self.nodes))
            self.workqueue.move_to_end(taken, last=False)
            super()._assign_work_unit(node)

    config.option.loadscopereorder = False
    return FromBothEnds(config, log)
