"""Evaluations in the store: sets kept once, runs with an owner, results counted, filtered and paged by the database."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from db.connection import Database
from db.evaluation.results import (
    add_results,
    count_cells,
    count_results,
    done_positions,
    find_positions,
    find_result,
    find_results,
    load_scored,
)
from db.evaluation.run_values import Against, ResultFilter, ScoredCase
from db.evaluation.runs import (
    KEPT_RUNS,
    SILENCE,
    claim_run,
    find_run,
    finish_run,
    is_interrupted,
    list_runs,
    mark_baseline,
    remove_run,
    rename_run,
    say_alive,
    start_run,
)
from db.evaluation.sets import count_slices, keep_set, load_kept_cases, load_slices
from db.evaluation.settled_labels import list_settled, settle_label, unsettle_label
from db.failures import ToolFailure
from db.users import User
from tests.evals.evaluate.made_up import kept, key_of, scored

pytestmark = pytest.mark.both_databases

CASES = tuple(kept(place, language="it" if place % 3 == 0 else "en", tag="café") for place in range(9))
DECIDERS = ({"kind": "engine", "label": "Engine"}, {"kind": "baseline", "label": "Baseline"})


def keep(database: Database, user: User, cases: tuple = CASES, fingerprint: str = "f" * 64) -> str:
    with database.write() as session:
        return keep_set(session, user.id, domain="tasks", name="A set", fingerprint=fingerprint, cases=cases)


def begin(database: Database, user: User, name: str = "A run", owner: str = "me") -> str:
    set_id = keep(database, user)
    with database.write() as session:
        return start_run(session, user.id, set_id=set_id, name=name, deciders=DECIDERS, cases=9, owner=owner)


def add(database: Database, run_id: str, decider: int, rows: list[ScoredCase], owner: str = "me") -> bool:
    with database.write() as session:
        return add_results(session, run_id, owner, [(decider, row) for row in rows])


@pytest.fixture
def run_id(database: Database, ada: User) -> str:
    """The engine is right on all but the first three cases, the baseline on the even ones."""
    found = begin(database, ada)
    labels = ["add_task"] * 6 + ["unknown"] * 3
    add(database, found, 0, [scored(place, passed=place > 2, label=label) for place, label in enumerate(labels)])
    add(database, found, 1, [scored(place, passed=place % 2 == 0) for place in range(9)])
    return found


def test_the_same_cases_are_kept_once_and_with_other_tags_again(database: Database, ada: User, bob: User) -> None:
    first = keep(database, ada)
    assert keep(database, ada) == first
    assert keep(database, bob) != first
    assert keep(database, ada, CASES[::-1]) != first
    with database.read() as session:
        assert load_kept_cases(session, first) == CASES
        assert load_slices(session, first)[3] == {"language": ("it",), "tag": ("café",)}
        assert count_slices(session, first)["language"] == {"it": 3, "en": 6}


def test_a_run_counts_what_is_done_and_knows_what_is_left(database: Database, ada: User, run_id: str) -> None:
    with database.read() as session:
        run = find_run(session, ada.id, run_id)
        assert run
        assert (run.done, run.total, run.status, run.labels, run.size) == (18, 18, "running", ("Engine", "Baseline"), 9)
        assert len(done_positions(session, run_id)) == 18
        assert load_scored(session, run_id, 1)[4] == scored(4)


def test_nobody_sees_or_changes_anothers_run(database: Database, bob: User, run_id: str) -> None:
    with database.write() as session:
        assert find_run(session, bob.id, run_id) is None
        assert list_runs(session, bob.id) == ()
        assert claim_run(session, bob.id, run_id, "thief") is None
        assert not remove_run(session, bob.id, run_id)
        with pytest.raises(ToolFailure):
            rename_run(session, bob.id, run_id, "x")
        with pytest.raises(ToolFailure):
            mark_baseline(session, bob.id, run_id, is_baseline=True)


@pytest.mark.parametrize(
    ("wanted", "positions"),
    [
        (ResultFilter(), list(range(9))),
        (ResultFilter(passed=False), [0, 1, 2]),
        (ResultFilter(decider=1, passed=False), [1, 3, 5, 7]),
        (ResultFilter(verdict="wrong_arguments"), [0, 1, 2]),
        (ResultFilter(label="unknown"), [6, 7, 8]),
        (ResultFilter(final="asks"), []),
        (ResultFilter(behind="add_task", label="add_task", passed=True), [3, 4, 5]),
        (ResultFilter(slice=("language", "it")), [0, 3, 6]),
        (ResultFilter(slice=("language", "it"), passed=True), [3, 6]),
        (ResultFilter(text="MESSAGE 4"), [4]),
        (ResultFilter(text="case-7"), [7]),
        (ResultFilter(text="%"), []),
        (ResultFilter(severity="critical"), []),
    ],
)
def test_a_table_is_filtered_by_the_database(
    database: Database, run_id: str, wanted: ResultFilter, positions: list[int]
) -> None:
    with database.read() as session:
        assert list(find_positions(session, run_id, wanted)) == positions
        assert count_results(session, run_id, wanted) == len(positions)
        found = find_results(session, run_id, wanted)
        assert [(each.case.position, each.scored.position, each.other) for each in found] == [
            (place, place, None) for place in positions
        ]


def test_a_page_is_a_part_with_slices_and_details(database: Database, run_id: str) -> None:
    with database.read() as session:
        page = find_results(session, run_id, ResultFilter(), limit=2, offset=6)
    assert [(each.case.text, each.case.slices["language"]) for each in page] == [
        ("message 6", ("it",)), ("message 7", ("en",)),
    ]  # fmt: skip


def test_one_line_is_found_by_its_place(database: Database, run_id: str) -> None:
    with database.read() as session:
        found = find_result(session, run_id, 1, 3)
        assert find_result(session, run_id, 1, 99) is None
    assert found
    assert (found.case.text, found.scored.passed, found.case.slices["language"]) == ("message 3", False, ("it",))


@pytest.mark.parametrize(
    ("tile", "positions"), [("both", [4, 6, 8]), ("first", [3, 5, 7]), ("second", [0, 2]), ("neither", [1])]
)
def test_the_four_tiles_open_their_cases(database: Database, run_id: str, tile: str, positions: list[int]) -> None:
    wanted = ResultFilter(against=Against(run_id, 1, tile=tile))  # type: ignore[arg-type]
    with database.read() as session:
        found = find_results(session, run_id, wanted)
        assert count_results(session, run_id, wanted) == len(positions)
    assert [each.case.position for each in found] == positions
    assert all(each.other and each.other.key == each.scored.key for each in found)


def test_fixed_broken_changed_and_unchanged_are_filters_against_another_run(
    database: Database, ada: User, run_id: str
) -> None:
    later = begin(database, ada, "Later")
    changed = [scored(0), scored(1, passed=False), scored(2, passed=False, signature="other"), scored(3, passed=False)]
    add(database, later, 0, [*changed, *(scored(place) for place in range(4, 9))])
    found = {}
    with database.read() as session:
        for change in ("fixed", "broken", "changed", "unchanged"):
            wanted = ResultFilter(against=Against(run_id, 0, change=change))  # type: ignore[arg-type]
            found[change] = list(find_positions(session, later, wanted))
    assert found == {"fixed": [0], "broken": [3], "changed": [2], "unchanged": [1, 4, 5, 6, 7, 8]}


def test_the_cells_of_the_matrix_are_counted_by_the_database(database: Database, run_id: str) -> None:
    with database.read() as session:
        cells = count_cells(session, run_id, 0, behind=False)
    assert cells == {("add_task", "add_task"): 6, ("unknown", "add_task"): 3}


def test_only_the_owner_adds_results_and_ends_a_run(database: Database, ada: User) -> None:
    run_id = begin(database, ada)
    assert not add(database, run_id, 0, [scored(0)], owner="another")
    with database.write() as session:
        finish_run(session, run_id, "another", "failed")
        assert not say_alive(session, run_id, "another")
        run = find_run(session, ada.id, run_id)
        assert run
        assert (run.status, run.done) == ("running", 0)
        claimed = claim_run(session, ada.id, run_id, "another")
        assert claimed
        assert say_alive(session, run_id, "another")
    assert not add(database, run_id, 0, [scored(0)])
    assert add(database, run_id, 0, [scored(0)], owner="another")
    with database.write() as session:
        finish_run(session, run_id, "another", "done")
        run = find_run(session, ada.id, run_id)
        assert run
        assert (run.status, run.done, run.finished_at is not None) == ("done", 1, True)


def test_a_run_is_interrupted_when_its_owner_has_been_silent(database: Database, ada: User) -> None:
    run_id = begin(database, ada)
    now = datetime.now(UTC)
    with database.read() as session:
        run = find_run(session, ada.id, run_id)
    assert run
    assert not is_interrupted(run, now)
    assert is_interrupted(run, now + SILENCE + timedelta(seconds=5))
    with database.write() as session:
        finish_run(session, run_id, "me", "done")
        ended = find_run(session, ada.id, run_id)
    assert ended
    assert not is_interrupted(ended, now + timedelta(days=1))


@pytest.mark.sqlite_only
def test_one_run_is_the_baseline_and_it_outlives_the_oldest(database: Database, ada: User) -> None:
    first = begin(database, ada, "First")
    with database.write() as session:
        finish_run(session, first, "me", "done")
        mark_baseline(session, ada.id, first, is_baseline=True)
    for place in range(KEPT_RUNS + 1):
        later = begin(database, ada, f"Run {place}")
        with database.write() as session:
            finish_run(session, later, "me", "done")
    with database.write() as session:
        names = [run.name for run in list_runs(session, ada.id)]
        assert "First" in names
        assert "Run 0" not in names
        assert len(names) == KEPT_RUNS + 1
        mark_baseline(session, ada.id, later, is_baseline=True)
        assert [run.id for run in list_runs(session, ada.id) if run.is_baseline] == [later]


def test_a_removed_run_takes_its_results_and_an_unused_set_along(database: Database, ada: User, run_id: str) -> None:
    other = begin(database, ada, "Other")
    with database.write() as session:
        rename_run(session, ada.id, other, "  A   better name ")
        assert remove_run(session, ada.id, run_id)
        (left,) = list_runs(session, ada.id)
        assert (left.name, len(load_kept_cases(session, left.set_id))) == ("A better name", 9)
        assert load_scored(session, run_id, 0) == ()
        assert remove_run(session, ada.id, other)
        assert load_kept_cases(session, left.set_id) == ()


def test_a_label_is_settled_once_changed_and_taken_back(database: Database, ada: User, bob: User) -> None:
    with database.write() as session:
        settle_label(session, ada.id, key_of(1), "wrong", text="message 1", note="both list")
        settle_label(session, ada.id, key_of(2), "unsure", text="message 2")
        settle_label(session, ada.id, key_of(1), "right", text="message 1")
        assert [(each.key, each.verdict) for each in list_settled(session, ada.id)] == [
            (key_of(1), "right"), (key_of(2), "unsure"),
        ]  # fmt: skip
        assert [each.key for each in list_settled(session, ada.id, [key_of(2)])] == [key_of(2)]
        assert list_settled(session, bob.id) == ()
        assert unsettle_label(session, ada.id, key_of(1))
        assert not unsettle_label(session, bob.id, key_of(2))
        assert [each.key for each in list_settled(session, ada.id)] == [key_of(2)]
