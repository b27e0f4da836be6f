"""A recorded turn is explained by what was in force for it, and Inspect says where today's settings differ."""

from __future__ import annotations

from assistant import Assistant, Lanes
from db.connection import Database
from db.turns.conversations import start_conversation
from domains.deciders import make_engine, make_tuned_engine
from engine.decision import Decider
from engine.outcome.routing import Driver
from tests.pages.test_inspect import html, open_page, words
from tests.pages.test_tasks import here, person


def turn_under(database: Database, engine: Decider, driver: Driver = "engine") -> str:
    maya = person(database)
    with database.write() as session:
        conversation = start_conversation(session, maya.id)
    return Assistant(database, maya, here).run_turn(
        conversation,
        "mark the second one as done" if driver == "engine" else "don't add anything",
        driver,
        Lanes(engine),
    )


def test_a_turn_is_shown_under_its_own_thresholds(workbench: Database) -> None:
    """Decided anew under today's, it would be another decision than the one it explains."""
    turn = turn_under(workbench, make_tuned_engine({"act": 1.0, "read": 0.9}))
    page = open_page(turn=turn)
    assert "1.00" in html(page)
    told = "\n".join(each.value for each in page.info)
    assert "“act by itself from” was 1.00 and is 0.70" in told
    assert "Shown under what was in force for that turn" in told
    page.toggle(key="under_today").set_value(True).run()
    assert not page.exception
    assert "Shown under today's settings" in "\n".join(each.value for each in page.info)


def test_a_turn_under_the_same_settings_says_so(workbench: Database, monkeypatch: object) -> None:
    page = open_page(turn=turn_under(workbench, make_engine()))
    told = "\n".join(each.value for each in page.info)
    assert "was 0.70" not in told
    assert "the LLM lane asked nobody" in told or "nothing that counts was changed" in words(page)


def test_a_turn_says_who_drove_and_by_which_rule(workbench: Database) -> None:
    page = open_page(turn=turn_under(workbench, make_engine(), "router"))
    assert "Who drove: Both, weighed. The engine was sure, so the LLM was not needed." in words(page)
