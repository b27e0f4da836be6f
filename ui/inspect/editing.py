"""What somebody would edit to change what a piece of evidence does, and where Policy has it. No streamlit."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import urlencode

from domains.loading import TASKS, first_policy, load_domain
from engine.policy.tuning import KNOBS
from engine.policy.values import Policy
from ui.inspect.cells import HintedCell
from ui.rules.words import KINDS_OF_WORDS
from ui.words import REASON_WORDS, say_intent

_KNOBS = {knob.name: knob.label for knob in KNOBS}
_REASONS = {str(reason): words for reason, words in REASON_WORDS.items()}
_CLASS = re.compile(r"<(\w+)>")


class Whereabouts(NamedTuple):
    """Part and search words of Policy's Browse, and what is found there in words."""

    part: str
    search: str
    words: str


class EditLinks(NamedTuple):
    """Makes links to what is edited, for one person and message."""

    policy: Policy
    domain: str
    who: tuple[tuple[str, str], ...] = ()
    """What of the address says whose session it is."""

    def cell(self, rule: str) -> HintedCell:
        """Empty where nothing of the policy says it: learned from conversations, or a reading of its own."""
        found = None if load_domain(self.domain).conduct else find_whereabouts(rule, self.policy)
        return HintedCell(found.words, rule, self.link(found)) if found else HintedCell("")

    def link(self, found: Whereabouts) -> str:
        about = {} if self.domain == TASKS else {"domain": self.domain}
        first = self.policy.language == first_policy(self.domain).language
        spoken = {} if first else {"language": self.policy.language}
        part = {} if found.part == "frames" else {"part": found.part}
        return (
            f"/policy?{urlencode({'view': 'browse', **part, 'q': found.search, **about, **spoken, **dict(self.who)})}"
        )


def find_whereabouts(rule: str, policy: Policy) -> Whereabouts | None:
    """Not the line of a table of weights where there is something that a person wrote: a way of asking, a word."""
    kind, _, name = rule.partition(":")
    frames, ways = {frame.id for frame in policy.frames}, {way.id for way in policy.ways}
    frame = name.partition(" ")[0]
    if kind in ("frame", "lead", "shape") and frame in frames:
        intent = next(each.intent for each in policy.frames if each.id == frame)
        return Whereabouts("frames", frame, f"this way of asking to {say_intent(intent)}")
    if kind == "act" and name in ways:
        return Whereabouts("ways", name, f"the way of talking “{name}”")
    if kind == "guard":
        return Whereabouts("guards", name, f"the guard “{_REASONS.get(name, name)}”")
    if kind == "threshold":
        return Whereabouts("thresholds", name, f"the limit “{_KNOBS.get(name, name)}”")
    word_class = _find_class(kind, name, policy)
    if word_class:
        return Whereabouts("words", word_class, _name_class(word_class, name, policy))
    return Whereabouts("weights", rule, "its weight") if rule in policy.weights.evidence else None


def _name_class(word_class: str, name: str, policy: Policy) -> str:
    """By the word that was said, if it is one of them."""
    phrases = policy.words[word_class]
    said = next((part for part in name.split(" ") if part in phrases), None)
    if said is None and word_class in KINDS_OF_WORDS:
        return f"what counts as {KINDS_OF_WORDS[word_class]}"
    return f"the words like “{said or phrases[0]}”"


def _find_class(kind: str, name: str, policy: Policy) -> str | None:
    """The class that a word stands in, or that evidence of classes names; the smallest says most."""
    if kind not in ("word", "object", "pair", "tags", "shape"):
        return None
    named = [each for each in _CLASS.findall(name) if policy.words.get(each)]
    said = name.split(" ")
    holding = [each for each, phrases in policy.words.items() if any(part in phrases for part in said)]
    found = named or (holding if kind in ("word", "object", "pair") else [])
    return min(found, key=lambda each: len(policy.words[each])) if found else None
