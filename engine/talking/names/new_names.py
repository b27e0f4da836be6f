"""Whether words name something that is not stored yet: "put the dentist on Friday at 9" where there is none."""

from __future__ import annotations

from engine.slots.titles import date_spans, inside
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import is_chore
from engine.talking.values import Told
from engine.values import Task

_NAMED_FROM = 0.4
"""So much of the name of something stored is enough to mean it."""
_NO_NAME = frozenset(
    {"level_noun", "date_field", "note_word", "every", "did", "negation", "cue_undo", "cue_all", "list"}
)


def names_something_new(place: tuple[int, int], told: Told) -> bool:
    """Neither something pointed at nor a field: not "put it on Friday", "put her at two", "put the priority down"."""
    utterance, policy, words = told.reading.utterance, told.policy, told.reading.scene.words
    spans = date_spans(told.dates, utterance)
    left = [at for at in range(*place) if at < len(utterance.tokens) and not inside(utterance.tokens[at], spans)]
    kinds = [policy.word_classes.get(words[at], frozenset()) for at in left]
    telling = [
        words[at].isalnum() and (words[at] not in policy.small_words or "occasion" in names)
        for at, names in zip(left, kinds, strict=True)
    ]
    if not any(telling[:2]) or _points(kinds[0]) or any(not _NO_NAME.isdisjoint(names) for names in kinds):
        return False
    if any(words[at] in policy.splitters and is_chore(words[at + 1], policy) for at in left[:-1]):
        return False  # "… and post the samples on Saturday" is another one
    found = name_target(place, told, least=_NAMED_FROM)
    best = found[0].candidates[0] if found else None
    task = told.context.tasks.find_by_id(best.task_id) if best else None
    if best is None or (isinstance(task, Task) and task.status != policy.catalogue.states[0]):
        return True
    # "meeting" alone is one that is new; "the meeting" may be what was spoken of.
    return best.how == "pronoun" and telling[0]


def _points(names: frozenset[str]) -> bool:
    return "just_it" in names or ("pronoun" in names and "det" not in names)
