"""Edits by form: each fills in one small change and puts it into the draft."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine.decision import Reason
from engine.editing.edits import AddGuard, AddPattern, AddPhrase, AddSpelling, Edit, SetThreshold, SetWeight
from engine.editing.yaml_edits import EditError
from engine.policy.loading import PolicyError
from engine.policy.tuning import KNOBS
from ui.markdown import verbatim
from ui.policy.actions import put_in, put_in_checked
from ui.policy.desk import Desk
from ui.words import REASON_WORDS, name_intent

_PATTERN_HELP = (
    "`<remind_me>` is a class of words, `{title}` a slot, `(on|to)` a choice, `[please]` may be left out, `^` and `$` "
    "are where a request begins and ends."
)


def start_form(desk: Desk, name: str) -> DeltaGenerator:
    """Of one state of the draft: it is empty again once its edit is in there. What cannot be done stays as written."""
    return st.form(f"{name}-{desk.draft.digest}", border=False)


def _take(desk: Desk, lacking: str | None, make: Callable[[], Edit]) -> None:
    """What a form was sent for; said in the form itself where it lacks something or cannot be done."""
    if lacking:
        st.caption(f":material/error: It lacks {lacking}.")
        return
    try:
        put_in_checked(desk, make())
    except (EditError, PolicyError) as error:
        st.error(f"That cannot be done: {verbatim(str(error))}.", icon=":material/error:")
        return
    st.rerun()


def render_phrase_form(desk: Desk, class_name: str = "") -> None:
    words = desk.draft.policy.words
    classes = sorted(words)
    with start_form(desk, f"phrase-{class_name}"):
        name, phrase, button = st.columns([2, 3, 1], vertical_alignment="bottom")
        chosen = class_name or name.selectbox(
            "Counts as a word like",
            classes,
            index=None,
            format_func=lambda each: f"{words[each][0]} · {each}" if words[each] else each,
            placeholder="remind me",
            filter_mode="contains",
        )
        if class_name:
            name.caption(verbatim(f"A phrase like “{words[class_name][0]}”") if words[class_name] else "A phrase")
        said = phrase.text_input("Phrase", placeholder="holler at me")
        if button.form_submit_button("Add", width="stretch"):
            lacking = None if chosen else "a word that it is like"
            _take(desk, lacking or (None if said.strip() else "a phrase"), lambda: AddPhrase(str(chosen), said.strip()))


def render_pattern_form(desk: Desk, intent: str = "", frame: str = "") -> None:
    policy = desk.draft.policy
    with start_form(desk, f"pattern-{frame}"):
        if frame:
            asked, named, strength = intent, frame, None
        else:
            first, second, third = st.columns(3)
            intents = [each for each in policy.catalogue.intents if each in policy.catalogue.by_intent]
            asked = first.selectbox("Intent", intents, format_func=name_intent)
            named = second.text_input("Name", placeholder="add.holler", help="A new name makes a new way of asking.")
            strength = third.selectbox(
                "Strength",
                ["plain", "weak", "clear"],
                help="Weak: the verb alone says little. Clear: it speaks for itself.",
            )
        field, button = st.columns([5, 1], vertical_alignment="bottom")
        pattern = field.text_input("Pattern", placeholder="<remind_me> {title}", help=_PATTERN_HELP)
        if button.form_submit_button("Add", width="stretch"):
            lacking = None if named.strip() else "a name"
            _take(
                desk,
                lacking or (None if pattern.strip() else "a pattern"),
                lambda: AddPattern(
                    str(asked), named.strip(), pattern.strip(), weak=strength == "weak", clear=strength == "clear"
                ),
            )


def render_guard_form(desk: Desk) -> None:
    reasons = sorted({str(guard.reason) for guard in desk.draft.policy.guards})
    frames = sorted({f"{frame.id.partition('.')[0]}." for frame in desk.draft.policy.frames})
    told = {str(reason): words for reason, words in REASON_WORDS.items()}
    with start_form(desk, "guard"):
        first, second, third = st.columns([3, 3, 2], vertical_alignment="bottom")
        reason = first.selectbox("Why nothing is asked for", reasons, format_func=lambda each: told.get(each, each))
        against = second.multiselect("Against", frames, placeholder="All ways of asking")
        asked = third.checkbox("Only in a question")
        field, button = st.columns([5, 1], vertical_alignment="bottom")
        pattern = field.text_input("Pattern", placeholder="^ i wish {rest}", help=_PATTERN_HELP)
        if button.form_submit_button("Add", width="stretch"):
            lacking = None if pattern.strip() else "a pattern"
            _take(desk, lacking, lambda: AddGuard(str(Reason(reason)), pattern.strip(), tuple(against), asked))


def render_spelling_form(desk: Desk) -> None:
    with start_form(desk, "spelling"):
        first, second, button = st.columns([2, 2, 1], vertical_alignment="bottom")
        word = first.text_input("This word", placeholder="tmrw")
        meant = second.text_input("is read as", placeholder="tomorrow")
        if button.form_submit_button("Add", width="stretch"):
            lacking = None if word.strip() and meant.strip() else "both words"
            _take(desk, lacking, lambda: AddSpelling(word.strip(), meant.strip()))


def render_threshold_form(desk: Desk, name: str = "") -> None:
    """A slider: the effect follows it."""
    knobs = {knob.name: knob for knob in KNOBS}
    chosen = name or st.selectbox("Threshold", list(knobs), format_func=lambda each: knobs[each].label)
    if chosen not in knobs:
        return
    knob, now = knobs[chosen], asdict(desk.draft.policy.thresholds)[chosen]
    key = f"threshold-{chosen}-{desk.draft.digest}"
    bar, button = st.columns([5, 1], vertical_alignment="bottom")
    value = bar.slider(knob.label, knob.low, knob.high, float(now), 0.01, key=key, help=knob.help)
    button.button(
        "Set", key=f"{key}-go", width="stretch", disabled=abs(value - now) < 0.005,
        on_click=put_in, args=(desk, SetThreshold(chosen, round(value, 2))),
    )  # fmt: skip


def render_weight_form(desk: Desk, rule: str = "") -> None:
    policy = desk.draft.policy
    with start_form(desk, f"weight-{rule}"):
        first, second, third, button = st.columns([3, 2, 2, 1], vertical_alignment="bottom")
        named = rule or first.text_input("What is noticed", placeholder="word:zone", help="frame:…, word:…, tags:…")
        if rule:
            first.caption(f"Weight of `{rule}`")
        intent = second.selectbox("For", list(policy.catalogue.intents), format_func=name_intent)
        value = third.number_input(
            "Weight", -8.0, 8.0, 0.0, 0.1, help="In log-odds: 0 says nothing, +2 makes it about seven times as likely."
        )
        if button.form_submit_button("Set", width="stretch"):
            lacking = None if named.strip() else "what is noticed"
            _take(desk, lacking, lambda: SetWeight(named.strip(), str(intent), float(value)))
