"""Which messages of a run the table shows. Everything that is chosen stands in the address: a link shows the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple, get_args

import streamlit as st

from db.evaluation.run_values import Against, CaseChange, KeptRun, ResultFilter, Tile
from evals.evaluate.slices import SLICE_WORDS
from evals.evaluate.verdicts import VERDICT_WORDS, VERDICTS
from ui.address_controls import render_choice, render_search, render_segments
from ui.evaluate.reading import read_scoreboard, read_slice_figures, stamp_of
from ui.evaluate.words import name_outcome, name_slice
from ui.state.address import drop_from_address, first_page, put_in_address, read_address
from ui.state.fields import put_value

ONLY, SLICE, MEANT, CAME, BY, AGAINST, CHANGE = "only", "slice", "meant", "came", "by", "against", "change"
"""Their names in the address."""
FAILED, ALL, ANY = "failed", "all", "any"
CHANGES: tuple[CaseChange, ...] = get_args(CaseChange)
TILES: tuple[Tile, ...] = get_args(Tile)
_TEXT_LIMIT = 200


class Cell(NamedTuple):
    """A cell of the confusion matrix: what was meant, and what came of it."""

    meant: str
    came: str


def read_cell() -> Cell | None:
    meant, came = read_address(MEANT), read_address(CAME)
    return Cell(meant, came) if meant and came else None


def put_cell(cell: Cell) -> None:
    put_in_address(MEANT, cell.meant)
    put_in_address(CAME, cell.came)
    show_all()


def put_failed_cell(cell: Cell) -> None:
    """Of a cell only what failed."""
    put_cell(cell)
    put_value(ONLY, FAILED)


def drop_cell() -> None:
    drop_from_address(MEANT)
    drop_from_address(CAME)
    first_page()


def show_all() -> None:
    """What was clicked is shown whole, whether right or wrong."""
    put_value(ONLY, ALL)
    first_page()


def read_against() -> tuple[str, int] | None:
    """The run and decider that the address names."""
    run_id, mark, decider = read_address(AGAINST).rpartition(":")
    return (run_id, int(decider)) if mark and decider.isdecimal() and len(decider) < 4 else None


def render_filters(run: KeptRun, decider: int, *, by_verdict: bool = True) -> ResultFilter:
    """The controls above the table, and the filter that they say."""
    only = _render_verdicts(run, decider) if by_verdict else ALL
    words, part = st.columns([3, 2], vertical_alignment="bottom")
    with words:
        text = render_search("Search the messages, or a case's id", _TEXT_LIMIT)
    with part:
        chosen = render_choice("Part of the set", SLICE, _slice_labels(run, decider), ANY)
    wanted = ResultFilter(decider=decider, text=text or "", **_verdict_filter(only))
    return _with_cell(_with_slice(wanted, chosen))


def _render_verdicts(run: KeptRun, decider: int) -> str:
    """Counts that filter."""
    counts = read_scoreboard(stamp_of(run), decider, run.labels[decider], run.domain)
    failed = counts.cases - counts.right.count
    found: dict[str, int] = {verdict: rate.count for verdict, rate in counts.verdicts.items() if rate.count}
    labels: dict[str, str] = {
        FAILED: f"Failed {failed:,}",
        ALL: f"All {counts.cases:,}",
        **{verdict: f"{VERDICT_WORDS[verdict][0]} {found[verdict]:,}" for verdict in VERDICTS if verdict in found},
    }
    hint = " ".join(f"**{VERDICT_WORDS[name][0]}**: {VERDICT_WORDS[name][1]}" for name in VERDICTS if name in found)
    return str(render_segments("Which cases", ONLY, labels, FAILED, hint=hint or None))


def _verdict_filter(only: str) -> dict[str, Any]:
    if only == ALL:
        return {}
    return {"passed": False} if only == FAILED else {"verdict": only}


def _slice_labels(run: KeptRun, decider: int) -> dict[str, str]:
    found = read_slice_figures(stamp_of(run), decider, run.set_id)
    named = {f"{each.name}:{each.value}": _name_part(each.name, each.value, each.right.total) for each in found}
    return {ANY: "Every part of the set", **named}


def _name_part(part: str, value: str, count: int) -> str:
    return f"{SLICE_WORDS.get(part, part)}: {name_slice(part, value)} · {count:,}"


def _with_slice(wanted: ResultFilter, chosen: str) -> ResultFilter:
    if chosen == ANY:
        return wanted
    name, _, value = chosen.partition(":")
    return replace(wanted, slice=(name, value))


def _with_cell(wanted: ResultFilter) -> ResultFilter:
    cell = read_cell()
    if cell is None:
        return wanted
    st.button(
        f"Meant “{name_outcome(cell.meant)}”, came “{name_outcome(cell.came)}”",
        key="chip-cell",
        icon=":material/close:",
        icon_position="right",
        on_click=drop_cell,
        help="Take it off",
    )
    behind = read_address(BY) == "behind"
    wanted = replace(wanted, label=cell.meant)
    return replace(wanted, behind=cell.came) if behind else replace(wanted, final=cell.came)


def hold_against(wanted: ResultFilter, other: tuple[str, int], chosen: str) -> ResultFilter:
    """The same, beside another decider or run; `chosen` is a change, a tile, or all."""
    change = next((each for each in CHANGES if each == chosen), None)
    tile = next((each for each in TILES if each == chosen), None)
    return replace(wanted, against=Against(other[0], other[1], change=change, tile=tile))
