"""Figures of Evaluate as tables: each share with its interval, drawn and in digits. No streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evals.evaluate.scoreboard import Scoreboard
from evals.evaluate.verdicts import VERDICT_WORDS, VERDICTS
from evals.intervals import Rate
from ui.evaluate.words import count_cases, format_interval, format_share, name_outcome
from ui.templates import draw
from ui.words import format_cost, format_ms

_OUTCOMES = {
    "call": ("A call", "A tool is called, or a yes is asked for."),
    "abstention": ("No call", "It asks back or replies."),
    "broken": ("A broken call", "A call that no tool takes."),
    "none": ("No answer", "The decider failed, or its endpoint gave no answer."),
}


class ShownRate(NamedTuple):
    """A share as a cell: in digits, and as a bar with its interval."""

    share: str
    interval: str
    of: str
    value: float
    low: float
    high: float
    """In percent, for drawing; 0 where there is nothing to count."""
    known: bool
    faint: bool = False


class RateRow(NamedTuple):
    label: str
    hint: str
    rates: tuple[ShownRate, ...]
    strong: bool = False
    code: str = ""
    """Its technical name, in a hint."""


class PlainRow(NamedTuple):
    label: str
    values: tuple[str, ...]


def show_rate(rate: Rate, *, faint: bool = False) -> ShownRate:
    if rate.value is None:
        return ShownRate("–", "", "no case", 0, 0, 0, known=False)
    return ShownRate(
        format_share(rate),
        format_interval(rate),
        f"{rate.count:,} of {rate.total:,}",
        100 * rate.value,
        100 * rate.low,
        100 * rate.high,
        known=True,
        faint=faint,
    )


def scoreboard_html(boards: Sequence[Scoreboard]) -> str:
    """Every decider of a run beside the others."""
    shown = [verdict for verdict in VERDICTS if verdict == "right" or any(b.verdicts[verdict].count for b in boards)]
    rows = [
        RateRow(*VERDICT_WORDS[name], tuple(show_rate(b.verdicts[name]) for b in boards), strong=name == "right")
        for name in shown
    ]
    shares = [
        RateRow(
            "Intent read right", "Whatever was done about it.", tuple(show_rate(board.reading) for board in boards)
        ),
        RateRow(
            "Acted on nothing",
            "Of the cases that ask for nothing: acted on without asking.",
            tuple(show_rate(board.unasked) for board in boards),
        ),
        RateRow(
            "Missed a request",
            "Of the cases that ask for something: no request seen.",
            tuple(show_rate(board.missed) for board in boards),
        ),
    ]
    outcomes = [
        RateRow(*_OUTCOMES[name], tuple(show_rate(board.outcomes[name]) for board in boards))
        for name in _OUTCOMES
        if any(board.outcomes[name].count for board in boards)
    ]
    return draw(
        "evaluate/tables", "scoreboard", [board.label for board in boards], rows, shares, outcomes, _costs(boards)
    )


def _costs(boards: Sequence[Scoreboard]) -> list[PlainRow]:
    rows: list[PlainRow] = []
    if any(board.median_ms is not None for board in boards):
        rows.append(PlainRow("Median time", tuple(format_ms(board.median_ms) or "–" for board in boards)))
        rows.append(PlainRow("95% within", tuple(format_ms(board.p95_ms) or "–" for board in boards)))
    if any(board.prompt_tokens is not None for board in boards):
        rows.append(PlainRow("Tokens, in and out", tuple(_tokens(board) for board in boards)))
        rows.append(PlainRow("Cost", tuple(_cost(board) for board in boards)))
    return rows


def _tokens(board: Scoreboard) -> str:
    return "–" if board.prompt_tokens is None else f"{board.prompt_tokens:,} · {board.answer_tokens or 0:,}"


def _cost(board: Scoreboard) -> str:
    if board.unpriced:
        return f"no price known for {count_cases(board.unpriced)}"
    return format_cost(board.cost) or "–"


def intents_html(board: Scoreboard, *, behind: bool) -> str:
    """Precision, recall and F1 of each intent."""
    figures = board.intents_behind if behind else board.intents
    rows = [
        RateRow(
            name_outcome(each.intent),
            count_cases(each.support),
            (show_rate(each.precision), show_rate(each.recall), show_rate(each.f1)),
        )
        for each in figures
        if each.support or each.precision.total
    ]
    return draw("evaluate/tables", "rates", ["Intent", "Precision", "Recall", "F1"], rows)


def arguments_html(board: Scoreboard) -> str:
    rows = [
        RateRow(f"{name_outcome(each.intent)}: {each.argument}", "", (show_rate(each.right),))
        for each in board.arguments
    ]
    return draw("evaluate/tables", "rates", ["Argument", "Right, where the tool is"], rows)
