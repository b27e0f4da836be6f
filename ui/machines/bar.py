"""Above the Machines page: chat or bench, what was learned, and a clean slate."""

from __future__ import annotations

import streamlit as st

from db.machines.choices import read_learned
from db.machines.fleet import load_fleet
from db.users import User
from domains.machines.composing.parts import learned_bonus
from engine.decision import Learned
from ui.counting import count_of
from ui.lanes import current_composer
from ui.machines import actions
from ui.markdown import verbatim
from ui.resources import load_database
from ui.state.address import show_in_address, start_from_address
from ui.state.fields import read_value
from ui.talk.turns import render_driver
from ui.templates import draw

VIEWS = ("Chat", "Bench")
_VIEW_KEY = "view"
_HELP = (
    "**Chat**: talk to your machines. **Bench**: write an incomplete call, a message and a conversation by hand, or "
    "paste a payload, and see how it is completed; nothing is carried out."
)


def render_bar(user: User) -> str:
    st.html(draw("machines/bar", "heading"))
    start_from_address(_VIEW_KEY, VIEWS, VIEWS[0])
    with st.container(horizontal=True, vertical_alignment="bottom", key="machine_bar"):
        view = st.segmented_control(
            "**View**" if current_composer().enabled else "**View** · completing is switched off",
            VIEWS,
            default=read_value(_VIEW_KEY),
            key=_VIEW_KEY,
            required=True,
            help=f"{_HELP} {_tell_completing()}",
        )
        if view == VIEWS[0]:
            render_driver()
        st.space("stretch")
        with st.container(horizontal=True, width="content"):  # in a small window both go into the next row
            _render_learned(user)
            _render_clear(user)
    show_in_address(_VIEW_KEY, VIEWS[0])
    return str(view or VIEWS[0])


def _tell_completing() -> str:
    settings = current_composer()
    if not settings.enabled:
        return "Completing is switched off under Settings."
    return f"A call is completed by itself from a confidence of {settings.threshold:.2f} on."


def _render_learned(user: User) -> None:
    with load_database().read() as session:
        learned = read_learned(session, user.id)
        fleet = load_fleet(session, user.id) if learned else None
    with st.popover(f"Learned ({len(learned)})", icon=":material/school:", help="Choices that you made before."):
        if not learned or fleet is None:
            st.caption("Nothing yet. When you choose among several machines, the choice is remembered here.")
            return
        st.caption("Chosen again in a row, a machine gains a little confidence each time, up to a bound.")
        for each in learned:
            machine = fleet.find_by_id(each.target_id)
            _render_choice(user, each, machine.name if machine else "a machine that is gone")
        st.button(
            "Forget all",
            key="forget_all",
            icon=":material/delete_sweep:",
            on_click=actions.forget,
            args=(user,),
        )


def _tell_times(times: int) -> str:
    """What the first choice is worth is nothing yet."""
    bonus = learned_bonus(times)
    return f"{count_of(times, 'time')} in a row, confidence +{bonus:.2f}" if bonus else "once so far"


def _render_choice(user: User, learned: Learned, name: str) -> None:
    said = " · ".join(part.replace("_", " ") for part in learned.key.split("|")[1:] if part) or learned.key
    text, button = st.columns([5, 1], vertical_alignment="center")
    text.markdown(f"“{verbatim(said)}” → **{verbatim(name)}**  \n:small[:gray[{_tell_times(learned.times)}]]")
    button.button(
        "",
        key=f"forget-{learned.key}",
        icon=":material/close:",
        type="tertiary",
        help="Forget this choice",
        on_click=actions.forget,
        args=(user, learned.key),
    )


def _render_clear(user: User) -> None:
    conversation = actions.find_open_conversation(user)
    turns = conversation.turns if conversation else 0
    with st.popover("Clear", icon=":material/clear_all:", disabled=not turns):
        st.markdown(
            f"Remove {count_of(turns, 'turn')} of this chat? Machines, undo and what was learned stay as they are."
        )
        st.button("Clear the chat", key="clear_machine_chat", type="primary", on_click=actions.clear, args=(user,))
