"""A few pages are drawn at once; the others wait in a line, but for nobody who takes long."""

from __future__ import annotations

import threading

import pytest
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.testing.v1 import AppTest

from ui.few_at_once import Places, draw_few_at_once

_LONG = 60.0
"""Seconds, which no test waits for."""


class _Visit:
    """Somebody who takes a place in a thread of their own, and leaves it when told to."""

    def __init__(self, places: Places, entered: list[str], name: str) -> None:
        self.is_in, self._may_go = threading.Event(), threading.Event()

        def visit() -> None:
            with places.taken():
                entered.append(name)
                self.is_in.set()
                self._may_go.wait(_LONG)

        self._thread = threading.Thread(target=visit, daemon=True)
        self._thread.start()

    def leave(self) -> None:
        self._may_go.set()
        self._thread.join(_LONG)


def _wait_until_in_line(places: Places, count: int) -> None:
    while len(places._waiting) < count:
        threading.Event().wait(0.001)


def test_those_who_wait_are_let_in_in_the_order_in_which_they_came() -> None:
    places, entered = Places(2, _LONG), list[str]()
    inside = [_Visit(places, entered, name) for name in ("a", "b")]
    assert all(each.is_in.wait(_LONG) for each in inside)
    waiting = []
    for place, name in enumerate(("c", "d", "e")):
        waiting.append(_Visit(places, entered, name))
        _wait_until_in_line(places, place + 1)
    assert sorted(entered) == ["a", "b"]
    inside[1].leave()
    assert waiting[0].is_in.wait(_LONG)
    assert not waiting[1].is_in.is_set()
    waiting[0].leave()
    assert waiting[1].is_in.wait(_LONG)
    inside[0].leave()
    assert waiting[2].is_in.wait(_LONG)
    assert entered[2:] == ["c", "d", "e"]
    for each in waiting[1:]:
        each.leave()


def test_nobody_waits_for_who_takes_long() -> None:
    places, entered = Places(1, 0.05), list[str]()
    slow = _Visit(places, entered, "slow")
    assert slow.is_in.wait(_LONG)
    quick = _Visit(places, entered, "quick")
    assert quick.is_in.wait(_LONG)
    quick.leave()
    slow.leave()
    assert entered == ["slow", "quick"]


def test_a_place_is_given_back_by_what_fails() -> None:
    places = Places(1, _LONG)
    with pytest.raises(ValueError, match="broken"), places.taken():
        raise ValueError("broken")
    with places.taken():
        pass


def page() -> None:
    import streamlit as st

    st.button("Press")
    st.write("drawn")


def test_streamlit_runs_every_page_by_the_method_that_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ScriptRunner, "_run_script", ScriptRunner._run_script)  # put back afterwards
    taken: list[bool] = []
    monkeypatch.setattr("ui.few_at_once._places", _Counting(taken))
    draw_few_at_once()
    shown = AppTest.from_function(page).run()
    shown.button[0].click().run()
    assert shown.markdown[0].value == "drawn"
    assert len(taken) == 2


class _Counting(Places):
    def __init__(self, taken: list[bool]) -> None:
        super().__init__(1, _LONG)
        self._taken = taken

    def _let_in(self) -> None:
        if self._waiting:
            self._taken.append(True)
        super()._let_in()
