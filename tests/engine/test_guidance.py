"""The guidance's examples are sentences that people say, and that the engine itself reads so."""

from __future__ import annotations

from datetime import datetime

import pytest

from domains.deciders import make_engine
from domains.loading import load_policy, read_policy
from engine.catalogue.guidance import make_guidance
from engine.decision import Context
from engine.policy.loading import PolicyError
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

TITLES = {
    "en": "Renew passport, Call the dentist, Pay the rent, Buy milk, Go to the gym, Bake the birthday cake, "
    "Write the report, Do the taxes, Meeting with Tom, Wash the car",
    "it": "Rinnovare il passaporto, Chiamare il dentista, Pagare l'affitto, Comprare il latte, Andare in palestra, "
    "Scrivere la relazione, Fare le tasse",
}


@pytest.mark.parametrize("language", TITLES)
def test_every_saying_is_read_as_the_tool_that_it_stands_beside(language: str) -> None:
    policy = load_policy(language)
    tasks = [Task(str(number), number, title) for number, title in enumerate(TITLES[language].split(", "), start=1)]
    context = Context(MemoryIndex(tasks), now=datetime(2026, 3, 4, 10), language=language)  # noqa: DTZ001
    engine = make_engine()
    read = {said: engine.decide(said, context) for sayings in policy.source["sayings"].values() for said in sayings}
    wrong = {
        said: (intent, read[said].intent)
        for intent, sayings in policy.source["sayings"].items()
        for said in sayings
        if read[said].intent != intent or read[said].action == "reply"
    }
    assert wrong == {}
    assert set(policy.source["sayings"]) == {facts.intent for facts in policy.catalogue.tools}


def test_the_guidance_has_them_and_no_pattern() -> None:
    text = make_guidance(load_policy("en"), "task")
    assert 'people say: "mark the passport task as done"; "I\'ve paid the rent"' in text
    assert not any(each in text for each in ("<", "complete it's", "to do list", '"...'))


def test_sayings_of_no_intent_are_told_with_their_line() -> None:
    with pytest.raises(PolicyError, match=r"line 1: no intent is called 'fly'"):
        read_policy("sayings: {fly: [up]}\n", "mine.yaml")
    with pytest.raises(PolicyError, match="must be a list of texts"):
        read_policy("sayings: {add_task: 7}\n", "mine.yaml")
