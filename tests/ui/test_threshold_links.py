"""Thresholds on their way from Evaluate to Policy."""

from __future__ import annotations

import pytest

from ui.threshold_links import read_thresholds, write_thresholds


def test_what_is_written_is_read() -> None:
    assert read_thresholds(write_thresholds({"act": 0.62, "read": 0.4})) == {"act": 0.62, "read": 0.4}


@pytest.mark.parametrize("written", ["", "act", "act:", "act:high", "nothing:0.5", "act:nan", "act:inf", ":0.5", ",,"])
def test_what_is_no_threshold_is_left_out(written: str) -> None:
    assert read_thresholds(written) == {}


def test_what_is_out_of_bounds_is_taken_to_them() -> None:
    assert read_thresholds("act:7,read:-1") == {"act": 1.0, "read": 0.0}
