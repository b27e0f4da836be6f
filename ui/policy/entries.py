"""What a policy consists of, as rows to look through. No streamlit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Literal

from engine.policy.origin import Trail
from engine.policy.rule_places import find_rule_place
from engine.policy.tuning import KNOBS
from engine.policy.values import Policy
from engine.text.folding import fold
from ui.counting import count_of
from ui.rules.patterns import tell_pattern
from ui.rules.words import describe_rule
from ui.words import REASON_WORDS, name_intent

Section = Literal["frames", "words", "guards", "ways", "thresholds", "weights", "replies"]
SECTIONS: dict[Section, str] = {
    "frames": "Ways of asking",
    "words": "Words",
    "guards": "Guards",
    "ways": "Ways of talking",
    "thresholds": "Thresholds",
    "weights": "Weights",
    "replies": "Replies",
}


@dataclass(frozen=True, slots=True)
class PolicyEntry:
    section: Section
    name: str
    about: str
    """What it belongs to: an intent, a reason, an act."""
    text: str
    lines: tuple[str, ...]
    """Its patterns, phrases or values, one by one."""
    place: str
    rule: str = ""
    """As evidence names it, and what it is worth is counted for."""
    told: tuple[str, ...] = ()
    """Its patterns in words, in the same order; empty where its lines are words already."""


_MOST_LISTED = 16
_listed: dict[tuple[str, Section], tuple[PolicyEntry, ...]] = {}


def list_entries(policy: Policy, section: Section) -> tuple[PolicyEntry, ...]:
    """Kept: to put twelve thousand weights into words takes half a second, and a page runs at every click."""
    key = (policy.version, section)
    found = _listed.get(key)
    if found is None:
        found = _listed[key] = tuple(_LISTS[section](policy))
        for old in list(_listed)[:-_MOST_LISTED]:
            _listed.pop(old, None)
    return found


def search(entries: tuple[PolicyEntry, ...], words: str) -> tuple[PolicyEntry, ...]:
    """Those that have all of these words, in whichever order; accents and case do not matter."""
    parts = fold(words).split()
    return tuple(
        each
        for each in entries
        if all(part in fold(f"{each.name} {each.about} {each.text} {each.place}") for part in parts)
    )


def _frames(policy: Policy) -> Iterator[PolicyEntry]:
    for frame in policy.frames:
        rule = f"frame:{frame.id}"
        strength = "weak" if frame.weak else "clear" if frame.clear else ""
        about = ", ".join(filter(None, (name_intent(frame.intent), strength)))
        text = " · ".join(frame.patterns)
        told = _in_words(frame.patterns, policy)
        yield PolicyEntry("frames", frame.id, about, text, frame.patterns, _place_of(policy, rule), rule, told)


def _words(policy: Policy) -> Iterator[PolicyEntry]:
    for name, phrases in policy.words.items():
        about = count_of(len(phrases), "phrase")
        yield PolicyEntry(
            "words", name, about, " · ".join(phrases), phrases, _locate(policy, ("words", name)), f"words:{name}"
        )


def _guards(policy: Policy) -> Iterator[PolicyEntry]:
    for number, guard in enumerate(policy.guards):
        against = f"against {', '.join(each.rstrip('.') for each in guard.frames)}" if guard.frames else "against all"
        about = f"{REASON_WORDS[guard.reason]}; {against}" + (", only in a question" if guard.asked else "")
        place = _locate(policy, ("guards", number))
        rule = f"guard:{guard.reason}"
        text, told = " · ".join(guard.patterns), _in_words(guard.patterns, policy)
        yield PolicyEntry("guards", str(guard.reason), about, text, guard.patterns, place, rule, told)


def _ways(policy: Policy) -> Iterator[PolicyEntry]:
    for way in policy.ways:
        place = _locate(policy, ("acts", way.id))
        text, told = " · ".join(way.patterns), _in_words(way.patterns, policy)
        yield PolicyEntry("ways", way.id, str(way.act), text, way.patterns, place, f"way:{way.id}", told)


def _in_words(patterns: tuple[str, ...], policy: Policy) -> tuple[str, ...]:
    return tuple(tell_pattern(pattern, policy) for pattern in patterns)


def _thresholds(policy: Policy) -> Iterator[PolicyEntry]:
    told = {knob.name: (knob.label, knob.help) for knob in KNOBS}
    for name, value in asdict(policy.thresholds).items():
        label, about = told.get(name, (name, ""))
        place = _place_of(policy, f"threshold:{name}")
        yield PolicyEntry("thresholds", name, label, about, (f"{value:.2f}",), place, f"threshold:{name}")


def _weights(policy: Policy) -> Iterator[PolicyEntry]:
    """The heaviest first: there are thousands."""
    intents = policy.catalogue.intents
    ordered = sorted(policy.weights.evidence.items(), key=lambda each: -max(map(abs, each[1]), default=0.0))
    for rule, values in ordered:
        pairs = sorted(zip(intents, values, strict=False), key=lambda each: -abs(each[1]))
        lines = tuple(f"{name_intent(intent)} {value:+.2f}" for intent, value in pairs if value)
        about = describe_rule(rule, policy)
        yield PolicyEntry("weights", rule, about, " · ".join(lines), lines, "weights.json", rule)


def _replies(policy: Policy) -> Iterator[PolicyEntry]:
    for name, text in policy.replies.items():
        yield PolicyEntry("replies", name, "", str(text), (str(text),), _locate(policy, ("replies", name)))


_LISTS: dict[Section, Callable[[Policy], Iterator[PolicyEntry]]] = {
    "frames": _frames,
    "words": _words,
    "guards": _guards,
    "ways": _ways,
    "thresholds": _thresholds,
    "weights": _weights,
    "replies": _replies,
}


def _locate(policy: Policy, trail: Trail) -> str:
    return str(policy.origin.locate(trail)) if policy.origin else ""


def _place_of(policy: Policy, rule: str) -> str:
    return str(find_rule_place(rule, policy) or "")
