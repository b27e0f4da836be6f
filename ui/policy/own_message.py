"""The message that a draft is made for, among what it fixes: nobody has labelled it anywhere else yet."""

from __future__ import annotations

from dataclasses import dataclass

from evals.effect.finding import EditEffect, EffectKind, EffectRow
from evals.effect.looking import run_one
from evals.effect.probes import probe_message
from evals.suggesting.misread import Misread, misread_message
from ui.policy.desk import Desk
from ui.policy.message import Wanted


@dataclass(frozen=True, slots=True)
class OwnMessage:
    """One that today's policy misreads."""

    row: EffectRow | None
    """What the draft makes of it, where that is right."""
    text: str

    def rows_of(self, effect: EditEffect, kind: EffectKind) -> tuple[EffectRow, ...]:
        """What an edit does to it is not told as something that it does besides, and counts as a fix once: the turn in
        which it was said has no label, a case of it may have been saved."""
        rows = effect.of(kind)
        if kind == "changed":
            return tuple(row for row in rows if row.probe.text != self.text)
        if kind == "fixed" and self.row and all(row.probe.text != self.text for row in rows):
            return (self.row, *rows)
        return rows


def misread_of(wanted: Wanted) -> Misread:
    return misread_message(
        wanted.text,
        wanted.context,
        wanted.intent,
        wanted.values or {},
        domain=wanted.domain,
        language=wanted.language,
    )


def find_own_message(desk: Desk, wanted: Wanted | None) -> OwnMessage | None:
    """None: nobody said what it should have been, or it is right as it is."""
    if wanted is None or not wanted.intent:
        return None
    misread = misread_of(wanted)
    before, after = (wanted.decider(policy) for policy in (desk.draft.base, desk.draft.policy))
    if misread.passes(before):
        return None
    if not misread.passes(after):
        return OwnMessage(None, wanted.text)
    probe = probe_message("", wanted.text, "same", wanted.domain, wanted.wire, language=wanted.language)
    return OwnMessage(EffectRow(probe, "fixed", run_one(probe, before), run_one(probe, after)), wanted.text)
