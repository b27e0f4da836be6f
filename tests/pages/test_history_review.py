"""The review queue and the charts of the History page: every state, and what their keys and clicks keep."""

from __future__ import annotations

import csv
import io
import json
from datetime import UTC, date, timedelta
from typing import Any

import pytest
from sqlalchemy import text
from streamlit.testing.v1 import AppTest

from db.connection import Database
from db.evaluation.cases import count_cases, list_cases
from db.evaluation.verdicts import read_verdicts, set_verdict
from db.turns.query import TurnQuery
from evals.reviews import context_of_case
from tests.assistant.conftest import calls, says
from tests.pages.test_history import button, checked, converse, html, open_page, words
from tests.pages.test_inspect import open_page as open_inspect
from tests.pages.test_tasks import here, person
from ui.given.recorded import find_turn_input
from ui.history.export import export_csv, export_jsonl
from ui.inspect.draft import draft_of, read_draft

TEXTS = ("show my tasks", "who am i", "mark the passport task as done")


@pytest.fixture
def turns(workbench: Database) -> list[str]:
    """Three turns: the lanes differ on the first and the last, and agree on the second."""
    return [
        *converse(workbench, TEXTS[:1], calls("list_tasks", filter="overdue")),
        *converse(workbench, TEXTS[1:2], calls("get_user_info")),
        *converse(workbench, TEXTS[2:], says("Which one?")),
    ]


def place_at_noon(workbench: Database, turns: list[str]) -> date:
    """Puts turns to a noon of the past, and says of which day: "today" is another day when midnight passes."""
    noon = (here() - timedelta(days=2)).replace(hour=12, minute=0, second=0, microsecond=0)
    move = text("UPDATE turns SET created_at = :noon WHERE id = :id")
    with workbench.write() as session:
        for turn in turns:
            at = f"{noon.astimezone(UTC):%Y-%m-%d %H:%M:%S.%f}"
            session.connection().execute(move, {"noon": at, "id": turn})
    return noon.date()


def review(**address: str) -> AppTest:
    return open_page(view="review", **address)


def press(page: AppTest, *keys: str) -> AppTest:
    """By the button that has the key: AppTest has no keyboard."""
    for key in keys:
        next(each for each in page.button if each.proto.shortcut.lower() == key.lower()).click()
        checked(page.run())
    return page


def progress(page: AppTest) -> str:
    (bar,) = page.get("progress")
    return str(bar.proto.text)


def verdicts(database: Database, handle: str = "maya") -> dict[str, dict[str, str]]:
    user = person(database, handle)
    with database.read() as session:
        ids = [row[0] for row in session.connection().execute(text("SELECT id FROM turns"))]
        return {key: dict(value) for key, value in read_verdicts(session, user.id, ids).items()}


def cases(database: Database) -> list[Any]:
    with database.read() as session:
        return [(case.text, case.expected["intent"]) for case in list_cases(session, person(database).id)]


def test_the_queue_begins_with_the_newest_disagreement(workbench: Database, turns: list[str]) -> None:
    page = review()
    assert f'id="turn-{turns[2]}"' in html(page)
    assert html(page).count('class="tl-said"') == 1
    assert progress(page) == "0 of 2 reviewed"
    assert "tasks, nothing said before, no question waits" in html(page)
    assert "Undo" in [each.label for each in page.button if each.disabled]


def test_a_verdict_on_both_lanes_moves_on_and_makes_the_case(workbench: Database, turns: list[str]) -> None:
    page = press(review(), "1")
    assert f'id="turn-{turns[2]}"' in html(page)
    assert "Kept as a case" in words(page).replace("\\", "")
    page = press(page, "5")
    assert f'id="turn-{turns[0]}"' in html(page)
    assert progress(page) == "1 of 2 reviewed"
    assert verdicts(workbench) == {turns[2]: {"engine": "right", "llm": "wrong"}}
    assert cases(workbench) == [(TEXTS[2], "complete_task")]


