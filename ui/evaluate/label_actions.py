"""What the keys of the queue of doubted labels do; none draws."""

from __future__ import annotations

from collections.abc import Sequence

from db.evaluation.settled_labels import LabelVerdict, list_settled, settle_label, unsettle_label
from db.users import User
from evals.evaluate.suspects import Suspect
from ui.evaluate.words import name_outcome
from ui.resources import load_database
from ui.state.address import drop_from_address, put_in_address
from ui.state.notices import put_notice
from ui.state.values import Notice

AT = "at"
"""The case under doubt, in the address: a link opens the queue at it."""
PLACE = "labels"
_WORDS: dict[LabelVerdict, str] = {
    "right": "the label is right",
    "wrong": "the label is wrong",
    "unsure": "it cannot be told",
}
_LONGEST = 60


def settle(user: User, suspect: Suspect, text: str, verdict: LabelVerdict) -> None:
    """Keep it, and go on to the next; a wrong label stays on the screen, for there is more to say about it."""
    note = f"{', '.join(suspect.deciders)}: {name_outcome(suspect.instead)}"
    with load_database().write() as session:
        settle_label(session, user.id, suspect.key, verdict, text=text, note=note)
    put_notice(Notice("success", f"{_quote(text)}: {_WORDS[verdict]}.", PLACE))
    if verdict == "wrong":
        put_in_address(AT, suspect.key)
    else:
        drop_from_address(AT)


def undo(user: User, keys: Sequence[str]) -> None:
    with load_database().write() as session:
        last = next(iter(list_settled(session, user.id, keys)), None)
        if last:
            unsettle_label(session, user.id, last.key)
    if last:
        put_notice(Notice("success", f"{_quote(last.text)}: taken back.", PLACE))
        put_in_address(AT, last.key)


def step_to(key: str) -> None:
    put_notice(None)
    put_in_address(AT, key)


def _quote(text: str) -> str:
    short = " ".join(text.split())
    return f"“{short if len(short) <= _LONGEST else short[: _LONGEST - 1] + '…'}”"
