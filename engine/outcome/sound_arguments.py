"""Arguments as their tool can use them: what is looked for is cut where it is too long, what is to be kept is asked for
anew; a note of which only "it" or "one" was heard is none."""

from __future__ import annotations

from dataclasses import replace

from engine.catalogue.facts import ToolFacts
from engine.policy.values import Policy
from engine.slots.draft import Draft
from engine.text.folding import title_words
from engine.values import Argument


def make_sound(drafted: Draft, facts: ToolFacts, policy: Policy) -> Draft:
    search, note = facts.argument("search"), facts.argument("note")
    kept, problem = [], drafted.problem
    for each in drafted.arguments:
        limit = policy.catalogue.limits.get((facts.name, each.name))
        if each.name == note and _says_nothing(each, policy):
            continue
        if limit and isinstance(each.value, str) and len(each.value) > limit:
            if each.name == search:
                each = replace(each, value=each.value[:limit].rpartition(" ")[0] or each.value[:limit])
            else:
                problem = problem or each.name
        kept.append(each)
    if len(kept) == len(drafted.arguments) and problem == drafted.problem and kept == list(drafted.arguments):
        return drafted
    names = {each.name for each in kept}
    slots = tuple(slot for slot in drafted.slots if slot.name != note or note in names)
    return drafted._replace(arguments=tuple(kept), slots=slots, problem=problem)


def _says_nothing(note: Argument, policy: Policy) -> bool:
    """An empty note takes the old one away: that is said so, and stays."""
    words = title_words(note.value) if isinstance(note.value, str) else ()
    return bool(words) and all(not _POINTING.isdisjoint(policy.word_classes.get(word, ())) for word in words)


_POINTING = frozenset({"det", "pronoun", "just_it", "mention_tail", "title_article"})
