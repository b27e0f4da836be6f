"""Import and export: formulas neutralised, bad rows reported by their line, nothing else lost."""

from __future__ import annotations

import csv
import io
import json

import pytest

from db.audit import Origin, find_redoable, find_undoable
from db.connection import Database
from db.executor import Executor
from db.failures import ToolFailure
from db.tasks.bulk import import_tasks
from db.tasks.export import export_csv, export_json
from db.tasks.importing import MOST_BYTES, MOST_ROWS, read_import
from db.tasks.listing import TaskQuery
from db.tasks.service import Clock, TaskService
from db.users import User
from engine.values import Task
from tests.conftest import Call

pytestmark = pytest.mark.both_databases

FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    '=HYPERLINK("http://x","y")',
    "  =cmd|' /C calc'!A0",
    "\uff1d1+1",
    "\uff0b1",
    "\uff0d1",
    "\uff20SUM(A1)",
]


def all_tasks(database: Database, user: User, clock: Clock) -> tuple[Task, ...]:
    with database.read() as session:
        return TaskService(session, user, clock).find_all(TaskQuery(order="number"))


def plain(task: Task) -> tuple[object, ...]:
    return task.title, task.description, task.priority, task.status, task.due_date


@pytest.mark.parametrize("title", FORMULAS)
def test_a_spreadsheet_runs_no_cell_of_an_export(title: str) -> None:
    exported = export_csv([Task("id", 1, title.strip(), description=title)]).decode("utf-8-sig")
    row = next(csv.DictReader(io.StringIO(exported)))
    assert row["title"] == "'" + title.strip()
    assert row["description"] == "'" + title


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_what_is_exported_can_be_imported_again(
    database: Database, ada: User, bob: User, clock: Clock, call: Call, ending: str
) -> None:
    for title in [
        *FORMULAS,
        "'quoted",
        "'=x",
        "''=x",
        "' =x",
        "'\uff1dx",
        "'",
        "''",
        "'-",
        "-'-",
        'with "quotes", commas; and\ttabs',
        "東京 🎂",
    ]:
        call("add_task", title=title, description="two\nlines, one; two", priority="high", due_date="2026-03-09T18:30")
    call("complete_task", task_identifier="#1")
    tasks = all_tasks(database, ada, clock)
    content = {"csv": export_csv, "json": export_json}[ending](tasks)
    plan = read_import(content, f"tasks.{ending}")
    assert plan.problems == ()
    report = import_tasks(database, bob, plan.rows, clock)
    assert report.added == len(tasks)
    assert [plain(task) for task in all_tasks(database, bob, clock)] == [plain(task) for task in tasks]


def test_tasks_that_are_still_there_are_not_added_twice(
    database: Database, ada: User, clock: Clock, call: Call
) -> None:
    call("add_task", title="One")
    call("add_task", title="Two")
    exported = export_json(all_tasks(database, ada, clock))
    call("delete_task", task_identifier="One")
    report = import_tasks(database, ada, read_import(exported, "x.json").rows, clock)
    assert (report.added, report.already_there) == (1, 1)
    assert sorted(task.title for task in all_tasks(database, ada, clock)) == ["One", "Two"]


def test_a_bad_row_is_reported_by_its_line_and_the_others_are_kept() -> None:
    content = (
        "title,priority,due_date,status\n"
        "Good,high,2026-03-09,pending\n"
        ",high,,\n"
        '"Two\nlines",low,,\n'
        "Bad priority,urgent,,\n"
        "\n"
        f"{'x' * 201},low,,\n"
        "Bad date,low,31/02/2026,\n"
        "Too,many,cells,in,this,row\n"
        "Also good,,,completed\n"
    )
    plan = read_import(content.encode(), "tasks.csv")
    assert [(row.line, row.title) for row in plan.rows] == [(2, "Good"), (4, "Two lines"), (11, "Also good")]
    assert [problem.line for problem in plan.problems] == [3, 6, 8, 9, 10]
    assert "low, medium, high" in plan.problems[1].message


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbftitle;description\nBuy milk;two litres\n",
        b"Task\tNotes\nBuy milk\ttwo litres\n",
        b'[{"name": "Buy milk", "notes": "two litres"}]',
        b'{"title": "Buy milk", "description": "two litres"}\n',
    ],
)
def test_files_of_other_programs_are_read(content: bytes) -> None:
    endings = {b"[": "json", b"{": "jsonl"}
    plan = read_import(content, f"list.{endings.get(content[:1], 'csv')}")
    assert [(row.title, row.description) for row in plan.rows] == [("Buy milk", "two litres")]


