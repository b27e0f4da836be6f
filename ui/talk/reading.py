"""Reading a conversation for the page: what never changes any more is drawn once and kept.

A turn is final as soon as the LLM has answered; only being undone changes it after that. Twenty turns hold some
hundred kilobytes of evidence in the store, and the page is drawn after every message: reading and drawing all of
it again would be most of the work.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

from assistant import Assistant
from assistant.taking_back import changes_in, is_undone
from db.audit import find_undone
from db.connection import Session
from db.turns.conversations import Conversation
from db.turns.latest import read_latest
from db.turns.turns import find_turns, read_decisions
from db.turns.values import StoredTurn
from db.users import User
from ui.resources import load_database, now_here
from ui.state.policy import read_scope
from ui.talk import live_turns
from ui.turns.card import TurnView, card_html, folded_html, make_view, said_html
from ui.turns.links import inspect_link

_MOST_KEPT = 4000
_kept: OrderedDict[tuple[object, ...], str] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """A turn that is folded: its HTML, and what can still be undone of it."""

    turn: StoredTurn
    undone: bool
    html: str


@dataclass(frozen=True, slots=True)
class ShownConversation:
    older: tuple[ShownTurn, ...]
    last: TurnView | None
    said: str
    """In the last turn."""
    card: str
    """The last turn's, which is open."""


def read_shown(session: Session, user: User, conversation: Conversation, limit: int) -> ShownConversation:
    turns = read_latest(session, conversation.id, limit, new_whole=True)  # its own: so it was found
    for turn in turns:
        if live_turns.is_lost(session, turn):
            Assistant(load_database(), user, now_here).give_up_turn(turn)
    changes = [change for turn in turns for change in changes_in(turn)]
    undone = find_undone(session, user.id, changes)
    scope = read_scope()
    keys = {turn.id: (turn.id, turn.llm_status, is_undone(turn, undone), scope) for turn in turns}
    missing = [turn.id for turn in turns if keys[turn.id] not in _kept or turn is turns[-1]]
    views = _read_views(session, user, missing, turns, undone)
    # The last one, too, which is not folded yet: with the next message it will be, and need not be read again.
    drawn: dict[str, tuple[str, str]] = {}
    folded = [_html(user, keys[turn.id], views, drawn) for turn in turns]
    older = [ShownTurn(turn, is_undone(turn, undone), html) for turn, html in zip(turns[:-1], folded, strict=False)]
    last = views[turns[-1].id] if turns else None
    said, card = (drawn.get(last.turn.id) or _draw(user, last, scope)) if last else ("", "")
    return ShownConversation(tuple(older), last, said, card)


def _read_views(
    session: Session, user: User, turn_ids: list[str], read: Sequence[StoredTurn], undone: set[str]
) -> dict[str, TurnView]:
    """`read`: those that were read already; some of them came without their contexts."""
    bodies = read_decisions(session, user.id, turn_ids)
    turns = [turn for turn in read if turn.id in turn_ids and turn.context]
    lacking = set(turn_ids) - {turn.id for turn in turns}
    if lacking:
        turns += find_turns(session, user.id, lacking)
    return {turn.id: make_view(turn, bodies.get(turn.id, {}), undone=is_undone(turn, undone)) for turn in turns}


def _draw(user: User, view: TurnView, scope: object) -> tuple[str, str]:
    """What was said, and the card."""
    return said_html(view), card_html(view, inspect_link(user, view.turn.id, str(scope)))


def _html(user: User, key: tuple[object, ...], views: dict[str, TurnView], drawn: dict[str, tuple[str, str]]) -> str:
    """Said and folded. `drawn`: what had to be drawn for it."""
    with _lock:
        found = _kept.get(key)
    if found is None:
        view = views[str(key[0])]
        said, card = drawn[view.turn.id] = _draw(user, view, key[-1])
        found = said + folded_html(view, card)
        if not view.waits:
            _keep(key, found)
    return found


def _keep(key: tuple[object, ...], html: str) -> None:
    with _lock:
        _kept[key] = html
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
