"""Logging in for real: a provider of OpenID Connect on loopback, two processes of the workbench with one store."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import Page, expect

from db.logins import list_people
from db.users import User
from tests.browser.conftest import NewTab, wait_until_drawn
from tests.mcp_door.workbench import RawClient, make_token, result_of
from tests.workbench import Somebody, Workbench, free_port, running_workbench

SECRETS = """
[auth]
redirect_uri = "{callback}/oauth2callback"
cookie_secret = "a secret of this test, long enough to sign with"
client_id = "twolane"
client_secret = "of no importance"
server_metadata_url = "{provider}/.well-known/openid-configuration"
"""
PEOPLE = {
    "ada": {"name": "Ada", "groups": ["admins"], "email": "ada@example.org"},
    "vic": {"name": "Vic", "groups": ["guests"], "email": "vic@example.org"},
    "mel": {"name": "Mel", "email": "mel@example.org"},
}


@dataclass(frozen=True)
class LoginServers:
    first: Workbench
    second: Workbench
    """Where the provider sends people back to."""

    def person(self, name: str) -> Somebody:
        with self.first.database.read() as session:
            user: User = next(each for each in list_people(session) if each.name == name)
        return Somebody(self.first, user.id, user.handle, user.name)


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LoginServers]:
    import oidc_provider_mock  # late: each process of a run collects this file, and one needs it

    folder, second_port = tmp_path_factory.mktemp("login"), free_port()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    people = [oidc_provider_mock.User(sub=sub, claims=claims) for sub, claims in PEOPLE.items()]
    with oidc_provider_mock.run_server_in_thread(user_claims=people, access_token_max_age=timedelta(hours=1)) as mock:
        provider, callback = f"http://localhost:{mock.server_port}", f"http://localhost:{second_port}"
        secrets = folder / "secrets.toml"
        secrets.write_text(SECRETS.format(provider=provider, callback=callback), encoding="utf-8")
        settings = {
            "STREAMLIT_SECRETS_FILES": str(secrets),
            "LOGIN_MAINTAINERS": "admins",
            "LOGIN_VIEWERS": "guests",
            "REQUIRE_LOGIN": "true",
            "DEMO_USERS": "false",
        }
        with (
            running_workbench(folder, **settings) as first,
            running_workbench(folder, port=second_port, **settings) as second,
        ):
            yield LoginServers(first, second)


def log_in(page: Page, address: str, subject: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("button", name=subject, exact=True).click()
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    wait_until_drawn(page)


def test_a_login_begun_on_one_process_ends_on_another_and_logging_out_in_one_tab_ends_the_others(
    servers: LoginServers, new_tab: NewTab
) -> None:
    """The first test here: the login makes the person. On the way, nobody sees a page without one."""
    page = new_tab()
    page.goto(f"{servers.second.url}/tasks?user=mel")
    expect(page.get_by_role("button", name="Log in")).to_be_visible()
    expect(page.get_by_role("heading", name="Tasks")).to_have_count(0)
    with httpx2.Client() as http:
        assert http.get(f"{servers.second.url}/media/0123456789abcdef.csv").status_code == 401
    log_in(page, servers.first.url, "mel")
    assert page.url.startswith(servers.second.url)
    expect(page.get_by_test_id("stSidebar")).to_contain_text("Mel")
    expect(page.get_by_text("You are", exact=True)).to_have_count(0)
    page.get_by_placeholder("Say what to do").fill("add a task to buy milk")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Added 'buy milk'")).to_be_visible()  # what is said first has such words, too
    mel = servers.person("Mel")
    assert [task.title for task in mel.tasks()] == ["buy milk"]
    other = page.context.new_page()
    other.goto(f"{servers.second.url}/tools?user=ada")  # an address names nobody else
    expect(other.get_by_test_id("stSidebar")).to_contain_text("Mel")
    expect(other.get_by_role("heading", name="Tools", level=1)).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    expect(other.get_by_role("button", name="Log in")).to_be_visible()  # nobody touched it
    expect(other.get_by_role("heading", name="Tools", level=1)).to_have_count(0)
    other.close()


def test_who_may_only_look_changes_nothing_on_a_page_or_over_mcp(servers: LoginServers, new_tab: NewTab) -> None:
    page = new_tab()
    log_in(page, servers.second.url, "vic")
    page.get_by_placeholder("Say what to do").fill("add a task to buy milk")
    page.keyboard.press("Enter")
    expect(page.get_by_text("your role is viewer")).to_be_visible()
    vic = servers.person("Vic")
    token = make_token(vic)
    with httpx2.Client(timeout=30) as http:
        client = RawClient(http, f"{servers.first.url}/mcp", token, None)
        client.open()
        assert result_of(client.call("add_task", title="Mine"))["error_kind"] == "not_allowed"
        assert result_of(client.call("list_tasks"))["tasks"] == []
    assert vic.tasks() == ()


def test_a_token_of_somebody_who_never_logged_in_opens_nothing(servers: LoginServers, tmp_path: Path) -> None:
    from db.users import create_user

    with servers.first.database.write() as session:
        user = create_user(session, "Left over")
    with httpx2.Client(timeout=30) as http:
        token = make_token(Somebody(servers.first, user.id, user.handle, user.name))
        assert RawClient(http, f"{servers.first.url}/mcp", token, None).open().status_code == 401


@pytest.mark.thorough(
    "tests/pages/test_history.py::test_a_maintainer_reads_anybodys_history_and_others_their_own",
    "tests/browser/test_login.py::test_who_may_only_look_changes_nothing_on_a_page_or_over_mcp",
)
def test_a_maintainer_reads_everybodys_history(servers: LoginServers, new_tab: NewTab) -> None:
    page = new_tab()
    log_in(page, servers.second.url, "ada")
    page.goto(f"{servers.second.url}/history?whose={servers.person('Mel').handle}")
    expect(page.get_by_text("add a task to buy milk").first).to_be_visible()
