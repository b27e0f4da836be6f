"""The embedded model with its adapter: native calls of our tools, through the real server and the real SDK."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from engine.decision import Context, Message
from engine.targets.memory_index import MemoryIndex
from engine.values import Task, make_call
from llm.decider import LLMDecider
from llm.embedded import MODEL_NAME, EmbeddedServer
from llm.endpoint import Endpoint
from llm.patience import Breaker
from llm.prompt import trained_system
from llm.tool_list import short_tools
from llm.trace import LLMTurn
from llm.weights import find_adapter
from tests.llm.slots import PROMPT_TOKENS, known_tokens
from tests.one_core import one_core
from tests.rounds import rounds
from training.adapter.server import Tokeniser

ROOT = Path(__file__).parent.parent.parent
ANSWERED = ("valid_call", "broken_call", "no_call")
TASKS = (Task("a", 1, "buy bread"), Task("b", 2, "call the plumber"), Task("c", 3, "pay the rent"))
CONTEXT = Context(tasks=MemoryIndex(TASKS), now=datetime(2026, 3, 4, 10), language="en")  # noqa: DTZ001
LISTED = (
    Message("user", "show my tasks"),
    Message(
        "assistant",
        "Here are your tasks: 1. buy bread, 2. call the plumber, 3. pay the rent.",
        ("a", "b", "c"),
        (make_call("list_tasks", {}, "words"),),
    ),
)


def ask(text: str, context: Context = CONTEXT, on_text: Callable[[str], None] | None = None) -> LLMTurn:
    """A turn of the embedded model. Whatever it was asked, the trace has what an answer has."""
    endpoint = Endpoint("embedded", "", MODEL_NAME, timeout_seconds=240)
    turn = LLMDecider(endpoint, breaker=Breaker()).ask(text, context, on_text=on_text)
    assert turn.trace.outcome in ANSWERED
    assert turn.decision.decider == "llm"
    assert turn.trace.answer.prompt_tokens
    assert turn.trace.answer.answer_tokens
    assert turn.trace.answer.first_token_ms is not None
    assert (turn.decision.confidence is None) == (not turn.trace.confidence_source)
    return turn


def made(turn: LLMTurn) -> list[tuple[str, dict[str, Any]]]:
    return [(call.tool_name, dict(call.parameters)) for call in turn.decision.calls]


def test_the_adapter_is_small_enough_for_the_repository() -> None:
    adapter = find_adapter()
    assert adapter is not None
    assert 1_000_000 < adapter.stat().st_size <= 20_000_000


def test_every_slot_knows_the_prompt_before_anybody_asks(embedded: EmbeddedServer) -> None:
    """The first test that has the model: nobody has asked it anything yet. The second of two people who ask at once
    does not wait for the prompt to be read either."""
    assert all(tokens > PROMPT_TOKENS for tokens in known_tokens(embedded.wait_ready(60)))


REQUESTS: list[tuple[str, list[tuple[str, dict[str, Any]]]]] = [
    ("move the plumber to Monday", [("update_task", {"task_identifier": "b", "new_due_date": "2026-03-09"})]),
    ("add a task to buy tea, then list my tasks", [("add_task", {"title": "buy tea"}), ("list_tasks", {})]),
    ("ricordami di pagare la multa venerdì", [("add_task", {"title": "pagare la multa", "due_date": "2026-03-06"})]),
    ("add a task to buy stamps", [("add_task", {"title": "buy stamps"})]),
    ("mark buy bread as done", [("complete_task", {"task_identifier": "a"})]),
    ("who am I?", [("get_user_info", {})]),
    ("rename buy bread to buy cake", [("update_task", {"task_identifier": "a", "new_title": "buy cake"})]),
    ("show my overdue tasks", [("list_tasks", {"filter": "overdue"})]),
    (
        "add a high priority task to call Lena by Friday",
        [("add_task", {"title": "call Lena", "priority": "high", "due_date": "2026-03-06"})],
    ),
]
"""The first of them change, add and list, in both languages; completing and deleting have tests of their own."""
SMALL_TALK = ("good morning", "how do I add a task?", "what's the weather in Rome?", "play some jazz")
POINTED_AT = (("mark the second one as done", "b"), ("complete the last one", "c"), ("check off the first one", "a"))


@pytest.mark.parametrize(("text", "calls"), REQUESTS[: rounds(3, 9)])
def test_a_plain_request_becomes_native_calls(
    embedded: EmbeddedServer, text: str, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    context = replace(CONTEXT, language="it") if text.startswith("ricordami") else CONTEXT
    turn = ask(text, context)
    assert (turn.trace.path, turn.trace.outcome) == ("tools", "valid_call")
    assert (turn.decision.action, made(turn)) == ("execute", calls)


def test_deleting_asks_first_and_a_yes_deletes(embedded: EmbeddedServer) -> None:
    turn = ask("delete buy bread")
    assert turn.decision.action == "confirm"
    said = (Message("user", "delete buy bread"), Message("assistant", turn.decision.message, ("a",)))
    answered = ask("yes", replace(CONTEXT, history=said, pending=turn.decision.pending))
    assert answered.decision.action == "execute"
    assert made(answered) == [("delete_task", {"task_identifier": "a"})]


@pytest.mark.parametrize("text", SMALL_TALK[: rounds(1, 4)])
def test_what_asks_for_nothing_gets_words_piece_by_piece_and_no_call(embedded: EmbeddedServer, text: str) -> None:
    pieces: list[str] = []
    turn = ask(text, on_text=pieces.append)
    assert (turn.trace.outcome, turn.decision.action) == ("no_call", "reply")
    assert turn.decision.message
    assert len(pieces) > 3
    assert "".join(pieces) == turn.trace.answer.text


@pytest.mark.parametrize(("text", "task"), POINTED_AT[: rounds(1, 3)])
def test_the_second_one_is_the_second_of_what_was_listed(embedded: EmbeddedServer, text: str, task: str) -> None:
    turn = ask(text, replace(CONTEXT, history=LISTED))
    assert made(turn) == [("complete_task", {"task_identifier": task})]


def test_it_is_the_task_talked_about_last(embedded: EmbeddedServer) -> None:
    call = make_call("add_task", {"title": "pay the rent"}, "words")
    said = (Message("user", "add pay the rent"), Message("assistant", "I added 'pay the rent'.", ("c",), (call,)))
    turn = ask("move it to Friday", replace(CONTEXT, history=said))
    assert made(turn) == [("update_task", {"task_identifier": "c", "new_due_date": "2026-03-06"})]


def test_a_tool_result_is_told_in_words(embedded: EmbeddedServer) -> None:
    import openai  # late: each process of a run collects this file, and one needs it

    address = embedded.wait_ready(60)
    function = {"name": "add_task", "arguments": json.dumps({"title": "buy stamps"})}
    result = {"status": "success", "number": 7, "title": "buy stamps", "due_date": None, "completed": False}
    messages: list[Any] = [
        trained_system(),
        {"role": "user", "content": "add a task to buy stamps"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "type": "function", "function": function}]},
        {"role": "tool", "tool_call_id": "1", "content": json.dumps(result)},
    ]
    tools: Any = list(short_tools())
    with openai.OpenAI(base_url=address.base_url, api_key=address.key, max_retries=0, timeout=240) as client:
        done = client.chat.completions.create(
            model=MODEL_NAME, messages=messages, tools=tools, temperature=0, max_tokens=60
        )
    answer = done.choices[0].message
    assert not answer.tool_calls
    assert "buy stamps" in (answer.content or "")


def test_the_model_reads_the_prompt_that_it_was_trained_on(embedded: EmbeddedServer) -> None:
    """The card keeps it. Whoever changes a tool's signature or the prompt must train again."""
    address = embedded.wait_ready(60)
    tokeniser = Tokeniser(address.base_url.removesuffix("/v1"), address.key)
    for domain, name in (("tasks", "prompt.txt"), ("machines", "prompt_machines.txt")):
        trained = (ROOT / "llm" / "adapter" / name).read_text(encoding="utf-8")
        assert tokeniser.prefix(domain) == trained


@pytest.mark.thorough("tests/llm/test_decisions.py::test_a_model_without_native_tools_is_found_out_and_asked_for_json")
def test_without_the_adapter_the_base_model_is_asked_by_schema(weights_file: Path) -> None:
    environment = {**os.environ, "EMBEDDED_ADAPTER": "false", "LLM_ENDPOINT": "embedded", "LLM_TIMEOUT_SECONDS": "200"}
    command = [sys.executable, "-m", "llm", "ask", "add a task to buy milk"]
    with one_core():
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=280, check=False
        )
    assert f"asked: {MODEL_NAME} at embedded, by schema" in done.stdout, done.stderr
