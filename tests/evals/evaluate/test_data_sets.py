"""Data sets: fingerprints, narrowing, splitting, a user's own files with bad lines by number, saved cases."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from db.connection import Database
from db.evaluation.cases import save_case
from db.users import User
from evals.case import Case, Turn
from evals.conversations.reading import FOLDER
from evals.evaluate.conversing import load_blind_conversations, load_our_conversations
from evals.evaluate.data_sets import CASE, join, make_data_set, narrow, read_case, split_by_tag
from evals.evaluate.own_files import read_own_file
from evals.evaluate.sources import load_our_cases, load_reviewed_turns, load_saved_cases
from tests.rounds import rounds

PASSPORT = {"tasks": [{"id": "a", "number": 3, "title": "Renew passport"}]}


def case(case_id: str, say: str = "add milk", **more: object) -> Case:
    return Case(case_id, (Turn(say, ("add_task",)),), **more)  # type: ignore[arg-type]


def lines(*entries: object) -> str:
    return "\n".join(entry if isinstance(entry, str) else json.dumps(entry) for entry in entries)


def test_the_fingerprint_is_of_what_is_said_and_expected_and_of_nothing_else() -> None:
    first, second = case("a"), case("b", "add bread")
    made = make_data_set("x", [first, second], source="s").fingerprint
    moved = [replace(second, source="f.yaml:9"), replace(first, id="other", tags=("t",))]
    assert make_data_set("y", moved, source="t").fingerprint == made
    relabelled = replace(first, turns=(Turn("add milk", ("list_tasks",)),))
    for changed in (relabelled, replace(first, severity="critical"), replace(first, user="bob")):
        assert make_data_set("x", [changed, second], source="s").fingerprint != made
    assert make_data_set("x", [first], source="s").fingerprint != made


def test_the_same_case_twice_has_two_keys_and_a_fingerprint_of_its_own() -> None:
    twice = make_data_set("x", [case("a"), case("b")], source="s")
    assert [each.key.partition("~")[2] for each in twice.cases] == ["", "2"]
    assert twice.fingerprint != make_data_set("x", [case("a")], source="s").fingerprint


def test_our_cases_come_whole_and_by_language_and_kind() -> None:
    ours = load_our_cases()
    assert len(ours.cases) > 1_000
    assert set(ours.counts["language"]) == {"en", "it"}
    narrowed = narrow(ours, {"language": ["it"], "kind": ["add", "list"]})
    assert 0 < len(narrowed.cases) < len(ours.cases)
    assert {each.slices["language"] for each in narrowed.cases} == {("it",)}
    assert {each.slices["kind"][0] for each in narrowed.cases} == {"add", "list"}
    assert [each.position for each in narrowed.cases] == list(range(len(narrowed.cases)))
    assert narrow(ours, {"language": []}).fingerprint == ours.fingerprint
    some = ours.cases[40]
    assert read_case(some.body[CASE]).id == some.case_id


def test_a_set_is_split_by_its_tags() -> None:
    tagged = [case("a", "one", tags=("x",)), case("b", "two", tags=("x", "y")), case("c", "three")]
    parts = split_by_tag(make_data_set("s", tagged, source="s"))
    assert {tag: [each.case_id for each in part.cases] for tag, part in parts.items()} == {
        "x": ["a", "b"], "y": ["b"], "": ["c"],
    }  # fmt: skip


def test_joined_sets_have_a_case_of_both_once() -> None:
    first, second = (make_data_set("s", cases, source="s") for cases in ([case("a")], [case("b"), case("c", "x")]))
    assert [each.case_id for each in join("both", [first, second]).cases] == ["a", "c"]


def test_conversations_are_a_set_of_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    talks = load_our_conversations()
    assert len(talks.cases) > 15
    assert set(talks.counts["place"]) == {"first", "follow-up"}
    assert {"add_task", "unknown"} <= {each.label for each in talks.cases}
    batches = sorted((FOLDER / "blind").glob("*.yaml"))[:: rounds(8, 1)]
    (tmp_path / "blind").mkdir()
    for batch in batches:
        shutil.copy(batch, tmp_path / "blind")
    monkeypatch.setattr("evals.evaluate.conversing.FOLDER", tmp_path)
    blind = load_blind_conversations()
    assert len(blind.cases) > 40 * len(batches)
    assert set(blind.counts["source"]).isdisjoint(talks.counts["source"])
    assert set(blind.counts["source"]) == {"blind conversations"}
    assert len({each.key for each in blind.cases}) == len(blind.cases)


def test_an_own_file_says_all_that_a_case_can_say() -> None:
    found = read_own_file(
        lines(
            {"text": "add milk", "intent": "add_task", "arguments": {"title": "milk"}, "tags": ["food"], "id": "m"},
            {"text": "passport is done", "tool": "complete_task", "target": "renew passport", "context": PASSPORT},
            {"text": "complete #3", "tool": "complete_task", "arguments": {"task_identifier": "#3"}, **PASSPORT},
            {"text": "nice weather", "tool": None, "severity": "critical"},
        ),
        "mine.jsonl",
    )
    assert found.problems == ()
    milk, title, number, weather = found.cases
    assert (milk.case_id, milk.slices["tag"], milk.slices["source"]) == ("m", ("food",), ("mine.jsonl",))
    assert [read_case(each.body[CASE]).turns[0].task for each in (title, number)] == [("renew-passport",)] * 2
    assert (weather.label, weather.severity) == ("unknown", "critical")


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("{", "not valid JSON"),
        ("[1]", "must be a JSON object"),
        ({"intent": "add_task"}, "there is no text"),
        ({"text": "  ", "intent": "add_task"}, "there is no text"),
        ({"text": "x"}, "neither intent nor tool"),
        ({"text": "x", "intent": "nap"}, "intent must be one of"),
        ({"text": "x", "tool": "nap"}, "tool must be one of"),
        ({"text": "x", "tool": "add_task", "intent": "list_tasks"}, "not for the intent"),
        ({"text": "x", "intent": "add_task", "arguments": {"colour": "red"}}, "no argument 'colour'"),
        ({"text": "x", "intent": "add_task", "arguments": [1]}, "arguments must be an object"),
        ({"text": "x", "tool": "complete_task", "target": "y", **PASSPORT}, "none of the 1 things"),
        ({"text": "x", "tool": None, "target": "y"}, "expects no call"),
        ({"text": "x", "intent": "add_task", "severity": "huge"}, "severity must be one of"),
        ({"text": "x", "intent": "add_task", "action": "dance"}, "action must be one of"),
        ({"text": "x", "intent": "add_task", "context": {"tasks": "none"}}, "tasks"),
        ({"text": "x", "intent": "add_task", "lang": "xx"}, "lang"),
        ('{"text": "x", "intent": "add_task", "context": ' + "[" * 3_000 + "]" * 3_000 + "}", "not valid JSON"),
    ],
)
def test_a_bad_line_is_told_by_its_number_and_the_good_ones_stay(entry: object, problem: str) -> None:
    good = {"text": "add milk", "intent": "add_task"}
    found = read_own_file(lines(good, "", entry, good), "mine.jsonl")
    assert len(found.cases) == 2
    (said,) = found.problems
    assert said.startswith("line 3: ")
    assert problem in said


def test_a_spreadsheets_file_is_read_with_its_quirks() -> None:
    text = (
        "\ufeffMessage;Intent;Arguments;Tags;Severity\r\n"
        'add milk;add_task;"{""title"": ""milk""}";a, b;critical\r\n'
        '"two\nlines";unknown;;;\r\n'
        "'=SUM(A1);unknown;;;\r\n"
        ";add_task;;;\r\n"
        "broken;add_task;{;;\r\n"
    )
    found = read_own_file(text.encode(), "mine.csv")
    assert [each.text for each in found.cases] == ["add milk", "two\nlines", "=SUM(A1)"]
    assert (found.cases[0].slices["tag"], found.cases[0].severity) == (("a", "b"), "critical")
    assert found.problems == ("line 6: there is no text in it", "line 7: arguments must be a JSON object")


def test_a_table_without_names_of_columns_is_refused_in_a_sentence() -> None:
    found = read_own_file("add milk,add_task\n", "mine.csv")
    assert found.cases == ()
    assert found.problems == ("line 1: the first line must name the columns, one of them text",)


def test_too_many_lines_are_cut_and_it_says_so() -> None:
    row = json.dumps({"text": "add milk", "intent": "add_task"})
    found = read_own_file("\n".join([row] * 10_002), "mine.jsonl")
    assert len(found.cases) == 10_000
    assert found.problems == ("line 10001 and what follows was left out: 10,000 lines are the most",)


def test_saved_cases_and_reviewed_turns_are_two_sets(database: Database, ada: User, bob: User) -> None:
    expected = {"intent": "complete_task", "task": "a"}
    with database.write() as session:
        save_case(session, ada.id, "passport is done", PASSPORT, expected)
        save_case(session, ada.id, "the passport is ready", PASSPORT, expected, from_review=True)
        save_case(session, ada.id, "strange", PASSPORT, {"intent": "nap"})
        saved, reviewed = load_saved_cases(session, ada.id), load_reviewed_turns(session, ada.id)
        assert load_saved_cases(session, bob.id).cases == ()
    assert [each.text for each in saved.cases] == ["passport is done"]
    assert [each.text for each in reviewed.cases] == ["the passport is ready"]
    assert len(saved.problems) == 1
    assert "strange" in saved.problems[0]
