"""The turns of a conversation, and what can be pressed under them."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from assistant import Assistant
from assistant.buttons import answers_to, going_on, offers_of
from assistant.taking_back import changes_in, take_back
from db.turns.conversations import Conversation
from db.turns.turns import StoredTurn
from db.users import User
from engine.border.json_form import from_json
from engine.decision import Pending
from ui.counting import count_of
from ui.drawn_html import render_html
from ui.lanes import current_endpoint, is_llm_on, llm_label
from ui.markdown import verbatim
from ui.resources import is_model_getting_ready, load_database, make_executor, now_here
from ui.state.chat import read_driver, show_more_turns, start_driver, take_driver
from ui.state.fields import read_value
from ui.state.notices import put_notice
from ui.state.policy import read_scope
from ui.state.values import Notice
from ui.talk import live_turns
from ui.talk.reading import ShownConversation
from ui.turns.card import TurnView, card_html
from ui.turns.links import inspect_link
from ui.words import DRIVER_DOES, DRIVER_HELP, DRIVER_NAMES, WITHOUT_LLM

Send = Callable[[User, str], None]
"""Says a text in the conversation of the page."""
FIRST_TURNS = 8
"""So many are drawn at first; earlier ones on request. Twenty made the card come a tenth of a second later."""
_MORE_TURNS = 20
_POLL_SECONDS = 0.5


def render_driver() -> None:
    start_driver()
    asked = verbatim(llm_label()) if is_llm_on() else "off"
    st.segmented_control(
        f"**Who drives** · LLM lane: {asked}",
        list(DRIVER_NAMES),
        default=read_value("driver_choice"),
        format_func=lambda driver: DRIVER_NAMES[driver],
        key="driver_choice",
        required=True,
        on_change=take_driver,
        help=DRIVER_HELP,
    )
    with st.container(key="driver_does", width="content"):
        st.caption(DRIVER_DOES[read_driver()] if is_llm_on() else WITHOUT_LLM)


def render_turns(user: User, conversation: Conversation, shown: ShownConversation, send: Send) -> None:
    """Older turns are one line each; the last one is open."""
    count = len(shown.older) + 1
    hidden = conversation.turns - count
    if hidden > 0:
        st.button(
            f"Show {count_of(min(hidden, _MORE_TURNS), 'earlier turn')}",
            icon=":material/expand_less:",
            type="tertiary",
            on_click=show_more_turns,
            args=(count + _MORE_TURNS,),
        )
    for each in shown.older:
        render_html(each.html)
        if not each.undone:
            _render_undo(user, each.turn)
    if shown.last:
        _render_last(user, conversation, shown, shown.last, send)


def _render_last(user: User, conversation: Conversation, shown: ShownConversation, last: TurnView, send: Send) -> None:
    pending = from_json(Pending, conversation.pending) if conversation.pending else None
    with st.container(key="question" if pending else "no_question", gap="xsmall"):  # an open one stays in sight
        render_html(shown.said)
        _render_answers(user, last, pending, send)
    if live_turns.find(last.turn.id):
        _render_live_card(user, last)
        return
    render_html(shown.card)
    if last.turn.lane is None:
        _render_stop(user, last)


@st.fragment(run_every=_POLL_SECONDS)
def _render_live_card(user: User, view: TurnView) -> None:
    """The last turn's card while the LLM still answers: only this is drawn again, a few times a second."""
    live = live_turns.find(view.turn.id)
    if live is None:
        st.rerun()
    getting_ready = not (live and live.text) and is_model_getting_ready(current_endpoint())
    link = inspect_link(user, view.turn.id, read_scope())
    render_html(card_html(view, link, live.text if live else "", getting_ready=getting_ready))
    _render_stop(user, view)


def _render_stop(user: User, view: TurnView) -> None:
    """A turn that waits can always be stopped, also one whose answer nobody will bring any more."""
    st.button(
        "Stop the LLM",
        key=f"stop-{view.turn.id}",
        icon=":material/stop_circle:",
        type="tertiary",
        on_click=stop,
        args=(user, view.turn),
    )


def _render_answers(user: User, view: TurnView, pending: Pending | None, send: Send) -> None:
    """Buttons for the open question, and for taking back what this turn did."""
    with st.container(horizontal=True, key="answers"):
        for button in answers_to(view.turn, pending):
            label = verbatim(button.label) if pending and pending.choices else button.label
            st.button(label, key=f"answer-{label}", type=button.weight, on_click=send, args=(user, button.says))
        if not view.undone:
            for button in going_on(view.turn):
                st.button(button.label, key="go-on", type=button.weight, on_click=send, args=(user, button.says))
            _render_undo(user, view.turn)
            _render_offers(user, view.turn, send)


def _render_offers(user: User, turn: StoredTurn, send: Send) -> None:
    for place, offer in enumerate(offers_of(turn)):
        st.button(
            verbatim(offer.label),
            key=f"next-{turn.id}-{place}",
            icon=":material/arrow_forward:",
            type=offer.weight,
            help="What people often do next. Nothing happens unless you press it.",
            on_click=send,
            args=(user, offer.says),
        )


def _render_undo(user: User, turn: StoredTurn) -> None:
    if changes_in(turn):
        st.button(
            "Undo",
            key=f"undo-{turn.id}",
            icon=":material/undo:",
            type="tertiary",
            help="Takes back what this turn changed.",
            on_click=undo,
            args=(user, turn),
        )


def stop(user: User, turn: StoredTurn) -> None:
    live = live_turns.find(turn.id)
    if live:
        live.cancel.cancel()
    else:
        Assistant(load_database(), user, now_here).give_up_turn(turn)


def undo(user: User, turn: StoredTurn) -> None:
    result = take_back(make_executor(user), turn)
    put_notice(Notice("error", result.error_message) if result and not result.ok else None)
