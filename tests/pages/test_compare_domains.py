"""Compare with messages that are not about tasks."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from db.connection import Database
from db.evaluation.comparisons import Comparison, find_lines, list_comparisons
from db.items.examples import load_examples
from domains.loading import load_domain
from evals.line_files import read_lines
from tests.pages.opening import open_at
from tests.pages.test_tasks import person
from ui import background
from ui.compare.results import inspect_link


def compare(workbench: Database, domain: str, text: str) -> tuple[AppTest, Comparison]:
    page = open_at("compare", {"domain": domain})
    page.text_area(key="compare_text").set_value(text).run()
    next(each for each in page.button if each.label.startswith("Compare ")).click().run()
    for work in background.threads():
        work.join(30)
    page.run()
    assert not page.exception, page.exception
    with workbench.read() as session:
        return page, list_comparisons(session, person(workbench).id)[0]


def test_machine_messages_are_decided_by_the_machines_on_the_persons_own(workbench: Database) -> None:
    page, run = compare(workbench, "machines", "turn on the light of Frigo Cucina\nAccendi la luce del frigo")
    assert (run.domain, run.deciders) == ("machines", ("Engine",))
    with workbench.read() as session:
        first, second = find_lines(session, run.id)
    assert (first.intent, first.answers[0]["action"]) == ("run_command", "execute")
    assert second.answers[0]["action"] == "clarify"
    assert "machines" in page.selectbox(key="run").options[0]
    link = parse_qs(urlsplit(inspect_link(person(workbench), run, first)).query)
    assert link["domain"] == ["machines"]


def test_the_baseline_and_policies_are_for_tasks_only(workbench: Database) -> None:
    page = open_at("compare", {})
    assert "Baseline" in page.multiselect(key="compare_deciders").options
    page.selectbox(key="domain").set_value("machines").run()
    assert "Baseline" not in page.multiselect(key="compare_deciders").options
    assert page.multiselect(key="compare_deciders").value == ["engine"]
    assert "machines" in page.query_params["domain"]


def test_a_line_may_bring_its_own_machines() -> None:
    machine = {"id": "o1", "name": "Oven", "commands": ["turn_on_light"]}
    good = json.dumps({"text": "turn on the light", "machines": [machine], "answers": {}})
    lines = read_lines(f"{good}\n" + json.dumps({"text": "hello", "machines": [{"id": "x"}]}), "jsonl", "machines")
    assert [line.context for line in lines.found] == [{"machines": [machine]}]
    assert "line 2" in lines.problems[0]


@pytest.mark.usefixtures("parcels")
def test_parcel_messages_are_decided_by_the_parcels(workbench: Database) -> None:
    load_examples(workbench, person(workbench), load_domain("parcels"))
    _, run = compare(workbench, "parcels", "where are the garden chairs?")
    with workbench.read() as session:
        (line,) = find_lines(session, run.id)
    assert (run.domain, line.intent, line.answers[0]["action"]) == ("parcels", "track_parcel", "execute")
