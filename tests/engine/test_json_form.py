"""Values as JSON and back, and what is said where something cannot be read."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from engine.border.json_form import from_json, to_json
from engine.border.plain import WireError
from engine.border.wire import read_context
from engine.decision import Choice, Context, Decision, Factor, Learned, Pending
from engine.values import SPARE, Argument, Id, Provenance, Span, ToolCall, called
from tests.conftest import NOW

CALL = ToolCall("buy", (Argument("what", "milk", Provenance("words", Span(4, 8), "said")),))
PENDING = Pending("choose", "buying", CALL, "what", ("a", "b"), "Which?", (CALL,), (Choice("A", "buy", {"n": 1}),), "x")


@dataclass(frozen=True, slots=True)
class Crate:
    """A type that the form has never heard of."""

    id: Id
    bottles: int = 6
    label: str = field(default="", metadata=SPARE)
    owner: str = field(default="", metadata=called("belongs_to"))
    inside: tuple[Learned, ...] = ()


def test_a_value_comes_back_as_it_was_by_its_type_alone() -> None:
    crate = Crate("c", 0, "fragile", "Ada", (Learned("k", "t", 2),))
    for named in (False, True):
        assert from_json(Crate, json.loads(json.dumps(to_json(crate, named=named)))) == crate
    for value in (PENDING, replace(PENDING, choices=(), text="", learns="key")):
        assert from_json(Pending, json.loads(json.dumps(to_json(value)))) == value


def test_what_is_made_by_the_dozen_is_a_row_unless_asked_for_by_name() -> None:
    factor = Factor("words", 0.5, Span(0, 3))
    assert to_json(factor) == ["words", 0.5, [0, 3], ""]
    assert to_json(factor, named=True) == {"name": "words", "amount": 0.5, "span": [0, 3], "detail": ""}
    # A record of before a field was there has shorter rows.
    assert from_json(Factor, ["words", 0.5]) == Factor("words", 0.5)


def test_a_field_may_have_another_name_or_be_left_out() -> None:
    assert to_json(Crate("c")) == {"id": "c", "bottles": 6, "belongs_to": "", "inside": []}


def test_null_and_empty_texts_and_lists_are_the_default_and_a_number_may_be_an_id() -> None:
    assert from_json(Crate, {"id": 7, "bottles": None, "label": "", "more": "unknown"}) == Crate("7")
    assert from_json(Crate, {"id": "c", "bottles": 0}).bottles == 0


@pytest.mark.parametrize(
    ("kind", "data", "sentence"),
    [
        (Crate, 5, "crate must be an object"),
        (Crate, [], "crate must be an object"),
        (Crate, {}, "crate.id is missing"),
        (Crate, {"id": []}, "crate.id must be an id"),
        (Crate, {"id": "c", "bottles": True}, "crate.bottles must be a whole number"),
        (Crate, {"id": "c", "label": 5}, "crate.label must be a text"),
        (Crate, {"id": "c", "inside": {"key": "k"}}, "crate.inside must be a list"),
        (Crate, {"id": "c", "inside": [["k", "t", 1], ["k", "t", "often"]]}, "crate.inside[2].times must be"),
        (Pending, {"kind": "guess"}, "crate.kind must be one of confirm, choose, fill, not 'guess'"),
        (Pending, {"kind": "fill", "intent": "x", "call": {}}, "crate.call must be an object with a tool_name"),
        (Decision, {"decider": "engine", "action": "execute", "intent": "x", "reason": "luck"}, "crate.reason must be"),
    ],
)
def test_a_mistake_is_named_with_its_place(kind: Any, data: object, sentence: str) -> None:
    with pytest.raises(WireError) as told:
        from_json(kind, data, "crate")
    assert str(told.value).startswith(sentence)


def test_what_has_no_form_is_a_bug() -> None:
    with pytest.raises(TypeError, match="object has no JSON form"):
        to_json(object())


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ({"tasks": [{"title": "a"}, {"title": 5}]}, "tasks[2].title must be a text"),
        (
            {"tasks": [{"title": "a", "status": "lost"}]},
            "tasks[1].status must be one of pending, completed",
        ),
        ({"history": [{"role": "user"}, 5]}, "history[2] must be an object"),
        ({"now": "noon"}, "now must be an ISO time, not 'noon'"),
        ({"pending": {"kind": "fill", "intent": "x", "call": {"tool_name": "t", "parameters": 5}}}, "pending.call"),
    ],
)
def test_a_line_that_cannot_be_read_says_where(line: dict[str, Any], sentence: str) -> None:
    with pytest.raises(WireError) as told:
        read_context(line, NOW)
    assert str(told.value).startswith(sentence)


def test_a_line_needs_nothing_but_its_text() -> None:
    empty = {"text": "x", "pending": {}, "history": None, "user": 7, "learned": [], "offered": None}
    context = read_context(empty, NOW)
    assert context == Context(context.tasks, NOW, user="7")