def test_the_queue_ends_where_nothing_is_left(workbench: Database, turns: list[str]) -> None:
    page = press(review(), "1", "5", "3", "6")
    assert "No disagreements left" in words(page)
    assert progress(page) == "2 of 2 reviewed"
    assert "at" not in page.query_params
    page = press(page, "u")
    assert f'id="turn-{turns[0]}"' in html(page)
    assert "LLM has no verdict" in words(page)


def test_undo_takes_the_verdict_and_its_case_back(workbench: Database, turns: list[str]) -> None:
    page = press(review(), "1", "5", "u", "u")
    assert verdicts(workbench) == {}
    assert cases(workbench) == []
    assert f'id="turn-{turns[2]}"' in html(page)
    assert button(page, "Undo").disabled


def test_what_was_reviewed_is_listed_again_and_can_be_changed(workbench: Database, turns: list[str]) -> None:
    press(review(), "1", "5", "3", "6")
    page = review(state="done")
    assert f'id="turn-{turns[2]}"' in html(page)
    page = press(page, "n")
    assert f'id="turn-{turns[0]}"' in html(page)
    page = press(page, "p", "2")
    assert f'id="turn-{turns[2]}"' in html(page)  # a change stays where it is
    assert verdicts(workbench)[turns[2]] == {"engine": "wrong", "llm": "wrong"}
    assert cases(workbench) == []


def test_both_wrong_leads_to_the_form_on_inspect(workbench: Database, turns: list[str]) -> None:
    page = press(review(), "2", "5")
    assert "No lane is right" in words(page)
    (link,) = [each for each in page.get("link_button") if "Inspect" in each.proto.label]
    assert link.proto.url == f"/inspect?turn={turns[2]}&user=maya&wrong=1"
    inspect = open_inspect(turn=turns[2], wrong="1")
    assert inspect.pills(key="wrong_intent")
    assert "wrong" not in inspect.query_params
    assert not open_inspect(turn=turns[2]).pills


def test_next_and_previous_leave_no_verdict(workbench: Database, turns: list[str]) -> None:
    page = press(review(), "n")
    assert f'id="turn-{turns[0]}"' in html(page)
    assert page.query_params["at"] == turns[0]
    assert button(page, "Next").disabled
    assert f'id="turn-{turns[2]}"' in html(press(page, "p"))
    assert verdicts(workbench) == {}


def test_the_queue_takes_other_turns_too(workbench: Database, turns: list[str]) -> None:
    page = review(queue="all", q="who")
    assert f'id="turn-{turns[1]}"' in html(page)
    assert progress(page) == "0 of 1 reviewed"
    assert "Nothing left to review" in words(press(page, "1", "4"))
    assert cases(workbench) == [(TEXTS[1], "identity_query")]  # both say the same, so it is one
    assert "Nothing fits" in words(review(q="nowhere"))


def test_a_turn_of_the_engine_alone_needs_one_verdict(workbench: Database) -> None:
    converse(workbench, TEXTS[:1])
    assert "No disagreements" in words(review())
    page = review(queue="all")
    assert [each.proto.shortcut for each in page.button if each.proto.shortcut.isdigit()] == ["1", "2", "3"]
    assert progress(press(page, "3")) == "1 of 1 reviewed"


def test_a_broken_call_cannot_be_right(workbench: Database) -> None:
    converse(workbench, TEXTS[:1], calls("list_tasks", filter="sideways"))
    page = review()
    assert page.button(key="judge-llm-right").disabled
    assert not page.button(key="judge-llm-wrong").disabled


def test_nobody_reviews_anothers_turns(workbench: Database, turns: list[str]) -> None:
    page = review(at=turns[2], user="jonas")
    assert turns[2] not in html(page)
    press(review(), "1")
    assert verdicts(workbench, "jonas") == {}


def test_the_case_of_a_verdict_has_the_context_that_inspect_would_save(workbench: Database, turns: list[str]) -> None:
    given = find_turn_input(person(workbench), turns[2])
    assert given
    assert read_draft(draft_of(given.context_wire), {})[0] == context_of_case(given.context_wire)
    hello = converse(workbench, ("hello",))
    given = find_turn_input(person(workbench), hello[0])
    assert given
    assert read_draft(draft_of(given.context_wire), {})[0] == context_of_case(given.context_wire)


