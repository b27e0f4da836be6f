"""What is put right of a change that is asked about, with why behind it: "actually half seven, Pete is asleep before
that". It is about what is asked, whatever was spoken of before."""

from __future__ import annotations

from engine.catalogue.facts import ToolFacts
from engine.decision import Pending, Reason, Slot
from engine.outcome.values import Outcome
from engine.slots.keeping import join_due
from engine.talking.basis import Basis
from engine.talking.days.choosing_dates import pick_date
from engine.talking.moves.noticed import Noticed
from engine.talking.values import Told
from engine.values import Argument, Provenance, ToolCall

_PUTS_RIGHT = frozenset({"corrector", "no_word", "cue_correct"})


def change_what_is_asked(noticed: Noticed, basis: Basis) -> tuple[Outcome, ...] | None:
    """The call that is asked about, with the other day or hour; None where the message is about something else."""
    told, pending = noticed.told, noticed.told.context.pending
    facts = told.policy.catalogue.by_name.get(pending.call.tool_name) if pending and not pending.then else None
    if pending is None or facts is None or pending.kind != "confirm" or not _puts_right(noticed):
        return None
    argument = facts.argument("date")
    if not argument or any(each.named for each in noticed.mentioned):
        return None
    date = pick_date(noticed)
    if date is None or not date.value:
        return None
    slot = Slot(argument, join_due(date, _due(pending, facts, argument, told)), date.span)
    kept = tuple(each for each in pending.call.arguments if each.name != argument)
    call = ToolCall(facts.name, (*kept, Argument(argument, slot.value, Provenance("words", date.span))))
    confidence = basis.confidence
    return (
        Outcome(
            "execute",
            facts.intent,
            Reason.MATCHED_RULE,
            "",
            call,
            confidence=confidence,
            ledger=basis.ledger,
            slots=(slot,),
            act="correct",
        ),
    )


def _puts_right(noticed: Noticed) -> bool:
    words = noticed.weighed.reading.scene.words
    return bool(words) and not _PUTS_RIGHT.isdisjoint(noticed.told.policy.word_classes.get(words[0], ()))


def _due(pending: Pending, facts: ToolFacts, argument: str, told: Told) -> str | None:
    """When it would be due by what is asked; else when the task is that would be changed."""
    given = pending.call.parameters.get(argument)
    target = told.policy.catalogue.target_of(pending.call) if facts.target else None
    task = told.context.tasks.find_by_id(target) if target else None
    return given if isinstance(given, str) else task.due_date if task else None
