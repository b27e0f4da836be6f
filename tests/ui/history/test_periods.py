"""Stretches of time: whole hours, days, weeks and months of the clock on the wall, summer time included."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from itertools import pairwise

import pytest

from db.turns.timeline import Bucket
from ui.history.periods import (
    describe_period,
    make_buckets,
    midnight,
    overlaps,
    read_period,
    step_for,
    step_of,
    write_period,
)


@pytest.fixture(autouse=True)
def rome(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = os.environ.get("TZ")
    monkeypatch.setenv("TZ", "Europe/Rome")
    time.tzset()
    yield
    monkeypatch.undo()
    assert os.environ.get("TZ") == before
    time.tzset()


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone()


@pytest.mark.parametrize(
    ("first", "last", "step", "starts"),
    [
        ("2026-03-02T10:20", "2026-03-02T12:05", "hour", ["10:00 02", "11:00 02", "12:00 02"]),
        ("2026-03-02T10:20", "2026-03-06T09:00", "day", ["00:00 02", "00:00 03", "00:00 04", "00:00 05", "00:00 06"]),
        ("2026-03-04T10:20", "2026-06-20T09:00", "week", ["00:00 02", "00:00 09"]),
        ("2024-01-15T10:20", "2026-06-20T09:00", "month", ["00:00 01", "00:00 01"]),
    ],
)
def test_the_step_fits_the_stretch(first: str, last: str, step: str, starts: list[str]) -> None:
    buckets = make_buckets(at(first), at(last))
    assert step_for(at(first), at(last)) == step
    assert {step_of(bucket) for bucket in buckets} == {step}
    assert [f"{bucket.start:%H:%M %d}" for bucket in buckets][: len(starts)] == starts
    assert buckets[0].start <= at(first) < buckets[0].until
    assert buckets[-1].start <= at(last) < buckets[-1].until
    assert all(one.until == other.start for one, other in pairwise(buckets))
    assert len(buckets) <= 110


def test_days_are_whole_when_the_clocks_change() -> None:
    buckets = make_buckets(at("2026-03-26T10:00"), at("2026-03-30T10:00"))
    assert [(bucket.until - bucket.start) / timedelta(hours=1) for bucket in buckets] == [24, 24, 24, 23, 24]
    assert all(f"{bucket.start:%H:%M}" == "00:00" for bucket in buckets)


def test_one_moment_is_one_bucket() -> None:
    assert len(make_buckets(at("2026-03-02T10:00"), at("2026-03-02T10:00"))) == 1


def test_a_period_comes_back_from_the_address() -> None:
    period = Bucket(at("2026-03-02T10:00"), at("2026-03-02T11:00"))
    assert write_period(period) == "2026-03-02T10:00~2026-03-02T11:00"
    assert read_period(write_period(period)) == period


@pytest.mark.parametrize(
    "text", ["", "x", "2026-03-02", "2026-03-02~", "2026-03-03~2026-03-02", "0001-01-01~9999-12-31~", "a~b"]
)
def test_what_is_no_period_is_none(text: str) -> None:
    assert read_period(text) is None


@pytest.mark.parametrize(
    ("start", "until", "words"),
    [
        ("2026-03-02T10:00", "2026-03-02T11:00", "Mon 2 Mar 2026, 10:00 – 11:00"),
        ("2026-03-02T23:00", "2026-03-03T02:00", "Mon 2 Mar 2026, 23:00 – Tue 3 Mar, 02:00"),
        ("2026-03-02", "2026-03-03", "Mon 2 Mar 2026"),
        ("2026-03-02", "2026-03-09", "2 Mar – 8 Mar 2026"),
        ("2026-03-01", "2026-04-01", "March 2026"),
    ],
)
def test_a_period_is_told_as_people_say_it(start: str, until: str, words: str) -> None:
    assert describe_period(Bucket(at(start), at(until))) == words


def test_periods_that_only_touch_do_not_overlap() -> None:
    monday, tuesday, wednesday = (midnight(at(f"2026-03-0{day}").date()) for day in (2, 3, 4))
    assert overlaps(Bucket(monday, tuesday), Bucket(monday, wednesday))
    assert not overlaps(Bucket(monday, tuesday), Bucket(tuesday, wednesday))
    assert not overlaps(Bucket(monday, tuesday), None)
