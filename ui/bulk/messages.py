"""Messages of a bulk run as a table: what was meant, and what each decider made of it. No streamlit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from evals.bulk.looking import FoundAnswer, FoundMessage
from evals.evaluate.verdicts import VERDICT_WORDS
from ui.bulk.words import SORTS, name_outcome, name_part
from ui.templates import draw
from ui.turns.calls import ShownCall, show_call
from ui.words import ACTION_WORDS, REASON_WORDS

Link = Callable[[FoundMessage], str]
_ACTIONS = {str(action): words for action, words in ACTION_WORDS.items()}
_REASONS = {str(reason): words for reason, words in REASON_WORDS.items()}
_VERDICTS = {str(name): words for name, words in VERDICT_WORDS.items()}
_SORTS = {str(name): words for name, words in SORTS.items()}


class ShownAnswer(NamedTuple):
    verdict: str
    """Empty: nobody said what was meant."""
    right: bool
    meaning: str
    words: str
    marked: bool
    calls: tuple[ShownCall, ...]
    problem: str
    sure: str


class ShownMessage(NamedTuple):
    text: str
    link: str
    place: str
    chips: tuple[str, ...]
    meant: str
    answers: tuple[ShownAnswer, ...]


def messages_html(names: Sequence[str], found: Sequence[FoundMessage], link: Link) -> str:
    meant = any(each.accepted for each in found)
    return draw("bulk/messages", "messages", names, [show_message(each, link(each)) for each in found], meant)


def show_message(message: FoundMessage, link: str) -> ShownMessage:
    chips = [name_part("language", message.language), *([message.source] if message.source else []), *message.tags]
    if message.changed:
        chips.append(_SORTS.get(message.changed, message.changed))
    return ShownMessage(
        text=message.text,
        link=link,
        place=f"{message.file}, line {message.line:,}",
        chips=tuple(chips),
        meant=" or ".join(name_outcome(each) for each in message.accepted),
        answers=tuple(_show_answer(message, place) for place in range(len(message.answers))),
    )


def _show_answer(message: FoundMessage, place: int) -> ShownAnswer:
    answer = message.answers[place]
    other = message.answers[1 - place] if len(message.answers) > 1 else None
    verdict, meaning = _VERDICTS.get(answer.verdict or "", ("", ""))
    # What is new is marked: the first is held against the second.
    differs = other is not None and place == 0 and (answer.action, answer.reason) != (other.action, other.reason)
    return ShownAnswer(
        verdict=verdict,
        right=answer.verdict == "right",
        meaning=meaning,
        words=": ".join(filter(None, (_ACTIONS.get(answer.action or "", "no answer"), _REASONS.get(answer.reason)))),
        marked=differs,
        calls=tuple(_show_calls(answer, other if place == 0 else None)),
        problem=answer.problem or "",
        sure=f"{answer.confidence:.2f} sure" if answer.confidence is not None and answer.calls else "",
    )


def _show_calls(answer: FoundAnswer, other: FoundAnswer | None) -> list[ShownCall]:
    shown = []
    for place, call in enumerate(answer.calls):
        before = other.calls[place] if other and place < len(other.calls) else None
        marked: list[str] = []
        if other is not None and (before is None or before["tool_name"] != call["tool_name"]):
            marked = ["tool"]
        elif before is not None:
            marked = [name for name, value in call["parameters"].items() if before["parameters"].get(name) != value]
        shown.append(show_call(call["tool_name"], call["parameters"], marked))
    return shown
