"""What the engine says about its rules, which names them as the files do, in people's words. No streamlit."""

from __future__ import annotations

import re

from engine.policy.tuning import KNOBS
from engine.policy.values import Policy
from ui.call_words import name_argument
from ui.rules.words import describe_class, describe_rule
from ui.words import REASON_WORDS, find_intent_labels, name_intent, say_intent

_CLASS = re.compile(r"(?:\ba )?<(\w+)>")
_SLOT = re.compile(r"\{(\w+)[?!]?\}")
_RULE = re.compile(r"\b(?:frame|lead|word|object|pair|tags|guard|shape|date|store|talk):(?:(?! [+-]\d)[^,()])+")
_KNOB = re.compile(r"threshold “(\w+)”")
_FILE = re.compile(r" \(\w+(?:\.json|/)\)")
_QUOTED_RULE = re.compile(r"“(\w+:[^”]+)”")
_CODE = re.compile(r"“[^”]*”|\b(?:unknown|[a-z]+(?:[._][a-z0-9]+)+)\b")
"""What is quoted is somebody's words, and stays."""
_LABELS = {knob.name: knob.label for knob in KNOBS}
_REASONS = {str(reason): words for reason, words in REASON_WORDS.items()}


def tell_plainly(told: str, policy: Policy) -> str:
    """ "complete.mark fits, but …" becomes "a way of asking to complete a task fits, but …"."""
    plain = _QUOTED_RULE.sub(lambda found: describe_rule(found[1], policy), _FILE.sub("", told))
    plain = _RULE.sub(lambda found: describe_rule(found[0], policy), plain)
    plain = _CLASS.sub(lambda found: describe_class(found[1], policy), plain)
    plain = _SLOT.sub(lambda found: name_argument(found[1]), plain)
    plain = _KNOB.sub(lambda found: f"limit “{_LABELS.get(found[1], found[1])}”", plain)
    frames = {frame.id: frame.intent for frame in policy.frames}
    plain = _CODE.sub(lambda found: _name(found[0], frames), plain)
    return plain[:1].upper() + plain[1:]


def _name(code: str, frames: dict[str, str]) -> str:
    if code in frames:
        return f"a way of asking to {say_intent(frames[code])}"
    if code in find_intent_labels():
        return f"“{name_intent(code)}”"
    return _REASONS.get(code, code)
