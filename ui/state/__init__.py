"""The only file that names `st.session_state`: what a browser session remembers between runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from db.listing import TaskQuery
from engine.composer.values import ComposerSettings
from engine.routing import Driver
from llm.endpoint import Endpoint
from ui.state.values import CheckedEndpoint, ContextEditor, EditedRows, Notice, Performance, TableView

USER_KEY = "user"
"""Also the name of the parameter in the address, so that a reload or a link keeps the person."""


def start_from_address(key: str, options: Sequence[Any], default: Any) -> None:
    """Give a choice its first value: what the address names, if it is one of the options.

    Streamlit's own binding writes the label into the address ("Open 16"); ours writes the value. The two
    do not mix: a write from here would drop what the browser has bound in the meantime.
    """
    if st.session_state.get(key) not in options:
        named = {str(option): option for option in options}
        st.session_state[key] = named.get(st.query_params.get(key, ""), default)


def start_text_from_address(key: str, most: int) -> None:
    """The same for a text field, which takes any text up to its length."""
    if key not in st.session_state:
        st.session_state[key] = st.query_params.get(key, "")[:most]


def show_in_address(key: str, default: Any) -> None:
    """Keep the address in step, so that a reload or a link shows the same; a default needs no mention."""
    value = st.session_state[key]
    if value != default:
        st.query_params[key] = str(value)
    elif key in st.query_params:
        del st.query_params[key]


def read_user_handle() -> str | None:
    return st.session_state.get(USER_KEY) or st.query_params.get(USER_KEY)


def choose_user(handle: str) -> None:
    st.session_state[USER_KEY] = handle


def put_notice(notice: Notice | None) -> None:
    st.session_state["notice"] = notice


def read_notice() -> Notice | None:
    return st.session_state.get("notice")


def read_view() -> TableView | None:
    return st.session_state.get("task_view")


def keep_view(user_id: str, query: TaskQuery, revision: int, task_ids: tuple[str, ...]) -> TableView:
    """Remember freshly read rows as a new generation of the table."""
    generation = st.session_state.get("task_generation", 0) + 1
    st.session_state["task_generation"] = generation
    st.session_state["task_view"] = TableView(user_id, query, revision, task_ids, generation)
    return TableView(user_id, query, revision, task_ids, generation)


def keep_places(revision: int) -> None:
    """The rows on screen are up to date with this revision: their places need not change."""
    view = read_view()
    if view:
        st.session_state["task_view"] = replace(view, revision=revision)


def drop_view() -> None:
    """Read the rows anew on the next run, and forget what was typed into the table."""
    st.session_state["task_view"] = None


def read_edits(table_key: str) -> EditedRows:
    """What was typed into a table since it got its key: row position -> column -> value."""
    edits: EditedRows = st.session_state.get(table_key, {}).get("edited_rows", {})
    return edits


TURN_KEY = "at"
"""The turn under review, in the address only: a link opens the queue at it."""


def first_page() -> None:
    """Another filter or search starts at its first page, and a queue at its first turn."""
    st.session_state["page"] = 1
    drop_from_address(TURN_KEY)


def read_text(key: str) -> str:
    return str(st.session_state.get(key) or "")


CONVERSATION_KEY = "conversation"
"""Also its name in the address: a reload or another tab goes on with it."""


def read_conversation_id(user_id: str) -> str | None:
    """The conversation that this tab is in; everybody has their own."""
    open_ones: dict[str, str | None] = st.session_state.setdefault("conversations", {})
    if user_id not in open_ones:
        open_ones[user_id] = st.query_params.get(CONVERSATION_KEY)
    return open_ones[user_id]


def choose_conversation(user_id: str, conversation_id: str | None) -> None:
    st.session_state.setdefault("conversations", {})[user_id] = conversation_id
    st.session_state["shown_turns"] = None


def show_conversation_in_address(conversation_id: str | None) -> None:
    if conversation_id:
        st.query_params[CONVERSATION_KEY] = conversation_id
    elif CONVERSATION_KEY in st.query_params:
        del st.query_params[CONVERSATION_KEY]


def read_shown_turns(first: int) -> int:
    """How many of the latest turns are on screen."""
    return st.session_state.get("shown_turns") or first


def show_more_turns(count: int) -> None:
    st.session_state["shown_turns"] = count


def read_driver() -> Driver:
    driver: Driver = st.session_state.get("driver", "engine")
    return driver


def choose_driver(driver: Driver) -> None:
    st.session_state["driver"] = driver
    st.session_state["driver_choice"] = driver


def start_driver(default: Driver) -> None:
    """The control forgets its value while another page is open; the choice itself does not."""
    st.session_state["driver_choice"] = st.session_state.setdefault("driver", default)


def take_driver() -> None:
    st.session_state["driver"] = st.session_state["driver_choice"]


def read_performance() -> Performance | None:
    return st.session_state.get("performance")


def keep_performance(performance: Performance | None) -> None:
    st.session_state["performance"] = performance


def start_value(key: str, value: Any) -> None:
    """The first value of a widget. It is forgotten when another page runs; what was saved has keys of its own."""
    if key not in st.session_state:
        st.session_state[key] = value


def put_value(key: str, value: Any) -> None:
    """Only for a widget that is drawn later in this run, or from a callback."""
    st.session_state[key] = value


def read_value(key: str) -> Any:
    return st.session_state.get(key)


def drop_values(*keys: str) -> None:
    """Let widgets start again from what is saved."""
    for key in keys:
        st.session_state.pop(key, None)


def read_endpoint() -> Endpoint | None:
    """The model that this session chose; None where it follows the environment. The key lives here and nowhere else."""
    endpoint: Endpoint | None = st.session_state.get("llm_endpoint")
    return endpoint


def keep_endpoint(endpoint: Endpoint | None) -> None:
    st.session_state["llm_endpoint"] = endpoint


def read_checked() -> CheckedEndpoint | None:
    checked: CheckedEndpoint | None = st.session_state.get("llm_checked")
    return checked


def keep_checked(checked: CheckedEndpoint | None) -> None:
    st.session_state["llm_checked"] = checked


def read_ask_llm() -> bool:
    """Whether the LLM lane is asked at all; the engine always is."""
    return bool(st.session_state.get("llm_asked", True))


def keep_ask_llm(asked: bool) -> None:
    st.session_state["llm_asked"] = asked


def read_thresholds() -> Mapping[str, float]:
    """The thresholds that this session changed; the others are each policy's own."""
    changes: Mapping[str, float] = st.session_state.get("thresholds", {})
    return changes


