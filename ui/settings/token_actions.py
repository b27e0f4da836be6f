"""What the controls of the token card do. A token's text lives in this browser session until it was copied."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from db.clients.access_tokens import create_token, revoke_token
from db.failures import ToolFailure
from ui.resources import load_database, now_here
from ui.state.fields import put_value, read_text, read_value
from ui.state.notices import put_notice
from ui.state.values import Notice

TOKENS = "tokens"
NAME_KEY, LIFE_KEY, _MADE_KEY = "token_name", "token_life", "made_token"
LIVES: dict[str, int | None] = {"30 days": 30, "90 days": 90, "A year": 365, "Never expires": None}
DEFAULT_LIFE = "90 days"


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


def make_token(user_id: str) -> None:
    now = now_here()
    days = LIVES[read_value(LIFE_KEY) or DEFAULT_LIFE]
    expires_at = now + timedelta(days=days) if days else None
    forget_made()
    try:
        with load_database().write() as session:
            name = read_text(NAME_KEY)
            text, token = create_token(session, user_id, name, now=now, expires_at=expires_at)
    except ToolFailure as error:
        put_notice(Notice("error", error.message, TOKENS))
        return
    put_notice(None)
    put_value(NAME_KEY, "")
    put_value(_MADE_KEY, MadeToken(user_id, token.id, token.name, text))


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
