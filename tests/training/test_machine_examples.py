"""The examples about machines: the same each time, accepted by the code that reads a model's calls, rendered alike."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from domains.machines.tools import MACHINE_TOOL_NAMES
from llm.embedded import EmbeddedServer
from llm.prompt import trained_system
from training.adapter.example import Example, render_messages
from training.adapter.machines.examples import machine_examples
from training.adapter.machines.voice import load_fleet_words, load_machine_words
from training.adapter.make_examples import load_options
from training.adapter.server import Tokeniser

FEW = 25
LANGUAGES = ("en", "it")


@pytest.fixture(scope="module")
def options() -> dict[str, Any]:
    options = load_options()
    few = {language: dict.fromkeys(counts, FEW) for language, counts in options["machines"].items()}
    return {**options, "machines": few}


@pytest.fixture(scope="module")
def examples(options: dict[str, Any]) -> list[Example]:
    return list(machine_examples(options))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_command_and_metric_can_be_said(language: str) -> None:
    fleet, words = load_fleet_words(), load_machine_words(language)
    for part in ("kinds", "commands", "metrics"):
        assert set(fleet[part]) == set(words[part])
    assert {what for kind in fleet["kinds"].values() for what in kind["commands"]} == set(fleet["commands"])


def test_the_same_options_give_the_same_examples(options: dict[str, Any], examples: list[Example]) -> None:
    assert list(machine_examples(options)) == examples
    assert list(machine_examples({**options, "seed": options["seed"] + 1})) != examples


def test_every_tool_is_called_and_every_answer_says_something(examples: list[Example]) -> None:
    called = Counter(name for example in examples for name, _ in example.calls)
    assert set(called) == {*MACHINE_TOOL_NAMES, "undo", "redo"}
    assert all(bool(example.calls) != bool(example.text) for example in examples)
    assert any(len(example.calls) > 1 for example in examples)


def test_a_machine_is_one_in_view_or_words_of_the_message(examples: list[Example]) -> None:
    strange = [
        (example.said, named)
        for example in examples
        for _, arguments in example.calls
        if (named := arguments.get("device_name")) is not None
        if named not in example.said and not any(line.startswith(f"{named} ") for line in seen(example))
    ]
    assert strange == []


def test_a_command_or_metric_is_one_that_somebody_in_view_has(examples: list[Example]) -> None:
    """The name is copied from what the model sees of that very machine."""
    for example in examples:
        for _, arguments in example.calls:
            named = arguments.get("device_name", "")
            words = {word for line in seen(example) if named in line.split(":")[0].split() for word in line.split()}
            if named.startswith("#"):
                assert {arguments.get("command_name"), *arguments.get("metrics", ())} - {None} <= words


def seen(example: Example) -> list[str]:
    return str(example.messages[0]["content"]).splitlines()


def test_examples_are_rendered_as_the_server_renders_them(embedded: EmbeddedServer, examples: list[Example]) -> None:
    address = embedded.wait_ready(120)
    tokeniser = Tokeniser(address.base_url.removesuffix("/v1"), address.key)
    prefix = tokeniser.prefix("machines")
    for example in examples[:: len(examples) // 40]:
        whole = tokeniser.render([trained_system("machines"), *example.messages], domain="machines")
        assert whole == prefix + render_messages(example.messages)
