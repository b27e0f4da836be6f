"""The files of a policy as text: one line, checked while it is typed, or the whole file, checked when it is left.

A text area tells nothing before it is left, and the pages' content policy allows no editor of one's own.
"""

from __future__ import annotations

import streamlit as st

from engine.editing.edits import WriteFile
from engine.editing.yaml_edits import EditError
from engine.policy.loading import PolicyError
from engine.policy.origin import Place, Problem
from ui.policy.actions import put_in
from ui.policy.desk import Desk
from ui.state.fields import drop_values, put_value, start_value
from ui.templates import draw

EDIT_KEY, FILE_KEY, WHOLE_KEY = "edit", "policy_file", "policy_whole"
_MOST_PROBLEMS = 8
"""Where a class is gone, everything that names it is wrong."""
_TOO_LONG = 200_000
"""Weights are a table of thousands of lines: they are set one by one."""


def open_file(name: str) -> None:
    """From elsewhere on the page."""
    put_value("view", "edit")
    put_value(EDIT_KEY, "text")
    put_value(FILE_KEY, name)


def render_text(desk: Desk) -> None:
    files = [name for name, text in desk.draft.after.items() if len(text) < _TOO_LONG]
    start_value(FILE_KEY, "words.txt" if "words.txt" in files else files[0])
    choice, how = st.columns([3, 2], vertical_alignment="center")
    name = str(choice.selectbox("File", files, key=FILE_KEY, label_visibility="collapsed"))
    whole = how.toggle("The whole file", key=WHOLE_KEY, help="Otherwise one line, checked while you type.")
    before = desk.draft.after[name]
    key = f"text-{name}-{desk.draft.digest}"
    with st.container(key="policy_written", gap="small"):
        text = _render_whole(name, before, key) if whole else _render_line(before, key)
    problems = find_problems(desk, name, text)
    changed = text != before
    if problems:
        first = sorted(problems, key=lambda problem: not problem.place.file.endswith(name))[:_MOST_PROBLEMS]
        shown = [_show(problem, desk, name, text) for problem in first]
        st.html(draw("policy/text", "problems", shown, len(problems) - len(first)))
    elif changed:
        st.caption(":material/check: It can be read. The effect is found once it is in the draft.")
    with st.container(horizontal=True):
        st.button(
            "Put into the draft",
            icon=":material/add:",
            type="primary",
            disabled=bool(problems) or not changed,
            on_click=put_in,
            args=(desk, WriteFile(name, text)),
        )
        if whole:
            st.button("As it was", disabled=not changed, type="tertiary", on_click=drop_values, args=(key,))


def _render_whole(name: str, before: str, key: str) -> str:
    start_value(key, before)
    text = st.text_area(f"Text of {name}", key=key, height=400, label_visibility="collapsed")
    st.caption("Ctrl+Enter, or a click elsewhere, checks what you wrote.")
    return text or ""


def _render_line(before: str, key: str) -> str:
    """The text with one line of it changed, or another one put after it."""
    lines = before.split("\n")
    number = st.selectbox(
        "Line",
        range(len(lines)),
        index=None,
        format_func=lambda each: f"{each + 1}: {lines[each]}",
        key=f"{key}-number",
        placeholder="Type to find a line",
        filter_mode="contains",
    )
    if number is None:
        st.caption("Choose a line to change, or one to write another after.")
        return before
    after = st.checkbox("As a new line after it", key=f"{key}-after")
    line_key = f"{key}-line-{number}-{after}"
    start_value(line_key, "" if after else lines[number])
    written = st.text_input("Text", key=line_key, live=True, label_visibility="collapsed") or ""
    if after:
        return "\n".join([*lines[: number + 1], written, *lines[number + 1 :]]) if written else before
    return "\n".join([*lines[:number], written, *lines[number + 1 :]])


def find_problems(desk: Desk, name: str, text: str) -> tuple[Problem, ...]:
    """What is wrong with the file as it is written, by line."""
    if text == desk.draft.after.get(name):
        return ()
    try:
        desk.draft.edit(WriteFile(name, text))
    except PolicyError as error:
        return error.problems
    except EditError as error:
        return (Problem(Place(name, 1), str(error)),)
    return ()


def _show(problem: Problem, desk: Desk, name: str, text: str) -> dict[str, object]:
    """With the line as it is written: of the file that is edited, or of another one that goes by it."""
    place = problem.place
    other = place.file.partition("/")[2]
    texts = {**desk.draft.after, name: text}
    lines = texts.get(other, texts.get(place.file, "")).splitlines()
    line = lines[place.line - 1].strip() if 0 < place.line <= len(lines) else ""
    return {"file": place.file, "line": place.line, "text": problem.text, "written": line}
