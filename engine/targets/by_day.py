"""Something that is meant by its day: "delete the one on Tuesday"."""

from __future__ import annotations

from engine.dates import DateMatch, find_dates
from engine.decision import Candidate, Context
from engine.policy.values import Policy
from engine.text.normalise import Token, normalise
from engine.values import DAY_LENGTH, Task

_HEADS = frozenset({"pronoun", "item", "items", "option_word"})
_BESIDE = frozenset({"det", "mention_lead", "mention_tail", "small_word", "date_word", *_HEADS})
_IN_REACH, _LAST_MESSAGES, _SHOWN, _LONGEST = 100, 10, 6, 8


def find_by_day(said: str, context: Context, policy: Policy, prefer_status: str) -> tuple[Candidate, ...]:
    """What is due on the day that is said of a mere "one"; of what is still to be done first."""
    if said.count(" ") >= _LONGEST:
        return ()
    tokens = normalise(said, policy.spellings, policy.elisions).tokens
    heads = [token for token in tokens if not _HEADS.isdisjoint(policy.word_classes.get(token.norm, ()))]
    if not heads:  # nearly always: it is called by its name
        return ()
    dates = [each for each in find_dates(said, context.now, policy.date_words) if each.has_day and not each.range_end]
    if len(dates) != 1 or not _is_all_beside(dates[0], tokens, policy):
        return ()
    day = dates[0].value[:DAY_LENGTH]
    due = [task for task in _in_reach(context) if (task.due_date or "")[:DAY_LENGTH] == day]
    wanted = [task for task in due if task.status == prefer_status] or due
    score = policy.amounts.pointed_at if len(wanted) == 1 else policy.amounts.among_several
    return tuple(Candidate(task.id, score, "day") for task in wanted[:_SHOWN])


def _is_all_beside(date: DateMatch, tokens: tuple[Token, ...], policy: Policy) -> bool:
    """Whether nothing is said besides but "the one"."""
    rest = [token for token in tokens if token.end <= date.span.start or token.start >= date.span.end]
    return bool(rest) and all(not _BESIDE.isdisjoint(policy.word_classes.get(token.norm, ())) for token in rest)


def _in_reach(context: Context) -> tuple[Task, ...]:
    """Those that were spoken of or shown lately, and those touched last: a store is never read as a whole."""
    spoken = [task_id for message in context.history[-_LAST_MESSAGES:] for task_id in message.tasks]
    found = [context.tasks.find_by_id(task_id) for task_id in dict.fromkeys(spoken)]
    tasks = {task.id: task for task in (*filter(None, found), *context.tasks.recent(_IN_REACH))}
    return tuple(tasks.values())
