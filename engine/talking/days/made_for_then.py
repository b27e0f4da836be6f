"""Another time for something named: "make the practice Thursday", "make Beryl four o'clock, she is late".

The words alone take that for something new; by its words it is what is stored.
"""

from __future__ import annotations

from engine.dates import DateMatch
from engine.decision import Factor, Slot
from engine.outcome.values import Outcome
from engine.slots.draft import Draft
from engine.slots.keeping import join_dates
from engine.talking.basis import Basis, judge_with
from engine.talking.names.named_targets import name_target
from engine.talking.names.naming import content_words, is_chore
from engine.talking.values import Told
from engine.talking.ways.changing import changing_tool
from engine.text.folding import title_words
from engine.values import Argument, Provenance, Task

_MAKES, _SURE = "makes_it", 0.9
_LEAST_NAMED = 0.3


def make_for_then(told: Told) -> tuple[Outcome, ...] | None:
    """What is named between the verb and the day gets that day."""
    if not told.dates or told.reading.guard:
        return None
    facts, words, scene = changing_tool(told), told.reading.scene.words, told.reading.scene
    first = scene.opening + 1
    if facts is None or not facts.argument("date") or first >= len(words):
        return None
    if _MAKES not in told.policy.word_classes.get(words[scene.opening], ()) or told.context.pending:
        return None
    date = told.dates[0]
    stop = next((at for at, token in enumerate(told.reading.utterance.tokens) if token.end > date.span.start), 0)
    found = name_target((first, stop), told, least=_LEAST_NAMED) if first < stop else None
    task = told.context.tasks.find_by_id(found[0].task_id or "") if found else None
    if (
        found is None
        or not isinstance(task, Task)
        or not _is_its_name((first, stop), task, told)
        or _says_more(date, told)
    ):
        return None
    value = join_dates(date, task)
    slot = Slot(facts.argument("date"), value, date.span, date.alternatives)
    drafted = Draft(facts.intent, (Argument(slot.name, value, Provenance("words", date.span)),), (slot,))
    factors = (Factor("another time for something named", _SURE),)
    basis = Basis("move:then", "request", _SURE, factors, scene.opening, len(words))
    return (judge_with(basis, facts, drafted, found[0], told),)


def _is_its_name(place: tuple[int, int], task: Task, told: Told) -> bool:
    """Whether all that is said is in its name, and still to be done: "make the practice", not "make a cake"."""
    policy, words = told.policy, told.reading.scene.words
    said = content_words(words[slice(*place)], policy)
    titled = title_words(task.title)
    begins = policy.word_classes.get(words[place[0]], frozenset())
    pointed = "det" in begins or words[place[0]] in titled
    known = bool(said) and all(word in titled for word in title_words(" ".join(said)))
    return known and pointed and not is_chore(words[place[0]], policy) and task.status == policy.catalogue.states[0]


def _says_more(date: DateMatch, told: Told) -> bool:
    """What follows without a sign: "make the cake on Friday for the party". A part of the date itself, "instead" or
    "please" may."""
    utterance, policy = told.reading.utterance, told.policy
    rest = utterance.text[date.span.end :]
    ends = next((place for place, letter in enumerate(rest) if letter in ",.;!?\n–—"), len(rest))
    after = [token.norm for token in utterance.tokens if date.span.end <= token.start < date.span.end + ends]
    dated = {
        token.norm
        for each in told.dates
        for token in utterance.tokens
        if each.span.start <= token.start < each.span.end
    }
    left = [word for word in after if word not in dated and word not in policy.small_words]
    return any(_BESIDE.isdisjoint(policy.word_classes.get(word, ())) for word in left)


_BESIDE = frozenset({"closer", "opener", "interjection", "corrective", "cue_same_moment", "date_word", "joiner"})
