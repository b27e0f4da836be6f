"""Which hosts and origins are let in."""

from __future__ import annotations

import pytest

from mcp_door.guard import Hosts
from settings import Settings

DEFAULT = Hosts(Settings.model_fields["allowed_hosts"].default)


@pytest.mark.parametrize("host", ["localhost", "localhost:8501", "LOCALHOST:80", "127.0.0.1:9", "[::1]:8501", "[::1]"])
def test_loopback_names_are_let_in_at_any_port(host: str) -> None:
    assert DEFAULT.find_problem({"host": host}) is None
    assert DEFAULT.find_problem({"host": host, "origin": f"http://{host}"}) is None


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8501",
        "localhost.evil.example",
        "localhost:8501.evil.example",
        "127.0.0.1.nip.io",
    ],
)
def test_other_hosts_are_not(host: str) -> None:
    problem = DEFAULT.find_problem({"host": host})
    assert problem
    assert problem.status_code == 421
    assert b"is not among ALLOWED_HOSTS" in problem.body


def test_a_request_without_a_host_is_not() -> None:
    assert DEFAULT.find_problem({})


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "https://localhost.evil.example",
        "null",
        "",
        "file://localhost",
        "http://me@evil.example",
        "http://localhost@evil.example",
        "http://[::1",
    ],
)
def test_foreign_origins_are_refused(origin: str) -> None:
    problem = DEFAULT.find_problem({"host": "localhost:8501", "origin": origin})
    assert problem
    assert problem.status_code == 403


def test_another_name_can_be_allowed_with_or_without_its_port() -> None:
    hosts = Hosts("tasks.example, board.example:8443")
    assert hosts.find_problem({"host": "tasks.example:1234", "origin": "https://tasks.example"}) is None
    assert hosts.find_problem({"host": "board.example:8443"}) is None
    assert hosts.find_problem({"host": "board.example:80"})
    assert hosts.find_problem({"host": "localhost"})
