"""Which domain a page is about: one field on every page that asks, with one name in the address."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from domains.loading import TASKS, list_domains, load_domain
from ui.state.address import show_in_address, start_from_address
from ui.state.fields import place_of, read_value

DOMAIN_KEY = "domain"
"""Also its name in the address."""


def choose_domain(
    help_text: str, *, labelled: bool = True, on_change: Callable[..., None] | None = None, args: tuple[str, ...] = ()
) -> str:
    """The one that was chosen; the address keeps it. Where there is only one, nothing is asked."""
    labels = {name: load_domain(name).label for name in list_domains()}
    start_from_address(DOMAIN_KEY, list(labels), TASKS)
    if len(labels) > 1:
        st.selectbox(
            "Domain",
            list(labels),
            index=place_of(DOMAIN_KEY, list(labels)),
            format_func=lambda name: labels[name],
            key=DOMAIN_KEY,
            width=220 if labelled else 180,
            label_visibility="visible" if labelled else "collapsed",
            on_change=on_change,
            args=args,
            help=help_text,
        )
    show_in_address(DOMAIN_KEY, TASKS)
    return str(read_value(DOMAIN_KEY))
