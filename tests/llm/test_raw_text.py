"""The embedded model's raw text: words for people, blocks for us, and how sure it is of them."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from llm import calibration
from llm.raw_text import WordsOnly, read_blocks, with_calls
from llm.trace import ModelAnswer, RawCall

BLOCK = '<tool_call>\n{"name": "add_task", "arguments": {"title": "buy tea"}}\n</tool_call>'
ADDING = RawCall("add_task", '{"title": "buy tea"}')


def test_each_block_is_a_call_and_what_stands_before_them_is_words() -> None:
    assert read_blocks(f"Right away.\n{BLOCK}\n{BLOCK}") == ("Right away.", (ADDING, ADDING))


@pytest.mark.parametrize("inside", ["", "buy tea", "[1]", '{"arguments": {}}', '{"name": "add_task", "arg', "[" * 200])
def test_a_block_that_is_no_call_has_no_name(inside: str) -> None:
    words, calls = read_blocks(f"<tool_call>\n{inside}\n</tool_call>")
    assert (words, [call.name for call in calls]) == ("", [""])


def test_a_block_that_was_cut_off_is_broken_not_lost() -> None:
    answer = with_calls(ModelAnswer(text='<tool_call>\n{"name": "add_task", "argum', finish_reason="length"))
    assert answer.calls == (RawCall("", '{"name": "add_task", "argum'),)
    assert answer.finish_reason == "length"


def test_an_answer_in_words_stays_one() -> None:
    assert with_calls(ModelAnswer(text="1 < 2, hello <tool", finish_reason="stop")) == ModelAnswer(
        text="1 < 2, hello <tool", finish_reason="stop"
    )


@pytest.mark.parametrize("size", [1, 2, 3, 7, 200])
def test_nobody_sees_a_block_while_it_is_written(size: int) -> None:
    told: list[str] = []
    listener = WordsOnly(told.append)
    text = f"a < b, right away. {BLOCK}"
    for start in range(0, len(text), size):
        listener(text[start : start + size])
    assert "".join(told).strip() == "a < b, right away."


def test_without_probabilities_no_confidence_is_made_up() -> None:
    assert calibration.state_confidence((), embedded=True) is None


def test_other_endpoints_state_the_mean_probability() -> None:
    stated = calibration.state_confidence((math.log(0.25),) * 3, embedded=False)
    assert stated == (0.25, calibration.PLAIN_SOURCE)


@pytest.fixture
def calibrated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As if it had been learned for the adapter that is there."""
    learned = calibration.TokenCalibration(calibration.ADAPTER_SHA256, bias=2.0, mean=1.0, least=1.0)
    (tmp_path / "calibration.json").write_text(json.dumps(learned._asdict()))
    monkeypatch.setattr(calibration, "FILE", tmp_path / "calibration.json")
    calibration.load_calibration.cache_clear()
    yield
    calibration.load_calibration.cache_clear()


@pytest.mark.usefixtures("calibrated")
def test_the_embedded_model_states_a_calibrated_one_that_falls_with_its_least_likely_token() -> None:
    sure = calibration.state_confidence((-0.001,) * 20, embedded=True)
    unsure = calibration.state_confidence((*(-0.001,) * 19, -3.0), embedded=True)
    assert sure is not None
    assert unsure is not None
    assert sure.source == unsure.source == calibration.CALIBRATED_SOURCE
    assert 0 < unsure.value < sure.value < 1


@pytest.mark.usefixtures("calibrated")
def test_a_calibration_of_another_adapter_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "ADAPTER_SHA256", "0" * 64)
    stated = calibration.state_confidence((-0.1,), embedded=True)
    assert stated is not None
    assert stated.source == calibration.PLAIN_SOURCE
