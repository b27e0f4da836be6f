"""The charts of History are data in and figures out; no class and no lane is told by its colour alone."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from db.turns.timeline import Bucket, Figures
from ui.history.figures import (
    COMPARED,
    agreement_figure,
    confidence_figure,
    latency_figure,
    volume_figure,
)
from ui.history.sentences import (
    is_anything_there,
    list_figures,
    tell_agreement,
    tell_confidence,
    tell_latency,
    tell_volume,
)

MONDAY = datetime(2026, 3, 2).astimezone()
DAYS = tuple(Bucket(MONDAY + timedelta(days=day), MONDAY + timedelta(days=day + 1)) for day in range(3))
COUNTS = ({"agree": 6, "differ": 2}, {}, {"agree": 2, "silent": 1, "broken": 3, "alone": 4})
MEASURED = (
    {"engine": Figures(8, 3.2, 40.0), "llm": Figures(8, 1300.0, 2600.0)},
    {},
    {"engine": Figures(10, 4.1, 9.0)},
)
SURE = ({"engine": Figures(8, 0.91, 1.0), "llm": Figures(5, 0.7, 0.9)}, {}, {"engine": Figures(3, 0.84, 0.9)})


def test_volume_is_one_bar_a_day_with_its_place_to_click() -> None:
    (bars,) = volume_figure(DAYS, COUNTS, None).data
    assert list(bars.y) == [8, 0, 10]
    assert [place for place, _ in bars.customdata] == [0, 1, 2]
    assert "Wed 4 Mar 2026" in bars.customdata[2][1]
    assert "10 turns" in bars.customdata[2][1]
    assert bars.x[0].isoformat() == "2026-03-02T12:00:00"


def test_few_turns_are_counted_in_whole_ones() -> None:
    assert volume_figure(DAYS, ({"agree": 1}, {}, {}), None).layout.yaxis.dtick == 1
    assert volume_figure(DAYS, ({"agree": 900}, {}, {}), None).layout.yaxis.dtick is None


def test_days_are_written_as_elsewhere_and_stand_upright_on_a_phone() -> None:
    month = tuple(Bucket(MONDAY + timedelta(days=day), MONDAY + timedelta(days=day + 1)) for day in range(21))
    axis = volume_figure(month, ({},) * 21, None).layout.xaxis
    assert axis.tickangle == 0
    assert list(axis.ticktext) == ["2 Mar", "5 Mar", "8 Mar", "11 Mar", "14 Mar", "17 Mar", "20 Mar"]
    assert axis.tickvals[1].isoformat() == "2026-03-05T12:00:00", "under the middle of its bar"
    hours = tuple(Bucket(MONDAY + timedelta(hours=each), MONDAY + timedelta(hours=each + 1)) for each in range(2))
    assert list(volume_figure(hours, ({},) * 2, None).layout.xaxis.ticktext) == ["00:00<br>2 Mar", "01:00<br>2 Mar"]


def test_what_was_clicked_stands_out() -> None:
    (bars,) = volume_figure(DAYS, COUNTS, DAYS[2]).data
    faint, _, full = bars.marker.opacity
    assert faint < full == 1
    (band,) = latency_figure(DAYS, MEASURED, DAYS[2]).layout.shapes
    assert [edge.isoformat() for edge in (band.x0, band.x1)] == ["2026-03-04T00:00:00", "2026-03-05T00:00:00"]
    assert not latency_figure(DAYS, MEASURED, None).layout.shapes


def test_agreement_is_shares_of_what_was_compared_in_the_order_of_the_classes() -> None:
    figure = agreement_figure(DAYS, COUNTS, None)
    shares = {bars.name: list(bars.y) for bars in figure.data}
    assert list(shares) == [label for label, _, _ in COMPARED.values()]
    assert shares["✓ agree"] == [0.75, None, pytest.approx(1 / 3)]
    assert shares["⚠ broken or failed"] == [0, None, 0.5]
    for day in (0, 2):
        assert sum(values[day] for values in shares.values()) == pytest.approx(1)
    assert len({(bars.marker.color, bars.marker.pattern.shape) for bars in figure.data}) == len(figure.data)
    assert len({bars.marker.pattern.shape for bars in figure.data}) == len(figure.data)


def test_lanes_have_a_colour_and_a_shape_and_a_gap_where_nothing_was_decided() -> None:
    engine, llm = confidence_figure(DAYS, SURE, None).data
    assert list(engine.y) == [0.91, None, 0.84]
    assert list(llm.y) == [0.7, None, None]
    assert engine.marker.symbol != llm.marker.symbol
    assert engine.line.color != llm.line.color
    assert not engine.connectgaps


def test_latency_has_a_scale_of_powers_of_ten_in_plain_units() -> None:
    figure = latency_figure(DAYS, MEASURED, None)
    assert figure.layout.yaxis.type == "log"
    assert {"1 ms", "100 ms", "1 s"} <= set(figure.layout.yaxis.ticktext)
    names = [line.name for line in figure.data]
    assert names == ["Engine, median", "LLM, median", "Engine, 95% within", "LLM, 95% within"]
    assert list(figure.data[3].y) == [2600.0, None, None]


def test_a_lane_that_never_decided_is_not_in_the_legend() -> None:
    alone = tuple({lane: each[lane] for lane in each if lane == "engine"} for each in MEASURED)
    assert [line.name for line in latency_figure(DAYS, alone, None).data] == ["Engine, median", "Engine, 95% within"]


def test_each_chart_says_what_it_shows() -> None:
    assert tell_volume(DAYS, COUNTS) == "**18 turns**, most on Wed 4 Mar 2026 (10)"
    assert tell_agreement(DAYS, COUNTS) == (
        "**The lanes agree on 57%** of 14 compared turns, least on Wed 4 Mar 2026 (33%)"
    )
    assert tell_confidence(DAYS, SURE) == (
        "How sure, by the median of each day: the engine **0.84 to 0.91**, the LLM **0.70**"
    )
    assert tell_latency(DAYS, MEASURED) == (
        "How quick, by the median of each day: the engine **3.2 ms to 4.1 ms**, the LLM **1.3 s**"
    )


def test_they_say_so_where_there_is_nothing_to_show() -> None:
    nothing = ({}, {}, {})
    assert tell_volume(DAYS, nothing) == "No turn fits these filters."
    assert tell_agreement(DAYS, ({"alone": 3}, {}, {})) == "No turn here was compared: the LLM was not asked."
    assert tell_confidence(DAYS, SURE[1:]).endswith("the engine **0.84**, the LLM states no confidence")
    for draw in (volume_figure, agreement_figure, confidence_figure, latency_figure):
        assert draw(DAYS, nothing, None).layout.height


def test_a_few_bars_are_no_slab() -> None:
    (bars,) = volume_figure(DAYS[:1], COUNTS[:1], None).data
    assert bars.width[0] == pytest.approx(24 * 3_600_000 / 16)


def test_all_that_a_chart_draws_is_there_as_text_and_an_empty_one_is_not_drawn() -> None:
    assert list_figures("volume", DAYS, COUNTS) == {"When": ["Mon 2 Mar 2026", "Wed 4 Mar 2026"], "Turns": ["8", "10"]}
    assert list_figures("agreement", DAYS, COUNTS)["✓ agree"] == ["6", "2"]
    told = list_figures("latency", DAYS, MEASURED)
    assert told["LLM, median"] == ["1.3 s", "–"]
    assert told["Engine, 95% within"] == ["40 ms", "9.0 ms"]
    assert is_anything_there("agreement", COUNTS)
    assert not is_anything_there("agreement", ({"alone": 6},))
