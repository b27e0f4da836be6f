"""What the order of a message's clauses, or its form, makes plain before anything is weighed."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from engine.decision import Context
from engine.message.forms.announced_things import read_announced
from engine.message.forms.changed_to_told import read_changed_to_told
from engine.message.forms.clashes import read_clash
from engine.message.forms.due_apart import read_due_apart
from engine.message.forms.each_told_done import read_each_told_done
from engine.message.forms.named_changes import read_named_change
from engine.message.forms.needed_changes import read_needed_change
from engine.message.forms.only_some_done import read_only_some_done
from engine.message.forms.put_back_to_do import BACK, read_put_back
from engine.message.forms.reopened_of_named import read_reopened
from engine.message.forms.undo_with_reason import read_undo_first, read_undo_last
from engine.message.forms.vague_times import read_vague_time
from engine.message.forms.values_alone import read_values_alone
from engine.message.forms.wanted_before import read_wanted
from engine.message.judged_request import JudgedRequest
from engine.policy.values import Policy
from engine.text.normalise import Utterance


class _Form(NamedTuple):
    read: Callable[[Utterance, Context, Policy], tuple[JudgedRequest, ...] | None]
    needs: frozenset[str] = frozenset()
    """Classes of words of which the message must have one; empty: it looks for something else first."""
    goes_on: bool = False
    """Whether it is only said after something else was."""


_FORMS = (
    _Form(read_due_apart, frozenset({"to_be_done_by"})),
    _Form(read_values_alone, goes_on=True),
    _Form(read_clash, goes_on=True),
    _Form(read_changed_to_told, frozenset({"asks_change"})),
    _Form(read_needed_change, frozenset({"wish_lead"})),
    _Form(read_named_change),
    _Form(read_only_some_done, frozenset({"only_some"}), goes_on=True),
    _Form(read_vague_time, frozenset({"vague_time", "before_noon", "after_noon"}), goes_on=True),
    _Form(read_reopened, frozenset({"opens_named"})),
    _Form(read_put_back, frozenset({BACK})),
    _Form(read_undo_first, frozenset({"cue_undo"}), goes_on=True),
    _Form(read_undo_last, frozenset({"cue_undo"})),
    _Form(read_each_told_done),
)
"""In this order. Most messages have none of the words, and nearly all readers need not be called at all."""


def read_by_form(utterance: Utterance, context: Context, policy: Policy) -> tuple[JudgedRequest, ...] | None:
    """What is wanted, after it was told; what one has to change; what is taken back, and why."""
    wanted = read_announced(utterance, context, policy) or read_wanted(utterance, context, policy)
    if wanted or context.pending:
        return wanted
    said = policy.lexicon.names(utterance.words)
    for read, needs, goes_on in _FORMS:
        if (goes_on and not context.history) or (needs and said.isdisjoint(needs)):
            continue
        wanted = read(utterance, context, policy)
        if wanted:
            return wanted
    return None
