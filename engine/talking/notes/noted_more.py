"""Going on with a note that was just written: "and spare laces", "e anche i biscotti"."""

from __future__ import annotations

from engine.dates.shift import find_shift
from engine.decision import Candidate, Reference
from engine.outcome.values import Outcome
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import content_words
from engine.talking.notes.noting import write_note
from engine.talking.values import Told
from engine.talking.ways.changing import changing_tool

_LONGEST = 8
_ASKS = frozenset(
    {"chore", "add", "add_lead", "create", "cue_add", "cue_done", "cue_off", "cue_undo", "cue_redo", "cue_move",
     "cue_show", "cue_narrow", "cue_rest", "cue_other", "cue_another", "cue_same", "cue_note", "note_word", "wh",
     "thanks", "cue_chat", "negation", "pronoun", "points_back", "level_noun", "finite", "did", "news_did",
     "yes_word", "no_word", "remind_me", "need_to"}
)  # fmt: skip
"""Words that say something else than what a note says: then the message is heard as any other."""


def go_on_noting(told: Told) -> tuple[Outcome, ...] | None:
    """What follows an "and" right after a note, put behind it."""
    task_id = _just_noted(told)
    if task_id is None:
        return None  # most messages
    words, start = told.reading.scene.words, _after_joiners(told)
    if not 0 < start < len(words) <= _LONGEST or told.dates or told.context.pending:
        return None
    text = told.reading.utterance.text
    if "?" in text or find_shift(text, told.policy.date_words) or _asks_plainly(told):
        return None  # "e dagli una settimana in più"
    said = {name for place in range(start, len(words)) for name, _ in told.policy.lexicon.classes(words, place)}
    if not said.isdisjoint(_ASKS) or not content_words(words[start:], told.policy):
        return None
    named = name_target((start, len(words)), told)
    if named and named[0].task_id != task_id:
        return None
    span = told.reading.utterance.span(0, len(words))
    reference = Reference("", span, (Candidate(task_id, 1.0, "pronoun"),), task_id)
    return write_note(told, reference, (start, len(words)), more=True)


def _asks_plainly(told: Told) -> bool:
    return any(not each.frame.weak for each in told.reading.frames)


def _just_noted(told: Told) -> str | None:
    """What the last turn wrote a note on, and did nothing else."""
    calls = told.situation.calls
    if len(calls) != 1 or not told.situation.fresh:
        return None
    facts = changing_tool(told)
    argument = facts.argument("note") if facts else None
    if facts is None or not argument:
        return None
    call = calls[0]
    written = call.tool_name == facts.name and set(call.parameters) == {facts.target, argument}
    return told.policy.catalogue.target_of(call) if written and call.parameters[argument] else None


def _after_joiners(told: Told) -> int:
    words, splitters = told.reading.scene.words, told.policy.splitters
    return next((place for place, word in enumerate(words) if word not in splitters), 0)
