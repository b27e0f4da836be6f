"""The mapping tried by hand, the tools in rows, and the calls of clients as a table."""

from __future__ import annotations

from datetime import timedelta

import pytest

from db.clients.calls import ClientCall
from engine.values import ErrorKind
from mcp_door.shelf import all_tools
from tests.conftest import NOW
from ui.client_calls.table import calls_html
from ui.tools.words import EXAMPLES, argument_rows, mapping_rows, nature_of, try_mapping, ways_to


@pytest.mark.parametrize(
    ("example", "tool", "why"),
    [
        ("An intent", "add_task", "letter by letter"),
        ("Who am I", "get_user_info", "letter by letter"),
        ("Unknown", None, "has no tool"),
        ("Wrong case", None, "exact spelling"),
        ("A typo", None, "does not stand in the table"),
        ("A space", None, "exact spelling"),
        ("Empty", None, "empty intent"),
        ("Null", None, "null, not a string"),
        ("A number", None, "a number, not a string"),
        ("A list", None, "a list, not a string"),
        ("Nothing", None, "no intent in it"),
        ("Not JSON", None, "not JSON"),
    ],
)
def test_every_edge_case_of_the_mapping_says_why(example: str, tool: str | None, why: str) -> None:
    answer, said = try_mapping(EXAMPLES[example])
    assert answer == {"tool_name": tool}
    assert why in said


@pytest.mark.parametrize("text", ["[]", "7", "null", '"add_task"', "[" * 100_000, "", '{"intent": {"a": 1}}'])
def test_any_other_request_maps_to_null(text: str) -> None:
    assert try_mapping(text)[0] == {"tool_name": None}


def test_all_examples_are_tried_above() -> None:
    assert len(EXAMPLES) == 12
    assert len(mapping_rows()) == 7


def test_the_rows_of_a_tool_say_types_limits_and_defaults() -> None:
    rows = {row["Argument"]: row for row in argument_rows(all_tools()["list_tasks"])}
    assert rows["filter"]["Type"] == "all, pending, completed, overdue"
    assert rows["limit"]["Type"] == "integer ≥ 1 ≤ 1000 or null"
    assert rows["filter"]["Default"] == '"all"'
    assert argument_rows(all_tools()["complete_task"])[0]["Default"] == "required"
    assert argument_rows(all_tools()["get_user_info"]) == []


def test_tools_say_their_effect_and_the_ways_to_them() -> None:
    tools = all_tools()
    assert [nature_of(tools[name]) for name in ("delete_task", "list_tasks", "add_task")] == [
        "asks first",
        "reads",
        "changes",
    ]
    assert (ways_to(tools["add_task"]), ways_to(tools["decide"])) == ("Engine, LLM, MCP", "MCP")


def call(tool: str = "add_task", error: ErrorKind | None = None, **result: object) -> ClientCall:
    return ClientCall("a1", 1, NOW - timedelta(seconds=5), "Desk <b>", tool, {"title": "<i>Milk</i>"}, result, error)


def test_texts_of_others_are_shown_and_never_run() -> None:
    shown = calls_html([call(number=1, title="<script>alert(1)</script>")], NOW)
    assert "<script" not in shown
    assert "<i>" not in shown
    assert "Desk &lt;b&gt;" in shown
    assert "09:59:55" in shown


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (call(number=3, title="Milk"), "✓</span> #3 Milk"),
        (call("list_tasks", task_ids=["a"], count=1, total=4), "1 of 4 tasks"),
        (call("list_tasks", task_ids=["a"], count=1, total=1), "1 of 1 task<"),
        (
            call("decide", action="execute", intent="add_task", reason="matched_rule"),
            "Add a task: acts, the rules match",
        ),
        (
            call("delete_task", ErrorKind.NEEDS_CONFIRMATION, number=3, title="Milk"),
            "?</span> asked before deleting #3",
        ),
        (call("delete_task", ErrorKind.DECLINED, error_message="The user said no."), "✗</span> The user said no."),
        (call("get_user_info", name="Ada"), "✓</span> Ada"),
    ],
)
def test_every_kind_of_result_is_said_in_a_few_words(made: ClientCall, said: str) -> None:
    assert said in calls_html([made], NOW)
