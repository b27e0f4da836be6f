"""Why not, on the page: the decision now and under the draft, and where the nearest ways of asking failed."""

from __future__ import annotations

from typing import cast

import streamlit as st

from engine.decision import Decision
from engine.editing.edits import AddPattern, AddPhrase
from engine.explaining.anatomy import ReadingDecider
from engine.policy.values import Policy
from engine.why import NearMiss, Obstacle, ValueGap, WhyNot, find_why
from ui.policy.actions import put_in
from ui.policy.desk import Desk
from ui.policy.edit_words import describe_edit
from ui.policy.message import Wanted
from ui.rules.patterns import tell_pattern
from ui.rules.told import tell_plainly
from ui.templates import draw
from ui.turns.headline import headline
from ui.words import ACTION_WORDS, REASON_WORDS, name_intent

_MOST_MISSES = 6
_BY = {
    "words": "by its words",
    "ways_of_talking": "by a way of talking",
    "learned_talk": "by what was learned from conversations, which a draft does not edit",
    "answer": "as the answer to the question that waits",
    "own_reading": "in its domain’s own way",
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
        # Whoever is asked back has been understood, and not yet served: why stands below.
        "right": right if wanted.intent and decision.action != "clarify" else None,
    }


def render_why(desk: Desk, wanted: Wanted) -> WhyNot:
    """What stood in the way; `render_misses` has the ways of asking that came near."""
    decider = cast("ReadingDecider", wanted.decider(desk.draft.policy))  # a domain's own, or the engine
    why = find_why(wanted.text, wanted.context, decider, wanted.intent, wanted.values or {})
    if why.is_settled:
        read = f"{'With the draft it' if desk.edited else 'It'} is read as “{name_intent(wanted.intent)}”"
        if why.decision.action == "clarify":
            st.info(f"{read}, and still asks back before anything is done.", icon=":material/help:")
        else:
            st.success(f"{read}.", icon=":material/check_circle:")
        return why
    st.subheader("Why not", anchor=False)
    st.caption(f"It was read {_BY[why.decided_by]}.")
    told: list[Obstacle | ValueGap] = [*why.obstacles, *why.gaps]
    if told:
        st.html(draw("policy/why", "obstacles", [_line(each, desk) for each in told]))
    elif not why.misses:
        st.caption("No way of asking comes near it. A new one can be written under **Edit**.")
    return why


def _line(each: Obstacle | ValueGap, desk: Desk) -> dict[str, str]:
    place = str(getattr(each, "place", None) or "")
    return {"told": tell_plainly(each.told, desk.draft.policy), "code": each.told, "place": place}


def render_misses(desk: Desk, why: WhyNot) -> None:
    if not why.misses or why.is_settled:
        return
    st.subheader("The nearest ways of asking", anchor=False)
    st.caption("Each with the one condition at which it failed.")
    for number, miss in enumerate(why.misses[:_MOST_MISSES]):
        words, button = st.columns([6, 1], vertical_alignment="center")
        words.html(draw("policy/why", "miss", _show_miss(miss, desk, why)))
        edit = edit_for(miss, why)
        if edit:
            button.button(
                "Add",
                key=f"miss-{number}-{desk.draft.digest}",
                icon=":material/add:",
                type="tertiary",
                on_click=put_in,
                args=(desk, edit),
                help=f"Into the draft: {describe_edit(edit, desk.draft.policy)}.",
            )


def _show_miss(miss: NearMiss, desk: Desk, why: WhyNot) -> dict[str, str]:
    policy = desk.draft.policy
    pattern = tell_pattern(miss.pattern, policy)
    if why.decided_by == "own_reading":  # one intent stands for many actions there
        pattern += f", which means {miss.frame.replace('_', ' ').replace('.', ' ')}"
    return {"told": tell_miss(miss, policy), "code": miss.told, "words": pattern[:1].upper() + pattern[1:],
            "pattern": miss.pattern, "place": str(miss.place or "")}  # fmt: skip


def tell_miss(miss: NearMiss, policy: Policy) -> str:
    """The one condition at which it failed."""
    part = tell_pattern(miss.part, policy) if miss.part else ""
    told = {
        "swap": f"“{miss.words}” would have to be {part}",
        "lack": f"{part} is missing",
        "extra": f"“{miss.words}” is too much",
        "start": f"it begins a request, and “{miss.words}” stands before it",
        "end": f"it ends a request, and “{miss.words}” follows",
    }.get(miss.kind)
    plain = told or tell_plainly(miss.told, policy)
    return plain[:1].upper() + plain[1:]


def edit_for(miss: NearMiss, why: WhyNot) -> AddPhrase | AddPattern | None:
    """The edit that would make it fit, where that is as small as a phrase; where ways of asking are plain words, the
    same way with the words that were said."""
    if miss.kind != "swap" or not miss.words:
        return None
    if why.decided_by == "own_reading":
        said = [miss.words if word == miss.part else word for word in miss.pattern.split()]
        return AddPattern(why.wanted, miss.frame, " ".join(said)) if miss.part in miss.pattern.split() else None
    return AddPhrase(miss.class_name, miss.words) if miss.class_name else None
