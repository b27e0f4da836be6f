"""Something that is meant by its day: "delete the one on Tuesday"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.dates import DateMatch, find_dates
from engine.dates.slips import triggers_of
from engine.dates.tokens import has_any, tokenize
from engine.decision import Candidate, Context, Reference
from engine.policy.values import Policy
from engine.text.normalise import Token, Utterance, normalise
from engine.values import DAY_LENGTH, Span, Task

_HEADS = frozenset({"pronoun", "item", "items", "option_word"})
_BESIDE = frozenset({"det", "mention_tail", "small_word", "date_word", *_HEADS})
_IN_REACH, _LAST_MESSAGES, _SHOWN, _LONGEST = 100, 10, 6, 8


def find_by_day(said: str, context: Context, policy: Policy, prefer_status: str) -> tuple[Candidate, ...]:
    """What is due on the day that is said of a mere "one"; of what is still to be done first."""
    day = _read_day(said, context, policy)
    return _due_on(day, context, policy, prefer_status) if day else ()


def find_called_by_day(
    utterance: Utterance, dates: Iterable[DateMatch], context: Context, policy: Policy, prefer_status: str
) -> Reference | None:
    """The same within a whole message: "move the one on Wednesday to Thursday", "delete Wednesday's task". Nothing is
    due then: none is meant, and certainly not what was spoken of last."""
    for date in dates:
        for span in _stretches(date, utterance, policy) if date.has_day else ():
            said = utterance.slice(span)
            day = _read_day(said, context, policy)
            found = _due_on(day, context, policy, prefer_status) if day else ()
            if found or (day and span.end > date.span.end):
                return Reference(said, span, found, found[0].task_id if len(found) == 1 else None)
    return None


def _read_day(said: str, context: Context, policy: Policy) -> str:
    """The day by which something is meant; empty where it is called by its name, or the day is where it shall be."""
    if said.count(" ") >= _LONGEST or not has_any(said, triggers_of(policy.date_words)):  # most names have no day
        return ""
    tokens = normalise(said, policy.spellings, policy.elisions).tokens
    heads = [token for token in tokens if not policy.word_classes.get(token.norm, frozenset()).isdisjoint(_HEADS)]
    if not heads:  # nearly always: it is called by its name
        return ""
    dates = [each for each in find_dates(said, context.now, policy.date_words) if each.has_day and not each.range_end]
    if len(dates) != 1 or not _is_all_beside(dates[0], tokens, policy) or _only_points(heads[-1], tokens, policy):
        return ""
    if heads[-1].start > dates[0].span.start and "title_article" in policy.word_classes.get(heads[-1].norm, ()):
        return ""  # "giovedì la", which goes on with its verb
    return dates[0].value[:DAY_LENGTH]


def _due_on(day: str, context: Context, policy: Policy, prefer_status: str) -> tuple[Candidate, ...]:
    due = [task for task in _in_reach(context) if (task.due_date or "")[:DAY_LENGTH] == day]
    wanted = [task for task in due if task.status == prefer_status] or due
    score = policy.amounts.pointed_at if len(wanted) == 1 else policy.amounts.among_several
    return tuple(Candidate(task.id, score, "day") for task in wanted[:_SHOWN])


def _stretches(date: DateMatch, utterance: Utterance, policy: Policy) -> Iterator[Span]:
    """A day with the mere "one" that stands before or after it, where it says whose day it is."""
    classes = policy.word_classes
    before = [token for token in utterance.tokens if token.end <= date.span.start][-2:]
    if before and not _HEADS.isdisjoint(classes.get(before[-1].norm, ())):
        article = "title_article" in classes.get(before[0].norm, ())
        said = tokenize(utterance.slice(date.span))
        if policy.date_words.of.find(said, 0) is not None or (article and before[-1].norm in policy.numbers):
            yield Span(before[0].start if article else before[-1].start, date.span.end)  # "put that one on Friday": no
    after = next((token for token in utterance.tokens if token.start >= date.span.end), None)
    if after and _is_head(classes.get(after.norm, frozenset())):
        yield Span(date.span.start, after.end)


def _is_head(classes: frozenset[str]) -> bool:
    """A word such as "one"; "please" may stand beside a choice, too, and is none."""
    return not _HEADS.isdisjoint(classes) and "closer" not in classes


def _is_all_beside(date: DateMatch, tokens: tuple[Token, ...], policy: Policy) -> bool:
    """Whether nothing is said besides but "the one"."""
    rest = [token for token in tokens if token.end <= date.span.start or token.start >= date.span.end]
    return bool(rest) and all(not _BESIDE.isdisjoint(policy.word_classes.get(token.norm, ())) for token in rest)


def _only_points(head: Token, tokens: tuple[Token, ...], policy: Policy) -> bool:
    """ "put that on Wednesday": the day is where it shall be, unless it says whose it is ("quella di martedì")."""
    if "just_it" not in policy.word_classes.get(head.norm, ()):
        return False
    after = [token.norm for token in tokens if token.start >= head.end]
    return not after or policy.date_words.of.find(tokenize(after[0]), 0) is None


def _in_reach(context: Context) -> tuple[Task, ...]:
    """Those that were spoken of or shown lately, and those touched last: a store is never read as a whole."""
    spoken = [task_id for message in context.history[-_LAST_MESSAGES:] for task_id in message.tasks]
    found = [context.tasks.find_by_id(task_id) for task_id in dict.fromkeys(spoken)]
    tasks = {task.id: task for task in (*filter(None, found), *context.tasks.recent(_IN_REACH))}
    return tuple(tasks.values())
