"""What points back in the name of something new: "pick it up", "ring him", "chiuderla". Next week nobody knows who or
what that was: it stands for the thing that was spoken of, or for whoever is named there."""

from __future__ import annotations

import re

from engine.decision import Context
from engine.message.forms.wanted_before import without_clitic
from engine.policy.values import Policy
from engine.talking.situation import read_situation
from engine.values import Task

DOES = frozenset({"chore", "errand", "listed_verb"})
"""Words that say what is done with a thing."""
_CARRIERS = DOES | {"add", "complete", "remove", "change"}
_IT, _PERSON = "just_it", "points_at_person"
_LONGEST_NOTE = 200
_NAMES = re.compile(r"(?<=\s)(?:[A-Z]\w{0,3}\.? )?[^\W\d_a-z]\w+(?:\s[^\W\d_a-z]\w+)*")


def find_pointing(words: tuple[str, ...], policy: Policy) -> str | None:
    """ "it" of "pick it up"; "that" of "tidy that cupboard" points at nothing said before, nor "her" of "her piano"."""
    for place, word in enumerate(words):
        names = policy.word_classes.get(word, frozenset())
        alone = place + 1 == len(words) or words[place + 1] in policy.small_words
        if place and "pronoun" in names and ("det" not in names or alone):
            return word
        if place and _PERSON in names and alone:
            return word
        if without_clitic(word, policy, _CARRIERS) and word not in policy.small_words:
            return word
    return None


def stands_for(pointing: str, context: Context, policy: Policy) -> str:
    """What may be said in its place; empty: nobody knows."""
    spoken_of = read_situation(context, policy).spoken_of
    task = context.tasks.find_by_id(spoken_of[-1]) if spoken_of else None
    if not isinstance(task, Task):
        return ""
    verb = without_clitic(pointing, policy, _CARRIERS)
    names = policy.word_classes.get(pointing, frozenset())
    if verb:
        thing = _thing(task, policy)
        return f"{verb} {thing}" if thing else ""
    if _PERSON in names:
        return _person(task)
    return _thing(task, policy) if _IT in names else ""


def _thing(task: Task, policy: Policy) -> str:
    """What it is about: "consumer unit", of "Order consumer unit"; empty where it does not begin with what is done."""
    first, _, rest = task.title.partition(" ")
    does = _CARRIERS & policy.word_classes.get(first.casefold(), frozenset())
    an_article = "title_article" in policy.word_classes.get(rest.partition(" ")[0].casefold(), frozenset())
    return rest if does or an_article else ""


def _person(task: Task) -> str:
    """The one who is named there, or else in the note; two are too many."""
    for text in (task.title, task.description[:_LONGEST_NOTE]):
        named = _NAMES.findall(text)
        if named:
            return str(named[0]) if len(named) == 1 else ""
    return ""
