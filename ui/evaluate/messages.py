"""The messages of a run as a table: what was meant, what was decided, and what is wrong with it. No streamlit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from db.evaluation.run_values import KeptCase, ListedCase, ScoredCase
from domains.catalogues import find_facts
from evals.evaluate.data_sets import CASE, CONVERSATION, TURN
from evals.evaluate.verdicts import VERDICT_WORDS
from ui.evaluate.words import name_outcome, name_slice
from ui.problem_words import show_expected, tell_problem
from ui.templates import draw
from ui.turns.calls import ShownCall, show_call
from ui.words import ACTION_WORDS, REASON_WORDS, format_ms

Link = Callable[[ListedCase], str]
_ACTIONS = {str(action): words for action, words in ACTION_WORDS.items()}
_REASONS = {str(reason): words for reason, words in REASON_WORDS.items()}
_VERDICTS: dict[str, tuple[str, str]] = {str(name): words for name, words in VERDICT_WORDS.items()}
_CHIPS = ("language", "kind", "tag")


class DecidedCell(NamedTuple):
    right: bool
    verdict: str
    meaning: str
    words: str
    why: str
    calls: tuple[ShownCall, ...]
    problems: tuple[str, ...]
    costs: str


class MessageRow(NamedTuple):
    case_id: str
    text: str
    part: str
    """Which message of a longer case decided it."""
    link: str
    chips: tuple[str, ...]
    critical: bool
    meant: str
    expected: tuple[tuple[str, str], ...]
    answers: tuple[DecidedCell, ...]


def messages_html(labels: Sequence[str], listed: Sequence[ListedCase], link: Link) -> str:
    return draw("evaluate/messages", "messages", labels, [make_row(each, link(each)) for each in listed])


def make_row(listed: ListedCase, link: str) -> MessageRow:
    case, scored = listed.case, listed.scored
    detail = scored.detail
    part = f"message {detail['turn']} of {detail['of']}" if "of" in detail else ""
    answers = [show_answer(scored)]
    if listed.other is not None:
        answers.append(show_answer(listed.other))
    return MessageRow(
        case_id=case.case_id,
        text=str(detail.get("text") or case.text),
        part=part,
        link=link,
        chips=tuple(name_slice(name, value) for name in _CHIPS for value in case.slices.get(name, ())),
        critical=case.severity == "critical",
        meant=name_outcome(case.label),
        expected=tuple(expected_of(case, int(detail.get("turn", 0)))),
        answers=tuple(answers),
    )


def show_answer(scored: ScoredCase) -> DecidedCell:
    answer: Mapping[str, Any] = scored.detail.get("answer") or {}
    verdict, meaning = _VERDICTS.get(scored.verdict, (scored.verdict, ""))
    parts = (
        format_ms(scored.milliseconds) if scored.milliseconds else "",
        f"{scored.confidence:.2f} sure" if scored.confidence is not None and answer.get("calls") else "",
    )
    return DecidedCell(
        right=scored.passed,
        verdict=verdict,
        meaning=meaning,
        words=_ACTIONS.get(str(scored.action), "no answer"),
        why=_REASONS.get(str(answer.get("reason")), ""),
        calls=tuple(_call(call) for call in answer.get("calls") or ()),
        problems=tuple(tell_problem(str(each)) for each in scored.detail.get("problems") or ()),
        costs=" · ".join(part for part in parts if part),
    )


def _call(call: Mapping[str, Any]) -> ShownCall:
    facts = find_facts(str(call["tool_name"]))
    target = str(call["parameters"].get(facts.target)) if facts else ""
    return show_call(call["tool_name"], call["parameters"], (), {target: str(call["task"])} if call.get("task") else {})


def expected_of(case: KeptCase, number: int = 0) -> list[tuple[str, str]]:
    """What a case says beside the intent; `number`: of which of its messages, from 1."""
    if CONVERSATION in case.body:
        turn = case.body[CONVERSATION]["turns"][int(case.body[TURN]) - 1]
        return [(str(name), _plain(value)) for name, value in (turn.get("expect") or {}).items()]
    body = case.body.get(CASE) or {}
    turns = body.get("turns") or [{}]
    turn = turns[(number or len(turns)) - 1]
    titles = {str(task.get("id")): str(task.get("title")) for task in body.get("tasks") or ()}
    keys = {str(key): titles.get(str(found), str(found)) for key, found in (body.get("keys") or {}).items()}
    found = [(str(name), _plain(value, show_expected)) for name, value in (turn.get("parameters") or {}).items()]
    if turn.get("task"):
        found.append(("on", " or ".join(keys.get(str(each), str(each)) for each in turn["task"])))
    if turn.get("action"):
        found.append(("and", " or ".join(_ACTIONS.get(str(each), str(each)) for each in turn["action"])))
    if turn.get("calls"):
        found.append(("calls", f"{len(turn['calls'])}"))
    return found


def _plain(value: object, show: Callable[[object], str] = str) -> str:
    return " or ".join(show(each) for each in value) if isinstance(value, list) else show(value)
