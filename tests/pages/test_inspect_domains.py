"""Inspect of a message that is not about tasks: by its own domain's decider, in its own context."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from assistant import Assistant, Lanes
from db.connection import Database
from db.evaluation.cases import list_cases
from db.items.examples import load_examples
from db.turns.conversations import start_conversation
from db.turns.turns import find_turn, read_decisions
from domains.deciders import make_decider
from domains.loading import load_domain
from engine.border.json_form import to_json
from engine.explaining.anatomy import dissect
from evals.cases import load_cases
from evals.runner import run_cases
from tests.pages.test_inspect import button, html, open_page, words
from tests.pages.test_tasks import here, person
from ui.given.message import make_context
from ui.given.recorded import find_turn_input
from ui.inspect.saved import _export


def say(workbench: Database, domain: str, *texts: str) -> str:
    """Maya says it on the domain's page; the id of the last turn."""
    maya = person(workbench)
    with workbench.write() as session:
        conversation = start_conversation(session, maya.id, domain=domain)
    assistant = Assistant(workbench, maya, here, load_domain(domain))
    lanes = Lanes(make_decider(load_domain(domain)))
    return [assistant.run_turn(conversation, text, "engine", lanes) for text in texts][-1]


def domain_of(page: AppTest) -> str:
    return str(next(each for each in page.selectbox if each.label == "Domain").value)


def told(page: AppTest) -> str:
    return html(page) + words(page)


def test_a_typed_machine_message_is_read_by_the_machines(workbench: Database) -> None:
    page = open_page(domain="machines", text="turn on the light of Frigo Cucina")
    assert domain_of(page) == "machines"
    assert "Will command “Frigo Cucina” (machine command turn on light)" in html(page)
    assert "asks for the action “turn on”" in html(page)
    assert "en/intents/run_command.yaml line" in html(page)
    for step in ("What the words say", "Which intent", "Which machine", "How sure", "What would flip it"):
        assert step in words(page)
    assert "if “Frigo Cucina” were gone" in words(page)
    assert "named in full" in html(page)
    assert "**Command a machine** has all it needs" in words(page)


def test_a_question_shows_the_machines_that_are_in_the_running(workbench: Database) -> None:
    page = open_page(domain="machines", text="Accendi la luce del frigo")
    assert "has to ask first" in html(page)
    assert "undecided" in words(page)
    assert "is not complete" in words(page)


def test_a_link_to_a_machine_turn_decides_it_as_it_was_decided(workbench: Database) -> None:
    maya = person(workbench)
    turn_id = say(workbench, "machines", "Accendi la luce del frigo", "Frigo Cucina", "spegnila")
    given = find_turn_input(maya, turn_id)
    assert given
    assert given.domain == "machines"
    with workbench.read() as session:
        recorded = read_decisions(session, maya.id, [turn_id])[turn_id]["engine"]
        turn = find_turn(session, maya.id, turn_id)
    assert turn
    decider = load_domain("machines").conduct
    assert decider
    context = make_context(given.context_wire, "machines")
    again = to_json(dissect(given.text, context, make_decider(load_domain("machines"))).decision)  # type: ignore[arg-type]
    assert {**again, "elapsed_ms": None} == {**recorded, "elapsed_ms": None}
    page = open_page(turn=turn_id)
    assert domain_of(page) == "machines"
    assert "Frigo Cucina" in html(page)
    assert "as it was in that turn" in words(page)
    assert "without the conversation before it" in words(page)
    told = "\n".join([words(page), *(each.value for each in page.info)])
    assert "the policy was edited" not in told, "nobody edited it since"


def test_another_domain_leaves_the_turn_and_reads_the_words_anew(workbench: Database) -> None:
    page = open_page(turn=say(workbench, "machines", "list my machines"))
    next(each for each in page.selectbox if each.label == "Domain").set_value("tasks").run()
    assert "turn" not in page.query_params
    assert "Which task" in words(page)


def test_the_machines_can_be_edited_as_json_and_a_mistake_is_told(workbench: Database) -> None:
    page = open_page(domain="machines", text="Accendi la luce del frigo")
    area = next(each for each in page.text_area if each.label == "Machines (JSON)")
    machines = json.loads(str(area.value))["machines"]
    one = [machine for machine in machines if machine["name"] == "Frigo Cucina"]
    area.set_value(json.dumps({"machines": one})).run()
    assert "Will command “Frigo Cucina”" in html(page)
    next(each for each in page.text_area if each.label == "Machines (JSON)").set_value("{").run()
    assert "not valid JSON" in page.error[0].value
    assert "Will command “Frigo Cucina”" in html(page), "the last good value counts"


def test_a_wrong_machine_message_becomes_a_case_that_runs(
    workbench: Database, tmp_path_factory: pytest.TempPathFactory
) -> None:
    maya = person(workbench)
    page = open_page(domain="machines", text="Accendi la luce del frigo")
    button(page, "This is wrong…").click().run()
    page.get("button_group")[0].set_value("read_metrics").run()
    button(page, "Save case").click().run()
    with workbench.read() as session:
        (case,) = list_cases(session, maya.id, domain="machines")
        assert list_cases(session, maya.id, domain="tasks") == ()
    assert (case.domain, case.expected["intent"]) == ("machines", "read_metrics")
    path = tmp_path_factory.mktemp("saved") / "saved.yaml"
    path.write_text(_export(maya, "machines"), encoding="utf-8")
    (result,) = run_cases(make_decider(load_domain("machines")), load_cases(path))
    assert result.problems == ("intent: run_command, expected read_metrics",)
    page = open_page()
    assert "Saved cases (0)" in words(page)


@pytest.mark.usefixtures("parcels")
def test_a_parcel_message_is_read_by_the_parcels(workbench: Database) -> None:
    load_examples(workbench, person(workbench), load_domain("parcels"))
    page = open_page(domain="parcels", text="send the shoes to my office in Leeds")
    assert "Will redirect #2 “Running shoes” (address my office in Leeds)" in html(page)
    assert "Which parcel" in words(page)
    assert "“Running shoes” were gone" in words(page)
    turn_id = say(workbench, "parcels", "where are the garden chairs?")
    page = open_page(turn=turn_id)
    assert domain_of(page) == "parcels"
    assert "Will track #1 “Garden chairs”" in html(page)
