"""What is wrong with a decision, as a scorer says it, in the words that pages have. No streamlit."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ui.call_words import name_argument, show_day
from ui.words import ACTION_WORDS, REASON_WORDS, find_intent_labels, name_intent

_CODE = re.compile(r"\b[a-z]+(?:_[a-z]+)*\b")
_ANY_TIME = "*"
_VALUE = re.compile(r"\b([a-z_]+)=('[^']*'|\"[^\"]*\"|[^\s,]+)")


def tell_problem(problem: str) -> str:
    """ "intent: unknown, expected add_task" becomes "intent: “Nothing to do”, expected “Add a task”"."""
    aspect, mark, said = problem.partition(": ")
    if not mark:
        return problem
    if aspect == "arguments":
        return f"arguments: {_VALUE.sub(lambda found: f'{name_argument(found[1])} {_show(found[2])}', said)}"
    names = _names().get(aspect)
    return f"{aspect}: {_CODE.sub(lambda found: names.get(found[0], found[0]), said)}" if names else problem


@cache
def _names() -> Mapping[str, Mapping[str, str]]:
    intents = {intent: f"“{name_intent(intent)}”" for intent in find_intent_labels()}
    return {
        "action": {str(action): words for action, words in ACTION_WORDS.items()},
        "reason": {str(reason): words for reason, words in REASON_WORDS.items()},
        "intent": intents,
        "calls": intents,
    }


def show_expected(value: object) -> str:
    """As a case has it: a day with a star is that day at whichever time."""
    text = str(value)
    bare = text.removesuffix(_ANY_TIME)
    day = show_day(bare)
    return f"{day}, at any time" if bare != text and day != bare else show_day(text)


def _show(value: str) -> str:
    bare = value.strip("'\"")
    day = show_expected(bare)
    return f"“{bare}”" if day == bare else day
