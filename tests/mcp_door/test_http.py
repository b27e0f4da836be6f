"""The running workbench at /mcp, over real HTTP."""

from __future__ import annotations

from collections.abc import Iterator

import httpx2
import pytest

from engine.values import ErrorKind
from tests.mcp_door.conftest import answering
from tests.mcp_door.workbench import RawClient, call_message, calls, connect, make_token, result_of, revoke
from tests.workbench import Somebody, Workbench
from ui.tools.snippets import curl_request


@pytest.fixture
def url(workbench: Workbench) -> str:
    return f"{workbench.url}/mcp"


@pytest.fixture
def http() -> Iterator[httpx2.Client]:
    with httpx2.Client(timeout=30) as client:
        yield client


@pytest.mark.anyio
async def test_a_client_with_a_token_works_on_its_persons_tasks(
    maya: Somebody, jonas: Somebody, url: str, era: str
) -> None:
    person = answering("accept", yes=True)
    async with connect(url, make_token(jonas), era, elicitation_callback=person) as client:
        added = await client.call_tool("add_task", {"title": f"Over HTTP, {era}"})
        assert [task.title for task in jonas.tasks(search=f"HTTP {era}")] == [f"Over HTTP, {era}"]
        assert maya.tasks(search=f"HTTP {era}") == ()
        deleted = await client.call_tool("delete_task", {"task_identifier": added.structured_content["task_id"]})
        assert deleted.structured_content["status"] == "success"
    assert person.asked  # type: ignore[attr-defined]
    assert jonas.tasks(search=f"HTTP {era}") == ()
    assert [(call.client, call.tool_name, call.error) for call in reversed(calls(jonas)[:3])] == [
        ("Desk", "add_task", None),
        ("Desk", "delete_task", ErrorKind.NEEDS_CONFIRMATION),
        ("Desk", "delete_task", None),
    ]


@pytest.mark.anyio
async def test_an_address_with_a_slash_at_its_end_serves_too(maya: Somebody, url: str) -> None:
    async with connect(f"{url}/", make_token(maya)) as client:
        assert (await client.call_tool("get_user_info", {})).structured_content["handle"] == maya.handle


@pytest.mark.parametrize("which", ["none", "made up", "expired", "revoked", "another scheme"])
def test_without_a_valid_token_there_are_no_tools(maya: Somebody, url: str, http: httpx2.Client, which: str) -> None:
    token = make_token(maya, days=-1 if which == "expired" else None)
    if which == "revoked":
        revoke(maya, token)
    sent = {"none": None, "made up": "twl_0123456789ab_" + "x" * 43}.get(which, token)
    client = RawClient(http, url, sent, None)
    if which == "another scheme":
        client.headers["Authorization"] = f"Basic {token}"
    said = {"expired": "has expired", "revoked": "was revoked", "made up": "not known"}.get(which, "Bearer")
    before = calls(maya)
    for message in ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, call_message("add_task", {"title": "x"})):
        answer = client.post(message)
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"].startswith('Bearer error="invalid_token"')
        assert said in answer.json()["error_description"]
        assert token not in answer.text
    assert http.get(url, headers=client.headers).status_code == 401
    assert calls(maya) == before


def test_a_token_that_is_revoked_ends_its_open_session(maya: Somebody, url: str, http: httpx2.Client) -> None:
    token = make_token(maya)
    client = RawClient(http, url, token, None)
    client.open()
    assert result_of(client.call("get_user_info"))["handle"] == maya.handle
    revoke(maya, token)
    assert client.call("get_user_info").status_code == 401


def test_another_persons_token_cannot_go_on_with_a_session(
    maya: Somebody, jonas: Somebody, url: str, http: httpx2.Client
) -> None:
    client = RawClient(http, url, make_token(maya), None)
    client.open()
    client.headers["Authorization"] = f"Bearer {make_token(jonas)}"
    assert client.call("get_user_info").status_code == 404


def test_foreign_hosts_and_origins_are_refused_before_the_token_is_looked_at(
    maya: Somebody, url: str, http: httpx2.Client
) -> None:
    client = RawClient(http, url, make_token(maya), None)
    message = call_message("add_task", {"title": "From a foreign page"})
    assert client.post(message, Origin="https://evil.example").status_code == 403
    assert client.post(message, Host="evil.example").status_code == 421
    assert client.post(message, Origin="null").status_code == 403
    assert maya.tasks(search="foreign page") == ()
    client.headers["Origin"] = maya.workbench.url
    assert client.open().status_code == 200


def test_a_call_of_a_megabyte_is_refused_unread(maya: Somebody, url: str, http: httpx2.Client) -> None:
    client = RawClient(http, url, make_token(maya), None)
    client.open()
    answer = client.call("add_task", title="x" * 1_000_000)
    assert answer.status_code == 413
    assert "too large" in answer.text
    assert result_of(client.call("get_user_info"))["handle"] == maya.handle


@pytest.mark.parametrize("body", ["{not json", "", "[]", '"text"', "\x00", '{"jsonrpc": "2.0"}', "[" * 50_000])
def test_malformed_json_is_refused_and_the_session_goes_on(
    maya: Somebody, url: str, http: httpx2.Client, body: str
) -> None:
    client = RawClient(http, url, make_token(maya), None)
    client.open()
    answer = client.post(body)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]
    assert result_of(client.call("get_user_info"))["handle"] == maya.handle


@pytest.mark.anyio
async def test_a_tokens_text_is_in_no_file_and_no_log(maya: Somebody, url: str, http: httpx2.Client, era: str) -> None:
    token = make_token(maya, name="Searched for")
    async with connect(url, token, era) as client:
        await client.call_tool("add_task", {"title": "Secrets stay out"})
    RawClient(http, url, token + "x", None).open()  # a refused one, too
    files = [path for path in maya.workbench.folder.rglob("*") if path.is_file()]
    kept = {str(path.relative_to(maya.workbench.folder)): path.read_bytes() for path in files}
    assert {"tasks.db", "server.log"} <= set(kept)
    assert any(b"Searched for" in content for content in kept.values())
    secret = token.split("_", 2)[2].encode()
    assert [name for name, content in kept.items() if secret in content] == []


def test_the_request_that_the_tools_page_gives_for_curl_is_answered(
    maya: Somebody, url: str, http: httpx2.Client
) -> None:
    headers, body = curl_request("list_tasks", {"filter": "pending", "limit": 5})
    bearer = {"Authorization": f"Bearer {make_token(maya)}"}
    answer = http.post(url, json=body, headers={**headers, **bearer})
    assert answer.json()["result"]["structuredContent"]["count"] == 5
    assert calls(maya)[0].client == "curl"
