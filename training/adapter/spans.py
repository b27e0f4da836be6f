"""Which words of a message stand for a value that is expected: what the model is to copy."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations

from engine.dates import find_dates, find_shift
from engine.decision import Context
from engine.policy.values import Policy
from engine.text.folding import fold, split_words
from engine.values import Task
from llm.words import SAME_DAY, SAME_TIME, read_days, read_due
from training.adapter.speaker import plain_date

_WORD = re.compile(r"[^\s,;!?()\"]+")
_LONGEST_DATE = 7
_MOST_WORDS = 45


def spans_of(text: str, longest: int) -> Iterator[str]:
    """Runs of words, the short ones first."""
    words = [(found.start(), found.start() + len(found.group().rstrip(".:"))) for found in _WORD.finditer(text)]
    words = [(start, end) for start, end in words if end > start][:_MOST_WORDS]
    for length in range(1, longest + 1):
        for place in range(len(words) - length + 1):
            yield text[words[place][0] : words[place + length - 1][1]]


def due_words(wanted: str, text: str, context: Context, policy: Policy, task: Task | None) -> str | None:
    """The shortest words that come to this date; the words for "the same day" where the conversation says it."""
    likely = [each.text.strip() for each in find_dates(text, context.now, policy.date_words)]
    shift = find_shift(text, policy.date_words)
    likely += [shift.text.strip()] if shift else []
    plain = [plain_date(words, policy.language) for words in likely]
    for words in sorted((*plain, *likely), key=len):
        if words in text and read_due(words, context, policy, task) == wanted:
            return words
    apart = (f"{one} {other}" for one, other in permutations(likely, 2))  # "Friday after school, four o'clock"
    for words in (*spans_of(text, _LONGEST_DATE), *apart, SAME_DAY, SAME_TIME):
        if read_due(words, context, policy, task) == wanted:
            return words
    return None


def day_words(wanted: str, text: str, context: Context, policy: Policy) -> str | None:
    """The words that a list's days come from."""
    dates = find_dates(text, context.now, policy.date_words)
    stretches = [(each.span.start, each.span.end) for each in dates]
    if len(dates) > 1:
        stretches.append((dates[0].span.start, dates[-1].span.end))
    for first, last in stretches:
        before = text[:first].split()
        for more in range(3):
            start = text.rfind(" ".join(before[-more:]), 0, first) if more else first
            words = text[start:last].strip() if start >= 0 else ""
            if words and read_days(words, context, policy) == wanted:
                return words
    return next((words for words in spans_of(text, 3) if read_days(words, context, policy) == wanted), None)


def title_words_of(forms: Sequence[str], text: str, known: frozenset[str]) -> str | None:
    """Of the accepted forms: the longest that stands in the message; else one whose words were all said or known."""
    folded = fold(text)
    there = [form for form in forms if re.search(rf"(?<!\w){re.escape(fold(form))}(?!\w)", folded)]
    if there:
        return spelled_as(max(there, key=len), text)
    said = frozenset(split_words(text))
    for words in (said, said | known):
        fitting = [form for form in forms if set(split_words(form)) <= words]
        if fitting:
            return min(fitting, key=lambda form: (-len(set(split_words(form)) & said), len(form)))
    return None


def spelled_as(form: str, text: str) -> str:
    """As the message writes it."""
    at = fold(text).find(fold(form))
    same_length = len(fold(text)) == len(text)
    return text[at : at + len(form)] if at >= 0 and same_length and len(fold(form)) == len(form) else form
