"""Why not, on the page: the decision now and under the draft, and where the nearest ways of asking failed."""

from __future__ import annotations

import streamlit as st

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Decision
from engine.editing.edits import AddPhrase
from engine.why import NearMiss, Obstacle, ValueGap, WhyNot, find_why
from ui.policy.actions import put_in
from ui.policy.desk import Desk
from ui.policy.message import Wanted
from ui.templates import draw
from ui.turns.headline import headline
from ui.words import ACTION_WORDS, REASON_WORDS, name_intent

_MOST_MISSES = 6
_BY = {
    "words": "by its words",
    "ways_of_talking": "by a way of talking",
    "learned_talk": "by what was learned from conversations, which a draft does not edit",
    "answer": "as the answer to the question that waits",
    "own_reading": "by the domain’s own reading",
}


def render_decisions(desk: Desk, wanted: Wanted) -> None:
    """Today's policy, and the draft beside it."""
    now = wanted.decider(desk.draft.base).decide(wanted.text, wanted.context)
    sides = [_side("Today", now, wanted)]
    if desk.edited:
        then = wanted.decider(desk.draft.policy).decide(wanted.text, wanted.context)
        sides.append(_side("With the draft", then, wanted))
    st.html(draw("policy/why", "decisions", sides))


def _side(label: str, decision: Decision, wanted: Wanted) -> dict[str, object]:
    right = decision.intent == wanted.intent and (decision.action != "reply" or wanted.intent == "unknown")
    return {
        "label": label,
        "action": decision.action,
        "name": ACTION_WORDS[decision.action],
        "headline": headline(decision, wanted.context),
        "reason": REASON_WORDS[decision.reason],
        "code": f"{decision.reason}, {decision.policy_version}",
        "right": right if wanted.intent else None,
    }


def render_why(desk: Desk, wanted: Wanted) -> WhyNot:
    """What stood in the way; `render_misses` has the ways of asking that came near."""
    decider = RuleDecider(load_domain(wanted.domain), desk.draft.policy)
    why = find_why(wanted.text, wanted.context, decider, wanted.intent, wanted.values or {})
    st.subheader("Why not", anchor=False)
    if why.is_read and not why.gaps:
        st.success(
            f"{'With the draft it' if desk.edited else 'It'} is read as “{name_intent(wanted.intent)}”.",
            icon=":material/check_circle:",
        )
        return why
    st.caption(f"It was read {_BY[why.decided_by]}.")
    told: list[Obstacle | ValueGap] = [*why.obstacles, *why.gaps]
    if told:
        st.html(draw("policy/why", "obstacles", [_line(each.told, getattr(each, "place", None)) for each in told]))
    elif not why.misses:
        st.caption("No way of asking comes near it. A new one can be written under **Edit**.")
    return why


def _line(told: str, place: object) -> dict[str, str]:
    return {"told": told[:1].upper() + told[1:], "place": str(place or "")}


def render_misses(desk: Desk, why: WhyNot) -> None:
    if not why.misses or why.is_read:
        return
    st.subheader("The nearest ways of asking", anchor=False)
    st.caption("Each with the one condition at which it failed.")
    for number, miss in enumerate(why.misses[:_MOST_MISSES]):
        words, button = st.columns([6, 1], vertical_alignment="center")
        words.html(
            draw("policy/why", "miss", {"told": miss.told, "place": str(miss.place or ""), "pattern": miss.pattern})
        )
        edit = edit_for(miss)
        if edit:
            button.button(
                "Add",
                key=f"miss-{number}-{desk.draft.digest}",
                icon=":material/add:",
                type="tertiary",
                on_click=put_in,
                args=(desk, edit),
                help=f"Puts “{edit.phrase}” into the class {edit.class_name} of the draft.",
            )


def edit_for(miss: NearMiss) -> AddPhrase | None:
    """The edit that would make it fit, where that is as small as a phrase."""
    return AddPhrase(miss.class_name, miss.words) if miss.kind == "swap" and miss.class_name and miss.words else None