def keep_thresholds(changes: Mapping[str, float]) -> None:
    st.session_state["thresholds"] = dict(changes)


def read_composer() -> ComposerSettings | None:
    """How this session wants incomplete calls completed; None: as the environment says."""
    return st.session_state.get("composer")


def keep_composer(settings: ComposerSettings | None) -> None:
    st.session_state["composer"] = settings


def read_address(name: str) -> str:
    return st.query_params.get(name, "")


def put_in_address(name: str, value: str) -> None:
    st.query_params[name] = value


def drop_from_address(name: str) -> None:
    if name in st.query_params:
        del st.query_params[name]


def is_drawn(key: str) -> bool:
    """Whether a field exists; fields of a page are dropped when another page runs."""
    return key in st.session_state


def put_text(key: str, text: str) -> None:
    st.session_state[key] = text


def read_context_editor() -> ContextEditor | None:
    return st.session_state.get("context_editor")


def keep_context_editor(editor: ContextEditor | None) -> None:
    st.session_state["context_editor"] = editor


def read_llm_side() -> Any:
    return st.session_state.get("llm_side")


def keep_llm_side(asked: Any) -> None:
    st.session_state["llm_side"] = asked


def is_open(panel: str) -> bool:
    return bool(st.session_state.get(f"open:{panel}"))


def set_open(panel: str, open_now: bool) -> None:
    st.session_state[f"open:{panel}"] = open_now
