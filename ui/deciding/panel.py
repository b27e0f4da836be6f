"""The field in which deciders are chosen, and the two menus that add one."""

from __future__ import annotations

import streamlit as st

from ui.deciding.choosing import DeciderChoice, takes_policies
from ui.notices import render_notice


def render_deciders(choice: DeciderChoice, help_text: str) -> None:
    specs = choice.read_specs()
    choice.start()
    st.multiselect(
        "Deciders",
        list(specs),
        default=choice.read_names(),
        format_func=lambda name: specs[name].label if name in specs else name,
        key=choice.key,
        on_change=choice.take,
        placeholder="Choose who decides",
        help=help_text,
    )
    with st.container(horizontal=True, gap="small"):
        _render_add_model(choice)
        if takes_policies():
            _render_add_policy(choice)
    if "llm" not in specs:
        st.caption("The LLM of this session is off. Settings turns it on, or add a model here.")
    render_notice(choice.place)


def _render_add_model(choice: DeciderChoice) -> None:
    keys = (f"{choice.page}_url", f"{choice.page}_model", f"{choice.page}_secret")
    with st.popover("Add a model", icon=":material/add:"), st.form(f"{choice.page}_add_model", border=False):
        st.text_input("Address", key=keys[0], max_chars=500, placeholder="http://localhost:11434/v1")
        st.text_input("Model", key=keys[1], max_chars=200, placeholder="llama3.2")
        st.text_input(
            "Key",
            key=keys[2],
            type="password",
            autocomplete="new-password",
            max_chars=500,
            help="Stays in this browser session and goes to this address only. It is never kept with a run.",
        )
        st.form_submit_button("Add", type="primary", on_click=choice.add_model, args=keys)


def _render_add_policy(choice: DeciderChoice) -> None:
    with st.popover("Add a policy", icon=":material/add:"):
        file = st.file_uploader(
            "A policy file (YAML)",
            type=["yaml", "yml"],
            key=f"{choice.page}_policy",
            help="Stands in for the engine's own policy of its language. One with a mistake is refused, with its line.",
        )
        st.button(
            "Add this policy",
            disabled=file is None,
            on_click=choice.add_policy,
            args=(file.name, file.getvalue()) if file else None,
        )
