"""The parts of the Machines page: the chat with its buttons, and the fleet beside it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from assistant.machine_values import read_next_actions, read_waiting
from db.audit import find_undone
from db.fleet import load_fleet
from db.machine_service import MachineQuery
from db.machine_turns import MachineTurn, count_machine_turns, read_machine_turns, read_machines_revision
from db.machine_views import read_fleet_view
from db.users import User
from settings import load_settings
from ui.lanes import current_composer
from ui.machines import actions
from ui.machines.fleet import fleet_html
from ui.machines.turn import MachineTurnView, changes_in, reasoning_html, said_html
from ui.markdown import verbatim
from ui.resources import load_database, now_here
from ui.state.chat import read_turn_limit, show_more_turns
from ui.state.fields import read_text
from ui.templates import draw

FIRST_TURNS = 8
_MORE_TURNS = 20
_SHOWN_MACHINES = 24
_SEARCH_FROM = 8
_LONGEST_BUTTON = 60
SEARCH_KEY = "machine_search"
EXAMPLES = (
    ("One way", "Accendi la luce del frigo cucina"),
    ("Several ways", "Turn on the light"),
    ("Two questions", "Il frigo della sala è connesso, e che temperatura ha?"),
    ("A value", "Set the pizza oven to 250 degrees"),
    ("No command", "Abbattitore"),
    ("Not connected", "Spegni il frigo della cantina"),
)


def read_shown_turns(user: User) -> tuple[tuple[MachineTurn, ...], int]:
    """The latest turns, and how many earlier ones there are."""
    limit = read_turn_limit(FIRST_TURNS)
    with load_database().read() as session:
        turns = read_machine_turns(session, user.id, limit=limit)
        return turns, count_machine_turns(session, user.id) - len(turns)


def render_turns(user: User, turns: Sequence[MachineTurn], hidden: int) -> None:
    """Older turns are folded; the last one is open."""
    if hidden > 0:
        st.button(
            f"Show {min(hidden, _MORE_TURNS)} earlier turns",
            icon=":material/expand_less:",
            type="tertiary",
            on_click=show_more_turns,
            args=(len(turns) + _MORE_TURNS,),
        )
    threshold = current_composer().threshold
    with load_database().read() as session:
        fleet = load_fleet(session, user.id)
        undone = find_undone(session, user.id, [change for turn in turns for change in changes_in(turn)])
    for turn in turns:
        changes = changes_in(turn)
        view = MachineTurnView(turn, bool(changes) and set(changes) <= undone, threshold)
        last = turn is turns[-1]
        st.html(said_html(view))
        _render_buttons(user, view, last=last)
        st.html(reasoning_html(view, fleet, folded=not last))


def _render_buttons(user: User, view: MachineTurnView, *, last: bool) -> None:
    """Answers to the open question, taking back, and what one may want next."""
    turn, changes = view.turn, changes_in(view.turn)
    waiting = read_waiting(turn) if last else None
    with st.container(horizontal=True, key=f"machine_answers-{turn.id}", gap="xsmall"):
        if waiting:
            for place, suggestion in enumerate(waiting.composition.suggestions):
                st.button(
                    verbatim(suggestion.label[:_LONGEST_BUTTON]),
                    key=f"choose-{turn.id}-{place}",
                    on_click=actions.choose,
                    args=(user, turn.id, place),
                )
            if waiting.composition.more:
                st.caption(f"and {waiting.composition.more} more: name the one you mean")
            if waiting.composition.suggestions:
                st.button("None of them", key="choose-none", type="tertiary", on_click=actions.send, args=(user, "no"))
        if changes and not view.undone:
            st.button(
                "Undo",
                key=f"undo-{turn.id}",
                icon=":material/undo:",
                type="tertiary",
                help="Takes back what this turn told the machines.",
                on_click=actions.undo,
                args=(user, changes, turn.id),
            )
        for place, suggestion in enumerate(read_next_actions(turn) if last and not view.undone else ()):
            st.button(
                verbatim(suggestion.label[:_LONGEST_BUTTON]),
                key=f"next-{turn.id}-{place}",
                icon=":material/arrow_forward:",
                type="tertiary",
                help="What people often do next. Nothing happens unless you press it.",
                on_click=actions.run_next,
                args=(user, turn.id, place),
            )


def render_welcome(user: User) -> None:
    st.html(draw("machines/bar", "welcome"))
    columns = st.columns(2)
    for place, (kind, text) in enumerate(EXAMPLES):
        columns[place % 2].button(
            f":small[:gray[{kind}]]  \n{verbatim(text)}",
            key=f"machine-example-{place}",
            width="stretch",
            wrap=True,
            on_click=actions.send,
            args=(user, text),
        )


@st.fragment(run_every=load_settings().refresh_seconds)
def render_fleet(user: User, last: MachineTurn | None, shown_revision: int) -> None:
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
    st.html(fleet_html(fleet, _marks(last, undone)))


def _marks(last: MachineTurn | None, undone: set[str]) -> dict[str, str]:
    """What the last turn told which machine."""
    return {
        str(result["payload"]["device_id"]): str(result["payload"]["command"]).replace("_", " ")
        for result in (last.results if last else ())
        if result["audit_id"] and result["audit_id"] not in undone
    }


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
