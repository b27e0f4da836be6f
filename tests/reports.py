"""What the processes that test tell the one that began the run: how each test ended, and what somebody looks at.

pytest-xdist sends five reports of every test: that it begins, how getting ready, the test and clearing up went, and
that it is over. To pack and unpack them is work on both sides for each of thousands of tests, and of most nobody sees
anything. Getting ready and clearing up are told where they failed or took so long that the list of the slowest may name
them; with `-v`, all is told as ever.
"""

from __future__ import annotations

import pytest
from _pytest.runner import runtestprotocol

LONG_SECONDS = 1.0


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    if not hasattr(item.config, "workerinput") or item.config.option.verbose > 0:
        return None
    for report in runtestprotocol(item, nextitem=nextitem, log=False):
        if is_told(report):
            item.ihook.pytest_runtest_logreport(report=report)
    return True


def is_told(report: pytest.TestReport) -> bool:
    return report.when == "call" or not report.passed or report.duration >= LONG_SECONDS
