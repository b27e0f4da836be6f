"""Reads scenarios from a text that anybody may have written. Every mistake is named with its line. No streamlit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from domains.catalogues import load_tools
from domains.loading import BUNDLED, list_domains
from engine.policy.yaml_text import Fault, find_line, read_yaml
from ui.demo.script import MOST_SCENARIOS, Scenario, ScenarioStep, StageTask

OWN_FILE = BUNDLED / "demo.yaml"
"""It says which tool is right, so it stands with the tools: one show may go through several domains."""
_FORM = TypeAdapter(Annotated[tuple[Scenario, ...], Field(min_length=1, max_length=MOST_SCENARIOS)])
_PLACES: dict[str, type[Scenario] | type[ScenarioStep] | type[StageTask]] = {"steps": ScenarioStep, "tasks": StageTask}
ScriptPlace = tuple[str | int, ...]


class ScriptError(ValueError):
    """What is wrong with a file of scenarios, line by line."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = tuple(sorted(set(faults)))
        super().__init__("\n".join(f"line {fault.line}: {fault.problem}" for fault in self.faults))


@cache
def load_own_scenarios() -> tuple[Scenario, ...]:
    """Those that come with Twolane."""
    return read_script(OWN_FILE.read_text(encoding="utf-8"))


def read_script(text: str) -> tuple[Scenario, ...]:
    """ScriptError if anything is wrong with it."""
    data, faults = read_yaml(text)
    if faults:
        raise ScriptError(faults)
    if not isinstance(data, list):
        raise ScriptError([Fault(1, "a list of scenarios is expected: each begins with “- name: …”")])
    try:
        scenarios = _FORM.validate_python(data)
    except ValidationError as error:
        found = [(_place(each), _in_words(each)) for each in _own_faults(error.errors())]
    else:
        found = list(_find_faults(scenarios))
        if not found:
            return scenarios
    raise ScriptError([Fault(find_line(text, place)[0], problem) for place, problem in found])


def _find_faults(scenarios: Sequence[Scenario]) -> Iterator[tuple[ScriptPlace, str]]:
    names: set[str] = set()
    for place, scenario in enumerate(scenarios):
        if scenario.name in names:
            yield (place, "name"), f"the name “{scenario.name}” is taken by a scenario above"
        names.add(scenario.name)
        if scenario.domain not in list_domains():
            yield (place, "domain"), f"there is no domain “{scenario.domain}”; there are {', '.join(list_domains())}"
            continue
        for at, step in enumerate(scenario.steps):
            if step.point not in step.say:
                yield (place, "steps", at, "point"), f"“{step.point}” does not stand in what is said"
        yield from (((place, "steps", at, "right"), fault) for at, fault in _find_wrong_calls(scenario))


def _find_wrong_calls(scenario: Scenario) -> Iterator[tuple[int, str]]:
    tools = load_tools(scenario.domain)
    for at, call in scenario.expected():
        tool = tools.get(call.tool)
        if tool is None:
            yield at, f"there is no tool “{call.tool}” for {scenario.domain}; there are {', '.join(tools)}"
            continue
        known = list(tool.arguments.model_fields)
        for name in call.arguments:
            if name not in known:
                yield at, f"{call.tool} has no argument “{name}”; it has {', '.join(known) or 'none'}"


def _own_faults(errors: Sequence[ErrorDetails]) -> list[ErrorDetails]:
    """Without those that only follow from others: a list whose one entry is wrong counts as empty."""
    follows = [each for each in errors if each["type"] == "too_short"]
    return [
        each
        for each in errors
        if each not in follows
        or not any(other["loc"][: len(each["loc"])] == each["loc"] and other is not each for other in errors)
    ]


def _place(error: ErrorDetails) -> ScriptPlace:
    """Up to the name that stands in the file: what is read of it has names of its own."""
    return error["loc"][: error["loc"].index("right") + 1] if "right" in error["loc"] else error["loc"]


def _in_words(error: ErrorDetails) -> str:
    place = error["loc"]
    last = next((each for each in reversed(place) if isinstance(each, str)), "")
    if error["type"] == "missing":
        return f"“{last}” is missing"
    if error["type"] == "extra_forbidden":
        return f"“{place[-1]}” is not known here; known are {', '.join(_known_at(place))}"
    message = str(error["msg"]).removeprefix("Value error, ")
    about = "right" if "right" in place else last
    return f"“{about}”: {message[0].lower()}{message[1:]}" if about else message


def _known_at(place: Sequence[Any]) -> list[str]:
    above = next((each for each in reversed(place[:-1]) if isinstance(each, str)), "")
    return list(_PLACES.get(above, Scenario).model_fields)
