"""Messages of files that a draft must leave silent, or as they are."""

from __future__ import annotations

from evals.effect.probes import Probe
from ui.state.fields import read_value

_KEY = "policy_must_stay"


def read_added(place: tuple[str, str]) -> tuple[Probe, ...]:
    """Those that this session added for a domain and language."""
    added: dict[tuple[str, str], tuple[Probe, ...]] = read_value(_KEY) or {}
    return added.get(place, ())
