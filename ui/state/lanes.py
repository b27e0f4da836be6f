"""How this browser session has set up its lanes; the Settings page changes it, every page follows."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from engine.completing.values import ComposerSettings
from llm.endpoint import Endpoint
from ui.state.values import CheckedEndpoint


def read_endpoint() -> Endpoint | None:
    """The model that this session chose; None where it follows the environment. The key lives here and nowhere else."""
    endpoint: Endpoint | None = st.session_state.get("llm_endpoint")
    return endpoint


def keep_endpoint(endpoint: Endpoint | None) -> None:
    st.session_state["llm_endpoint"] = endpoint


def read_checked() -> CheckedEndpoint | None:
    checked: CheckedEndpoint | None = st.session_state.get("llm_checked")
    return checked


def keep_checked(checked: CheckedEndpoint | None) -> None:
    st.session_state["llm_checked"] = checked


def read_ask_llm() -> bool:
    """Whether the LLM lane is asked at all; the engine always is."""
    return bool(st.session_state.get("llm_asked", True))


def keep_ask_llm(asked: bool) -> None:
    st.session_state["llm_asked"] = asked


def read_thresholds() -> Mapping[str, float]:
    """The thresholds that this session changed; the others are each policy's own."""
    changes: Mapping[str, float] = st.session_state.get("thresholds", {})
    return changes


def keep_thresholds(changes: Mapping[str, float]) -> None:
    st.session_state["thresholds"] = dict(changes)


def read_composer() -> ComposerSettings | None:
    """How this session wants incomplete calls completed; None: as the environment says."""
    return st.session_state.get("composer")


def keep_composer(settings: ComposerSettings | None) -> None:
    st.session_state["composer"] = settings
