"""`python -m assistant play`: a conversation from a script, with a store of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from assistant.play.lines import play_line
from assistant.play.player import Player
from db.temporary import TemporaryStore
from settings import load_settings
from tests.assistant.conftest import calls
from tests.llm.fault_server import serve

ROOT = Path(__file__).parents[2]
TASKS = [
    {"title": "Call the dentist", "due_date": "2026-03-04T15:00", "priority": "high"},
    {"title": "Buy bread"},
    {"title": "Buy butter", "description": "unsalted"},
    {"title": "Renew passport", "status": "completed"},
]


class Play:
    """`play(say="hello")`: one line, and its answer."""

    def __init__(self, store: TemporaryStore) -> None:
        self._player = Player(store)

    def __call__(self, **line: object) -> dict[str, Any]:
        return self.read(json.dumps(line))

    def read(self, line: str) -> dict[str, Any]:
        return play_line(self._player, line)


@pytest.fixture
def play() -> Iterator[Play]:
    with TemporaryStore() as store:
        yield Play(store)


@pytest.fixture
def started(play: Play) -> Play:
    play(start={"now": "2026-03-02T09:00", "lang": "en", "tasks": TASKS})
    return play


def titles(answer: dict[str, Any]) -> list[str]:
    return [task["title"] for task in answer["tasks"]]


def test_the_command_answers_line_by_line_leaves_nothing_behind_and_the_example_in_the_docs_goes_as_it_says(
    tmp_path: Path,
) -> None:
    """All of that without Streamlit and without the SDK of an LLM: to start takes long enough."""
    docs = (ROOT / "docs" / "assistant.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"<<'END'\n(.*?)END\n", docs, re.DOTALL)
    assert example.startswith('{"start"')  # a conversation of its own
    lines = '{"say": "add a task: comprare il caffè"}\nnonsense\n\n{"start": {"id": "b"}}\n{"say": "show my tasks"}\n'
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "assistant", "play"], cwd=ROOT,
        env={**os.environ, "TMPDIR": str(tmp_path)}, input=lines + example, capture_output=True, text=True, check=True,
    )  # fmt: skip
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "assistant.play.player" in loaded
    assert {"streamlit", "openai"} & loaded == set()
    added, broken, started, listed, *answers = map(json.loads, done.stdout.splitlines())
    assert titles(added) == ["comprare il caffè"]
    assert set(broken) == {"error"}
    assert started == {"id": "b", "tasks": []}
    assert (listed["id"], listed["tasks"]) == ("b", [])
    assert list(tmp_path.iterdir()) == []
    assert [[change["op"] for change in answer.get("changes", ())] for answer in answers] == [
        [],
        [],
        ["delete"],
        ["add"],
    ]
    assert [name for name in answers[1] if f"`{name}`" not in docs] == []


def test_a_start_fills_the_store(play: Play) -> None:
    answer = play(start={"now": "2026-03-02T09:00", "tasks": TASKS})
    expected = {"description": "", "priority": "medium", "status": "pending", "due_date": None}
    assert [{name: task[name] for name in ("title", *expected)} for task in answer["tasks"]] == [
        {**expected, **task} for task in TASKS
    ]
    assert [task["number"] for task in answer["tasks"]] == [1, 2, 3, 4]


def test_a_turn_says_what_was_decided_and_what_changed(started: Play) -> None:
    answer = started(say="add a task to water the plants tomorrow, high priority")
    assert answer["reply"] == "Added 'water the plants' (#5), due tomorrow, high priority."
    decided = {name: answer[name] for name in ("action", "intent", "reason", "lane", "offered", "pending", "shown")}
    assert decided == {
        "action": "execute",
        "intent": "add_task",
        "reason": "matched_rule",
        "lane": "engine",
        "offered": [],
        "pending": None,
        "shown": [],
    }
    (call,), (change,) = answer["calls"], answer["changes"]
    assert call["parameters"] == {"title": "water the plants", "priority": "high", "due_date": "2026-03-03"}
    assert (change["op"], change["task"]["number"], change["before"]) == ("add", 5, {})
    assert change["after"]["due_date"] == "2026-03-03"
    assert "act" in answer


def test_of_what_was_changed_only_what_differs_is_told(started: Play) -> None:
    (change,) = started(say="mark buy bread as done")["changes"]
    assert (change["op"], change["before"], change["after"]) == ("set", {"status": "pending"}, {"status": "completed"})


def test_what_is_listed_is_shown_in_its_order(started: Play) -> None:
    answer = started(say="show my open tasks")
    names = {task["id"]: task["title"] for task in answer["tasks"]}
    assert [names[task_id] for task_id in answer["shown"]] == ["Call the dentist", "Buy bread", "Buy butter"]


def test_deleting_waits_for_a_press_and_undo_brings_it_back(started: Play) -> None:
    asked = started(say="delete buy bread")
    assert (asked["action"], asked["offered"], asked["changes"]) == ("confirm", ["Yes", "No"], [])
    assert asked["pending"]["kind"] == "confirm"
    deleted = started(press="Yes")
    assert [(change["op"], change["task"]["title"]) for change in deleted["changes"]] == [("delete", "Buy bread")]
    back = started(undo=True)
    assert [(change["op"], change["task"]["title"]) for change in back["changes"]] == [("add", "Buy bread")]


def test_one_of_several_is_chosen_by_its_button(started: Play) -> None:
    asked = started(say="complete buy")
    assert sorted(asked["offered"]) == ["#2 Buy bread", "#3 Buy butter", "None of them"]
    assert len(asked["shown"]) == 2
    (change,) = started(press="#3 Buy butter")["changes"]
    assert change["after"] == {"status": "completed"}


def test_a_button_that_is_not_there_is_an_error_that_names_those_that_are(started: Play) -> None:
    started(say="delete buy bread")
    assert started(press="Maybe")["error"] == "there is no button 'Maybe'; there are: 'Yes', 'No'"
    assert titles(started(press="No")) == [task["title"] for task in TASKS]
    assert "there are: none" in started(press="Yes")["error"]


def test_undo_takes_back_one_turn_after_the_other(started: Play) -> None:
    started(say="add a task to call Anna")
    started(say="mark buy bread as done and mark buy butter as done")
    assert len(started(undo=True)["changes"]) == 2
    assert [change["op"] for change in started(press="Undo")["changes"]] == ["delete"]
    assert started(undo=True) == {"error": "there is nothing to undo"}


def test_what_a_person_does_by_hand_has_the_same_form(started: Play) -> None:
    said = started(say="hello")
    added = started(do={"name": "add_task", "arguments": {"title": "By hand", "due_date": "2026-03-09"}})
    assert added.keys() == said.keys()
    assert (added["lane"], titles(added)[-1]) == ("person", "By hand")
    assert started(do={"name": "complete_task", "arguments": {"task_identifier": "nowhere"}}).keys() == {"error"}


def test_the_clock_stands_but_for_a_second_a_turn(play: Play) -> None:
    play(start={"now": "2026-03-02T23:59:58"})
    days = [
        play(say=f"add a task to call {name} tomorrow")["changes"][0]["after"]["due_date"] for name in ("Ada", "Bob")
    ]
    assert days == ["2026-03-03", "2026-03-04"]


def test_each_start_begins_anew(started: Play) -> None:
    started(say="delete buy bread")
    assert started(start={}) == {"tasks": []}
    assert titles(started(say="yes")) == []
    assert started(say="add a task to buy tea")["changes"][0]["task"]["number"] == 1


def test_the_language_is_the_one_told(play: Play) -> None:
    play(start={"lang": "it"})
    italian = play(say="42")["reply"]
    play(start={"lang": "en"})
    assert play(say="42")["reply"] != italian


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "not valid JSON"),
        ("[1]", "valid dictionary"),
        ("{}", "exactly one of"),
        ('{"say": "hi", "undo": true}', "exactly one of"),
        ('{"undo": false}', "exactly one of"),
        ('{"say": 5}', "say: Input should be a valid string"),
        ('{"shout": "hi"}', "shout: Extra inputs"),
        ('{"start": {"now": "yesterday"}}', "start.now"),
        ('{"start": {"lang": "xx"}}', "lang must be one of en, it"),
        ('{"start": {"driver": "nobody"}}', "start.driver"),
        ('{"start": {"domain": "boats"}}', "there is no domain 'boats'"),
        ('{"start": {"tasks": [{"title": "x", "due_date": "soon"}]}}', "'soon' is not a date"),
        ('{"start": {"tasks": [{"title": "  "}]}}', "title"),
        ('{"do": {"name": "paint", "arguments": {}}}', "paint"),
    ],
)
def test_a_line_that_cannot_be_read_costs_only_its_own_answer(started: Play, line: str, problem: str) -> None:
    assert problem in started.read(line)["error"]
    assert titles(started(say="hello")) == [task["title"] for task in TASKS]


def test_machines_are_talked_to_in_the_same_way(play: Play) -> None:
    fleet = play(start={"domain": "machines", "lang": "en"})["tasks"]
    assert {"Frigo Cucina", "Forno Pizza"} <= {machine["title"] for machine in fleet}
    asked = play(say="Turn on the light")
    assert asked["action"] == "clarify"
    (change,) = play(press="Forno Pizza")["changes"]
    assert (change["op"], change["after"]["state"]["light"]) == ("set", "on")
    assert play(undo=True)["changes"][0]["after"]["state"]["light"] == "off"


def test_the_llm_drives_where_it_is_asked_to(play: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(calls("add_task", title="buy stamps")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("LLM_ENDPOINT", "openai")
        load_settings.cache_clear()
        try:
            play(start={"driver": "llm"})
            answer = play(say="add a task to buy stamps")
        finally:
            load_settings.cache_clear()
    assert (answer["lane"], answer["reason"], titles(answer)) == ("llm", "model_called", ["buy stamps"])
