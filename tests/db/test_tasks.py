"""The task service: filters, order, paging and search."""

from __future__ import annotations

import pytest

from db.connection import Database
from db.failures import ToolFailure
from db.tasks.listing import ORDERS, TaskQuery
from db.tasks.service import Clock, TaskService
from db.users import User

pytestmark = pytest.mark.both_databases

TASKS = [
    # title, priority, due, status
    ("Pay rent", "high", "2026-03-03", "pending"),
    ("Call mom", "low", "2026-03-04T09:00", "pending"),
    ("Stand-up notes", "medium", "2026-03-04T18:00", "pending"),
    ("Send report", "medium", "2026-03-04", "pending"),
    ("Dentist", "medium", "2026-03-05", "pending"),
    ("Team lunch", "low", "2026-03-08", "pending"),
    ("Taxes", "high", "2026-03-09", "pending"),
    ("Someday", "low", None, "pending"),
    ("Old thing", "high", "2026-03-01", "completed"),
]


@pytest.fixture
def stocked(service: TaskService) -> TaskService:
    for title, priority, due, status in TASKS:
        service.create(title, priority=priority, due_date=due, status=status)
    return service


def titles(service: TaskService, **query: object) -> list[str]:
    return [task.title for task in service.find_all(TaskQuery(**query))]  # type: ignore[arg-type]


def test_overdue_is_pending_and_past_its_day_or_its_hour(stocked: TaskService) -> None:
    assert titles(stocked, filter="overdue") == ["Pay rent", "Call mom"]


@pytest.mark.parametrize(
    ("due", "expected"),
    [
        ("today", ["Call mom", "Stand-up notes", "Send report"]),
        ("tomorrow", ["Dentist"]),
        ("2026-03-09", ["Taxes"]),
    ],
)
def test_due_takes_words_and_days(stocked: TaskService, due: str, expected: list[str]) -> None:
    assert titles(stocked, due=due) == expected


def test_this_week_runs_from_monday_to_sunday(stocked: TaskService) -> None:
    found = titles(stocked, due="this_week")
    assert "Team lunch" in found
    assert "Taxes" not in found


def test_a_stretch_of_days_and_no_date_at_all(stocked: TaskService) -> None:
    days = {str(task.due_date)[:10] for task in stocked.find_all(TaskQuery()) if task.due_date}
    first, last = min(days), max(days)
    within = stocked.find_all(TaskQuery(due=f"{first}/{last}"))
    assert within
    assert all(task.due_date for task in within)
    undated = stocked.find_all(TaskQuery(due="none"))
    assert undated
    assert not any(task.due_date for task in undated)
    assert len(within) + len(undated) == len(stocked.find_all(TaskQuery()))
    with pytest.raises(ToolFailure, match="is not a date"):
        stocked.find_all(TaskQuery(due="2026-03-01/soon"))


@pytest.mark.parametrize(
    ("due", "expected"),
    [
        ("today", ["Old thing", "Someday"]),  # finished today, whenever they were due
        ("2026-03-01", ["Old thing"]),
        ("tomorrow", []),
        ("../2026-03-03", ["Old thing"]),
        ("2026-03-04/..", ["Old thing", "Someday"]),
    ],
)
def test_of_completed_tasks_a_day_is_the_one_they_were_due_or_finished_on(
    stocked: TaskService, due: str, expected: list[str]
) -> None:
    stocked.complete(stocked.find_all(TaskQuery(search="Someday"))[0].id)
    assert titles(stocked, filter="completed", due=due) == expected
    assert "Someday" not in titles(stocked, due=due)


def test_filters_add_up(stocked: TaskService) -> None:
    assert titles(stocked, filter="pending", priority="high", due="2026-03-09") == ["Taxes"]
    assert titles(stocked, filter="completed") == ["Old thing"]


def test_by_due_date_the_undated_and_the_done_come_last(stocked: TaskService) -> None:
    found = titles(stocked)
    assert found[0] == "Pay rent"
    assert found[-2:] == ["Someday", "Old thing"]


def test_pages_show_every_task_once_in_every_order(stocked: TaskService) -> None:
    for _ in range(20):
        stocked.create("Same title")
    for order in ORDERS:
        for descending in (False, True):
            query = TaskQuery(order=order, descending=descending)
            pages = [
                stocked.find_all(TaskQuery(order=order, descending=descending, limit=7, offset=offset))
                for offset in range(0, 35, 7)
            ]
            paged = [task.number for page in pages for task in page]
            assert paged == [task.number for task in stocked.find_all(query)]
            assert sorted(paged) == list(range(1, 30))


