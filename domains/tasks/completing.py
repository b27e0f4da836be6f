"""With what the calls about tasks are completed."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import yaml

from domains.deciders import make_engine
from domains.loading import load_domain
from domains.machines.composing.lexicon import load_lexicon
from domains.machines.composing.marking import mark_words
from domains.machines.memory_fleet import MemoryFleet
from domains.tasks.tools import CATALOGUE, DUE_WORDS
from engine.completing.means import Means, Sentences
from engine.completing.values import Why
from engine.decision import Language

_FOLDER = Path(__file__).parent
_SPEAKS_AGAINST = {
    "negations": Why.NEGATED,
    "conditions": Why.CONDITIONAL,
    "later": Why.LATER,
    "reported": Why.NOT_A_REQUEST,
}


@cache
def load_means(language: Language) -> Means:
    decider = make_engine()
    policy = decider.policy_for(language)
    # Words such as "not", "if" and "the" are kept once, in the hint files of the machines.
    sets = load_lexicon().sets
    return Means(
        CATALOGUE,
        policy,
        decider,
        _load_sentences(language),
        find_unspoken,
        sets["fillers"] | sets["links"],
        (policy.date_words, next(iter(load_domain().policies.values())).date_words),
        frozenset(DUE_WORDS),
    )


def find_unspoken(text: str) -> Why | None:
    """The engine reads no request at all. Where the words also ask, deny or put off, the model is wrong."""
    marks = mark_words(text, MemoryFleet()).marks
    if text.rstrip().endswith("?") or (marks and marks[0].kind == "asks"):
        return Why.QUESTION
    kinds = {mark.kind for mark in marks}
    return next((why for kind, why in _SPEAKS_AGAINST.items() if kind in kinds), None)


def _load_sentences(language: Language) -> Sentences:
    data = yaml.safe_load((_FOLDER / f"completing_{language}.yaml").read_text(encoding="utf-8"))
    return Sentences(data["messages"], data["questions"], data["tools"])
