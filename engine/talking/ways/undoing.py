"""Taking the last change back, or bringing back something that is gone; the store knows what that is."""

from __future__ import annotations

from engine.catalogue.facts import UNKNOWN
from engine.decision import Reason, Slot
from engine.outcome.replies import say
from engine.outcome.values import Outcome
from engine.slots.titles import clean
from engine.talking.basis import Basis
from engine.talking.moves.noticed import Noticed
from engine.talking.values import Heard, Told, add_up

RESTORED = "restored"
"""The slot that says what shall come back."""


def undo(heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    place = heard.slot("gone")
    words = (
        clean(told.reading.utterance, *place, told.policy, lead="mention_lead", tail="mention_tail") if place else None
    )
    slots = (Slot(RESTORED, words.value, words.span),) if words else ()
    return (_outcome(heard, told)._replace(slots=slots),)


def redo(heard: Heard, told: Told) -> tuple[Outcome, ...] | None:
    return (_outcome(heard, told),)


def take_back(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    gone = [place for place in noticed.content if not any(first <= place < last for _, first, last in noticed.cues)]
    slots: tuple[Slot, ...] = ()
    if gone and noticed.has_cue("undo") and not noticed.points:
        span = noticed.utterance.span(gone[0], gone[-1] + 1)
        slots = (Slot(RESTORED, noticed.utterance.slice(span), span),)
    return (_of_basis(basis, noticed)._replace(slots=slots),)


def make_again(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    return (_of_basis(basis, noticed),)


def _of_basis(basis: Basis, noticed: Noticed) -> Outcome:
    return Outcome(
        "execute",
        UNKNOWN,
        Reason.MATCHED_RULE,
        say(noticed.told.policy, f"doing_{basis.act}"),
        confidence=add_up(basis.ledger),
        ledger=basis.ledger,
        act=basis.act,
    )


def _outcome(heard: Heard, told: Told) -> Outcome:
    return Outcome(
        "execute",
        UNKNOWN,
        Reason.MATCHED_RULE,
        say(told.policy, f"doing_{heard.way.act}"),
        confidence=add_up(heard.ledger()),
        ledger=heard.ledger(),
        act=heard.way.act,
    )
