"""Numbers that no database column holds are an answer in words, in every tool that takes one."""

from __future__ import annotations

import pytest

from engine.values import ErrorKind
from tests.conftest import Call

LARGE = (2**31, 2**53, 2**63 - 1, 2**63, 2**64, 10**30)


@pytest.mark.parametrize("number", LARGE)
@pytest.mark.parametrize("tool", ["list_tasks", "machines_list"])
def test_leaving_out_more_than_there_is_gives_an_empty_list(call: Call, tool: str, number: int) -> None:
    call("add_task", title="One")
    answer = call(tool, offset=number)
    assert answer.error is None
    assert answer.payload["count"] == 0


@pytest.mark.parametrize("number", LARGE)
def test_no_large_number_is_a_bug_of_ours(call: Call, number: int) -> None:
    call("add_task", title="One")
    answers = [
        call("list_tasks", limit=number),
        call("complete_task", task_identifier=f"#{number}"),
        call("delete_task", task_identifier=str(number)),
        call("update_task", task_identifier=f"task {number}", new_title="x"),
        call("metrics_read", device_name="x", hours=number),
        call("machine_command_execute", device_name="x", command_name="y", value=number),
        call("add_task", title="x", due_date=f"{number}-01-01"),
    ]
    assert [answer.error for answer in answers if answer.error in (ErrorKind.INTERNAL, ErrorKind.UNAVAILABLE)] == []
