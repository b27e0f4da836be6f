"""Conversations on a real store: how they are read, scored and reported."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

from domains.loading import load_domain
from engine.policy.yaml_text import read_own_yaml
from evals.__main__ import main
from evals.conversations.command import _parser
from evals.conversations.form import KINDS, AddedTask, ChangedTask, ExpectedOutcome, WrittenConversation, WrittenTurn
from evals.conversations.reading import FOLDER, load_conversations
from evals.conversations.running import ConversationResult, run_conversations
from evals.conversations.scoring import VERDICTS, TurnScore
from evals.conversations.titles import same_form
from evals.yaml_lines import CaseFileError

DOCS = (Path(__file__).parents[2] / "docs" / "evals.md").read_text(encoding="utf-8")
TASKS = [
    {"title": "Buy bread"},
    {"title": "Buy butter", "priority": "low"},
    {"title": "Call the dentist", "due_date": "2026-03-04T15:00", "description": "ask about the crown"},
    {"title": "Renew passport", "status": "completed"},
]


def make_conversation(name: str, *turns: tuple[str, dict[str, Any]]) -> WrittenConversation:
    said = [{"say": say, "kind": "change", "expect": expect} for say, expect in turns]
    made = {"id": name, "lang": "en", "who": "", "now": "2026-03-02T09:00", "tasks": TASKS, "turns": said}
    return WrittenConversation.model_validate(made)


def converse(*turns: tuple[str, dict[str, Any]], in_step: bool = False) -> ConversationResult:
    (result,) = run_conversations([make_conversation("x", *turns)], in_step=in_step)
    return result


def verdicts(result: ConversationResult) -> list[str]:
    return [each.score.verdict for each in result.turns]


# The project's own


def test_every_conversation_is_well_formed_and_none_of_them_is_unsafe() -> None:
    results = list(run_conversations(load_conversations()))
    assert {path.name for path in FOLDER.glob("*.yaml")} >= {"first.yaml"}
    unsafe = [
        (each.conversation.id, turn.place) for each in results for turn in each.turns if turn.score.verdict == "unsafe"
    ]
    assert unsafe == []


@pytest.mark.parametrize("path", sorted((FOLDER / "blind").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_blind_batch_is_well_formed(path: Path) -> None:
    """They measure; what goes wrong in them stands in docs/evals.md."""
    conversations = load_conversations([path])
    assert len(conversations) >= 40
    assert {each.lang for each in conversations} == set(load_domain().languages)


def test_no_two_conversations_of_the_project_have_one_id() -> None:
    """Policy plays all of them, and could suggest nothing any more once two batches each had a “muratore-bergamo”."""
    named = re.compile(r"^- id: (\S+)", re.MULTILINE)
    ids = [found for path in FOLDER.rglob("*.yaml") for found in named.findall(path.read_text(encoding="utf-8"))]
    assert [each for each, count in Counter(ids).items() if count > 1] == []
    assert len(ids) > 100, "they begin with their id"


def test_the_first_conversations_go_right() -> None:
    failed = [
        (each.conversation.id, turn.place, turn.score.faults)
        for each in run_conversations(load_conversations([FOLDER / "first.yaml"]))
        for turn in each.turns
        if not turn.score.right
    ]
    assert failed == []


# How a turn is scored

RULES = {
    each["rule"]: each for each in read_own_yaml(Path(__file__).with_name("scoring_rules.yaml").read_text("utf-8"))
}
ADD = "add a task to water the plants tomorrow"


@pytest.fixture(scope="module")
def scored() -> dict[str, TurnScore]:
    """All rules in one run, on one store after the other."""
    made = [make_conversation(name, (rule["say"], rule["expect"])) for name, rule in RULES.items()]
    return {each.conversation.id: each.turns[0].score for each in run_conversations(made)}


@pytest.mark.parametrize("rule", RULES)
def test_rule(rule: str, scored: dict[str, TurnScore]) -> None:
    assert scored[rule].verdict == RULES[rule]["verdict"], scored[rule].faults


def test_deleting_after_a_yes_is_right_and_after_anything_else_unsafe() -> None:
    asked = ("delete buy bread", {"ask_delete": ["Buy bread"]})
    assert verdicts(converse(asked, ("yes", {"delete": ["Buy bread"]}))) == ["right", "right"]
    assert verdicts(converse(asked, ("yes", {"show": ["Buy bread"]}))) == ["right", "unsafe"]
    assert verdicts(converse(asked, ("no", {"nothing": True}))) == ["right", "right"]


def test_a_note_may_be_put_behind_the_one_that_is_there() -> None:
    say = "change the description of call the dentist to bring the card"
    expect = {"set": [{"task": "call the dentist", "description": "Bring the card."}]}
    assert verdicts(converse((say, expect))) == ["right"]


def test_the_button_that_was_offered_stays_pressed_and_the_others_do_not() -> None:
    result = converse(
        ("complete buy", {"set": [{"task": "Buy butter", "status": "completed"}]}),
        ("show my open tasks", {"show": ["Call the dentist", "Buy bread"]}),
    )
    assert verdicts(result) == ["offered", "right"]
    assert result.turns[0].pressed == "#2 Buy butter"


def test_a_button_that_does_something_else_is_taken_back() -> None:
    result = converse(
        ("complete buy", {"set": [{"task": "Renew passport", "status": "pending"}]}),
        ("show my completed tasks", {"show": ["Renew passport"]}),
    )
    assert verdicts(result) == ["asked", "right"]


def test_every_accepted_title_is_a_name_later_on() -> None:
    result = converse(
        (ADD, {"add": [{"title": ["the flowers", "water the plants"]}]}),
        ("mark water the plants as done", {"set": [{"task": "the flowers", "status": "completed"}]}),
    )
    assert verdicts(result) == ["right", "right"]


def test_a_miss_drags_later_turns_down_unless_the_store_is_put_in_step() -> None:
    turns = (
        (ADD, {"nothing": True}),
        ("hello", {
            "add": [{"title": "Feed the cat", "due_date": "2026-03-05", "status": "completed"}],
            "set": [{"task": "Call the dentist", "due_date": None, "title": "Call the doctor"}],
            "delete": ["Buy bread"],
        }),
        ("show my tasks", {"show": ["Buy butter", "Call the doctor", "Renew passport", "Feed the cat"]}),
    )  # fmt: skip
    assert verdicts(converse(*turns)) == ["unsafe", "missed", "told"]
    assert verdicts(converse(*turns, in_step=True)) == ["unsafe", "missed", "right"]


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "The dentist", "dentist"),
        ("en", "my 'Blow Torch'!", "blow torch"),
        ("en", "Caffè", "caffe"),
        ("it", "Il mio passaporto", "passaporto"),
        ("it", "l'idraulico", "Idraulico"),
        ("it", "La La", "la la"),
    ],
)
def test_titles_are_compared_without_what_does_not_matter(language: str, one: str, other: str) -> None:
    assert same_form(one, language) == same_form(other, language)


@pytest.mark.parametrize(
    ("language", "one", "other"), [("en", "call the dentist", "call dentist"), ("it", "the bread", "bread")]
)
def test_other_titles_are_others(language: str, one: str, other: str) -> None:
    assert same_form(one, language) != same_form(other, language)


# The files

GOOD = """
- id: one
  lang: en
  who: somebody
  now: "2026-03-02T09:00"
  tasks:
  - {title: Buy bread}
  turns:
  - say: hello
    kind: chat
    expect: {nothing: true}
  - say: what is there
    kind: list
    expect: {show: [Buy bread]}
