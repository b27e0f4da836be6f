"""A file of scenarios is checked when it is loaded, and every mistake is named with its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ui.demo.script import StageCall
from ui.demo.script_file import ScriptError, load_own_scenarios, read_script

ROOT = Path(__file__).parent.parent.parent.parent

GOOD = """\
- name: Milk
  about: A first scenario.
  tasks:
    - {title: Buy milk, due: 1}
  steps:
    - say: the milk is bought
      point: bought
      note: is no command.
      right: {complete_task: {task_identifier: Buy milk}}
    - say: delete buy milk
      note: Deleting asks first.
      right: {ask: {delete_task: {task_identifier: Buy milk}}}
"""


def faults_of(text: str) -> list[tuple[int, str]]:
    with pytest.raises(ScriptError) as caught:
        read_script(text)
    return [(fault.line, fault.problem) for fault in caught.value.faults]


def test_a_scenario_says_what_is_said_and_what_is_right() -> None:
    (scenario,) = read_script(GOOD)
    first, second = scenario.steps
    assert (scenario.driver, scenario.llm, scenario.domain) == ("engine", "yours", "tasks")
    assert first.right.kind == "call"
    assert first.right.calls == (StageCall(tool="complete_task", arguments={"task_identifier": "Buy milk"}),)
    assert (second.right.kind, second.right.calls[0].tool) == ("ask", "delete_task")


@pytest.mark.parametrize(
    ("change", "line", "problem"),
    [
        (("      note: is no command.\n", ""), 6, "“note” is missing"),
        (("point: bought", "point: sold"), 7, "“sold” does not stand in what is said"),
        (("about:", "abuot:"), 2, "“abuot” is not known here; known are name, about,"),
        (("point: bought", "piont: bought"), 7, "“piont” is not known here; known are say, point, note, right"),
        (("due: 1", "due: soon"), 4, "“due”: input should be a valid integer"),
        (("complete_task", "finish_task"), 9, "there is no tool “finish_task” for tasks; there are add_task,"),
        (
            ("{complete_task: {task_identifier", "{complete_task: {task"),
            9,
            "complete_task has no argument “task”; it has",
        ),
        (
            ("right: {complete_task: {task_identifier: Buy milk}}", "right: [3]"),
            9,
            "“right”: a tool with its arguments",
        ),
        (("about: A", "driver: nobody\n  about: A"), 2, "“driver”: input should be 'engine',"),
        (("about: A", "domain: boats\n  about: A"), 2, "there is no domain “boats”; there are"),
        (("about: A", "name: Again\n  about: A"), 2, "'name' stands here twice"),
        (("about: A", "about: [A"), 3, "expected"),
        (("- name: Milk", "name: Milk"), 1, "a list of scenarios is expected"),
        (("A first scenario.", "*milk"), 2, "references (*name) are not allowed"),
    ],
)
def test_a_mistake_is_named_with_its_line(change: tuple[str, str], line: int, problem: str) -> None:
    text = GOOD.replace(*change, 1)
    assert text != GOOD
    if change[0] == "- name: Milk":
        text = text.replace("\n  ", "\n")
    found = faults_of(text)
    assert [(at, said) for at, said in found if problem in said and at == line], found


def test_all_mistakes_are_named_at_once_in_their_order() -> None:
    text = GOOD.replace("point: bought", "point: sold").replace("delete_task", "remove_task") + GOOD
    assert [line for line, _ in faults_of(text)] == [7, 12, 13]


def test_an_empty_file_and_no_text_are_no_script() -> None:
    assert faults_of("")[0][0] == 1
    assert faults_of("[]")[0][0] == 1


def test_the_example_of_the_docs_can_be_loaded() -> None:
    text = (ROOT / "docs" / "demo.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)
    scenarios = read_script(example)
    assert {step.right.kind for scenario in scenarios for step in scenario.steps} == {"nothing", "undo", "ask", "call"}


def test_every_strength_has_its_scenario() -> None:
    scenarios = {scenario.name: scenario for scenario in load_own_scenarios()}
    assert list(scenarios) == [
        "Keyword traps", "What does “it” mean?", "Corrections", "Undo in words", "Ask your list", "A list, narrowed",
        "A story with one request", "Two at once", "Deleting safely", "A dead LLM", "An LLM that is wrong",
        "In italiano", "Machines",
    ]  # fmt: skip
    assert scenarios["A dead LLM"].llm == "nobody"
    assert (scenarios["An LLM that is wrong"].llm, scenarios["An LLM that is wrong"].driver) == (
        "embedded",
        "llm_guarded",
    )
