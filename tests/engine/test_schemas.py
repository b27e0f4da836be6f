from __future__ import annotations

import inspect
from typing import get_type_hints

import pytest
from pydantic import TypeAdapter, ValidationError

from engine.schemas import load_catalogue, openai_tools
from engine.tools import TOOL_NAMES, TaskTools

CATALOGUE = load_catalogue()


def test_the_catalogue_holds_the_registered_tools_in_order() -> None:
    assert tuple(CATALOGUE) == TOOL_NAMES


@pytest.mark.parametrize("name", TOOL_NAMES)
def test_every_argument_is_described(name: str) -> None:
    properties = CATALOGUE[name].input_schema["properties"]
    parameters = list(inspect.signature(getattr(TaskTools, name)).parameters)[1:]
    assert list(properties) == parameters
    assert all(properties[parameter]["description"] for parameter in parameters)


@pytest.mark.parametrize("name", TOOL_NAMES)
def test_no_tool_takes_a_user(name: str) -> None:
    assert not [argument for argument in CATALOGUE[name].input_schema["properties"] if "user" in argument]


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
    tools = openai_tools()
    assert [tool["function"]["name"] for tool in tools] == list(TOOL_NAMES)
    assert all(tool["type"] == "function" and tool["function"]["description"] for tool in tools)


@pytest.mark.parametrize("name", TOOL_NAMES)
def test_the_output_schema_demands_a_status_and_allows_an_error(name: str) -> None:
    schema = CATALOGUE[name].output_schema
    assert schema["required"] == ["status"]
    assert schema["properties"]["status"]["enum"] == ["success", "error"]
    assert "error_message" in schema["properties"]


def test_results_are_checked_against_their_type() -> None:
    adapter = TypeAdapter(get_type_hints(TaskTools.add_task)["return"])
    adapter.validate_python({"status": "success", "task_id": "x", "title": "y"})
    with pytest.raises(ValidationError):
        adapter.validate_python({"status": "perhaps"})
