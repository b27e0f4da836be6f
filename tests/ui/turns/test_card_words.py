"""What stands above and in the two lanes, in people's words."""

from __future__ import annotations

from datetime import UTC, datetime

from db.turns.turns import StoredTurn
from engine.decision import Candidate, Decision, Reason, Reference
from engine.values import make_call
from ui.turns.card import TurnView, card_html, read_between
from ui.turns.lanes import llm_lane

DELETE = make_call("delete_task", {"task_identifier": "a"}, "store")
TURN = StoredTurn(
    id="t", user_id="u", conversation_id="c", position=0, text="delete it", driver="engine", lane="engine", route=None,
    reply="Sure?", task_ids=(), results=(), context={}, llm_status="answered", llm_summary={},
    created_at=datetime(2026, 3, 4, tzinfo=UTC),
)  # fmt: skip


def test_what_lanes_would_do_differently_is_told_in_words() -> None:
    asks = Decision("engine", "confirm", "delete_task", Reason.DESTRUCTIVE, (DELETE,))
    acts = Decision("llm", "execute", "delete_task", Reason.MODEL_CALLED, (DELETE,))
    (difference,) = read_between(TurnView(TURN, asks, acts, undone=False), "").differences
    assert (difference.name, difference.first, difference.second) == ("action", "asks for a yes", "acts")


def test_a_target_that_no_words_name_stands_without_empty_quotes() -> None:
    found = Reference(mention="", span=None, candidates=(Candidate("a", 0.9, "partial"),), task_id="a")
    asks = Decision("engine", "confirm", "delete_task", Reason.DESTRUCTIVE, (DELETE,), references=(found,))
    shown = card_html(TurnView(TURN, asks, None, undone=False), "")
    assert "“”" not in shown
    assert "→ <b>" in shown


def test_who_gave_no_answer_is_not_said_to_reply() -> None:
    silent = Decision("llm", "reply", "unknown", Reason.UNAVAILABLE)
    verdict = llm_lane(silent, TURN, {}, drives=False).verdict
    assert verdict is not None
    assert (verdict.action, verdict.reason) == ("No answer", "")
