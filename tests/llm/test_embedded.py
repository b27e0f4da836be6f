"""The real embedded model, through the real SDK, in its real process."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from llm.decider import LLMDecider
from llm.embedded import MODEL_NAME, EmbeddedError, EmbeddedServer
from llm.endpoint import Endpoint
from llm.patience import Breaker, Cancel
from llm.tool_list import native_tools
from llm.trace import LLMTurn
from tests.llm.slots import PROMPT_TOKENS, known_tokens
from tests.one_core import one_core

ROOT = Path(__file__).parent.parent.parent
CONTEXT = Context(tasks=MemoryIndex([Task("a", 1, "Buy bread")]), now=datetime(2026, 3, 4, 10))  # noqa: DTZ001
ANSWERED = ("valid_call", "broken_call", "no_call")


def ask(text: str, **more: object) -> LLMTurn:
    endpoint = Endpoint("embedded", "", MODEL_NAME, timeout_seconds=240)
    return LLMDecider(endpoint, breaker=Breaker()).ask(text, CONTEXT, **more)  # type: ignore[arg-type]


def test_two_sessions_are_answered_by_one_server(embedded: EmbeddedServer) -> None:
    before = embedded.wait_ready(60)
    with ThreadPoolExecutor(2) as sessions:
        turns = list(sessions.map(ask, ("add a task to buy tea", "add a task to buy milk")))
    assert all(turn.trace.outcome in ANSWERED for turn in turns)
    assert [turn.decision.calls[0].parameters["title"] for turn in turns] == ["buy tea", "buy milk"]
    assert embedded.wait_ready(0).pid == before.pid


@pytest.mark.thorough("tests/llm/test_adapter.py::test_a_plain_request_becomes_native_calls")
def test_blocks_of_our_template_come_back_as_native_tool_calls(embedded: EmbeddedServer) -> None:
    """Also with tools that it was not trained on: it goes on as the conversation went."""
    import openai  # late: each process of a run collects this file, and one needs it

    address = embedded.wait_ready(60)
    tools = [tool for tool in native_tools() if tool["function"]["name"] == "complete_task"]
    messages: list[dict[str, object]] = []
    for name in ("milk", "tea", "soap"):
        function = {"name": "complete_task", "arguments": f'{{"task_identifier": "{name}"}}'}
        call = {"id": name, "type": "function", "function": function}
        messages += [{"role": "user", "content": f"finish {name}"}, {"role": "assistant", "content": "", "tool_calls": [call]}]  # fmt: skip # noqa: E501
    messages.append({"role": "user", "content": "finish rice"})
    with openai.OpenAI(base_url=address.base_url, api_key=address.key, max_retries=0, timeout=240) as client:
        done = client.chat.completions.create(
            model=MODEL_NAME,
            messages=messages,
            tools=tools,
            temperature=0,
            max_tokens=40,  # type: ignore[arg-type]
        )
    calls = done.choices[0].message.tool_calls
    assert calls, done.choices[0].message.content
    assert calls[0].function.name == "complete_task"


def test_nobody_without_the_key_is_answered(embedded: EmbeddedServer) -> None:
    import openai  # late: each process of a run collects this file, and one needs it

    url = embedded.wait_ready(60).base_url
    with (
        openai.OpenAI(base_url=url, api_key="guess", max_retries=0) as client,
        pytest.raises(openai.AuthenticationError),
    ):
        client.chat.completions.create(model=MODEL_NAME, messages=[{"role": "user", "content": "hi"}])


def test_a_server_killed_in_the_middle_of_an_answer_is_restarted_and_need_not_read_its_prompt_again(
    embedded: EmbeddedServer, model_folder: Path
) -> None:
    before = embedded.wait_ready(60)
    (kept,) = (model_folder / "read").iterdir()
    read = kept.stat().st_mtime_ns
    killed: list[str] = []

    def kill_once(piece: str) -> None:
        if not killed:
            os.kill(before.pid, signal.SIGKILL)
        killed.append(piece)

    assert ask("good morning", on_text=kill_once).trace.failure == "cut_off"
    assert ask("add a task to buy milk").trace.outcome in ANSWERED
    assert embedded.wait_ready(60).pid != before.pid
    assert all(tokens > PROMPT_TOKENS for tokens in known_tokens(embedded.wait_ready(0)))
    assert kept.stat().st_mtime_ns == read, "it was read again"


class ClosedTabError(BaseException):
    """As Streamlit ends the script of a page whose tab is closed."""


def test_closing_tabs_in_the_middle_of_answers_is_no_failure_of_the_server(embedded: EmbeddedServer) -> None:
    before, breaker = embedded.wait_ready(60), Breaker()
    decider = LLMDecider(Endpoint("embedded", "", MODEL_NAME, timeout_seconds=240), breaker=breaker)
    for _ in range(4):  # a page that shows the words as they come, in its own script
        with pytest.raises(ClosedTabError):
            decider.ask("good morning", CONTEXT, on_text=_close_tab)
    for _ in range(4):  # a turn that goes on in a thread of its own, and is stopped
        cancel = Cancel()
        stopped = decider.ask("good morning", CONTEXT, on_text=lambda _, each=cancel: each.cancel(), cancel=cancel)
        assert stopped.trace.failure in ("cancelled", "")  # "": the answer was quicker
    assert decider.ask("add a task to buy milk", CONTEXT).trace.outcome in ANSWERED
    assert embedded.wait_ready(0).pid == before.pid


def _close_tab(_piece: str) -> None:
    raise ClosedTabError


def test_the_server_does_not_outlive_a_process_that_was_killed(weights_file: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from llm.embedded import EmbeddedServer; "
        "server = EmbeddedServer(Path(sys.argv[1])); server.start(); "
        "print(server.wait_ready(100).base_url, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", code, str(weights_file)]
    with one_core():
        parent = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with parent:
        assert parent.stdout is not None
        address = urlsplit(parent.stdout.readline().strip())
        assert is_listening(address.port or 0)
        parent.kill()
    deadline = time.monotonic() + 20
    while is_listening(address.port or 0):
        assert time.monotonic() < deadline


def is_listening(port: int) -> bool:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=1):
            return True
    except OSError:
        return False


def test_weights_that_cannot_be_loaded_end_in_a_sentence_not_in_a_loop(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF and nothing more")
    server = EmbeddedServer(tmp_path / "broken.gguf")
    server.start()
    with pytest.raises(EmbeddedError, match="does not start"):
        server.wait_ready(100)
    server.stop()
