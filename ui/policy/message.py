"""The misread message that a fix begins with, and what it should have been."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from db.evaluation.cases import list_cases
from db.users import User
from domains.deciders import make_decider
from domains.loading import load_domain
from engine.decision import Context, Decider
from engine.policy.values import Policy
from engine.text.language import detect_language
from engine.text.normalise import TEXT_LIMIT
from ui.given.arguments import arguments_of
from ui.given.message import InspectInput, context_of, find_further_tasks, make_context
from ui.given.recorded import find_turn_input
from ui.markdown import verbatim
from ui.resources import load_database
from ui.state.address import drop_from_address, put_in_address, read_address
from ui.state.fields import is_drawn, put_text, put_value, read_text, read_value
from ui.state.policy import keep_brought, read_brought
from ui.turns.context import describe_context
from ui.words import label_intents, name_intent, name_one

TEXT_KEY, WANT_KEY = "policy_text", "policy_want"
_KEPT_TEXT, _KEPT_WANT, _BROUGHT_FOR = "policy_text_kept", "policy_want_kept", "policy_brought_for"
_SHOWN_CASES = 5
_MOST_THINGS = 300


@dataclass(frozen=True)
class Wanted:
    """A message in its context, with what it should have come to."""

    text: str
    context: Context
    domain: str
    language: str
    source: str
    """Where its context is from, in words."""
    intent: str = ""
    """Empty: nobody has said yet."""
    values: Mapping[str, str] | None = None
    wire: Mapping[str, Any] = field(default_factory=dict)
    """The context as it is kept with a case."""

    @property
    def expected(self) -> dict[str, Any]:
        """As a case says it."""
        facts = load_domain(self.domain).catalogue.by_intent.get(self.intent)
        target = facts.target if facts else ""
        values = dict(self.values or {})
        said = {"task": values.pop(target, None), "parameters": values}
        return {"intent": self.intent, **{name: value for name, value in said.items() if value}}

    def decider(self, policy: Policy) -> Decider:
        return make_decider(load_domain(self.domain), policy)


def start_message() -> None:
    """What the address or another page brought, before anything is drawn."""
    address = read_address("text"), read_address("turn")
    if any(address) and read_value(_BROUGHT_FOR) != address:
        put_value(_BROUGHT_FOR, address)
        put_text(_KEPT_TEXT, address[0])
        put_value(_KEPT_WANT, read_address("want") or None)
        for key in (TEXT_KEY, WANT_KEY):
            put_value(key, read_value({TEXT_KEY: _KEPT_TEXT, WANT_KEY: _KEPT_WANT}[key]))
    if not is_drawn(TEXT_KEY):
        put_text(TEXT_KEY, read_text(_KEPT_TEXT))


def read_message() -> str:
    """Also where another view is open, which has no field for it."""
    return read_text(_KEPT_TEXT)


def read_given(user: User, domain: str) -> tuple[InspectInput, str]:
    """The message with its context: as Inspect had it, as it was in its turn, or this person's own things now."""
    text, brought, turn_id = read_text(TEXT_KEY), read_brought(), read_address("turn")
    if isinstance(brought, InspectInput) and brought.text == text and brought.domain == domain:
        return brought, "as on Inspect"
    turn = find_turn_input(user, turn_id) if turn_id else None
    if turn and turn.domain == domain and (not text or text == turn.text):
        if not text:
            put_text(TEXT_KEY, turn.text)
        return turn, "as it was in that turn"
    wire, total = context_of(user, domain)
    if text.strip() and "tasks" in wire and total > len(wire["tasks"]):
        wire = {**wire, "tasks": [*find_further_tasks(user, text, wire, domain), *wire["tasks"]]}
    return InspectInput(text, wire, domain), "your own"


def find_language(given: InspectInput) -> str:
    context = make_context(given.context_wire, given.domain)
    return str(detect_language(given.text, context, load_domain(given.domain).small_words))


