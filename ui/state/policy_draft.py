"""Thresholds on their way from Evaluate into a draft of a policy. They are in force nowhere."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

_KEY = "threshold_draft"


def put_threshold_draft(domain: str, changes: Mapping[str, float]) -> None:
    st.session_state[_KEY] = (domain, dict(changes))


def read_threshold_draft(domain: str) -> Mapping[str, float]:
    """Those that were taken last; empty where there are none for this domain."""
    kept: tuple[str, dict[str, float]] | None = st.session_state.get(_KEY)
    return kept[1] if kept and kept[0] == domain else {}