def test_verdicts_filter_the_list_and_stand_in_it_and_in_the_exports(workbench: Database, turns: list[str]) -> None:
    press(review(), "1", "5")
    page = open_page(verdict="engine-right")
    assert html(page).count('class="tl-card"') == 1
    assert "✓ Engine right · ✗ LLM wrong" in html(page)
    assert f"/history?view=review&amp;at={turns[2]}&amp;user=maya" in html(page)
    button(page, "Engine right").click()
    assert html(checked(page.run())).count('class="tl-card"') == 3
    assert html(open_page(verdict="unreviewed")).count('class="tl-card"') == 2
    maya = person(workbench)
    rows = list(csv.DictReader(io.StringIO(export_csv(maya, TurnQuery()).decode("utf-8-sig"))))
    assert [(row["engine_verdict"], row["llm_verdict"]) for row in rows] == [("right", "wrong"), ("", ""), ("", "")]
    lines = [json.loads(line)["verdicts"] for line in export_jsonl(maya, TurnQuery()).splitlines()]
    assert lines == [{"engine": "right", "llm": "wrong"}, {}, {}]


def test_filters_that_are_set_are_shown_and_can_be_taken_off(workbench: Database, turns: list[str]) -> None:
    page = open_page(intent="identity_query", decider="engine")
    assert html(page).count('class="tl-card"') == 1
    button(page, "Who am I").click()
    page = checked(page.run())
    assert html(page).count('class="tl-card"') == 3
    assert page.query_params.get("intent") is None
    assert page.query_params["decider"] == "engine"


@pytest.mark.parametrize("chart", ["volume", "agreement", "confidence", "latency"])
def test_each_chart_is_drawn_and_says_what_it_shows(workbench: Database, turns: list[str], chart: str) -> None:
    page = open_page(chart=chart)
    assert len(page.get("plotly_chart")) == 1
    said = {
        "volume": "**3 turns**",
        "agreement": "**The lanes agree on 33%** of 3 compared turns",
        "confidence": "the LLM states no confidence",
        "latency": "How quick, by the median of each hour",
    }
    assert said[chart] in words(page)


def test_a_hidden_chart_is_not_counted(workbench: Database, turns: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.history.charts.count_over_time", lambda *_: pytest.fail("nothing to count"))
    page = open_page(chart="none")
    assert not page.get("plotly_chart")


def test_a_stretch_of_time_in_the_address_narrows_the_list_and_can_be_taken_off(
    workbench: Database, turns: list[str]
) -> None:
    day = place_at_noon(workbench, turns[:1])
    page = open_page(period=f"{day}T00:00~{day + timedelta(days=1)}T00:00")
    assert html(page).count('class="tl-card"') == 1
    assert "**3 turns**" in words(page)  # the chart still shows all of them
    button(page, f"{day:%a %-d %b %Y}").click()
    page = checked(page.run())
    assert html(page).count('class="tl-card"') == 3
    assert "period" not in page.query_params
    assert html(open_page(period="nonsense")).count('class="tl-card"') == 3


def test_days_of_ones_choice_are_kept_in_the_address(workbench: Database, turns: list[str]) -> None:
    day = place_at_noon(workbench, turns)
    page = open_page(span="days", days=f"{day}~{day}")
    assert page.date_input(key="days").value == (day, day)
    assert html(page).count('class="tl-card"') == 3
    past = day - timedelta(days=9)
    assert "Nothing fits" in words(open_page(span="days", days=f"{past}~{past}"))


def test_a_verdict_of_an_earlier_session_is_seen(workbench: Database, turns: list[str]) -> None:
    maya = person(workbench)
    with workbench.write() as session:
        set_verdict(session, maya.id, turns[2], "engine", "unsure")
    page = review()
    assert page.button(key="judge-engine-unsure").proto.type == "primary"
    with workbench.read() as session:
        assert count_cases(session, maya.id) == 0
