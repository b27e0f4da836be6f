"""What was in force for a recorded turn, beside what is today: Inspect must not contradict the turn it explains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import streamlit as st

from db.turns.turns import find_turn, read_decisions
from db.users import User
from domains.loading import load_domain
from engine.border.json_form import from_json
from engine.decision import Decision
from engine.outcome.routes import ROUTE_SENTENCES, Route
from engine.policy.tuning import KNOBS
from ui.given.message import InspectInput
from ui.lanes import current_endpoint, current_thresholds, is_llm_on
from ui.markdown import verbatim
from ui.resources import load_database
from ui.state.address import read_address
from ui.state.fields import read_value, start_value
from ui.state.values import ContextEditor
from ui.turns.links import TODAY
from ui.words import name_driver

TODAY_KEY = "under_today"


@dataclass(frozen=True, slots=True)
class InForce:
    thresholds: Mapping[str, float]
    model: str
    """Which model the LLM lane asked; empty where none was."""
    version: str
    """Of the policy, without what was turned."""
    driver: str
    """Who drove, in words."""
    rule: str
    """Why that lane acted; empty where none has yet."""


def find_in_force(user: User, editor: ContextEditor) -> InForce | None:
    """None for what is no recorded turn, and for turns of before thresholds were kept."""
    if editor.source != "turn":
        return None
    if read_address(TODAY):
        start_value(TODAY_KEY, True)
    with load_database().read() as session:
        turn = find_turn(session, user.id, editor.turn_id)
        body = read_decisions(session, user.id, [editor.turn_id]).get(editor.turn_id, {}).get("engine")
    decision = from_json(Decision, body) if body else None
    if turn is None or decision is None or decision.thresholds is None:
        return None
    model = str(turn.llm_summary.get("model") or "") if turn.llm_status != "off" else ""
    rule = ROUTE_SENTENCES.get(Route(turn.route), "") if turn.route else ""
    drove = name_driver(turn.driver)
    return InForce(asdict(decision.thresholds), model, _plain(decision.policy_version), drove, rule)


def thresholds_for(found: InForce | None) -> Mapping[str, float] | None:
    """What to decide under: the turn's own, unless somebody asked for today's; None: today's."""
    return found.thresholds if found and not read_value(TODAY_KEY) else None


def render_in_force(found: InForce | None, given: InspectInput, version: str) -> None:
    """Where today's settings differ from the turn's, and a way to see the message under them."""
    if found is None:
        return
    st.caption(f"Who drove: {verbatim(found.driver)}. {found.rule}".strip())
    differences = describe_differences(found, given.domain, _plain(version))
    if not differences:
        st.caption("Decided as on that turn: nothing that counts was changed since.")
        return
    under = "today's settings" if read_value(TODAY_KEY) else "what was in force for that turn"
    st.info(f"Shown under {under}. Since then: {'; '.join(differences)}.", icon=":material/history:")
    st.toggle("Decide it under today's settings", key=TODAY_KEY)


def describe_differences(found: InForce, domain: str, version: str) -> list[str]:
    now = current_thresholds(load_domain(domain))
    said = [
        f"“{knob.label.lower()}” was {found.thresholds[knob.name]:.2f} and is {now[knob.name]:.2f}"
        for knob in KNOBS
        if knob.name in now and round(found.thresholds[knob.name] - now[knob.name], 4)
    ]
    model = current_endpoint().model if is_llm_on() else ""
    if model != found.model:
        said.append(f"the LLM lane asked {verbatim(found.model) or 'nobody'} and asks {verbatim(model) or 'nobody'}")
    if version != found.version:
        said.append("the policy was edited, which is not undone here")
    return said


def _plain(version: str) -> str:
    return version.partition(" with ")[0]
