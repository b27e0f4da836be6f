"""No search for garbage while the tests are collected, and a seldom one while they run.

Ten thousand tests and all of our modules come to life in each process, and stay. Python looks through all of them again
and again: a third of what collecting takes. From then on it leaves them out. It would also look after every 700 new
objects, of which a single message that is decided makes thousands: a twelfth of what the tests take.
"""

from __future__ import annotations

import gc

import pytest

SELDOM = (50_000, 20, 20)

gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(*SELDOM)
    gc.enable()
