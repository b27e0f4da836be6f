"""The classes of words that the engine's code reads by name, and what in a domain makes each of them needed.

Every other class is used by a pattern, a guard or a slot's need, or by nobody: then loading says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from engine.catalogue.facts import Catalogue, ToolFacts

HINT = "hint_"
"""How classes begin that say how a request is meant, not what it is. Completing reads them."""

CUE = "cue_"
_CUES = re.compile(r"\bcue:(\w+)")
"""Within the name of a thing that was noticed."""

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
    "level": ("level_noun", "level_joiner", "level_filler"),
    "state_filter": ("status_negator",),
    "search": ("about", "vague", "mention_lead", "mention_tail"),
    "limit": ("amount_word", "ordinal_1", "ordinal_last", "items"),
    "offset": ("skip",),
    "change": ("value_lead",),
}  # fmt: skip
"""What a tool of the domain has (a target, an argument read that way, this effect) -> the classes it takes."""

HINTS_NEEDED = tuple(
    HINT + kind for kind in ("negations", "conditions", "asks", "later", "reported", "fillers", "links")
)
"""Without these a call would be completed although the words speak against it."""
_HINTS = frozenset(
    (
        *HINTS_NEEDED,
        *(
            HINT + kind
            for kind in (
                "not_negations", "not_conditions", "corrections", "reads_if", "polite", "now", "others", "all",
                "pronouns", "minus", "reads", "question_words", "joins", "or", "but", "articles", "because", "minding",
                "relative", "towards", "later_before_number", "later_after_number", "hours_before",
            )
        ),
    )
)  # fmt: skip

_OF_TALK = (
    "small_word", "corrector", "errand", "supply", "all_purpose", "add_lead", "event_lead", "event_tail",
    "interjection", "telling", "story_word", "note_word", "note_verb", "note_off", "note_read",
    "note_turn", "note_says", "todo_head", "jot_down",
    "next_word", "still_to_come", "partly", "past_duty", "past_aux", "past_alone", "wish_lead", "no_need", "or_not",
    "asks_first", "but_word", "names_it",
    "old_value",
    "points_back", "clause_joiner", "subject", "up_to", "earlier_than", "later_than", "except_for", "nameless",
    "thanks",
    "contrast", "either", "firm_yes", "clock_tell", "note_on", "note_write", "reason_word", "finite", "told_state",
    "note_under",
    "adds_only", "partitive", "heading_amount", "heading_things", "date_fix", "note_phrase", "note_to", "note_only",
    "list_asks", "list_asks_us", "list_has", "list_small", "list_not",
    "remark_aside", "did_so_much",
    "day_own", "to_be_done_by", "said_before", "puts_on_day",
    "past_others", "done_aside", "deed_getting", "deed_answering", "deed_calling", "deed_any",
    "deed_state", "now_is", "gone_off", "sending", "where_at", "is_doing", "deed_of_others", "since_when",
    "as_ever", "wants_it_done", "greeting", "how_level", "falls_due", "asks_amount",
    "note_that", "note_here", "there_is", "news_did", "in_vain", "others_own", "only_some", "except_some", "the_others",
    "open_condition", "polite_condition", "verb_particle", "takes_particle", "same_as", "unable", "fits_day",
    "how_it_will_be", "hails_day", "hailed_day", "needs_change", "opens_named", "holds_back", "not_sure",
    "points_at_person",
    "back_to_do", "puts_it", "puts_named",
    "announces_one", "announced_noun", "that_is_all", "third_own", "done_to_us", "everything",
    "asks_whether", "whether", "so_word", "past_main", "makes_it", "others_wish", "listed_verb",
    "vague_time", "day_taken", "before_noon", "after_noon", "tells_somebody",
    "own_duty", "beforehand",
    "note_should", "note_put", "that_says", "asks_you", "the_one",
    "asks_change", "puts_that", "makes_number", "writes_number", "stranded", "it_is", "relative_word",
    "each_of_both", "in_the_note", "onto_it", "note_by", "note_reason",
)  # fmt: skip
_IF_THERE = (
    *_OF_TALK,
    "puts_down",
    "put_particle",
    "function",
    "light",
    "for_whom",
    "corrective",
    "joiner",
    "clitic",
    "mark_it",
    "show",
    "add",
    "delete",
    "done_word",
    "title_article",
    "off_level",
    "note_too",
)
"""Read where a language has them: "eliminala" says "it" within the verb; examples of a flip begin with them; titles
are compared without their articles."""


_OF_SOME_LANGUAGES = frozenset({"asks_first", "verb_particle", "takes_particle", "stranded"})
"""What not every language has: "write up" is one verb."""


def needed_to_talk(things: Iterable[str]) -> frozenset[str]:
    """What a language with ways of talking needs where moves were learned: the classes that code reads there, and the
    cues among the things that were weighed. Without one of these a move would silently be another."""
    cues = (CUE + name for thing in things for name in _CUES.findall(thing))
    return frozenset(_OF_TALK).difference(_OF_SOME_LANGUAGES).union(cues)


def needed_classes(catalogue: Catalogue) -> frozenset[str]:
    """Without one of these a stage would silently find nothing."""
    if catalogue.own:
        return catalogue.own.classes.union(HINTS_NEEDED)
    has: set[str] = {kind for tool in catalogue.tools for kind in tool.reads.values()}
    has |= {tool.effect for tool in catalogue.tools} | {"target" for tool in catalogue.tools if tool.target}
    fixed = frozenset((*_ALWAYS, *HINTS_NEEDED)).union(
        *(names for feature, names in _NEEDED_FOR.items() if feature in has)
    )
    return fixed.union(name for tool in catalogue.tools for name in _of_values(catalogue, tool))


def _of_values(catalogue: Catalogue, tool: ToolFacts) -> Iterator[str]:
    """The classes for the values that an argument may have, as its signature names them."""
    levels = catalogue.classes_of(tool, "level")
    yield from levels
    yield from (f"level_{level}" for level in levels.values())
    # The first state of a filter is that of no filter: nobody says it.
    yield from tuple(catalogue.classes_of(tool, "state_filter", "status"))[1:]


def is_read(name: str, catalogue: Catalogue) -> bool:
    """Whether code reads a class of this name, be it needed or not."""
    if name in _HINTS or (catalogue.own and catalogue.own.reads(name)):
        return True
    days = tuple(f"{tool.argument('day_filter')}_" for tool in catalogue.tools if tool.argument("day_filter"))
    return (
        name.startswith(CUE)
        or name in _ALWAYS
        or name in _IF_THERE
        or name in needed_classes(catalogue)
        or name.startswith(days)
    )