def test_count_ignores_the_page(stocked: TaskService) -> None:
    assert stocked.count(TaskQuery(limit=2, offset=3)) == len(TASKS)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("report", {"Send the quarterly report", "Reporter's notebook"}),
        ("REPORT send", {"Send the quarterly report"}),
        ("port", {"Send the quarterly report", "Reporter's notebook"}),
        ("resume", {"Résumé überarbeiten"}),
        ("uber", {"Résumé überarbeiten"}),
        ("café", {"Buy beans"}),
        ("牛奶", {"买牛奶和面包"}),
        ("奶", {"买牛奶和面包"}),
        ("🎂", {"🎂"}),
        ("100%", {"Reach 100% coverage"}),
        ("_", {"rename snake_case"}),
        ("nothing like it", set()),
        ("report xyzzy", set()),
        ('"', set()),
        ("NEAR(", set()),
        ("a*", {"买牛奶和面包"}),
    ],
)
def test_search_finds_all_words_anywhere_in_title_or_description(
    service: TaskService, words: str, expected: set[str]
) -> None:
    service.create("Send the quarterly report")
    service.create("Reporter's notebook")
    service.create("Résumé überarbeiten")
    service.create("Buy beans", description="For the Café")
    service.create("买牛奶和面包", description="a note")
    service.create("🎂")
    service.create("Reach 100% coverage")
    service.create("rename snake_case")
    found = {task.title for task in service.find_all(TaskQuery(search=words))}
    assert expected <= found if words in ("a*", "_", "100%") else found == expected


def test_search_follows_changes_and_deletions(service: TaskService) -> None:
    task = service.create("Buy milk")
    service.update(task.id, title="Buy tea")
    assert service.find_all(TaskQuery(search="milk")) == ()
    assert [found.title for found in service.find_all(TaskQuery(search="tea"))] == ["Buy tea"]
    service.delete(task.id)
    assert service.find_all(TaskQuery(search="tea")) == ()


def test_a_word_inside_very_many_words_is_still_found(service: TaskService) -> None:
    for index in range(100):
        service.create(f"cart{index:03}x")
    wanted = service.create("art class")
    assert wanted in service.find_all(TaskQuery(search="art"))
    assert len(service.find_all(TaskQuery(search="art"))) == 101
    assert len(service.search_by_title("art", limit=200)) == 101


def test_candidates_put_the_same_title_before_a_title_that_contains_it(service: TaskService) -> None:
    service.create("Dentist")
    service.create("Call the dentist office")
    assert [task.title for task in service.candidates("dentist", 5)] == ["Dentist", "Call the dentist office"]


@pytest.mark.parametrize("mention", ["dentst", "the office of the dentist", "call dentist", "cal the dentits ofice"])
def test_candidates_survive_typos_and_another_order(service: TaskService, mention: str) -> None:
    service.create("Water the plants")
    wanted = service.create("Call the dentist office")
    assert service.candidates(mention, 3)[0] == wanted


MENTIONS = (
    "dentist", "Dentist", "dentits", "the dentist office", "call dentist", "cal the dentits ofice", "rent", "ren",
    "pay the rent", "🎂", "Stand-up notes", "notes", "quartz", "nothing of the kind", "", "old things", "Team  Lunch",
)  # fmt: skip


def test_who_remembers_words_while_reading_finds_the_same_as_who_asks_anew(
    stocked: TaskService, database: Database, ada: User, clock: Clock
) -> None:
    for title in ("Call the dentist office", "🎂", "pay RENT"):
        stocked.create(title)
    anew = {mention: stocked.candidates(mention, 4) for mention in MENTIONS}
    stocked._session.commit()
    with database.read() as session:
        reading = TaskService(session, ada, clock, remembers=True)
        again = [{mention: reading.candidates(mention, 4) for mention in MENTIONS} for _ in range(2)]
    assert [bool(anew[mention]) for mention in ("Dentist", "🎂", "dentits", "quartz")] == [True, True, True, False]
    assert again == [anew, anew]


def test_recent_tasks_are_those_touched_last(service: TaskService) -> None:
    first, second = service.create("First"), service.create("Second")
    assert service.recent(1) == (second,)
    assert service.find_by_number(first.number) == first
    assert service.find_many([second.id, "gone", first.id]) == (second, first)


def test_numbers_are_never_given_twice(service: TaskService) -> None:
    service.delete(service.create("First").id)
    assert service.create("Second").number == 2


def test_completed_time_follows_the_status(service: TaskService) -> None:
    task = service.create("x")
    assert service.complete(task.id).completed_at is not None
    assert service.reopen(task.id).completed_at is None


@pytest.mark.parametrize("query", [{"filter": "none"}, {"priority": "top"}, {"due": "later"}, {"order": "luck"}])
def test_an_unknown_condition_is_refused(service: TaskService, query: dict[str, str]) -> None:
    with pytest.raises(ToolFailure):
        service.find_all(TaskQuery(**query))  # type: ignore[arg-type]
