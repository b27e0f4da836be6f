"""The classes of words that the engine's code reads by name, and what in a domain makes each of them needed.

Every other class is used by a pattern, a guard or a slot's need, or by nobody: then loading says so.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.domain import Catalogue

LEVELS = ("high", "medium", "low")
ORDINALS = ("ordinal_1", "ordinal_2", "ordinal_3", "ordinal_4", "ordinal_5")
LEVEL_CLASSES = frozenset(f"{kind}_{level}" for kind in ("level", "priority") for level in LEVELS)

_ALWAYS = (
    "opener", "closer", "splitter", "misspelt", "item", "foreign", "into", "det", "connector", "chore", "wh",
    "pronoun", "negation", "acting", "yes_word", "no_word", "cancel_word", "answer_lead",
)  # fmt: skip
"""Polite words, where requests part, what is corrected, what the object is, answers to a question."""

_NEEDED_FOR: Mapping[str, tuple[str, ...]] = {
    "target": (
        "mention_lead", "mention_tail", "before_lead", "before_tail", "just_it", "every", "items", "numbered",
        "option_word", "ordinal_last", *ORDINALS,
    ),
    "name": ("title_lead", "title_tail"),
    "note": ("note_intro", "note_lead"),
    "level": (*sorted(LEVEL_CLASSES), "priority_joiner", "level_filler"),
    "state_filter": ("status_completed", "status_pending", "status_overdue", "status_negator"),
    "day_filter": ("due_today", "due_tomorrow", "due_week"),
    "search": ("about", "vague", "mention_lead", "mention_tail"),
    "limit": ("amount_word", "ordinal_1", "ordinal_last", "items"),
    "offset": ("skip",),
    "change": ("value_lead",),
}  # fmt: skip
"""What a tool of the domain has (a target, an argument read that way, this effect) -> the classes it takes."""

_IF_THERE = ("clitic", "mark_it", "show", "add", "delete", "done_word", "priority_state")
"""Read where a language has them: "eliminala" says "it" within the verb; examples of a flip begin with them."""


def needed_classes(catalogue: Catalogue) -> frozenset[str]:
    """Without one of these a stage would silently find nothing."""
    has = {kind for tool in catalogue.tools for kind in tool.reads.values()}
    has |= {tool.effect for tool in catalogue.tools} | {"target" for tool in catalogue.tools if tool.target}
    return frozenset(_ALWAYS).union(*(names for feature, names in _NEEDED_FOR.items() if feature in has))


def read_by_code() -> frozenset[str]:
    return frozenset((*_ALWAYS, *_IF_THERE)).union(*_NEEDED_FOR.values())
