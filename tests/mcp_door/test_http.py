"""The running workbench at /mcp, over real HTTP."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from db.client_calls import ClientCall, list_client_calls
from db.users import find_user
from engine.values import ErrorKind
from tests.browser.conftest import Workbench, running_workbench
from tests.mcp_door.conftest import answering
from tests.mcp_door.workbench import RawClient, call_message, connect, make_token, result_of, revoke
from ui.tools.snippets import curl_request

QUESTION_SECONDS = 1


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("mcp")
    with running_workbench(folder, MCP_QUESTION_SECONDS=str(QUESTION_SECONDS)) as workbench:
        yield workbench


@pytest.fixture
def url(workbench: Workbench) -> str:
    return f"{workbench.url}/mcp"


@pytest.fixture
def http() -> Iterator[httpx2.Client]:
    with httpx2.Client(timeout=30) as client:
        yield client


def calls(workbench: Workbench, handle: str) -> tuple[ClientCall, ...]:
    with workbench.database.read() as session:
        user = find_user(session, handle)
        assert user
        return list_client_calls(session, user.id, limit=50)


@pytest.mark.anyio
async def test_a_client_with_a_token_works_on_its_persons_tasks(workbench: Workbench, url: str, era: str) -> None:
    person = answering("accept", yes=True)
    async with connect(url, make_token(workbench, "jonas"), era, elicitation_callback=person) as client:
        added = await client.call_tool("add_task", {"title": f"Over HTTP, {era}"})
        assert [task.title for task in workbench.tasks("jonas", search=f"HTTP {era}")] == [f"Over HTTP, {era}"]
        assert workbench.tasks("maya", search=f"HTTP {era}") == ()
        deleted = await client.call_tool("delete_task", {"task_identifier": added.structured_content["task_id"]})
        assert deleted.structured_content["status"] == "success"
    assert person.asked  # type: ignore[attr-defined]
    assert workbench.tasks("jonas", search=f"HTTP {era}") == ()
    assert [(call.client, call.tool_name, call.error) for call in reversed(calls(workbench, "jonas")[:3])] == [
        ("Desk", "add_task", None),
        ("Desk", "delete_task", ErrorKind.NEEDS_CONFIRMATION),
        ("Desk", "delete_task", None),
    ]


@pytest.mark.anyio
async def test_an_address_with_a_slash_at_its_end_serves_too(workbench: Workbench, url: str) -> None:
    async with connect(f"{url}/", make_token(workbench, "maya")) as client:
        assert (await client.call_tool("get_user_info", {})).structured_content["handle"] == "maya"


@pytest.mark.parametrize("which", ["none", "made up", "expired", "revoked", "another scheme"])
def test_without_a_valid_token_there_are_no_tools(
    workbench: Workbench, url: str, http: httpx2.Client, which: str
) -> None:
    token = make_token(workbench, "maya", days=-1 if which == "expired" else None)
    if which == "revoked":
        revoke(workbench, "maya", token)
    sent = {"none": None, "made up": "twl_0123456789ab_" + "x" * 43}.get(which, token)
    client = RawClient(http, url, sent, None)
    if which == "another scheme":
        client.headers["Authorization"] = f"Basic {token}"
    said = {"expired": "has expired", "revoked": "was revoked", "made up": "not known"}.get(which, "Bearer")
    before = calls(workbench, "maya")
    for message in ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, call_message("add_task", {"title": "x"})):
        answer = client.post(message)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith('Bearer error="invalid_token"')
        assert said in answer.json()["error_description"]
        assert token not in answer.text
    assert http.get(url, headers=client.headers).status_code == 401
    assert calls(workbench, "maya") == before


def test_a_token_that_is_revoked_ends_its_open_session(workbench: Workbench, url: str, http: httpx2.Client) -> None:
    token = make_token(workbench, "maya")
    client = RawClient(http, url, token, None)
    client.open()
    assert result_of(client.call("get_user_info"))["handle"] == "maya"
    revoke(workbench, "maya", token)
    assert client.call("get_user_info").status_code == 401


def test_another_persons_token_cannot_go_on_with_a_session(workbench: Workbench, url: str, http: httpx2.Client) -> None:
    client = RawClient(http, url, make_token(workbench, "maya"), None)
    client.open()
    client.headers["Authorization"] = f"Bearer {make_token(workbench, 'jonas')}"
    assert client.call("get_user_info").status_code == 404


def test_foreign_hosts_and_origins_are_refused_before_the_token_is_looked_at(
    workbench: Workbench, url: str, http: httpx2.Client
) -> None:
    client = RawClient(http, url, make_token(workbench, "maya"), None)
    message = call_message("add_task", {"title": "From a foreign page"})
    assert client.post(message, Origin="https://evil.example").status_code == 403
    assert client.post(message, Host="evil.example").status_code == 421
    assert client.post(message, Origin="null").status_code == 403
    assert workbench.tasks("maya", search="foreign page") == ()
    client.headers["Origin"] = workbench.url
    assert client.open().status_code == 200


def test_a_call_of_a_megabyte_is_refused_unread(workbench: Workbench, url: str, http: httpx2.Client) -> None:
    client = RawClient(http, url, make_token(workbench, "maya"), None)
    client.open()
    answer = client.call("add_task", title="x" * 1_000_000)
    assert answer.status_code == 413
    assert "too large" in answer.text
    assert result_of(client.call("get_user_info"))["handle"] == "maya"


@pytest.mark.parametrize("body", ["{not json", "", "[]", '"text"', "\x00", '{"jsonrpc": "2.0"}', "[" * 50_000])
def test_malformed_json_is_refused_and_the_session_goes_on(
    workbench: Workbench, url: str, http: httpx2.Client, body: str
) -> None:
    client = RawClient(http, url, make_token(workbench, "maya"), None)
    client.open()
    answer = client.post(body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]
    assert result_of(client.call("get_user_info"))["handle"] == "maya"


def test_a_client_that_vanishes_in_the_middle_of_a_question_is_cleaned_up(
    workbench: Workbench, url: str, http: httpx2.Client
) -> None:
    title = str(workbench.call("maya", "add_task", title="Nobody answers for me").payload["title"])
    token = make_token(workbench, "maya")
    with httpx2.Client(timeout=30) as lost:
        client = RawClient(lost, url, token, {"elicitation": {}})
        client.open()
        with client.calling("delete_task", task_identifier=title) as messages:
            asked = next(message for message in messages if message.get("method") == "elicitation/create")
            assert title in asked["params"]["message"]
    until = time.monotonic() + 30
    while calls(workbench, "maya")[0].error is not ErrorKind.DECLINED:
        assert time.monotonic() < until, "the question is still open"
    assert "No answer" in calls(workbench, "maya")[0].message
    assert [task.title for task in workbench.tasks("maya", search=title)] == [title]
    again = RawClient(http, url, token, None)
    again.open()
    assert result_of(again.call("get_user_info"))["handle"] == "maya"


def test_a_database_that_somebody_holds_is_an_error_and_not_a_wait_without_end(
    workbench: Workbench, url: str, http: httpx2.Client
) -> None:
    client = RawClient(http, url, make_token(workbench, "maya"), None)
    client.open()
    assert result_of(client.call("get_user_info"))["handle"] == "maya"  # the token's last use is noted
    holder = sqlite3.connect(workbench.database_url.removeprefix("sqlite:///"), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    answer = result_of(client.call("add_task", title="Too busy"))
    holder.execute("ROLLBACK")
    holder.close()
    assert (answer["error_kind"], "busy" in answer["error_message"]) == ("unavailable", True)
    assert result_of(client.call("add_task", title="Now it works"))["status"] == "success"


def test_a_dead_database_is_said_with_503(tmp_path: Path, http: httpx2.Client) -> None:
    (tmp_path / "tasks.db").write_bytes(b"this is no database at all" * 100)
    with running_workbench(tmp_path, healthy=False) as dead:
        answer = RawClient(http, f"{dead.url}/mcp", "twl_0123456789ab_x", None).open()
    assert answer.status_code == 503
    assert "Database" in answer.json()["error_description"]


@pytest.mark.anyio
async def test_a_tokens_text_is_in_no_file_and_no_log(
    workbench: Workbench, url: str, http: httpx2.Client, era: str
) -> None:
    token = make_token(workbench, "maya", name="Searched for")
    async with connect(url, token, era) as client:
        await client.call_tool("add_task", {"title": "Secrets stay out"})
    RawClient(http, url, token + "x", None).open()  # a refused one, too
    folder = Path(workbench.database_url.removeprefix("sqlite:///")).parent
    kept = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {"tasks.db", "server.log"} <= set(kept)
    assert any(b"Searched for" in content for content in kept.values())
    secret = token.split("_", 2)[2].encode()
    assert [name for name, content in kept.items() if secret in content] == []


def test_the_request_that_the_tools_page_gives_for_curl_is_answered(
    workbench: Workbench, url: str, http: httpx2.Client
) -> None:
    headers, body = curl_request("list_tasks", {"filter": "pending", "limit": 5})
    bearer = {"Authorization": f"Bearer {make_token(workbench, 'maya')}"}
    answer = http.post(url, json=body, headers={**headers, **bearer})
    assert answer.json()["result"]["structuredContent"]["count"] == 5
    assert calls(workbench, "maya")[0].client == "curl"
