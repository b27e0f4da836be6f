"""The parts of the Machines page: what can be tried first, and the fleet beside the chat."""

from __future__ import annotations

import streamlit as st

from assistant.taking_back import changes_in
from db.audit import find_undone
from db.machines.revisions import read_machines_revision
from db.machines.service import MachineQuery
from db.machines.views import read_fleet_view
from db.turns.turns import StoredTurn
from db.users import User
from settings import load_settings
from ui.machines import actions
from ui.panels.beside import machine_marks
from ui.panels.fleet import fleet_html
from ui.resources import load_database, now_here
from ui.state.fields import read_text
from ui.talk.first_words import render_first_words
from ui.templates import draw

_SHOWN_MACHINES = 24
_SEARCH_FROM = 8
SEARCH_KEY = "machine_search"
EXAMPLES = (
    ("One way", "Accendi la luce del frigo cucina"),
    ("Several ways", "Turn on the light"),
    ("Two questions", "Il frigo della sala è connesso, e che temperatura ha?"),
    ("A value", "Set the pizza oven to 250 degrees"),
    ("No command", "Abbattitore"),
    ("Not connected", "Spegni il frigo della cantina"),
)


def render_welcome(user: User) -> None:
    st.html(draw("machines/bar", "welcome"))
    render_first_words(user, EXAMPLES, actions.send)


@st.fragment(run_every=load_settings().refresh_seconds)
def render_fleet(user: User, last: StoredTurn | None, shown_revision: int) -> None:
    """Live: drawn again every few seconds, and with the whole page when something was changed elsewhere."""
    with load_database().read() as session:
        if read_machines_revision(session, user.id) != shown_revision:
            st.rerun()
        changes = changes_in(last) if last else []
        undone = find_undone(session, user.id, changes)
    search = read_text(SEARCH_KEY)
    fleet = read_fleet_view(load_database(), user, now_here, MachineQuery(search=search or None, limit=_SHOWN_MACHINES))
    if not fleet.total and not search:
        _render_no_machines(user)
        return
    st.markdown(f"**Machines** :gray[{fleet.connected:,} of {fleet.total:,} connected]")
    if fleet.total > _SEARCH_FROM or search:
        st.text_input(
            "Find a machine", key=SEARCH_KEY, placeholder="Find a machine", label_visibility="collapsed", max_chars=80
        )
    if not fleet.total:
        st.caption("No machine has these words in its name, serial number, place or description.")
    st.html(fleet_html(fleet, machine_marks(last, undone)))


def _render_no_machines(user: User) -> None:
    st.markdown("**Machines**")
    st.info("You have no machines yet.", icon=":material/kitchen:")
    st.button(
        "Load demo machines",
        icon=":material/auto_awesome:",
        help="Fridges, a blast chiller, an oven: a simulated fleet with the readings of the last days.",
        on_click=actions.load_demo_machines_for,
        args=(user,),
    )
