"""Nothing is deleted without a word that says yes, and no request for something else is taken for one."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from domains.deciders import make_engine
from engine.decision import Context, Decision, Pending
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call

NOW = datetime(2026, 6, 10, 10)  # noqa: DTZ001 - a wall clock, as the Context has it
_TASKS = (
    Task("1", 1, "Swap shift", due_date="2026-06-12"),
    Task("2", 2, "Comprare ginocchiere"),
    Task("3", 3, "Buy knee pads"),
    Task("4", 4, "Certificato di Sofia", due_date="2026-06-12"),
)
_ASKED = {"en": "delete swap shift", "it": "elimina swap shift"}


def after(asked: str, said: str, language: str) -> Decision:
    context = Context(MemoryIndex(_TASKS), NOW, language=language)
    pending = make_engine().decide(asked, context).pending
    assert pending is not None
    return make_engine().decide(said, replace(context, pending=pending))


@pytest.mark.parametrize(
    ("language", "said"),
    [
        *(("en", said) for said in ("um", "oh", "so", "and", "and then", "maybe", "really", "now", "the one", "that")),
        *(("it", said) for said in ("ehm", "e poi", "poi", "quindi", "allora", "forse", "magari", "davvero", "anche")),
    ],
)
def test_what_is_hardly_a_word_deletes_nothing(language: str, said: str) -> None:
    assert after(_ASKED[language], said, language).calls == ()


@pytest.mark.parametrize("said", ["yes but not today", "yes, but only next week"])
def test_half_a_yes_deletes_nothing(said: str) -> None:
    assert "delete_task" not in [call.tool_name for call in after(_ASKED["en"], said, "en").calls]


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "yes"), ("en", "yes sadly"), ("en", "yes get rid"), ("en", "go on then"), ("en", "yeah bin it"),
     ("it", "sì"), ("it", "sì purtroppo"), ("it", "buttala pure"), ("it", "sì dai, via")],
)  # fmt: skip
def test_a_yes_in_few_words_does(language: str, said: str) -> None:
    assert [call.tool_name for call in after(_ASKED[language], said, language).calls] == ["delete_task"]


@pytest.mark.parametrize(
    ("language", "said", "task"),
    [
        ("en", "delete the knee pads, the club buys them", "3"),
        ("it", "elimina le ginocchiere, le compra la società", "2"),
    ],
)
def test_a_request_about_something_else_is_no_yes(language: str, said: str, task: str) -> None:
    asked = make_call("update_task", {"task_identifier": "4", "new_due_date": "2026-06-13"}, "rules")
    pending = Pending("confirm", "update_task", asked, question="Shall I?")
    decision = make_engine().decide(said, Context(MemoryIndex(_TASKS), NOW, pending=pending, language=language))
    assert (decision.action, decision.intent) == ("confirm", "delete_task")
    assert [call.parameters for call in decision.calls] == [{"task_identifier": task}]
