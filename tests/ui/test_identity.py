"""What a login rests on: Streamlit's signed cookie, read beside its pages. If this fails after an update of Streamlit,
`ui/identity.py` has to learn how it does it now."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import Response
from streamlit import config
from streamlit.runtime.secrets import secrets_singleton
from streamlit.web.server.starlette.starlette_auth_routes import _set_auth_cookie

from settings import Settings
from ui.identity import find_cookie_identity, is_login_on, list_providers, read_claims
from ui.logging_in import find_role
from ui.login_guard import is_of_this_machine

SECRETS = """
[auth]
redirect_uri = "http://localhost:8501/oauth2callback"
cookie_secret = "a secret of this test, long enough"
client_id = "twolane"
client_secret = "x"
server_metadata_url = "https://id.example/.well-known/openid-configuration"

[auth.other]
client_id = "twolane"
client_secret = "x"
server_metadata_url = "https://other.example/.well-known/openid-configuration"
"""
EXPIRES = int((datetime.now(UTC) + timedelta(hours=1)).timestamp())
CLAIMS: dict[str, Any] = {
    "is_logged_in": True,
    "iss": "https://id.example",
    "sub": "123",
    "name": "Ada",
    "email": "ada@example.org",
    "email_verified": True,
    "exp": EXPIRES,
    "iat": EXPIRES - 3600,
    "nonce": "n",
    "groups": ["staff", "twolane-admins"],
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def login(tmp_path: Path) -> Iterator[None]:
    (tmp_path / "secrets.toml").write_text(SECRETS, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        before = config.get_option("secrets.files")
        config.set_option("secrets.files", [str(tmp_path / "secrets.toml")])
        patch.setattr(secrets_singleton, "_secrets", None)
        is_login_on.cache_clear()
        yield
        config.set_option("secrets.files", before)
    secrets_singleton._reset()
    is_login_on.cache_clear()


async def cookies_of(claims: dict[str, Any]) -> dict[str, str]:
    """As Streamlit's callback sets them after a login."""
    response = Response()
    await _set_auth_cookie(response, claims, {})
    headers = [value.decode() for name, value in response.raw_headers if name == b"set-cookie"]
    pairs = (header.partition(";")[0].partition("=") for header in headers)
    return {name: value.strip('"') for name, _, value in pairs if value}


@pytest.mark.usefixtures("login")
@pytest.mark.anyio
@pytest.mark.parametrize("more", [{}, {"long": "x" * 9000}], ids=["one cookie", "in chunks"])
async def test_the_cookie_that_streamlit_signs_says_who_asks(more: dict[str, Any]) -> None:
    cookies = await cookies_of({**CLAIMS, **more})
    found = find_cookie_identity(cookies)
    assert found
    assert (found.issuer, found.subject, found.name, found.email) == (
        "https://id.example", "123", "Ada", "ada@example.org",
    )  # fmt: skip
    assert found.expires_at == datetime.fromtimestamp(EXPIRES, UTC)
    assert not found.is_over(datetime.now(UTC))
    same = read_claims({**CLAIMS, **more})
    assert same
    assert found.login_id == same.login_id


@pytest.mark.usefixtures("login")
@pytest.mark.anyio
async def test_a_cookie_that_was_changed_or_is_signed_otherwise_says_nobody() -> None:
    cookies = await cookies_of(CLAIMS)
    name = "_streamlit_user"
    assert find_cookie_identity({name: cookies[name][:-2] + "xx"}) is None
    assert find_cookie_identity({name: "is_logged_in"}) is None
    assert find_cookie_identity({}) is None


@pytest.mark.usefixtures("login")
def test_the_login_and_its_providers_are_found_in_the_secrets() -> None:
    assert is_login_on()
    assert list_providers() == ("default", "other")


def test_without_secrets_there_is_no_login() -> None:
    assert not is_login_on()


@pytest.mark.parametrize("missing", ["is_logged_in", "iss", "sub", "exp"])
def test_claims_that_do_not_say_who_and_for_how_long_are_nobody(missing: str) -> None:
    assert read_claims({name: value for name, value in CLAIMS.items() if name != missing}) is None


def test_an_address_that_nobody_vouches_for_is_none() -> None:
    found = read_claims({**CLAIMS, "email_verified": False})
    assert found
    assert found.email == ""


@pytest.mark.parametrize(
    ("settings", "role"),
    [
        ({}, "member"),
        ({"login_default_role": "nobody"}, None),
        ({"login_maintainers": "twolane-admins"}, "maintainer"),
        ({"login_maintainers": "somebody@example.org, ada@example.org"}, "maintainer"),
        ({"login_viewers": "123"}, "viewer"),
        ({"login_viewers": "staff", "login_members": "staff"}, "member"),
        ({"login_role_claim": "roles", "login_maintainers": "twolane-admins"}, "member"),
    ],
)
def test_a_role_comes_from_claims_addresses_or_subjects(settings: dict[str, Any], role: str | None) -> None:
    found = read_claims(CLAIMS)
    assert found
    assert find_role(found, Settings(**settings)) == role


@pytest.mark.parametrize(
    ("address", "local"),
    [
        ("localhost", True), ("127.0.0.1", True), ("127.8.0.1", True), ("::1", True), ("[::1]", True),
        ("::ffff:127.0.0.1", True), ("", False), ("0.0.0.0", False), ("::", False), ("192.168.1.4", False),
        ("workbench.example", False),
    ],
)  # fmt: skip
def test_an_address_is_of_this_machine_or_not(address: str, local: bool) -> None:
    assert is_of_this_machine(address) is local
