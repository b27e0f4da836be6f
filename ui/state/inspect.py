"""What the Inspect page remembers: its context editor, and what the LLM said."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.state.values import ContextEditor


def read_context_editor() -> ContextEditor | None:
    return st.session_state.get("context_editor")


def keep_context_editor(editor: ContextEditor | None) -> None:
    st.session_state["context_editor"] = editor


def read_llm_side() -> Any:
    return st.session_state.get("llm_side")


def keep_llm_side(asked: Any) -> None:
    st.session_state["llm_side"] = asked