def test_items_of_a_json_list_are_reported_by_their_line() -> None:
    content = '[\n  {"title": "Good"},\n  "not a task",\n  {"title": 7},\n\n  {"title": "Fine", "priority": null}\n]'
    plan = read_import(content.encode(), "tasks.json")
    assert [(row.line, row.title) for row in plan.rows] == [(2, "Good"), (6, "Fine")]
    assert [problem.line for problem in plan.problems] == [3, 4]


def test_a_broken_line_of_json_lines_costs_only_itself() -> None:
    plan = read_import(b'{"title": "One"}\n{"title": \n{"title": "Three"}\n', "tasks.jsonl")
    assert [row.title for row in plan.rows] == ["One", "Three"]
    assert [problem.line for problem in plan.problems] == [2]


@pytest.mark.parametrize(
    ("content", "name", "words"),
    [
        (b"", "tasks.csv", "empty"),
        (b"  \n ", "tasks.json", "empty"),
        (b"\xff\xfe\x00bad", "tasks.csv", "UTF-8"),
        (b"\x00\x01\x02", "tasks.csv", "not text"),
        (b"a,b\n1,2\n", "tasks.csv", "title"),
        (b'{"title": "x"}', "tasks.json", "list"),
        (b'[{"title": "x"}, {"title": ]', "tasks.json", "Line 1"),
        (b"[" * 100_000, "tasks.json", "not valid JSON"),
        (b"title\nx\n", "tasks.exe", ".csv"),
        (b"x" * (MOST_BYTES + 1), "tasks.csv", "larger"),
        (b'title\n"' + b"x" * 200_000, "tasks.csv", "Line"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(content: bytes, name: str, words: str) -> None:
    with pytest.raises(ToolFailure, match=words):
        read_import(content, name)


def test_one_import_has_an_end() -> None:
    content = "title\n" + "\n".join(f"task {number}" for number in range(MOST_ROWS + 5))
    plan = read_import(content.encode(), "tasks.csv")
    assert len(plan.rows) == MOST_ROWS
    assert len(plan.problems) == 1


@pytest.mark.sqlite_only
def test_an_import_shows_progress_and_is_undone_in_one_go(
    database: Database, ada: User, clock: Clock, executor: Executor
) -> None:
    content = json.dumps([{"title": f"task {number}"} for number in range(450)]).encode()
    shares: list[float] = []
    import_tasks(database, ada, read_import(content, "x.json").rows, clock, shares.append)
    assert shares == sorted(shares)
    assert (len(shares), shares[-1]) == (3, 1.0)
    with database.read() as session:
        change = find_undoable(session, ada.id)
    assert change
    assert change.count == 450
    assert executor.undo(change.audit_id, Origin("person")).payload["count"] == 450
    assert all_tasks(database, ada, clock) == ()


def test_an_import_and_its_undo_take_no_statement_for_each_task(
    database: Database, ada: User, clock: Clock, executor: Executor, statements: list[str]
) -> None:
    """With one or more for each, taking back 5,000 tasks took 22 s; `benchmarks.import_undo` measures it."""

    def count(rows: int) -> list[int]:
        content = json.dumps([{"title": f"task {number}"} for number in range(rows)]).encode()
        taken = []
        statements.clear()
        import_tasks(database, ada, read_import(content, "x.json").rows, clock)
        taken.append(len(statements))
        for find in (find_undoable, find_redoable):
            with database.read() as session:
                change = find(session, ada.id)
            assert change
            statements.clear()
            assert executor.undo(change.audit_id, Origin("person")).payload["count"] == rows
            taken.append(len(statements))
        return taken

    few, many = count(20), count(190)
    assert many == few
