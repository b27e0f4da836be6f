"""The examples for the adapter: the same each time, valid, and rendered as the server renders them."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from llm.embedded import EmbeddedServer
from llm.prompt import trained_system
from training.adapter.example import Example, render_answer, render_messages
from training.adapter.make_examples import distinct, load_options, own_examples, problem_of
from training.adapter.sample import load_sample
from training.adapter.server import Tokeniser

FEW = 40
WORDS_OF_THE_MESSAGE = {"title", "description", "due_date", "task_identifier", "new_title", "new_description"}


@pytest.fixture(scope="module")
def options() -> dict[str, Any]:
    options = load_options()
    few = {language: dict.fromkeys(counts, FEW) for language, counts in options["examples"].items()}
    return {**options, "examples": few}


@pytest.fixture(scope="module")
def examples(options: dict[str, Any]) -> list[Example]:
    return list(own_examples(options))


@pytest.fixture
def tokeniser(embedded: EmbeddedServer) -> Tokeniser:
    address = embedded.wait_ready(120)
    return Tokeniser(address.base_url.removesuffix("/v1"), address.key)


def test_the_same_options_give_the_same_examples(options: dict[str, Any], examples: list[Example]) -> None:
    assert list(own_examples(options)) == examples
    other = {**options, "seed": options["seed"] + 1}
    assert list(own_examples(other)) != examples


def test_every_call_would_be_accepted(examples: list[Example]) -> None:
    assert [(example.said, problem) for example in examples if (problem := problem_of(example))] == []


def test_every_tool_is_called_and_every_answer_says_something(examples: list[Example]) -> None:
    called = Counter(name for example in examples for name, _ in example.calls)
    tools = {"add_task", "list_tasks", "complete_task", "delete_task", "update_task", "get_user_info"}
    assert set(called) == tools | {"undo", "redo"}
    assert all(bool(example.calls) != bool(example.text) for example in examples)
    assert any(len(example.calls) > 1 for example in examples)


def test_arguments_are_words_of_the_message(examples: list[Example]) -> None:
    """A task in view goes by its number; everything else is in the message itself."""
    strange = [
        (example.said, value)
        for example in examples
        for _, arguments in example.calls
        for name, value in arguments.items()
        if name in WORDS_OF_THE_MESSAGE and value not in ("", "none")
        if value not in example.said and not (name == "task_identifier" and in_view(value, example))
    ]
    assert strange == []


def in_view(target: str, example: Example) -> bool:
    lines = str(example.messages[0]["content"]).splitlines()
    return all(any(line.startswith(f"{number} ") for line in lines) for number in target.split(" or "))


def test_what_is_left_open_and_what_several_fit_is_said_so(examples: list[Example]) -> None:
    open_ones = [call for example in examples if example.kind == "ask_title" for call in example.calls]
    assert {arguments["title"] for _, arguments in open_ones} == {""}
    several = [call for example in examples if example.kind == "several_fit" for call in example.calls]
    assert all(" or #" in arguments["task_identifier"] for _, arguments in several)


def test_repeated_messages_are_kept_a_few_times_only(examples: list[Example]) -> None:
    kept = distinct(examples * 5, most_each=3)
    most = Counter(json.dumps(list(example.messages)) for example in kept).most_common(1)[0][1]
    assert most == 3


def test_examples_are_rendered_as_the_server_renders_them(tokeniser: Tokeniser, examples: list[Example]) -> None:
    system = trained_system()
    for example in examples[:: len(examples) // 60]:
        assert tokeniser.render([system, *example.messages]) == tokeniser.prefix() + render_messages(example.messages)


def test_many_texts_at_once_have_the_tokens_of_each(tokeniser: Tokeniser, examples: list[Example]) -> None:
    example = next(each for each in examples if each.calls)
    texts = [render_messages(example.messages), render_answer(example)]
    assert list(tokeniser.tokens_of_all(texts)) == [tokeniser.tokens(text) for text in texts]
    assert [*chain(*tokeniser.tokens_of_all(texts))] == tokeniser.tokens("".join(texts))


def test_the_sample_is_fixed_and_takes_rare_intents_first(tmp_path: Path) -> None:
    def row(place: int, intent: str) -> dict[str, Any]:
        return {"id": f"{intent}{place}", "text": f"{intent} {place}", "intent": intent, "accept": [intent], "lang": "en", "source": "s"}  # fmt: skip # noqa: E501

    tiers = {
        "tasks": [row(place, "add_task") for place in range(20)] + [row(0, "complete_task")],
        "negatives": [row(place, "unknown") for place in range(9)],
        "lists": [],
        "borderline": [],
    }
    for tier, rows in tiers.items():
        with gzip.open(tmp_path / f"{tier}_dev.jsonl.gz", "wt", encoding="utf-8") as lines:
            lines.writelines(json.dumps(each) + "\n" for each in rows)
    sample = load_sample(tmp_path, 4, 3)
    assert sample == load_sample(tmp_path, 4, 3)
    assert Counter(each.accepted[0] for each in sample) == {"add_task": 3, "complete_task": 1, "unknown": 3}