def render_message(user: User, given: InspectInput, source: str) -> Wanted | None:
    """None: there is no message yet."""
    text = st.text_input(
        "Message",
        key=TEXT_KEY,
        max_chars=TEXT_LIMIT,
        placeholder="A message that was misread, then Enter",
        icon=":material/chat:",
        label_visibility="collapsed",
        on_change=_take_text,
    )
    put_text(_KEPT_TEXT, text)
    if not (text or "").strip():
        _render_nothing_yet(user, given.domain)
        return None
    labels = label_intents(given.domain)
    if read_value(WANT_KEY) is None and read_value(_KEPT_WANT) in labels:
        put_value(WANT_KEY, read_value(_KEPT_WANT))
    intent = st.pills(
        "It should have been", list(labels), format_func=name_intent, key=WANT_KEY, on_change=_take_want, wrap=True
    )
    context = make_context(given.context_wire, given.domain)
    values = _render_values(intent, given, context) if intent else {}
    told = describe_context(given.context_wire, given.domain, clock=False)
    st.caption(f"Context, {source}: {verbatim(told)}.")
    return Wanted(text, context, given.domain, find_language(given), source, intent or "", values, given.context_wire)


def _take_text() -> None:
    """Typed: what came along with another message says nothing about this one."""
    put_text(_KEPT_TEXT, read_text(TEXT_KEY))
    keep_brought(None)
    drop_from_address("turn")
    if read_text(TEXT_KEY):
        put_in_address("text", read_text(TEXT_KEY))
    else:
        drop_from_address("text")
    put_value(_BROUGHT_FOR, (read_address("text"), read_address("turn")))


def _take_want() -> None:
    put_value(_KEPT_WANT, read_value(WANT_KEY))


def _render_values(intent: str, given: InspectInput, context: Context) -> dict[str, str]:
    """What the call should have had, as far as it matters: a task, a filter, a date."""
    facts = load_domain(given.domain).catalogue.by_intent.get(intent)
    names = arguments_of(intent, given.domain)
    if facts is None or not (names or facts.target):
        return {}
    values: dict[str, str] = {}
    with st.expander("… with these values", icon=":material/tune:"):
        st.caption("Only what matters: an empty field means any value. Why-not then looks at these, too.")
        fields = st.columns(3)
        if facts.target:
            things = {each.id: f"#{each.number} {each.title}" for each in context.tasks.recent(_MOST_THINGS)}
            chosen = fields[0].selectbox(
                f"Which {name_one(given.domain)}",
                [None, *things],
                format_func=lambda each: things.get(each, "Any") if each else "Any",
                key=f"want-{intent}-{facts.target}",
            )
            values |= {facts.target: str(chosen)} if chosen else {}
        for place, name in enumerate(names, start=1 if facts.target else 0):
            label = name.removeprefix("new_").replace("_", " ").capitalize()
            said = fields[place % 3].text_input(label, key=f"want-{intent}-{name}")
            values |= {name: said.strip()} if said and said.strip() else {}
    return values


def _render_nothing_yet(user: User, domain: str) -> None:
    with load_database().read() as session:
        cases = list_cases(session, user.id, domain=domain, limit=_SHOWN_CASES)
    st.info(
        "Type a message that was misread and press Enter. Inspect brings one along, too: **Why not / fix it** stands "
        "beside its verdict.",
        icon=":material/build:",
    )
    if cases:
        st.caption("Or take up one of the cases that you saved:")
        with st.container(horizontal=True):
            for case in cases:
                label = " ".join(case.text.split())
                st.button(
                    verbatim(label if len(label) <= 60 else f"{label[:59]}…"),
                    key=f"case-{case.id}",
                    on_click=take_up,
                    args=(InspectInput(case.text, case.context, case.domain), _first_intent(case.expected)),
                )


def _first_intent(expected: Mapping[str, object]) -> str:
    intent = expected.get("intent")
    return str(intent[0] if isinstance(intent, list) and intent else intent or "")


def take_up(given: InspectInput, intent: str = "") -> None:
    """Another message, with its context."""
    keep_brought(given)
    drop_from_address("turn")
    put_in_address("text", given.text)
    put_value(_BROUGHT_FOR, (given.text, ""))
    put_text(TEXT_KEY, given.text)
    put_text(_KEPT_TEXT, given.text)
    put_value(_KEPT_WANT, intent or None)
    put_value(WANT_KEY, intent or None)
