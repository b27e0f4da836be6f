"""What a chat remembers: the conversation, how much of it is shown, who drives."""

from __future__ import annotations

import streamlit as st

from engine.outcome.routing import DEFAULT_DRIVER, Driver
from ui.state.kept import keep, read_kept

CONVERSATION_KEY = "conversation"
"""Also its name in the address: a reload or another tab goes on with it."""


_DRIVER_KEY = "chosen_driver"
"""Not `driver`: that is a filter of History, which would begin with what was chosen for the chat."""
CONVERSATIONS_MENU = "conversations_menu"
_TO_SAY = "to_say"


def is_menu_open() -> bool:
    return bool(st.session_state.get(CONVERSATIONS_MENU))


def close_menu() -> None:
    """What was chosen there begins under it."""
    st.session_state[CONVERSATIONS_MENU] = False


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
        if st.query_params.get(CONVERSATION_KEY) != conversation_id:  # else it is sent again with every message
            st.query_params[CONVERSATION_KEY] = conversation_id
    elif CONVERSATION_KEY in st.query_params:
        del st.query_params[CONVERSATION_KEY]


def read_turn_limit(first: int) -> int:
    """How many of the latest turns are on screen."""
    return st.session_state.get("shown_turns") or first


def show_more_turns(count: int) -> None:
    st.session_state["shown_turns"] = count


def read_driver() -> Driver:
    """What was chosen in any tab."""
    driver: Driver = read_kept(_DRIVER_KEY) or DEFAULT_DRIVER
    return "router" if driver == "engine_first" else driver  # as it was called when this browser chose it


def start_driver() -> None:
    """The control forgets its value while another page is open; the choice itself does not."""
    st.session_state["driver_choice"] = read_driver()


def take_driver() -> None:
    """Nothing where the control is gone: a login that ends takes its value away, and Streamlit calls that a change."""
    chosen = st.session_state.get("driver_choice")
    if chosen:
        keep(_DRIVER_KEY, chosen)


def keep_to_say(domain: str, text: str) -> None:
    """What another page would have said in this domain's chat."""
    st.session_state[_TO_SAY] = domain, text


def put_to_say(domain: str, key: str) -> None:
    """Into the input of that chat, for whoever sends it; once, before the input is drawn."""
    kept: tuple[str, str] | None = st.session_state.get(_TO_SAY)
    if kept and kept[0] == domain:
        del st.session_state[_TO_SAY]
        st.session_state[key] = kept[1]
