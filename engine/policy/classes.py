"""The classes of words that the engine's code reads by name, and what in a domain makes each of them needed.

Every other class is used by a pattern, a guard or a slot's need, or by nobody: then loading says so.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.domain import Catalogue

ORDINALS = ("ordinal_1", "ordinal_2", "ordinal_3", "ordinal_4", "ordinal_5")

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
    "level": ("level_joiner", "level_filler", "level_noun"),
    "state_filter": ("status_negator",),
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
    has: set[str] = {kind for tool in catalogue.tools for kind in tool.reads.values()}
    has |= {tool.effect for tool in catalogue.tools} | {"target" for tool in catalogue.tools if tool.target}
    named = frozenset(_ALWAYS).union(*(names for feature, names in _NEEDED_FOR.items() if feature in has))
    return named.union(level_classes(catalogue))


def level_classes(catalogue: Catalogue) -> frozenset[str]:
    """The words for each level that a tool takes: `priority_high` wherever it is said, `level_high` as an answer."""
    named = [catalogue.classes_of(tool, "level") for tool in catalogue.tools]
    return frozenset(name for each in named for pair in each.items() for name in (pair[0], f"level_{pair[1]}"))


def read_by_code(catalogue: Catalogue) -> frozenset[str]:
    """Also those that a domain may have: words for the states and days that a list can be asked for."""
    states = [catalogue.classes_of(tool, "state_filter", "status") for tool in catalogue.tools]
    lists = frozenset(name for each in states for name in each)
    return needed_classes(catalogue).union(_IF_THERE, lists)


def is_day_class(name: str, catalogue: Catalogue) -> bool:
    """Whether its words name a day that a list can be asked for: `due_today`."""
    days = [tool.argument("day_filter") for tool in catalogue.tools]
    return any(argument and name.startswith(f"{argument}_") for argument in days)
