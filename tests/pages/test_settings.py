"""The Settings page, run by Streamlit's own test runner, on endpoints that answer for real."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from db.connection import Database
from llm.prices import Price, PriceTable, load_prices, save_prices
from settings import load_settings, prices_path
from tests.llm.fault_server import call, serve, status, stream
from ui.settings import price_actions

ROOT = Path(__file__).parent.parent.parent
KEY = "sk-nobody-may-see-this-key-0000"
LISTED = status(200, body='{"object": "list", "data": [{"id": "large"}, {"id": "small"}]}')
CALLS = stream(call("add_task", '{"title": "buy milk"}'))


@pytest.fixture(autouse=True)
def bare(workbench: Database, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[pytest.MonkeyPatch]:
    """Nothing in the environment, and no embedded model installed."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "LLM_ENDPOINT"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("MODEL_FOLDER", str(tmp_path / "models"))
    load_settings.cache_clear()
    yield monkeypatch
    load_settings.cache_clear()


def use_environment(bare: pytest.MonkeyPatch, **values: str) -> None:
    for name, value in values.items():
        bare.setenv(name, value)
    load_settings.cache_clear()


def open_page() -> AppTest:
    page = AppTest.from_file(str(ROOT / "pages" / "settings.py"), default_timeout=30).run()
    assert not page.exception
    return page


def press(page: AppTest, label: str) -> AppTest:
    next(button for button in page.button if button.label == label).click().run()
    assert not page.exception
    return page


def type_address(page: AppTest, address: str, key: str = "") -> AppTest:
    page.segmented_control(key="llm_kind").set_value("custom").run()
    page.text_input(key="llm_url").set_value(address)
    page.text_input(key="llm_key").set_value(key).run()
    return page


def in_use(page: AppTest) -> str:
    return next(each.value for each in page.markdown if each.value.startswith("In use now")).replace("\\", "")


def everything(page: AppTest) -> str:
    shown = (page.markdown, page.caption, page.success, page.error, page.warning)
    return " ".join(each.value for kind in shown for each in kind).replace("\\", "")


def test_a_machine_without_the_model_says_how_to_get_it() -> None:
    page = open_page()
    assert "smollm2-135m-instruct · embedded" in in_use(page)
    assert "make model" in page.warning[0].value
    assert "From the environment" in everything(page)
    press(page, "Test connection")
    assert "not installed" in page.error[0].value


def test_a_connection_is_tested_and_its_models_fill_the_list() -> None:
    with serve(LISTED, CALLS) as server:
        page = press(type_address(open_page(), server.url), "Test connection")
    assert "calls tools natively" in page.success[0].value
    assert page.selectbox(key="llm_model_custom").options == ["large", "small"]
    assert page.selectbox(key="llm_model_custom").value == "large"
    assert "embedded" in in_use(page)  # a test changes nothing


def test_a_model_without_tools_is_said_to_be_asked_for_json() -> None:
    with serve(LISTED, stream({"content": "Sure, I would."})) as server:
        page = press(type_address(open_page(), server.url), "Test connection")
    assert "JSON" in page.success[0].value


def test_a_test_of_another_address_is_not_shown_for_this_one() -> None:
    with serve(LISTED, CALLS) as server:
        page = press(type_address(open_page(), server.url), "Test connection")
    assert page.success
    page.text_input(key="llm_url").set_value("http://localhost:9/v1").run()
    assert not page.success


def test_a_model_that_is_not_listed_is_pointed_out() -> None:
    gone = status(200, body='{"object": "list", "data": [{"id": "large"}]}')
    with serve(LISTED, CALLS, gone, CALLS) as server:
        page = press(type_address(open_page(), server.url), "Test connection")
        page.selectbox(key="llm_model_custom").set_value("small").run()
        assert not page.success  # another model was tested
        press(page, "Test connection")
    assert "does not list small" in everything(page)


@pytest.mark.parametrize(("answer", "said"), [(status(401), "refused the key"), (status(200, body="<html>"), "/v1")])
def test_a_test_that_fails_says_why_and_what_to_do(answer: bytes, said: str) -> None:
    with serve(answer) as server:
        page = press(type_address(open_page(), server.url, KEY), "Test connection")
    assert said in page.error[0].value.replace("\\", "")
    assert KEY not in everything(page)


def test_a_dead_address_says_so() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        page = type_address(open_page(), f"http://127.0.0.1:{unused.getsockname()[1]}/v1")
        press(page, "Test connection")
    assert "cannot be reached" in page.error[0].value
    assert "Is the server running?" in page.error[0].value


def test_what_is_used_is_shown_with_a_masked_key_and_can_be_taken_back() -> None:
    with serve(LISTED, CALLS) as server:
        page = press(type_address(open_page(), server.url, KEY), "Test connection")
        press(page, "Use this connection")
        assert "large · 127.0.0.1" in in_use(page)
        assert "Key …0000" in everything(page)
        assert page.text_input(key="llm_key").value == ""
        assert KEY not in everything(page)
        press(page, "Forget the key")
        assert "No key" in everything(page)
        press(page, "Back to the environment's settings")
    assert "embedded" in in_use(page)
    assert page.segmented_control(key="llm_kind").value == "embedded"


