""" "Make it earlier", "oh, I meant am": another time for what was just spoken of, of which only the direction is said,
or only the half of the day."""

from __future__ import annotations

from datetime import datetime

from engine.decision import Candidate, Context, Factor, Reference, Slot
from engine.message.judged_request import JudgedRequest
from engine.outcome.yes_no import is_small_talk
from engine.policy.values import Policy
from engine.reading.weighing import weigh_request
from engine.slots.draft import Draft
from engine.talking.basis import Basis, judge_with
from engine.talking.moves.noticing import begin
from engine.talking.ways.changing import last_target
from engine.text.folding import title_words
from engine.text.normalise import Utterance
from engine.values import Argument, Provenance, Task

_VAGUE, _BEFORE_NOON, _AFTER_NOON = "vague_time", "before_noon", "after_noon"
_SAYING = frozenset({_VAGUE, _BEFORE_NOON, _AFTER_NOON})
_BESIDE = frozenset(
    {"corrector", "cue_correct", "corrective", "opener", "closer", "interjection", "small_word", "just_it", "pronoun"}
    | {"cue_move", "move", "change", "courtesy", "thanks", "no_word", "yes_word", "cancel_word", "mark"}
)
_LONGEST, _UNDO = 10, "cue_undo"
_SURE = 0.88
_NOON = 12


def read_vague_time(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """The half of the day is changed; for another time it is asked when."""
    words = utterance.words
    names = policy.lexicon.names(words)
    if not context.history or len(words) > _LONGEST or names.isdisjoint(_SAYING) or _UNDO in names:
        return None  # most messages
    facts = policy.catalogue.by_effect.get("change")
    whole = weigh_request(utterance, context, policy)
    told = begin(utterance, whole, context, policy)
    if facts is None or not facts.argument("date") or told.situation.effect not in _GOES_ON_FROM:
        return None
    if any(each.has_day or any(map(str.isdigit, each.text)) for each in told.dates) or is_small_talk(utterance, policy):
        return None  # "at 5 pm", "see you later"
    target = last_target(told)
    task = told.context.tasks.find_by_id(target) if target else None
    said = _say_only_when(words, task, policy)
    if not said:
        return None
    span = utterance.span(0, len(words))
    moved = _other_half(task, said) if isinstance(task, Task) and _VAGUE not in said else None
    if moved is None and _VAGUE not in said:
        return None
    slots = (Slot(facts.argument("date"), moved, span),) if moved else ()
    arguments = tuple(Argument(slot.name, slot.value, Provenance("words", slot.span)) for slot in slots)
    basis = Basis("move:time", "correct", _SURE, (Factor("only the time is other", _SURE),), 0, len(words))
    reference = Reference(utterance.text, span, (Candidate(task.id, 0.95, "pronoun"),), task.id) if task else None
    outcome = judge_with(basis, facts, Draft(facts.intent, arguments, slots), reference, told)
    return (JudgedRequest(utterance, whole, outcome),)


_GOES_ON_FROM = ("add", "change")


def _say_only_when(words: tuple[str, ...], task: object, policy: Policy) -> frozenset[str]:
    """The classes of what is said of the time, where the rest is courtesy, or the name of what is meant."""
    named = set(title_words(task.title)) if isinstance(task, Task) else set()
    said: set[str] = set()
    place = 0
    while place < len(words):
        found = tuple(policy.lexicon.classes(words, place))
        time = max((length for name, length in found if name in _SAYING), default=0)
        beside = max((length for name, length in found if name in _BESIDE), default=0)
        if time:
            said |= {name for name, length in found if name in _SAYING and length == time}
        elif not beside and words[place] not in named:
            return frozenset()
        place += time or beside or 1
    return frozenset(said) if len(said) == 1 else frozenset()


def _other_half(task: Task, said: frozenset[str]) -> str | None:
    """The same hour of the other half of the day; None where it has no hour, or is in that half."""
    if not task.due_date or "T" not in task.due_date:
        return None
    moment = datetime.fromisoformat(task.due_date)
    if (moment.hour < _NOON) == (_BEFORE_NOON in said):
        return None
    return moment.replace(hour=(moment.hour + _NOON) % (2 * _NOON)).isoformat(timespec="minutes")
