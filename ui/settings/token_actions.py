"""What the controls of the token card do. A token's text lives in this browser session until it was copied."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from db.clients.access_tokens import clean_name, create_token, revoke_token
from db.failures import ToolFailure
from ui.resources import load_database, now_here
from ui.state.fields import put_value, read_text, read_value
from ui.state.notices import put_notice
from ui.state.values import Notice

TOKENS = "tokens"
NAME_KEY, LIFE_KEY, _MADE_KEY = "token_name", "token_life", "made_token"
_WISHED_KEY = "wished_token"
_FRESH = timedelta(minutes=2)
LIVES: dict[str, int | None] = {"30 days": 30, "90 days": 90, "A year": 365, "Never expires": None}
DEFAULT_LIFE = "90 days"


@dataclass(frozen=True, slots=True)
class WishedToken:
    """Asked for, and not made before somebody says yes to it."""

    user_id: str
    name: str
    life: str
    asked_at: datetime


@dataclass(frozen=True, slots=True)
class MadeToken:
    """Just made, and shown for the only time."""

    user_id: str
    token_id: str
    name: str
    text: str


def find_made(user_id: str) -> MadeToken | None:
    made: MadeToken | None = read_value(_MADE_KEY)
    return made if made and made.user_id == user_id else None


def find_wished(user_id: str) -> WishedToken | None:
    """What waits for a yes, as long as the question is fresh."""
    wished: WishedToken | None = read_value(_WISHED_KEY)
    fresh = wished and wished.user_id == user_id and now_here() - wished.asked_at <= _FRESH
    return wished if fresh else None


def ask_for_token(user_id: str) -> None:
    forget_made()
    forget_wished()
    try:
        name = clean_name(read_text(NAME_KEY))
    except ToolFailure as error:
        put_notice(Notice("error", error.message, TOKENS))
        return
    put_notice(None)
    put_value(_WISHED_KEY, WishedToken(user_id, name, read_value(LIFE_KEY) or DEFAULT_LIFE, now_here()))


def make_token(user_id: str) -> None:
    """What was shown and said yes to, whatever the form holds by now."""
    wished, now = find_wished(user_id), now_here()
    forget_made()
    forget_wished()
    if wished is None:
        put_notice(Notice("error", "The question is too old; no token was made. Ask for it again.", TOKENS))
        return
    days = LIVES[wished.life]
    expires_at = now + timedelta(days=days) if days else None
    try:
        with load_database().write() as session:
            text, token = create_token(session, user_id, wished.name, now=now, expires_at=expires_at)
    except ToolFailure as error:
        put_notice(Notice("error", error.message, TOKENS))
        return
    put_notice(None)
    put_value(NAME_KEY, "")
    put_value(_MADE_KEY, MadeToken(user_id, token.id, token.name, text))


def forget_wished() -> None:
    put_value(_WISHED_KEY, None)


def forget_made() -> None:
    put_value(_MADE_KEY, None)


def revoke(user_id: str, token_id: str) -> None:
    try:
        with load_database().write() as session:
            token = revoke_token(session, user_id, token_id, now=now_here())
    except ToolFailure as error:
        put_notice(Notice("error", error.message, TOKENS))
        return
    made = find_made(user_id)
    if made and made.token_id == token_id:
        forget_made()
    text = f"“{token.name}” is revoked: it opens nothing any more."
    put_notice(Notice("success", text, TOKENS))
