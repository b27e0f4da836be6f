"""How somebody has set up the lanes in their browser; the Settings page changes it, every page and tab follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from engine.completing.values import ComposerSettings
from llm.endpoint import Endpoint
from ui.state.kept import keep, read_kept
from ui.state.values import CheckedEndpoint


def read_endpoint() -> Endpoint | None:
    """The model that was chosen, in every tab; None where they follow the environment. Its key lives in the tab it was
    typed into and nowhere else."""
    endpoint: Endpoint | None = read_kept("llm_endpoint")
    if endpoint is None:
        return None
    secrets = st.session_state.get(_SECRETS, {}).get((endpoint.kind, endpoint.base_url), {})
    return replace(endpoint, **secrets)


def keep_endpoint(endpoint: Endpoint | None) -> None:
    if endpoint is None:
        st.session_state.pop(_SECRETS, None)
        keep("llm_endpoint", None)
        keep(_LOCKED, False)
        return
    secrets = {name: getattr(endpoint, name) for name in ("key", "login", "query")}
    st.session_state[_SECRETS] = {(endpoint.kind, endpoint.base_url): secrets}
    keep(_LOCKED, any(secrets.values()))
    keep("llm_endpoint", replace(endpoint, key="", login="", query=""))


def lacks_key() -> bool:
    """Whether the chosen model was given a key in another tab, or before a reload, which this one does not have."""
    endpoint = read_endpoint()
    return bool(endpoint and read_kept(_LOCKED) and not (endpoint.key or endpoint.login or endpoint.query))


_SECRETS, _LOCKED = "llm_secrets", "llm_takes_key"


def read_checked() -> CheckedEndpoint | None:
    checked: CheckedEndpoint | None = st.session_state.get("llm_checked")
    return checked


def keep_checked(checked: CheckedEndpoint | None) -> None:
    st.session_state["llm_checked"] = checked


def read_ask_llm() -> bool:
    """Whether the LLM lane is asked at all; the engine always is."""
    return bool(read_kept("llm_asked", True))


def keep_ask_llm(asked: bool) -> None:
    keep("llm_asked", asked)


def read_thresholds() -> Mapping[str, float]:
    """The thresholds that this session changed; the others are each policy's own."""
    changes: Mapping[str, float] = read_kept("thresholds", {})
    return changes


def keep_thresholds(changes: Mapping[str, float]) -> None:
    keep("thresholds", dict(changes))


def read_composer() -> ComposerSettings | None:
    """How this session wants incomplete calls completed; None: as the environment says."""
    settings: ComposerSettings | None = read_kept("composer")
    return settings


def keep_composer(settings: ComposerSettings | None) -> None:
    keep("composer", settings)