def test_a_mistake_in_the_form_is_a_sentence_and_changes_nothing() -> None:
    page = type_address(open_page(), "nonsense")
    press(page, "Use this connection")
    assert "must look like" in page.error[0].value
    press(page, "Test connection")
    assert "must look like" in page.error[0].value
    assert "embedded" in in_use(page)


def test_a_preset_fills_in_the_address() -> None:
    page = open_page()
    page.segmented_control(key="llm_kind").set_value("custom").run()
    press(page, "Ollama")
    assert page.text_input(key="llm_url").value == "http://localhost:11434/v1"


def test_the_environments_key_is_masked_and_named_as_its_own(bare: pytest.MonkeyPatch) -> None:
    use_environment(bare, OPENAI_API_KEY=KEY, OPENAI_MODEL="gpt-4.1")
    page = open_page()
    assert "gpt-4.1 · OpenAI" in in_use(page)
    assert "From the environment" in everything(page)
    assert "Key …0000" in everything(page)
    assert KEY not in everything(page)
    assert page.text_input(key="llm_key").value == ""
    assert "…0000" in page.text_input(key="llm_key").placeholder
    assert "Forget the key" not in [button.label for button in page.button]


def test_the_lane_can_be_turned_off_and_paused() -> None:
    page = open_page()
    page.toggle(key="ask_llm").set_value(False).run()
    assert page.session_state["llm_asked"] is False
    page.segmented_control(key="llm_kind").set_value("off").run()
    press(page, "Turn the lane off")
    assert "The LLM lane is off" in in_use(page)


def test_a_lane_that_the_environment_turned_off_says_so(bare: pytest.MonkeyPatch) -> None:
    use_environment(bare, LLM_ENDPOINT="off")
    assert "The LLM lane is off" in in_use(open_page())


def test_a_threshold_is_turned_kept_and_reset() -> None:
    page = open_page()
    page.slider(key="threshold_act").set_value(0.85).run()
    assert page.session_state["thresholds"] == {"act": 0.85}
    assert "act by itself from 0.85" in everything(page)
    press(page, "Back to the policy's own")
    assert page.slider(key="threshold_act").value == 0.7
    assert page.session_state["thresholds"] == {}


def test_thresholds_that_contradict_each_other_are_refused_and_put_back() -> None:
    page = open_page()
    page.slider(key="threshold_act").set_value(0.4).run()
    assert "cannot be over" in page.error[0].value
    assert page.slider(key="threshold_act").value == 0.7
    assert "thresholds" not in page.session_state or not page.session_state["thresholds"]


def test_a_broken_price_table_is_said_and_can_be_left() -> None:
    prices_path().write_text("models: [", encoding="utf-8")
    page = open_page()
    assert "No cost is shown until it is mended" in page.error[0].value
    assert not page.get("arrow_data_frame")
    page.button(key="remove_prices").click().run()
    assert not prices_path().exists()
    assert not page.error


def test_a_table_that_was_saved_is_shown_and_looking_at_it_changes_nothing() -> None:
    save_prices(prices_path(), PriceTable((Price("mine", 1.0, 2.0),), "2020-01-01"))
    before = prices_path().read_bytes()
    page = open_page()
    assert "Prices of 2020-01-01, saved here" in everything(page)
    page.run()
    assert prices_path().read_bytes() == before


def test_a_page_that_is_open_does_not_write_over_what_somebody_else_saved() -> None:
    save_prices(prices_path(), PriceTable((Price("mine", 1.0, 2.0),)))
    page = open_page().run()
    save_prices(prices_path(), PriceTable((Price("theirs", 3.0, 4.0),)))
    page.run()
    assert not page.exception
    assert load_prices(prices_path()).prices == (Price("theirs", 3.0, 4.0),)


BEFORE = (Price("mine", 1.0, 2.0),)


def test_rows_are_written_once_they_are_whole() -> None:
    nothing = {"model": None, "input": float("nan"), "output": None}
    rows = [{"model": "mine", "input": 1.0, "output": 3.0}, nothing]
    assert price_actions.keep_rows(rows, BEFORE) == (Price("mine", 1.0, 3.0),)
    assert load_prices(prices_path()).prices == (Price("mine", 1.0, 3.0),)
    assert price_actions.keep_rows(rows, (Price("mine", 1.0, 3.0),)) is None


@pytest.mark.parametrize(
    "row",
    [
        {"model": "a", "input": -1.0, "output": 1.0},
        {"model": None, "input": 1.0, "output": 1.0},
        {"model": "a", "input": float("nan"), "output": 1.0},
        {"model": "MINE", "input": 1.0, "output": 1.0},
    ],
)
def test_a_bad_row_saves_nothing(row: dict[str, object]) -> None:
    save_prices(prices_path(), PriceTable(BEFORE))
    assert price_actions.keep_rows([{"model": "mine", "input": 1.0, "output": 2.0}, row], BEFORE) is None
    assert load_prices(prices_path()).prices == BEFORE


def test_every_control_has_help() -> None:
    page = open_page()
    for kind in ("openai", "custom"):
        page.segmented_control(key="llm_kind").set_value(kind).run()
        controls = (*page.text_input, *page.number_input, *page.selectbox, *page.slider, *page.toggle)
        assert [control.label for control in controls if not control.help] == []
        unhelped = [button.label for button in page.button if not button.proto.help]
        assert unhelped == []
