"""What a browser session remembers of policies: its own version in force, its drafts, and the one on trial."""

from __future__ import annotations

import re
import uuid
from typing import Any

import streamlit as st

from engine.policy.values import Policy

SESSION_KEY = "session"
"""Its name in the address: a reload, and a turn opened in another tab, go by the same version."""
_EVERYBODY = ""
_IS_SESSION = re.compile(r"[0-9a-f]{12}")
PolicyPlace = tuple[str, str]
"""The domain and the language of a policy."""


def read_scope() -> str:
    """What versions are put in force for, where they are for this session only; empty until there is one."""
    kept: str = st.session_state.get("policy_scope") or st.query_params.get(SESSION_KEY, "")
    return kept if _IS_SESSION.fullmatch(kept) else _EVERYBODY


def get_scope() -> str:
    """The same, made where there is none yet."""
    scope = read_scope() or uuid.uuid4().hex[:12]
    st.session_state["policy_scope"] = scope
    return scope


def session_in_link() -> dict[str, str]:
    """What a link to another page says besides, so that it goes by the same version; nothing where there is none."""
    scope = read_scope()
    return {SESSION_KEY: scope} if scope else {}


def show_scope_in_address() -> None:
    scope = read_scope()
    if scope:
        st.session_state["policy_scope"] = scope
        st.query_params[SESSION_KEY] = scope


def read_trials(domain: str) -> dict[str, Policy]:
    """The drafts that this session decides by, by their languages."""
    trials: dict[PolicyPlace, Policy] = st.session_state.get("policy_trials", {})
    return {language: policy for (name, language), policy in trials.items() if name == domain}


def keep_trial(place: PolicyPlace, policy: Policy | None) -> None:
    trials = dict(st.session_state.get("policy_trials", {}))
    trials.pop(place, None)
    st.session_state["policy_trials"] = trials if policy is None else {**trials, place: policy}


def read_desk(place: PolicyPlace) -> Any:
    """The draft that is being made (`ui.policy.desk.Desk`)."""
    return st.session_state.get("policy_desks", {}).get(place)


def keep_desk(place: PolicyPlace, desk: Any) -> None:
    st.session_state["policy_desks"] = {**st.session_state.get("policy_desks", {}), place: desk}


def read_brought() -> Any:
    """The message that another page sent along, with its context."""
    return st.session_state.get("policy_brought")


def keep_brought(given: Any) -> None:
    st.session_state["policy_brought"] = given
