from __future__ import annotations

import inspect
from typing import get_type_hints

import pytest
from pydantic import TypeAdapter, ValidationError

from domains.catalogues import load_all_tools, load_tools
from domains.machines.tools import MACHINE_TOOL_NAMES, MachineTools
from domains.tasks.tools import TOOL_NAMES, TaskTools
from engine.border.arguments import BadArgumentsError, check_arguments
from engine.values import ErrorKind

CATALOGUE = load_tools("tasks")
ALL = load_all_tools()
ALL_NAMES = (*TOOL_NAMES, *MACHINE_TOOL_NAMES)


def test_the_catalogue_holds_the_registered_tools_in_order() -> None:
    assert tuple(CATALOGUE) == TOOL_NAMES
    assert tuple(load_tools("machines")) == MACHINE_TOOL_NAMES
    assert tuple(ALL) == ALL_NAMES


@pytest.mark.parametrize("name", ALL_NAMES)
def test_every_argument_is_described(name: str) -> None:
    properties = ALL[name].input_schema["properties"]
    signatures = TaskTools if name in TOOL_NAMES else MachineTools
    parameters = list(inspect.signature(getattr(signatures, name)).parameters)[1:]
    assert list(properties) == parameters
    assert all(properties[parameter]["description"] for parameter in parameters)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_no_tool_takes_a_user(name: str) -> None:
    assert not [argument for argument in ALL[name].input_schema["properties"] if "user" in argument]


def test_the_limits_stand_in_the_schema() -> None:
    schema = CATALOGUE["add_task"].input_schema
    assert schema["required"] == ["title"]
    assert (schema["properties"]["title"]["minLength"], schema["properties"]["title"]["maxLength"]) == (1, 200)
    assert schema["properties"]["description"]["maxLength"] == 1000
    assert schema["properties"]["priority"]["enum"] == ["low", "medium", "high"]
    assert schema["additionalProperties"] is False
    assert CATALOGUE["list_tasks"].input_schema["properties"]["filter"]["enum"] == [
        "all",
        "pending",
        "completed",
        "overdue",
    ]


def test_a_property_called_title_survives_the_removal_of_titles() -> None:
    assert "title" in CATALOGUE["add_task"].input_schema["properties"]
    assert "title" not in CATALOGUE["add_task"].input_schema


def test_openai_gets_each_tool_as_a_function() -> None:
    tools = [tool.openai for tool in CATALOGUE.values()]
    assert [tool["function"]["name"] for tool in tools] == list(TOOL_NAMES)
    assert all(tool["type"] == "function" and tool["function"]["description"] for tool in tools)


@pytest.mark.parametrize("name", ALL_NAMES)
def test_the_output_schema_demands_a_status_and_allows_an_error(name: str) -> None:
    schema = ALL[name].output_schema
    assert schema["required"] == ["status"]
    assert schema["properties"]["status"]["enum"] == ["success", "error"]
    assert "error_message" in schema["properties"]


def test_results_are_checked_against_their_type() -> None:
    adapter = TypeAdapter(get_type_hints(TaskTools.add_task)["return"])
    adapter.validate_python({"status": "success", "task_id": "x", "title": "y"})
    with pytest.raises(ValidationError):
        adapter.validate_python({"status": "perhaps"})


def test_the_limits_of_machine_tools_stand_in_the_schema() -> None:
    properties = ALL["metrics_read"].input_schema["properties"]
    assert (properties["hours"]["minimum"], properties["hours"]["maximum"]) == (1, 720)
    assert properties["metrics"]["anyOf"][0]["maxItems"] == 20
    assert "required" not in ALL["machine_command_execute"].input_schema


@pytest.mark.parametrize(
    ("tool", "arguments", "kind"),
    [
        ("metrics_read", {"hours": 0}, ErrorKind.INVALID_VALUE),
        ("metrics_read", {"hours": "24"}, ErrorKind.WRONG_TYPE),
        ("metrics_read", {"metrics": ["t"] * 21}, ErrorKind.INVALID_VALUE),
        ("metrics_read", {"metrics": "temperature"}, ErrorKind.WRONG_TYPE),
        ("device_detail", {"device_name": " "}, ErrorKind.MISSING_ARGUMENT),
        ("device_detail", {"device_name": "x" * 121}, ErrorKind.INVALID_VALUE),
        ("device_detail", {"device": "x"}, ErrorKind.UNKNOWN_ARGUMENT),
        ("machine_command_execute", {"value": "cold"}, ErrorKind.WRONG_TYPE),
        ("machine_explode", {}, ErrorKind.UNKNOWN_TOOL),
    ],
)
def test_arguments_of_machine_tools_are_checked(tool: str, arguments: dict[str, object], kind: ErrorKind) -> None:
    with pytest.raises(BadArgumentsError) as refused:
        check_arguments(tool, arguments, ALL)
    assert refused.value.kind is kind


def test_a_lane_with_fewer_tools_refuses_the_others() -> None:
    assert check_arguments("machines_list", {"connected": True}, ALL) == {"connected": True}
    with pytest.raises(BadArgumentsError, match="There is no tool 'machines_list'") as refused:
        check_arguments("machines_list", {}, load_tools("tasks"))
    assert refused.value.kind is ErrorKind.UNKNOWN_TOOL
