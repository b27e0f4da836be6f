"""What the Machines page draws: pure functions, all text escaped."""

from __future__ import annotations

import re
from datetime import datetime
from typing import get_args

import pytest

from db.machines.images import MachineSnapshot
from db.machines.simulation import MetricReading
from db.machines.views import FleetView, MachineView, MetricView
from domains.composing import compose
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.values import Machine, MachineCommand
from domains.machines.wire import read_request
from engine.completing.values import ComposedCall, Composition, Hint, Level, MachineCandidate, Status, Why
from engine.decision import Factor
from engine.values import Argument, Provenance, Span, ToolCall
from ui.machines.bench_input import EXAMPLE_PAYLOAD
from ui.machines.calls import calls_html, label_ids
from ui.machines.composition import candidates_html, hints_html, ledger_html, steps_html, verdict_html
from ui.machines.words import LEVEL_WORDS, STATUS_WORDS
from ui.panels.fleet import fleet_html
from ui.panels.sparkline import sparkline_html
from ui.words import WHY_WORDS

HOSTILE = "<script>alert('x')</script>"


def machine(name: str = "Frigo", *, connected: bool = True, **state: str) -> MachineView:
    snapshot = MachineSnapshot(name.lower(), name, "F1", "Cucina", "Tall", "1.0", connected, state)
    course = tuple(MetricReading(1_772_600_000 + 300 * step, 4.0 + step / 10) for step in range(10))
    return MachineView(snapshot, (MetricView("temperature", "°C", course[-1]),), course)


def test_a_card_says_who_where_and_how() -> None:
    html = fleet_html(FleetView((machine(power="on", light="off", target_temperature="4"),), 1, 1), {})
    assert 'aria-label="Frigo"' in html
    for words in ("Cucina · F1", "● connected", "4.9 °C", "→ 4", "power <b>on</b>", "light <b>off</b>"):
        assert words in html
    assert 'class="tm-active">power' in html
    assert 'class="tm-active">light' not in html


def test_a_silent_machine_says_since_when() -> None:
    html = fleet_html(FleetView((machine(connected=False),), 1, 0), {})
    assert "○ not connected" in html
    assert "last heard from 04 Mar" in html


def test_what_the_last_turn_changed_is_marked_and_comes_first() -> None:
    fleet = FleetView((machine("Abbattitore"), machine("Frigo")), 30, 2)
    html = fleet_html(fleet, {"frigo": "turn on light"})
    assert html.index("Frigo") < html.index("Abbattitore")
    assert html.count("tl-changed") == 1
    assert "turn on light" in html
    assert "and 28 more" in html


def test_hostile_names_are_shown_as_they_are() -> None:
    html = fleet_html(FleetView((machine(HOSTILE, power=HOSTILE),), 1, 1), {HOSTILE.lower(): HOSTILE})
    assert "<script" not in html
    candidate = MachineCandidate("a", HOSTILE, "name", 1.0, HOSTILE, HOSTILE)
    assert "<script" not in candidates_html((candidate,))
    call = ToolCall(HOSTILE, (Argument(HOSTILE, [HOSTILE], Provenance("words", None, HOSTILE)),))
    composition = Composition(
        "completed",
        Why.ONE_WAY,
        HOSTILE,
        (ComposedCall(call, 1.0, {HOSTILE: HOSTILE}),),
        ledger=(Factor(HOSTILE, 1.0, None, HOSTILE),),
        hints=(Hint("device", HOSTILE, Span(0, 8)),),
    )
    for html in (calls_html(composition, {}), ledger_html(composition, 0.9), hints_html(HOSTILE, composition)):
        assert "<script" not in html
        assert "&lt;script" in html


def test_a_call_shows_each_argument_before_and_after_with_its_source() -> None:
    fleet = MemoryFleet([Machine("m1", "Frigo Cucina", commands=(MachineCommand("c1", "turn_on"),))])
    arguments = (
        Argument("device_id", "m1", Provenance("answer", None, "chosen: Frigo Cucina")),
        Argument("machine_command_id", "c1", Provenance("words", Span(0, 7))),
    )
    composed = ComposedCall(ToolCall("machine_command_execute", arguments), 0.9, {"device_name": "null"})
    composition = Composition("completed", Why.ONE_WAY, calls=(composed,))
    text = re.sub(r"<[^>]+>", "|", calls_html(composition, label_ids(composition, fleet)))
    row = [part for part in text.split("|") if part.strip()]
    assert row[row.index("device name") :] == [
        *("device name", "null", "left out"),
        *("machine", "missing", "Frigo Cucina", "your answer"),
        *("machine command", "missing", "turn on", "your words"),
    ]


def test_losers_say_why_they_lost() -> None:
    rows = (
        MachineCandidate("a", "Frigo Cucina", "partial", 0.9, "turn on the light"),
        MachineCandidate("b", "Forno", "keyword", 0.8, "", "has no light"),
    )
    html = candidates_html(rows)
    assert html.index("Frigo Cucina") < html.index("Forno")
    assert "✗ has no light" in html
    assert html.count("tm-lost") == 1


def test_the_ledger_marks_the_lowest_and_the_threshold() -> None:
    composition = Composition(
        "completed", Why.ONE_WAY, confidence=0.7, ledger=(Factor("machine", 1.0), Factor("command", 0.7))
    )
    html = ledger_html(composition, 0.9)
    assert "▸ command" in html
    assert "▸ machine" not in html
    assert html.count("left:90%") == 2
    assert html.count("tm-low") == 1


@pytest.mark.parametrize("why", list(Why))
def test_every_reason_has_words(why: Why) -> None:
    assert WHY_WORDS[why] in verdict_html(Composition("failed", why))


def test_every_level_and_status_has_words() -> None:
    assert set(STATUS_WORDS) == set(get_args(Status))
    assert set(LEVEL_WORDS) == set(get_args(Level))


def test_a_sparkline_rises_with_the_values_and_says_its_range() -> None:
    html = sparkline_html([1.0, 5.0, 9.0], "temperature")
    heights = [float(place.split("% ")[1].rstrip("%")) for place in re.findall(r"[\d.]+% [\d.]+%", html)[:3]]
    assert heights == sorted(heights, reverse=True)
    assert "between 1 and 9" in html
    assert sparkline_html([4.0], "temperature") == ""


def test_a_flat_course_stays_calm() -> None:
    html = sparkline_html([4.0, 4.1, 4.0], "temperature")
    heights = [float(place.split("% ")[1].rstrip("%")) for place in re.findall(r"[\d.]+% [\d.]+%", html)[:3]]
    assert max(heights) - min(heights) < 10


@pytest.mark.parametrize("text", ["Accendi la luce", "non accendere la luce del frigo", "che temperatura ha il frigo?"])
def test_steps_are_told_in_words_and_their_codes_stand_in_the_hint(text: str) -> None:
    payload = {**EXAMPLE_PAYLOAD, "user_message": text}
    composition = compose(read_request(payload, datetime(2026, 3, 4, 10), MemoryFleet()))  # noqa: DTZ001
    shown = steps_html(composition)
    assert shown.count("<li") == len(composition.steps) > 0
    told = re.sub(r'title="[^"]*"', "", shown)
    assert not re.search(r"\b[a-z]+_[a-z]+\b|\((?:any|name|partial|keyword)\)", told)
    assert 'title="decision: ' in shown
