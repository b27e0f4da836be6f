"""From words that a model copied out of a message to values: days told by another day, and words put right."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta

from engine.dates import DateMatch, find_dates, find_hours, find_shift, parse_date
from engine.decision import Context
from engine.policy.values import Policy
from engine.reading.weighing import weigh_request
from engine.slots.filters import find_filters
from engine.slots.keeping import join_due
from engine.targets.references import spoken_of
from engine.text.folding import fold, split_words
from engine.text.normalise import normalise
from engine.values import Span, Task

_SAME_DAY = {"cue_same_day": 0, "cue_day_before": -1, "cue_day_after": 1}
"""By what is said, the days from the one that was spoken of."""
SAME_DAY, SAME_TIME = "same day", "same time"
"""What a model says where the day, or the day with its time, is that of what was spoken of last; in any language."""
_ISO = re.compile(r"\d{4}-\d\d-\d\d")
_ALIKE, _CLEARLY = 78, 8
"""Of 100: how alike a miscopied word must be to one that was said, and by how much more than to any other."""
_SHORTEST = 4
_MORE = "cue_more"


def read_due(words: str, context: Context, policy: Policy, task: Task | None = None) -> str | None:
    """When a task shall be due, by words of the message: a date, a time that keeps the task's day, a day that keeps its
    time, "a week later", "the same day". None where they say none of it."""
    now, due = context.now, task.due_date if task else None
    if words == SAME_TIME:
        return _due_spoken_of(context)
    found = parse_date(words, now, policy.date_words)
    if found:
        return found.value if _ISO.match(words) else join_due(found, due)
    moved = _move(words, context, policy, due)
    if moved:
        return moved
    within = [each for each in find_dates(words, now, policy.date_words) if each.value]
    if len(within) == 1:
        return join_due(within[0], due)
    hours = find_hours(words, now, policy.date_words)
    return join_due(hours[0], due) if len(hours) == 1 else None


def _move(words: str, context: Context, policy: Policy, due: str | None) -> str | None:
    """By another day: the task's own, or that of what was spoken of last."""
    pointed = _same_day(words, context, policy)
    if pointed:
        time = next((each.value[10:] for each in find_dates(words, context.now, policy.date_words)), "")
        match = DateMatch(Span(0, len(words)), pointed + time, words, pointed, has_day=True)
        return join_due(match, due)
    shift = find_shift(words, policy.date_words)
    base = due or _day_spoken_of(context)
    return shift.move(base) if shift and base else None


def _same_day(words: str, context: Context, policy: Policy) -> str | None:
    if words == SAME_DAY:
        return _day_spoken_of(context)
    tokens = tuple(token.norm for token in normalise(words, policy.spellings, policy.elisions).tokens)
    for place in range(len(tokens)):
        for name, days in _SAME_DAY.items():
            if list(policy.lexicon.ends(name, tokens, place)):
                spoken = _day_spoken_of(context)
                return (date.fromisoformat(spoken[:10]) + timedelta(days)).isoformat() if spoken else None
    return None


def _day_spoken_of(context: Context) -> str | None:
    due = _due_spoken_of(context)
    return due[:10] if due else None


def _due_spoken_of(context: Context) -> str | None:
    """Of the last call that had one, else of what was spoken of last."""
    for message in reversed(context.history):
        for call in reversed(message.calls):
            for value in call.parameters.values():
                if isinstance(value, str) and _ISO.match(value):
                    return value.partition("/")[0]
    for task_id in reversed(spoken_of(context)):
        task = context.tasks.find_by_id(task_id)
        if task and task.due_date:
            return str(task.due_date)
    return None


def read_days(words: str, context: Context, policy: Policy) -> str | None:
    """Which days a list is about, by words of the message: a day, "this week", "before Sunday"."""
    facts = next((tool for tool in policy.catalogue.tools if tool.intent in policy.catalogue.lists), None)
    utterance = normalise(words, policy.spellings, policy.elisions)
    if facts is None or not utterance.tokens:
        return None
    weighed = weigh_request(utterance, context, policy)
    dates = weighed.dates or find_dates(words, context.now, policy.date_words)
    argument = facts.argument("day_filter")
    slots = find_filters(utterance, weighed.reading.scene, policy, facts, None, dates)
    found = next((str(slot.value) for slot in slots if slot.name == argument), None)
    if found:
        return found
    day = read_due(words, context, policy)
    return day[:10] if day else None


def says_more(text: str, policy: Policy) -> bool:
    """Whether the message adds to what is there: "put on the note as well that …"."""
    words = tuple(token.norm for token in normalise(text, policy.spellings, policy.elisions).tokens)
    return any(name == _MORE for place in range(len(words)) for name, _ in policy.lexicon.classes(words, place))


def known_words(text: str, context: Context, more: Iterable[str] = ()) -> frozenset[str]:
    """What the user said, in this message or before, and what the tasks in view are called."""
    said = [text, *more, *(message.content for message in context.history if message.role == "user")]
    tasks = [task for message in context.history for each in message.tasks if (task := context.tasks.find_by_id(each))]
    said += [f"{task.title} {getattr(task, 'description', '')}" for task in tasks]
    return frozenset(word for each in said for word in split_words(each))


def put_right(value: str, text: str, context: Context, policy: Policy, more: Iterable[str] = ()) -> tuple[str, bool]:
    """The value with its miscopied words as the user wrote them, and whether every word of it is known then."""
    from rapidfuzz import fuzz  # late: exact words never need it

    known = known_words(text, context, more)
    mended, sure = value, True
    for word in dict.fromkeys(split_words(value)):
        if word in known or word in policy.small_words or word in policy.function_words:
            continue
        ranked = sorted(((fuzz.ratio(word, other), other) for other in known if len(other) >= _SHORTEST), reverse=True)
        best, rival = [*ranked, (0.0, ""), (0.0, "")][:2]
        if len(word) >= _SHORTEST and best[0] >= _ALIKE and best[0] - rival[0] >= _CLEARLY:
            mended = _exchange(mended, word, best[1], text)
        else:
            sure = False
    return mended, sure


def _exchange(value: str, word: str, other: str, text: str) -> str:
    spelled = next((each for each in re.findall(r"[^\W_]+", text) if fold(each) == other), other)
    return re.sub(r"[^\W_]+", lambda found: spelled if fold(found.group()) == word else found.group(), value)
