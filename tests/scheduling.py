"""Which process runs which test: whole files, the browser's from one end of the list and the model's from the other.

The two are the longest and both want more than a core, so they should not wait for each other; all the rest lies
between them, and whoever is done earlier takes more of it.
"""

from __future__ import annotations

import pytest

BEGIN = ("tests/browser/",)
END = ("tests/pages/", "tests/db/", "tests/mcp_door/", "tests/llm/")
"""From the end: these in this order, the last of them first."""


def place(nodeid: str) -> int:
    if nodeid.startswith(BEGIN):
        return -1
    return next((number for number, folder in enumerate(END, 1) if nodeid.startswith(folder)), 0)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: place(item.nodeid))


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    from xdist.scheduler import LoadScopeScheduling

    class FromBothEnds(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.split("::", 1)[0]

        def _assign_work_unit(self, node: object) -> None:
            if self.nodes.index(node) % 2:
                self.workqueue.move_to_end(next(reversed(self.workqueue)), last=False)
            super()._assign_work_unit(node)

    config.option.loadscopereorder = False
    return FromBothEnds(config, log)
