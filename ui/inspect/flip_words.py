"""What would flip a decision, in words: the engine's own names of thresholds and evidence become what they stand for.
No streamlit."""

from __future__ import annotations

import re

from engine.explaining.trial import Flip
from engine.policy.tuning import KNOBS
from ui.rules.words import describe_rule
from ui.words import name_intent, name_one

_THRESHOLD = re.compile(r"with the threshold “(\w+)” at")
_WEIGHT = re.compile(r"with the weight of “(?P<rule>.+)” for (?P<intent>\w+) at (?P<then>\S+) instead of (?P<now>\S+)")
_KNOBS = {knob.name: knob.label for knob in KNOBS}
_KINDS = {"threshold": "limit", "weight": "what counts", "talk": "conversation"}


def name_kind(flip: Flip, domain: str) -> str:
    return name_one(domain) if flip.kind == "target" else _KINDS.get(flip.kind, flip.kind)


def describe_change(flip: Flip) -> str:
    """ "with “Acts from” at 0.97 instead of 0.70"; the code's own words are for a hint."""
    told = _THRESHOLD.sub(lambda found: f"with “{_KNOBS.get(found[1], found[1].replace('_', ' '))}” at", flip.change)
    return _WEIGHT.sub(
        lambda found: (
            f"if this counted {found['then']} instead of {found['now']} for “{name_intent(found['intent'])}”: "
            f"{describe_rule(found['rule'], flip.policy)}"
        ),
        told,
    )
