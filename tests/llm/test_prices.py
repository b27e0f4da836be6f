"""What an answer costs, from a table that people edit; never a made-up number."""

from __future__ import annotations

from pathlib import Path

import pytest

from llm.prices import Price, PricesError, PriceTable, cost_of, find_price, load_prices, make_price, save_prices
from llm.trace import LLMTrace, ModelAnswer

PRICES = (
    Price("gpt-4.1", 2.0, 8.0),
    Price("gpt-4.1-mini", 0.4, 1.6),
    Price("qwen*", 1.0, 1.0),
    Price("qwen-max*", 9.0, 9.0),
)


def trace(model: str, endpoint: str = "https://api.example.com/v1", read: int | None = 1000) -> LLMTrace:
    answer = ModelAnswer(prompt_tokens=read, answer_tokens=None if read is None else 100)
    return LLMTrace(endpoint, model, "tools", {}, "valid_call", answer)


@pytest.mark.parametrize(
    ("model", "row"),
    [
        ("gpt-4.1", "gpt-4.1"),
        ("GPT-4.1-Mini", "gpt-4.1-mini"),
        ("gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"),
        ("gpt-4.1-2025-04-14", "gpt-4.1"),
        ("gpt-4.1-mini-latest", "gpt-4.1-mini"),
        ("qwen2.5-7b", "qwen*"),
        ("qwen-max-2025", "qwen-max*"),
        ("gpt-4.1-nano", None),  # another model, not a dated name of gpt-4.1
        ("gpt-4", None),
        ("unheard-of", None),
        ("", None),
    ],
)
def test_a_dated_name_has_the_price_of_its_model_and_another_model_has_not(model: str, row: str | None) -> None:
    found = find_price(PRICES, model)
    assert (found.model if found else None) == row


def test_a_cost_adds_up_what_was_read_and_written() -> None:
    assert cost_of(trace("gpt-4.1-mini"), PRICES) == pytest.approx((1000 * 0.4 + 100 * 1.6) / 1_000_000)


def test_without_a_price_or_without_tokens_there_is_no_cost() -> None:
    assert cost_of(trace("unheard-of"), PRICES) is None
    assert cost_of(trace("gpt-4.1", read=None), PRICES) is None


def test_what_runs_on_this_machine_is_free_unless_the_table_has_a_price() -> None:
    assert cost_of(trace("smollm2-135m-instruct", "embedded"), ()) == 0.0
    assert cost_of(trace("llama3", "http://localhost:11434/v1"), PRICES) == 0.0
    assert cost_of(trace("llama3", "http://localhost.example.com/v1"), PRICES) is None
    passed_on = cost_of(trace("gpt-4.1", "http://127.0.0.1:4000/v1"), PRICES)
    assert passed_on is not None
    assert passed_on > 0


def test_the_prices_that_come_along_are_sound_and_dated() -> None:
    table = load_prices()
    assert table.as_of
    assert find_price(table, "gpt-4.1-mini")
    assert all(price.output_usd >= price.input_usd > 0 for price in table)


def test_a_table_is_read_back_as_it_was_saved(tmp_path: Path) -> None:
    path = tmp_path / "new" / "prices.yaml"
    table = PriceTable((Price("mio-modello à", 0.1, 0.0), Price("123", 1.0, 2.0)), "2026-03-04")
    save_prices(path, table)
    assert load_prices(path) == table
    assert [each.name for each in path.parent.iterdir()] == ["prices.yaml"]


def test_a_table_that_cannot_be_used_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    save_prices(path, PriceTable((Price("a", 1.0, 1.0),)))
    before = path.read_bytes()
    with pytest.raises(PricesError, match="two rows"):
        save_prices(path, PriceTable((Price("b", 1.0, 1.0), Price("B", 2.0, 2.0))))
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("", 1, 1), "name"),
        ((None, 1, 1), "name"),
        (("x" * 201, 1, 1), "200"),
        (("m", -1, 1), "between 0"),
        (("m", 1, 1e9), "between 0"),
        (("m", float("nan"), 1), "number"),
        (("m", 1, float("inf")), "number"),
        (("m", None, 1), "number"),
        (("m", "2", 1), "number"),
        (("m", True, 1), "number"),
    ],
)
def test_a_bad_row_is_named(row: tuple[object, object, object], said: str) -> None:
    with pytest.raises(PricesError, match=said):
        make_price(*row)


@pytest.mark.parametrize(
    "text",
    ["models: [", "nothing", "", "models: {a: 3}", "models: {a: {input: 1}}", "models: {a: {input: x, output: 1}}"],
)
def test_a_broken_file_is_a_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PricesError):
        load_prices(path)


def test_a_file_that_is_no_text_is_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PricesError, match="cannot be read"):
        load_prices(path)
