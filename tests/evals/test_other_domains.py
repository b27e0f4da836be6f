"""`python -m evals --domain …`: a domain that is only a folder, with its own cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from db.evaluation.cases import digest_of
from domains.loading import load_domain
from engine.border.json_form import to_json
from engine.border.wire import read_context
from evals.__main__ import main
from evals.cases import find_cases, load_cases
from evals.deciders import make_decider
from evals.runner import run_cases
from evals.saved_cases import Label, write_case_file
from evals.situation import begin, go_on
from evals.yaml_lines import CaseFileError
from tests.conftest import EXAMPLE_DOMAINS, NOW

pytestmark = pytest.mark.usefixtures("parcels")


def test_the_cases_of_its_own_folder_are_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--domain", "parcels"]) == 0
    printed = capsys.readouterr().out
    assert "== engine: 10 cases, 12 messages" in printed
    assert "failures: 0 known, 0 new" in printed
    assert "redirect_parcel" in printed
    assert "delete_task" not in printed


def test_the_report_speaks_of_its_intents_only(capsys: pytest.CaptureFixture[str]) -> None:
    folder = EXAMPLE_DOMAINS / "parcels" / "cases"
    assert main(["--domain", "parcels", "--cases", str(folder), "--json"]) == 0
    (report,) = json.loads(capsys.readouterr().out)["reports"]
    assert report["reading"]["confusion"]["labels"] == ["list_parcels", "track_parcel", "redirect_parcel", "unknown"]
    assert report["languages"].keys() == {"en"}


def test_a_wrong_case_fails_with_what_was_decided(tmp_path: Path) -> None:
    errors, cases = tmp_path / "errors.jsonl", tmp_path / "wrong.yaml"
    cases.write_text(
        "domain: parcels\ncases:\n"
        "  - {id: wrong, say: 'track the shoes', intent: track_parcel, task: chairs,"
        " tasks: [{key: chairs, title: Garden chairs}, {key: shoes, title: Running shoes}]}\n",
        encoding="utf-8",
    )
    assert main(["--domain", "parcels", "--cases", str(cases), "--errors", str(errors)]) == 0
    (error,) = map(json.loads, errors.read_text(encoding="utf-8").splitlines())
    assert error["problems"] == ["target: Running shoes, expected chairs"]
    assert error["decision"]["intent"] == "track_parcel"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--domain", "machines"], "no cases of the domain machines"),
        (["--domain", "parcels", "--decider", "baseline"], "the baseline knows the tasks only"),
    ],
)
def test_what_there_is_not_is_said(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 2
    assert said in capsys.readouterr().err


def test_a_domain_that_is_not_there_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text("domain: letters\ncases:\n  - {id: a, say: hi, intent: unknown}\n", encoding="utf-8")
    with pytest.raises(CaseFileError, match="no domain called 'letters'"):
        load_cases(path)


def test_a_conversation_goes_on_with_what_was_carried_out() -> None:
    """A list names what it shows, in its state; a change of what the engine never reads changes nothing else."""
    decider = make_decider("engine", domain="parcels")
    case = next(case for case in load_cases(find_cases("parcels"), "parcels") if case.id == "parcels-show-delivered")
    situation = begin(case)
    text = case.turns[0].text
    after = go_on(situation, text, decider.decide(text, situation.context))
    assert after.context.history[-1].tasks == (case.keys["teapot"],)
    text = "send the shoes to Elm Street 5"
    sent = go_on(after, text, decider.decide(text, after.context))
    assert sent.tasks == after.tasks
    assert sent.context.history[-1].tasks == (case.keys["shoes"],)


def test_a_saved_case_says_its_domain_and_is_run_in_it(tmp_path: Path) -> None:
    tasks = [{"id": "a", "number": 1, "title": "Garden chairs", "status": "delivered"}]
    label = Label(
        "track the chairs", {"domain": "parcels", "tasks": tasks}, {"intent": "track_parcel", "task": "a"}, "0" * 8
    )
    path = tmp_path / "saved.yaml"
    path.write_text(write_case_file([label]), encoding="utf-8")
    (case,) = load_cases(path)
    assert (case.domain, case.language, case.tasks[0].status) == ("parcels", "en", "delivered")
    (result,) = run_cases(make_decider("engine", domain="parcels"), [case])
    assert result.passed


MACHINES = [
    {"id": "f1", "name": "Frigo Cucina", "commands": ["turn_on_light"], "metrics": ["temperature"]},
    {"id": "f2", "name": "Frigo Cantina", "commands": ["turn_on_light"], "metrics": ["temperature"]},
]


def machine_label(text: str, expected: dict[str, object], **more: object) -> Label:
    context = {"machines": MACHINES, "now": "2026-03-04T10:00:00", "user": "ada", "domain": "machines", **more}
    return Label(text, context, expected, digest_of(text, context, expected))


def test_a_saved_machine_case_brings_its_machines_and_runs(tmp_path: Path) -> None:
    asked = make_decider("engine", None, "machines")
    labels = [
        machine_label("turn on the light of frigo cucina", {"intent": "run_command", "task": "f1"}),
        machine_label("Accendi la luce del frigo", {"intent": "run_command", "action": "clarify"}),
        machine_label("turn on the light of frigo cantina", {"intent": "run_command", "task": "f1"}),
    ]
    written = write_case_file(labels, "machines")
    assert "--domain machines --cases" in written.partition("\n")[0]
    path = tmp_path / "saved.yaml"
    path.write_text(written, encoding="utf-8")
    first, second, wrong = run_cases(asked, load_cases(path))
    assert (first.problems, second.problems) == ((), ())
    assert wrong.problems == ("target: Frigo Cantina, expected f1",)
    assert begin(first.case).context.tasks.find_by_id("f1")


def test_a_machine_case_keeps_the_conversation_and_the_question(tmp_path: Path) -> None:
    decider = make_decider("engine", None, "machines")
    begun = read_context({"machines": MACHINES}, NOW, load_domain("machines"))
    question = decider.decide("Accendi la luce del frigo", begun).pending
    assert question
    said = [{"role": "user", "content": "Accendi la luce del frigo", "tasks": []}]
    label = machine_label(
        "Frigo Cucina", {"intent": "run_command", "task": "f1"}, pending=to_json(question), history=said
    )
    path = tmp_path / "saved.yaml"
    path.write_text(write_case_file([label], "machines"), encoding="utf-8")
    (result,) = run_cases(decider, load_cases(path))
    assert result.problems == ()
