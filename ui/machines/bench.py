"""The bench: an incomplete call, a message and a conversation by hand, or a pasted payload, and the reasoning."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import streamlit as st

from db.connection import Session
from db.machines.choices import read_learned
from db.machines.fleet import load_fleet
from db.tasks.service import TaskService
from db.users import User
from domains.catalogues import load_all_tools
from domains.composing import compose
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.tools import COMMAND_TOOL
from domains.machines.wire import find_fleet, read_request
from engine.border.json_form import to_json
from engine.border.plain import WireError
from engine.completing.values import ComposerSettings, Composition, Request
from engine.completing.wire import write_composition
from ui.call_words import name_tool
from ui.lanes import current_composer
from ui.machines.bench_input import (
    EXAMPLE_PAYLOAD,
    MOST_MACHINES_TO_COPY,
    BenchError,
    make_command,
    make_payload,
    read_json_object,
)
from ui.machines.calls import calls_html, label_ids, suggestions_html
from ui.machines.composition import (
    candidates_html,
    hints_html,
    ledger_html,
    message_html,
    steps_html,
    verdict_html,
)
from ui.markdown import verbatim
from ui.resources import load_database, now_here
from ui.state.fields import start_value

_FROM_WORDS = "(none: from the words)"
_BY_HAND, _PASTED = "By hand", "Pasted payload"
_OWN, _PAYLOADS = "My machines", "The payload's"
_MESSAGE_LIMIT, _JSON_LIMIT = 10_000, 200_000


def render_bench(user: User) -> None:
    st.caption("Nothing is carried out here: the composer only says what it would do with a call, and why.")
    given_area, result_area = st.columns([4, 5], gap="large")
    try:
        with given_area:
            payload = _render_given()
            fleet_choice, settings = _render_settings(payload)
        with load_database().read() as session:
            fleet = load_fleet(session, user.id)
            request = _read(payload, fleet_choice, fleet, settings, user, session)
            composition = compose(request)
    except (BenchError, WireError) as error:
        with result_area:
            st.error(verbatim(f"This cannot be read. {error}"), icon=":material/data_object:")
        return
    with result_area:
        if not request.text.strip() and not request.arguments:
            st.info("Write a message, or a call, to see what becomes of it.", icon=":material/science:")
            return
        _render_result(request, composition)
        _render_copies(payload, request, fleet_choice, composition)


def _render_given() -> dict[str, Any]:
    source = st.segmented_control(
        "Where the call is from",
        [_BY_HAND, _PASTED],
        default=_BY_HAND,
        key="bench_source",
        label_visibility="collapsed",
    )
    if source == _PASTED:
        start_value("bench_payload", json.dumps(EXAMPLE_PAYLOAD, indent=2, ensure_ascii=False))
        text = st.text_area(
            "Payload",
            key="bench_payload",
            height=420,
            max_chars=_JSON_LIMIT,
            help="user_message, function_call with name and arguments, conversation_history, machine_context.",
        )
        return read_json_object(text, "Payload")
    start_value("bench_message", "Accendi la luce")
    message = st.text_input("Message", key="bench_message", max_chars=_MESSAGE_LIMIT, live=True)
    tools = [_FROM_WORDS, *load_all_tools()]
    tool = st.selectbox(
        "Tool that was called",
        tools,
        key="bench_tool",
        index=tools.index(COMMAND_TOOL),
        format_func=lambda each: each if each == _FROM_WORDS else name_tool(each),
    )
    arguments = st.text_area(
        "Arguments, as JSON",
        key="bench_arguments",
        height=90,
        max_chars=_JSON_LIMIT,
        placeholder='{"device_name": "frigo"}',
        help="What an LLM left in the call. Empty texts, “null” and placeholders count as missing.",
    )
    history = st.text_area(
        "Conversation before it",
        key="bench_history",
        height=110,
        max_chars=_JSON_LIMIT,
        placeholder="user: Ho un problema con il frigo cucina\nassistant: Posso aiutarti. Cosa succede?",
        help="One message a line.",
    )
    return make_payload(message or "", None if tool == _FROM_WORDS else tool, arguments or "", history or "")


def _render_settings(payload: dict[str, Any]) -> tuple[str, ComposerSettings]:
    defaults = current_composer()
    choices = [_OWN, _PAYLOADS] if "machine_context" in payload else [_OWN]
    fleet = st.segmented_control(
        "Whose machines",
        choices,
        default=choices[-1],
        key=f"bench_fleet_{len(choices)}",
        help="A payload may bring machines of its own as machine_context.",
    )
    threshold, most = st.columns(2)
    bound = threshold.slider("Completes from", 0.0, 1.0, defaults.threshold, 0.05, key="bench_threshold")
    count = most.number_input("Suggestions at most", 1, 20, defaults.max_suggestions, key="bench_suggestions")
    return str(fleet or choices[-1]), replace(defaults, threshold=bound, max_suggestions=int(count))


def _read(
    payload: dict[str, Any], choice: str, fleet: MemoryFleet, settings: ComposerSettings, user: User, session: Session
) -> Request:
    known = payload if choice == _PAYLOADS else {key: payload[key] for key in payload if key != "machine_context"}
    request = read_request(known, now_here().replace(tzinfo=None), fleet)
    if "tasks" not in payload and request.tasks:
        # A call about tasks is completed from the person's own, unless the payload brings some.
        request = replace(request, tasks=replace(request.tasks, tasks=TaskService(session, user, now_here)))
    if "settings" not in payload:
        request = replace(request, settings=settings)
    if "learned" not in payload and choice == _OWN:
        request = replace(request, learned=read_learned(session, user.id))
    return request


def _render_result(request: Request, composition: Composition) -> None:
    with st.container(border=True):
        st.html(verdict_html(composition))
        if composition.message:
            st.html(message_html(composition))
        if composition.suggestions:
            st.html(suggestions_html(composition, label_ids(composition, find_fleet(request))))
        if composition.more:
            st.caption(f"and {composition.more} more")
        if composition.calls:
            st.html(calls_html(composition, label_ids(composition, find_fleet(request))))
    if composition.hints:
        st.markdown("**What the words mean**")
        st.html(hints_html(request.text, composition))
    st.markdown("**Who was in the running**")
    st.html(candidates_html(composition.candidates))
    if composition.ledger:
        st.markdown("**How sure it is**")
        st.html(ledger_html(composition, request.settings.threshold))
    if composition.steps:
        st.markdown("**Step by step**")
        st.html(steps_html(composition))


def _render_copies(payload: dict[str, Any], request: Request, choice: str, composition: Composition) -> None:
    with st.expander("The result as JSON, and as a command", icon=":material/terminal:"):
        fleet = find_fleet(request)
        machines = fleet.machines() if fleet else ()
        if choice == _OWN and len(machines) <= MOST_MACHINES_TO_COPY:
            payload = {**payload, "machine_context": to_json(machines)}
        payload = {**payload, "settings": to_json(request.settings)}
        if request.learned:
            payload["learned"] = to_json(request.learned, named=True)
        st.code(make_command(payload), language="bash", wrap_lines=True, height=160)
        st.json(write_composition(composition), expanded=1)
