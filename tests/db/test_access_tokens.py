"""Tokens: shown once, kept as a hash, refused when wrong, expired, revoked, or made up."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from db.clients.access_tokens import TokenRefusedError, check_token, create_token, list_tokens, note_use, revoke_token
from db.connection import Database
from db.failures import ToolFailure
from db.users import User
from tests.conftest import NOW


def make(database: Database, user: User, name: str = "Laptop", days: int | None = None) -> tuple[str, str]:
    with database.write() as session:
        expires_at = NOW + timedelta(days=days) if days else None
        text, token = create_token(session, user.id, name, now=NOW, expires_at=expires_at)
    return text, token.id


@pytest.mark.both_databases
def test_a_token_speaks_for_the_person_it_was_made_for(database: Database, ada: User, bob: User) -> None:
    of_ada, _ = make(database, ada)
    of_bob, _ = make(database, bob, "Desktop")
    with database.read() as session:
        assert check_token(session, of_ada, now=NOW).user == ada
        holder = check_token(session, of_bob, now=NOW)
    assert (holder.user, holder.token_name) == (bob, "Desktop")


def test_two_tokens_are_never_alike(database: Database, ada: User) -> None:
    assert len({make(database, ada)[0] for _ in range(20)}) == 20


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: "",
        lambda text: text[:-1],
        lambda text: text + "x",
        lambda text: text.upper(),
        lambda text: text.replace("twl_", "abc_"),
        lambda text: "_".join(text.split("_")[:2]) + "_",
        lambda text: "twl_000000000000_" + text.split("_", 2)[2],
        lambda text: "twl__",
        lambda text: "é\ud800" * 40,
    ],
)
def test_a_token_with_anything_wrong_is_not_known(database: Database, ada: User, spoil: Callable[[str], str]) -> None:
    text, _ = make(database, ada)
    with database.read() as session, pytest.raises(TokenRefusedError, match="not known"):
        check_token(session, spoil(text), now=NOW)


def test_the_secret_of_one_token_does_not_open_another(database: Database, ada: User, bob: User) -> None:
    of_ada, of_bob = make(database, ada)[0], make(database, bob)[0]
    mixed = "_".join([*of_ada.split("_", 2)[:2], of_bob.split("_", 2)[2]])
    with database.read() as session, pytest.raises(TokenRefusedError):
        check_token(session, mixed, now=NOW)


@pytest.mark.both_databases
def test_a_token_expires_on_the_second(database: Database, ada: User) -> None:
    text, _ = make(database, ada, days=7)
    with database.read() as session:
        assert check_token(session, text, now=NOW + timedelta(days=7, seconds=-1)).user == ada
        with pytest.raises(TokenRefusedError, match="has expired"):
            check_token(session, text, now=NOW + timedelta(days=7))


@pytest.mark.both_databases
def test_a_revoked_token_is_refused_at_once_and_stays_in_the_list(database: Database, ada: User) -> None:
    text, token_id = make(database, ada)
    with database.write() as session:
        revoke_token(session, ada.id, token_id, now=NOW)
    with database.read() as session:
        with pytest.raises(TokenRefusedError, match="was revoked"):
            check_token(session, text, now=NOW)
        assert [token.standing(NOW) for token in list_tokens(session, ada.id)] == ["revoked"]


@pytest.mark.both_databases
def test_nobody_sees_or_revokes_another_persons_token(database: Database, ada: User, bob: User) -> None:
    text, token_id = make(database, ada)
    with database.write() as session:
        assert list_tokens(session, bob.id) == ()
        with pytest.raises(ToolFailure, match="no such token"):
            revoke_token(session, bob.id, token_id, now=NOW)
    with database.read() as session:
        assert check_token(session, text, now=NOW).user == ada


@pytest.mark.both_databases
def test_the_last_use_is_kept_to_the_minute(database: Database, ada: User) -> None:
    text, token_id = make(database, ada)
    with database.write() as session:
        assert not check_token(session, text, now=NOW).used_recently
        note_use(session, token_id, now=NOW)
    with database.read() as session:
        assert list_tokens(session, ada.id)[0].last_used_at == NOW
        assert check_token(session, text, now=NOW + timedelta(seconds=59)).used_recently
        assert not check_token(session, text, now=NOW + timedelta(seconds=60)).used_recently


@pytest.mark.parametrize(("name", "said"), [("", "needs a name"), ("  ", "needs a name"), ("x" * 61, "at most 60")])
def test_a_token_needs_a_name(database: Database, ada: User, name: str, said: str) -> None:
    with database.write() as session, pytest.raises(ToolFailure, match=said):
        create_token(session, ada.id, name, now=NOW)


def test_a_token_cannot_be_made_expired(database: Database, ada: User) -> None:
    with database.write() as session, pytest.raises(ToolFailure, match="in the future"):
        create_token(session, ada.id, "Laptop", now=NOW, expires_at=NOW)


def test_the_database_file_holds_no_secret(database: Database, ada: User, database_url: str) -> None:
    text, _ = make(database, ada)
    secret = text.split("_", 2)[2].encode()
    path = Path(database_url.removeprefix("sqlite:///"))
    kept = b"".join(file.read_bytes() for file in path.parent.glob(path.name + "*"))
    assert b"Laptop" in kept  # the row itself is there
    assert secret not in kept
