"""No search for garbage while the tests are collected: there is none.

Ten thousand tests and all of our modules come to life in each process, and stay. Python looks through all of them again
and again: a third of what collecting takes. From then on it leaves them out.
"""

from __future__ import annotations

import gc

import pytest

gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()
