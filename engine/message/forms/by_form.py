"""What the order of a message's clauses, or its form, makes plain before anything is weighed."""

from __future__ import annotations

from engine.decision import Context
from engine.message.forms.announced_things import read_announced
from engine.message.forms.changed_to_told import read_changed_to_told
from engine.message.forms.clashes import read_clash
from engine.message.forms.due_apart import read_due_apart
from engine.message.forms.named_changes import read_named_change
from engine.message.forms.needed_changes import read_needed_change
from engine.message.forms.only_some_done import read_only_some_done
from engine.message.forms.reopened_of_named import read_reopened
from engine.message.forms.undo_with_reason import read_undo_first, read_undo_last
from engine.message.forms.vague_times import read_vague_time
from engine.message.forms.values_alone import read_values_alone
from engine.message.forms.wanted_before import read_wanted
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.text.normalise import Utterance


def read_by_form(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """What is wanted, after it was told; what one has to change; what is taken back, and why."""
    wanted = read_announced(utterance, context, policy) or read_wanted(utterance, context, policy)
    if wanted or context.pending:
        return wanted
    return (
        read_due_apart(utterance, context, policy)
        or read_values_alone(utterance, context, policy)
        or read_clash(utterance, context, policy)
        or read_changed_to_told(utterance, context, policy)
        or read_needed_change(utterance, context, policy)
        or read_named_change(utterance, context, policy)
        or read_only_some_done(utterance, context, policy)
        or read_vague_time(utterance, context, policy)
        or read_reopened(utterance, context, policy)
        or read_undo_first(utterance, context, policy)
        or read_undo_last(utterance, context, policy)
    )
