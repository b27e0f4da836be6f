"""The name of something, a colon, and what there is to know of it: "for the eye test: fasting from 8"."""

from __future__ import annotations

from engine.outcome.values import Outcome
from engine.reading.frames import find_frames, make_scene
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import content_words
from engine.talking.notes.noting import find_colon, write_note
from engine.talking.values import Told
from engine.talking.ways.finding import is_all
from engine.text.folding import title_words

_LEADING = frozenset({"opener", "interjection", "splitter", "small_word", "mention_lead"})


def note_after_name(told: Told) -> tuple[Outcome, ...] | None:
    """What follows is noted, behind what is there already. None where more than the name stands before, or where what
    follows is a day, a level, or a request of its own."""
    colon, end = find_colon(told), len(told.reading.utterance.tokens)
    if not colon or colon >= end or told.context.pending is not None:
        return None
    words, policy = told.reading.scene.words, told.policy
    first = next((at for at in range(colon) if _LEADING.isdisjoint(policy.word_classes.get(words[at], ()))), colon)
    named = name_target((first, colon), told) if first < colon else None
    task = told.context.tasks.find_by_id(named[0].task_id or "") if named else None
    if named is None or task is None or task.status != policy.catalogue.states[0]:
        return None
    said = set(content_words(words[first:colon], policy))
    if not said or not said <= set(content_words(title_words(task.title), policy)):
        return None
    comma = _first_comma(colon, end, told)
    if is_all("date", colon, comma, told) or is_all("level", colon, comma, told) or _asks(words[colon:end], told):
        return None
    return write_note(told, named[0], (colon, end), more=True)


def _first_comma(first: int, last: int, told: Told) -> int:
    text, tokens = told.reading.utterance.text, told.reading.utterance.tokens
    commas = (place for place in range(first + 1, last) if "," in text[tokens[place - 1].end : tokens[place].start])
    return next(commas, last)


def _asks(words: tuple[str, ...], told: Told) -> bool:
    """Whether it says that something shall be, or is, different: "done", "3pm", "moved to Friday", "cancel it"."""
    scene, classes = make_scene(words, frozenset({0}), told.policy), told.policy.word_classes
    changes = any(not _CHANGING.isdisjoint(classes.get(word, ())) for word in words)
    telling = [word for word in content_words(words, told.policy) if word.isalpha()]
    brief = len(words) < _SAYS_SOMETHING or not telling or (words[0].isdigit() and len(words) == _SAYS_SOMETHING)
    return brief or changes or any(not match.frame.weak for match in find_frames(scene, told.policy))


_CHANGING = frozenset(
    {"just_it", "did", "settled", "cue_done", "cue_move", "cue_off", "cue_reopen", "cue_undo"} | {"note_word"}
)
_SAYS_SOMETHING = 2