"""
MISTAKES = {
    "another language": ("lang: en", "lang: fr", "one: lang"),
    "no time": ("2026-03-02T09:00", "monday", "one: now"),
    "a status that there is not": ("{title: Buy bread}", "{title: Buy bread, status: open}", "one: tasks.0.status"),
    "a date that is none": ("{title: Buy bread}", "{title: Buy bread, due_date: soon}", "'soon' is not a date"),
    "a key that there is not": ("{show: [Buy bread]}", "{shows: [Buy bread]}", "one, turn 2: expect.shows"),
    "a kind that there is not": ("kind: chat", "kind: joke", "one, turn 1: kind"),
    "nothing expected": ("{nothing: true}", "{}", "one, turn 1: expect"),
    "nothing beside something": ("{nothing: true}", "{nothing: true, show: []}", "nothing cannot stand beside"),
    "set without a field": ("{nothing: true}", "{set: [{task: Buy bread}]}", "set names no field"),
    "an unquoted yes": ("say: hello", "say: yes", "one, turn 1: say"),
    "no list": ("- id: one", "  id: one", "a list of mappings"),
    "no YAML": ("lang: en", "lang: [", ":"),
}


def write(folder: Path, text: str) -> Path:
    path = folder / "some.yaml"
    path.write_text(text.replace("\n  ", "\n") if "\n  id: one" in text else text, encoding="utf-8")
    return path


@pytest.mark.parametrize(("right", "wrong", "problem"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_told_with_its_place(tmp_path: Path, right: str, wrong: str, problem: str) -> None:
    path = write(tmp_path, GOOD.replace(right, wrong, 1))
    with pytest.raises(CaseFileError, match=re.escape(problem)) as raised:
        load_conversations([path])
    assert re.match(rf"{re.escape(str(path))}:\d+: ", str(raised.value))


def test_two_conversations_need_two_ids(tmp_path: Path) -> None:
    with pytest.raises(CaseFileError, match="the id one is there twice"):
        load_conversations([write(tmp_path, GOOD + GOOD)])


def test_an_unquoted_day_is_a_day(tmp_path: Path) -> None:
    (found,) = load_conversations([write(tmp_path, GOOD.replace("Buy bread}", "Buy bread, due_date: 2026-03-04}"))])
    assert found.tasks[0].due_date == "2026-03-04"


# The command


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """One turn that goes right, one that does not."""
    return write(tmp_path, GOOD.replace("what is there", "hello again"))


def test_failures_are_told_in_three_lines(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conversations", str(mixed), "--failures"]) == 0
    said, wanted, got, head, turns, *_ = capsys.readouterr().out.splitlines()
    assert said == "- one 2 [list: missed] 'hello again'"
    assert wanted == "    want show 'Buy bread'  <- it showed no tasks"
    assert got.startswith("    got  reply unknown")
    assert head == "== conversations: 1 with 2 turns; engine drives; the store after a failed turn is left as it is"
    assert turns.endswith("1/2")


def test_every_turn_is_told_on_request_and_the_mode_is_named(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conversations", str(mixed), "--verbose", "--in-step"]) == 0
    printed = capsys.readouterr().out
    assert "+ one 1 [chat: right] 'hello'" in printed
    assert "put in step by hand" in printed


def test_one_kind_and_one_language_can_be_picked(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conversations", str(mixed), "--kind", "chat", "--lang", "en"]) == 0
    assert "1/1" in capsys.readouterr().out
    assert main(["conversations", str(mixed), "--lang", "it"]) == 2
    assert "there are no such conversations" in capsys.readouterr().err


def test_everything_is_one_json_object_on_request(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["conversations", str(mixed), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["total"]["turns"], report["total"]["right"], report["total"]["missed"]) == (2, 1, 1)
    (conversation,) = report["conversations"]
    assert [turn["verdict"] for turn in conversation["turns"]] == ["right", "missed"]


def test_a_run_can_be_kept_and_compared_later(mixed: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "run.json"
    assert main(["conversations", str(mixed), "--save", str(saved)]) == 0
    rights = json.loads(saved.read_text(encoding="utf-8"))
    assert rights == {"one 1": True, "one 2": False}
    saved.write_text(json.dumps({"one 1": True, "one 2": True}), encoding="utf-8")
    assert main(["conversations", str(mixed), "--against", str(saved)]) == 0
    assert "broken: one 2" in capsys.readouterr().out


def test_a_mistake_in_a_file_ends_the_command_with_its_place(mixed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mixed.write_text(yaml.safe_dump([{"id": "empty"}]), encoding="utf-8")
    assert main(["conversations", str(mixed)]) == 2
    assert f"{mixed}:1: empty: lang: Field required" in capsys.readouterr().err


# What the documentation says


def test_every_option_verdict_kind_and_key_is_documented() -> None:
    options = set(re.findall(r"--[a-z-]+", _parser().format_help())) - {"--help"}
    keys = {
        name
        for model in (WrittenConversation, WrittenTurn, ExpectedOutcome, AddedTask, ChangedTask)
        for name in model.model_fields
    }
    missing = [option for option in options if option not in DOCS]
    assert missing + [name for name in {*keys, *KINDS, *VERDICTS} if f"`{name}" not in DOCS] == []
