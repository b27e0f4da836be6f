"""A comparison as tables: the figures of each decider, and line by line what each would call. No streamlit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from db.evaluation.comparisons import ComparedLine, Comparison
from domains.catalogues import find_facts
from ui.counting import count_of
from ui.problem_words import tell_problem
from ui.templates import draw
from ui.turns.calls import ShownCall, show_call
from ui.words import ACTION_WORDS, REASON_WORDS, format_cost, format_ms, name_intent

Link = Callable[[ComparedLine], str]
_ACTIONS = {str(action): words for action, words in ACTION_WORDS.items()}
_REASONS = {str(reason): words for reason, words in REASON_WORDS.items()}
_MARKS = {
    "agree": ("agree", "✓ same"),
    "both_silent": ("agree", "✓ same: no call"),
    "differ": ("differ", "≠ differs"),
    "first_silent": ("silent", "○ calls, the reference does not"),
    "second_silent": ("silent", "○ calls nothing"),
    "broken": ("silent", "⚠ broken call"),
    "failed": ("silent", "⚠ failed"),
}

_SAY_SO = ("both_silent", "second_silent")
"""Where the mark says already that there is no call."""


class DeciderFigures(NamedTuple):
    """One decider's row; empty: nothing to say."""

    name: str
    is_first: bool
    right: str
    of_judged: str
    share: str
    of_compared: str
    calls: str
    of_lines: str
    broken: str
    median: str
    within: str
    tokens: tuple[str, str] | None
    cost: str
    unpriced: bool


class AnswerCell(NamedTuple):
    words: str
    changed: bool
    why: str
    mark: str
    standing: str
    calls: tuple[ShownCall, ...]
    says_no_call: bool
    judged: bool
    """Whether something was expected."""
    wrong: tuple[str, ...]
    """What is wrong with it, then."""
    missing: tuple[str, ...]
    problem: str
    costs: str


class ComparedRow(NamedTuple):
    number: str
    text: str
    link: str
    own_context: bool
    expected: str
    """What it should come to; empty: nobody said."""
    answers: tuple[AnswerCell, ...]


def summary_html(run: Comparison) -> str:
    rows = [_figures(place, entry) for place, entry in enumerate(run.summary)]
    return draw("compare/tables", "summary", run.deciders[0], rows, any(row.right for row in rows))


def _figures(place: int, entry: Mapping[str, Any]) -> DeciderFigures:
    compared, read, written = entry["compared"], entry["prompt_tokens"], entry["answer_tokens"]
    counted = bool(place and compared)
    return DeciderFigures(
        name=str(entry["name"]),
        is_first=not place,
        right=f"{entry['right'] / entry['judged']:.1%}" if entry.get("judged") else "",
        of_judged=f"{entry['right']:,} of {entry['judged']:,}" if entry.get("judged") else "",
        share=f"{entry['agree'] / compared:.1%}" if counted else "",
        of_compared=f"{entry['agree']:,} of {compared:,}" if counted else "",
        calls=f"{entry['calls']:,}",
        of_lines=f"of {entry['lines']:,}",
        broken=f"{entry['broken']:,}",
        median=format_ms(entry["median_ms"]),
        within=format_ms(entry["p95_ms"]),
        tokens=(f"{read:,}", f"{written or 0:,}") if read is not None else None,
        cost=format_cost(entry["cost"]),
        unpriced=bool(entry["unpriced"]),
    )


def lines_html(run: Comparison, lines: Sequence[ComparedLine], link: Link) -> str:
    rows = [_row(line, link(line)) for line in lines]
    judged = any(row.expected for row in rows)
    return draw("compare/tables", "lines", run.deciders, rows, judged)


def _row(line: ComparedLine, link: str) -> ComparedRow:
    answers = tuple(_answer(answer, line.answers[0]) for answer in line.answers)
    return ComparedRow(f"{line.line:,}", line.text, link, bool(line.context), _expected(line.expected), answers)


def _expected(expected: Mapping[str, Any] | None) -> str:
    intent = (expected or {}).get("intent") or ()
    return " or ".join(name_intent(each) for each in ([intent] if isinstance(intent, str) else intent))


def _answer(answer: Mapping[str, Any], first: Mapping[str, Any]) -> AnswerCell:
    action, reason = answer.get("action"), answer.get("reason")
    silenced = not action or reason == "unavailable"  # what it says then is ours, and no reply of its own
    differences = answer.get("differences") or []
    calls = tuple(_call(place, call, differences) for place, call in enumerate(answer.get("calls") or ()))
    mark, standing = _MARKS.get(str(answer.get("standing")), ("", ""))
    problem = str(answer.get("problem") or "")
    return AnswerCell(
        words="no answer" if silenced else _ACTIONS.get(str(action), ""),
        changed=answer is not first and answer.get("standing") == "differ" and action != first.get("action"),
        why=_REASONS.get(str(reason), ""),
        mark=mark,
        standing=standing,
        calls=calls,
        says_no_call=not calls and not problem and answer.get("standing") not in _SAY_SO,
        judged="wrong" in answer,
        wrong=tuple(tell_problem(str(each)) for each in answer.get("wrong") or ()),
        missing=tuple(str(name) for _, name, _, second in differences if second is None),
        problem=problem,
        costs=_costs(answer),
    )


def _call(place: int, call: Mapping[str, Any], differences: Sequence[Sequence[Any]]) -> ShownCall:
    marked = [name for at, name, _, _ in differences if at == place]
    facts = find_facts(str(call["tool_name"]))
    target = str(call["parameters"].get(facts.target)) if facts else ""
    titles = {target: str(call["task"])} if call.get("task") else {}
    return show_call(call["tool_name"], call["parameters"], marked, titles)


def _costs(answer: Mapping[str, Any]) -> str:
    tokens = [answer[name] for name in ("prompt_tokens", "answer_tokens") if answer.get(name) is not None]
    confidence = answer.get("confidence")
    parts = (
        format_ms(answer.get("ms")),
        f"{confidence:.2f} sure" if confidence is not None and answer.get("calls") else "",
        count_of(sum(tokens), "token") if tokens else "",
        format_cost(answer.get("cost")),
    )
    return " · ".join(part for part in parts if part)
