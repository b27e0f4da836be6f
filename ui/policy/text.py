"""The files of a policy as text, each line checked as it is typed."""

from __future__ import annotations

import streamlit as st

from engine.editing.edits import WriteFile
from engine.editing.yaml_edits import EditError
from engine.policy.loading import PolicyError
from engine.policy.origin import Place, Problem
from ui.policy.actions import put_in
from ui.policy.desk import Desk
from ui.state.fields import drop_values, put_value
from ui.state.fields import start_value as start
from ui.templates import draw

EDIT_KEY, FILE_KEY = "edit", "policy_file"
_TOO_LONG = 200_000
"""Weights are a table of thousands of lines: they are set one by one."""


def open_file(name: str) -> None:
    """From elsewhere on the page."""
    put_value("view", "edit")
    put_value(EDIT_KEY, "text")
    put_value(FILE_KEY, name)


def render_text(desk: Desk) -> None:
    files = [name for name, text in desk.draft.after.items() if len(text) < _TOO_LONG]
    start(FILE_KEY, "words.txt" if "words.txt" in files else files[0])
    name = st.selectbox("File", files, key=FILE_KEY, label_visibility="collapsed")
    key = f"text-{name}-{desk.draft.digest}"
    start(key, desk.draft.after[name])
    text = st.text_area(
        f"Text of {name}", key=key, height=420, label_visibility="collapsed", help="Ctrl+Enter checks what you wrote."
    )
    problems = find_problems(desk, name, text or "")
    changed = text != desk.draft.after[name]
    if problems:
        st.html(draw("policy/text", "problems", [_show(problem, text or "") for problem in problems]))
    elif changed:
        st.caption(":material/check: It can be read. The effect is found once it is in the draft.")
    else:
        st.caption("As it is now. Ctrl+Enter, or a click elsewhere, checks what you wrote.")
    with st.container(horizontal=True):
        st.button(
            "Put into the draft", icon=":material/add:", type="primary", disabled=bool(problems) or not changed,
            on_click=put_in, args=(desk, WriteFile(str(name), text or "")),
        )  # fmt: skip
        st.button("As it was", disabled=not changed, type="tertiary", on_click=drop_values, args=(key,))


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


def _show(problem: Problem, text: str) -> dict[str, object]:
    lines, number = text.splitlines(), problem.place.line
    line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    return {"file": problem.place.file, "line": number, "text": problem.text, "written": line}
