"""A bulk run on the terminal: how far it is, and its figures as lines of text."""

from __future__ import annotations

from collections.abc import Iterator

from evals.bulk.folder import Plan, State
from evals.bulk.report import BulkFigures
from evals.evaluate.paired import tell_difference
from evals.intervals import Rate

_MOST_ROWS = 12
SORT_WORDS = {
    "now_acts": "would act now",
    "no_longer_acts": "would no longer act",
    "another_call": "another call",
    "another_answer": "another question or reply",
}


def progress_line(state: State, size: int) -> str:
    share = state.read / size if size else 1.0
    left = "" if state.left is None else f", {format_seconds(state.left)} left"
    bad = f", {state.bad:,} bad lines" if state.bad else ""
    workers = f" on {state.workers} workers" if state.workers > 1 else ""
    return f"{state.messages:,} messages, {share:.0%}{bad}, {state.rate:,.0f} a second{workers}{left}"


def format_seconds(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def time_lines(state: State) -> Iterator[str]:
    """What it took. A rate without repeats counts decisions: what is said twice in a shard is decided once."""
    if not state.seconds:
        return
    rate, distinct = state.messages / state.seconds, state.distinct / state.seconds
    yield (
        f"{format_seconds(state.seconds)} on {state.on} ({state.workers} worker{'' if state.workers == 1 else 's'}): "
        f"{rate:,.0f} messages a second, {distinct:,.0f} without repeats; "
        f"{_percent(state.deciding, state.working)} of the workers' time was deciding"
    )
    if state.processor:
        yield (
            f"{state.messages / state.processor:,.0f} messages in a second of a processor, "
            f"{state.distinct / state.processor:,.0f} without repeats"
        )
    yield f"memory: {state.worker_mb:,} MB the largest worker, {state.own_mb:,} MB this process"


def figure_lines(plan: Plan, figures: BulkFigures) -> Iterator[str]:
    files = f"{len(plan.files):,} file{'' if len(plan.files) == 1 else 's'}"
    yield f"{figures.messages:,} messages of {files}, {figures.labelled:,} with a label, {figures.bad:,} bad lines"
    for bad in list(figures.whole.get("bad_lines", ()))[:3]:
        yield f"  {bad['file'].rpartition('/')[2]}, line {bad['line']}: {bad['problem']}"
    for place, name in enumerate(figures.names):
        yield ""
        yield f"{name} ({', '.join(plan.versions[place]) or 'no policy'})"
        yield from _side_lines(figures, place)
    if len(figures.names) > 1:
        yield ""
        yield from _change_lines(figures)


def _side_lines(figures: BulkFigures, place: int) -> Iterator[str]:
    if figures.labelled:
        board = figures.board(place)
        yield f"  right                {board.right}"
        yield f"  intent read right    {board.reading}"
        yield f"  acted on nothing     {board.unasked}"
        yield f"  missed a request     {board.missed}"
        error = figures.calibration_error(place)
        if error is not None:
            yield f"  calibration error    {error:.3f}"
    for title, of in (("actions", "actions"), ("intents", "intents")):
        yield f"  {title}: {', '.join(f'{name} {_count(rate)}' for name, rate in figures.shares(place, of))}"
    rules = figures.rules(place)[:_MOST_ROWS]
    if rules:
        yield f"  rules that fit most: {', '.join(f'{rule.rule} {rule.fits:,}' for rule in rules)}"


def _change_lines(figures: BulkFigures) -> Iterator[str]:
    first, second = figures.names
    share = f"{figures.changed / figures.messages:.2%}" if figures.messages else "none"
    yield f"{first} decides {figures.changed:,} messages otherwise than {second} ({share})"
    for sort, count in figures.sorts.items():
        yield f"  {SORT_WORDS.get(sort, sort)}: {count:,}"
    for pair in figures.pairs()[:_MOST_ROWS]:
        yield f"  {pair.before} -> {pair.after}: {pair.messages:,}"
    if figures.labelled:
        marks = figures.changes_labelled
        yield f"  with a label: {', '.join(f'{name} {marks[name]:,}' for name in sorted(marks))}"
        yield f"  {tell_difference(figures.difference(), second, first)}"


def _count(rate: Rate) -> str:
    return f"{rate.count:,} ({rate.value or 0:.1%})"


def _percent(part: float, whole: float) -> str:
    return f"{part / whole:.0%}" if whole else "none"
