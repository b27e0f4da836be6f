"""No search for garbage while the workbench starts, and a seldom one while it runs.

What comes to life at the start (three thousand modules, policies, templates) stays, and Python would look through it
again and again: a sixth of the start. A page that is drawn makes tens of thousands of objects, after each 700 of which
it would look again.
"""

from __future__ import annotations

import gc

_SELDOM = (20_000, 20, 20)


def stop_looking() -> None:
    gc.disable()


def look_seldom() -> None:
    """Once all is there, which stays: it is left out from now on."""
    gc.freeze()
    gc.set_threshold(*_SELDOM)
    gc.enable()
