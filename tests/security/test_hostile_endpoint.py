"""Whatever an endpoint sends, the turn ends: in time, in a sentence, and in a record that can be read."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from benchmarks.hostile_endpoint import ask, try_fault
from engine.decision import Reason
from llm.connection import check_connection
from llm.endpoint import Endpoint
from tests.assistant.conftest import Chat, ServeModel, calls, chat, model, says
from tests.llm.fault_server import FaultServer, hang, serve, status
from tests.rounds import rounds
from tests.security.hostile_endpoint import ENDLESS, FAULTS, chunk, events

__all__ = ["chat", "model"]


@pytest.mark.parametrize("name", FAULTS)
def test_no_fault_raises_takes_too_long_or_leaves_what_cannot_be_written(name: str) -> None:
    assert try_fault(name).problem == ""


def test_no_fault_leaves_a_turn_of_the_chat_waiting(chat: Chat, model: ServeModel) -> None:
    chat.driver = "llm"
    before = chat.tasks()
    for name, fault in [*FAULTS.items()][:: rounds(4, 1)]:
        model(fault, says("Done."), seconds=0.5 if name in ENDLESS else 10)
        turn = chat.say("hello")
        assert turn.lane is not None, name
        assert turn.llm_status != "waiting", name
        assert turn.reply, name
        kept = [asdict(turn), chat.decisions(turn)]
        json.dumps(kept, ensure_ascii=False, allow_nan=False, default=str).encode()
    assert chat.tasks() == before, "nobody asked for a change"


def test_a_character_that_comes_in_two_halves_is_put_together() -> None:
    turn = ask(FAULTS["half a character, then the other"], 5)
    assert turn.trace.answer.text == "a \N{GRINNING FACE} b"
    assert turn.decision.message == "a \N{GRINNING FACE} b"


def test_what_cannot_be_read_is_told_with_its_place() -> None:
    assert ask(FAULTS["content as a list"], 5).decision.message == (
        "The model's answer could not be read: 'choices.0.delta.content' is not what belongs there."
    )


def test_a_probability_that_is_none_gives_no_confidence() -> None:
    turn = ask(FAULTS["a log-probability of 5"], 5)
    assert turn.trace.outcome == "valid_call"
    assert turn.decision.confidence is None


def test_counts_that_are_none_are_left_out() -> None:
    answer = ask(FAULTS["token counts as text"], 5).trace.answer
    assert (answer.text, answer.prompt_tokens, answer.answer_tokens) == ("Hello.", None, None)


def test_no_redirect_is_followed_not_even_on_the_same_machine() -> None:
    with serve(events(chunk({"content": "I am somebody else."}))) as other:
        turn = ask(status(307, f"Location: {other.url}/chat/completions\r\n"), 5)
        assert other.requests == []
    assert turn.decision.reason is Reason.UNAVAILABLE
    assert "no redirect is followed" in turn.decision.message


def test_the_test_of_a_connection_follows_none_either() -> None:
    with (
        serve(status(200, body='{"data": [{"id": "elsewhere"}]}')) as other,
        serve(status(302, f"Location: {other.url}/models\r\n")) as server,
    ):
        found = check_connection(Endpoint("custom", server.url, "", timeout_seconds=5))
        assert other.requests == []
    assert "no redirect is followed" in found.problem


@pytest.mark.parametrize(
    "body",
    ["[]", "{}", '{"data": 7}', '{"data": [7, {"id": 7}, {"id": null}]}', "[" * 50_000, "9" * 5000, '"\\ud83d"'],
)
def test_a_list_of_models_that_is_none_is_told_in_a_sentence(body: str) -> None:
    with serve(status(200, body=body)) as server:
        found = check_connection(Endpoint("custom", server.url, "", timeout_seconds=5))
    assert found.problem.endswith(("does not speak the OpenAI interface.", "type the name of one."))


def test_names_of_models_are_whole_text() -> None:
    with serve(status(200, body='{"data": [{"id": "a\\ud83d"}, {"id": "b"}]}'), hang) as server:
        found = check_connection(Endpoint("openai", server.url, "b", timeout_seconds=5))
    assert found.models == ("a\ufffd", "b")


def test_all_questions_of_a_turn_share_one_time_limit(chat: Chat, model: ServeModel) -> None:
    def late(server: FaultServer, out: object) -> None:
        server.released.wait(0.7)
        out.write(calls("add_task", title=f"errand {len(server.requests)}"))  # type: ignore[attr-defined]

    chat.driver = "llm"
    server = model(late, seconds=1.5)
    turn = chat.say("add a task called errand")
    assert len(server.requests) <= 3, "the fourth question would begin after 2.1 s"
    assert turn.llm_status == "answered"
