"""What the router was learned from is there, and says of each turn what the whole record said."""

from __future__ import annotations

from pathlib import Path

from engine.border.json_form import to_json
from engine.decision import Decision, IntentScore, Reason
from engine.outcome.lane_evidence import notice_both
from engine.outcome.router import load_router
from tests.training.test_router_fitting import ACTS, RIGHT, SURE, record
from training.router import fitting
from training.router.kept import make_row, read_rows, write_rows


def test_a_row_is_noticed_like_the_whole_record(tmp_path: Path) -> None:
    near = Decision(
        *("engine", "reply", "unknown", Reason.NOT_ABOUT_TASKS),
        scores=(IntentScore("add_task", 0.4),),
        confidence=0.6,
    )
    whole = [{**record(1, RIGHT, SURE), "engine": to_json(near)}, record(2, RIGHT, SURE, engine=ACTS)]
    write_rows([make_row(each, "today") for each in whole], tmp_path / "rows.gz")
    rows = read_rows(tmp_path / "rows.gz")
    for kept, full in zip(fitting.read_turns(rows), fitting.read_turns(whole), strict=True):
        assert kept.llm
        assert full.llm
        catalogue = fitting._CATALOGUE
        assert notice_both(kept.engine, kept.llm, catalogue) == notice_both(full.engine, full.llm, catalogue)


def test_the_weights_in_force_were_learned_from_the_rows_that_are_kept() -> None:
    rows = read_rows()
    assert len({row["id"] for row in rows}) == len(rows)
    learned = fitting.fit_likelihoods(fitting.read_turns(rows))
    assert learned["alone"] == load_router().alone
