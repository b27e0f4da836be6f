"""An edit of a policy in words; as the files have it, it stands in a hint. No streamlit."""

from __future__ import annotations

from engine.editing.edits import (
    AddGuard,
    AddPattern,
    AddPhrase,
    AddWay,
    Edit,
    RemovePattern,
    RemovePhrase,
    SetThreshold,
    SetWeight,
    SeveralEdits,
    tell_edit,
)
from engine.policy.tuning import KNOBS
from engine.policy.values import Policy
from ui.rules.patterns import tell_pattern
from ui.rules.words import describe_rule
from ui.words import REASON_WORDS, name_intent

_REASONS = {str(reason): words for reason, words in REASON_WORDS.items()}
_KNOBS = {knob.name: knob.label for knob in KNOBS}


def describe_edit(edit: Edit, policy: Policy) -> str:
    """Without its full stop."""
    match edit:
        case AddPhrase(name, phrase):
            return f"“{phrase}” counts as {_class(name, phrase, policy)}"
        case RemovePhrase(name, phrase):
            return f"“{phrase}” no longer counts as {_class(name, phrase, policy)}"
        case AddPattern(intent, frame, pattern, weak, clear):
            strength = "weak " if weak else "clear " if clear else ""
            told = tell_pattern(pattern, policy) + tell_meaning(intent, frame, policy)
            return f"A {strength}way of asking for “{name_intent(intent)}”: {told}"
        case RemovePattern(intent, frame, pattern):
            told = tell_pattern(pattern, policy) + tell_meaning(intent, frame, policy)
            return f"No longer a way of asking for “{name_intent(intent)}”: {told}"
        case AddWay(_, pattern):
            return f"A way of saying it in a conversation: {tell_pattern(pattern, policy)}"
        case SeveralEdits(edits):
            return "; ".join(describe_edit(each, policy) for each in edits)
        case AddGuard(reason, pattern):
            return f"A reason to do nothing ({_REASONS.get(reason, reason)}): {tell_pattern(pattern, policy)}"
        case SetThreshold(name, value):
            return f"“{_KNOBS.get(name, name)}” at {value:.2f}"
        case SetWeight(rule, intent, value):
            return f"This counts {value:+.2f} for “{name_intent(intent)}”: {describe_rule(rule, policy)}"
        case _:
            told = tell_edit(edit)
            return told[:1].upper() + told[1:]


def tell_meaning(intent: str, frame: str, policy: Policy) -> str:
    """ ", which means turn on": where machines are commanded, one intent stands for many actions."""
    facts = policy.catalogue.by_intent.get(intent)
    if policy.catalogue.own is None or facts is None or not facts.changes_something:
        return ""
    return f", which means {frame.replace('_', ' ').replace('.', ' ')}"


def _class(name: str, phrase: str, policy: Policy) -> str:
    """By another of its words: “holler” as a word like “remind”."""
    other = next((each for each in policy.words.get(name, ()) if each != phrase), "")
    return f"a word like “{other}”" if other else f"a word of the kind “{name.replace('_', ' ')}”"
