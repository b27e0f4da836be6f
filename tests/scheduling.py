"""Which process runs which test: whole files, from both ends of one list.

The browser's files stand at one end. One process begins there and one at the other, whoever is done earlier takes
more of what lies between, and they meet at the tests with the real model: it wants every core for itself. Those are
one piece, so that it is loaded once.
"""

from __future__ import annotations

import pytest

FRONT = ("tests/browser/",)
MODEL = (
    "tests/llm/test_adapter.py",
    "tests/llm/test_connection.py",
    "tests/llm/test_embedded.py",
    "tests/llm/test_injections.py",
    "tests/llm/test_reload.py",
    "tests/training/test_adapter_examples.py",
)
BACK = ("tests/llm/", "tests/ui/", "tests/db/", "tests/mcp_door/", "tests/pages/")
"""In this order after the model's; the last of them is where the second process begins."""


def place(nodeid: str) -> int:
    if nodeid.startswith(FRONT):
        return 0
    if nodeid.startswith(MODEL):
        return 2
    return next((number for number, folder in enumerate(BACK, 3) if nodeid.startswith(folder)), 1)


def piece(nodeid: str) -> str:
    return "model" if nodeid.startswith(MODEL) else nodeid.split("::", 1)[0]


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
            if self.nodes.index(node) % 2:
                self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
            super()._assign_work_unit(node)

    config.option.loadscopereorder = False
    return FromBothEnds(config, log)
