"""Edits that may mend a misread message, the smallest kinds first. Whether one does is found by running it."""

from __future__ import annotations

from itertools import starmap
from typing import NamedTuple

from engine.catalogue.facts import UNKNOWN
from engine.decider import RuleDecider
from engine.editing.edits import AddPhrase, Edit, size_of
from engine.explaining.anatomy import OwnDecider, ReadingDecider
from engine.why import find_why
from evals.suggesting.doubting import find_doubt
from evals.suggesting.misread import Misread
from evals.suggesting.nothing_edits import edit_for_nothing
from evals.suggesting.request_edits import edit_for_request

_FURTHER = 0.3


class EditCandidate(NamedTuple):
    edit: Edit
    doubt: float
    """How little the edit looks like something that a person would write; added to its size."""


def find_candidates(misread: Misread, decider: ReadingDecider) -> tuple[EditCandidate, ...]:
    """Each once, in the order in which they are worth trying."""
    if not isinstance(decider, RuleDecider):
        return _find_own(misread, decider)
    policy = decider.policy_of(misread.text, misread.context)
    found: list[Edit] = []
    for wanted in misread.wanted:
        arguments = {name: values[0] for name, values in misread.values.items() if values}
        why = find_why(misread.text, misread.context, decider, wanted, arguments)
        if wanted == UNKNOWN:
            found += edit_for_nothing(misread, why, policy)
        else:
            found += edit_for_request(misread, why, wanted, policy)
    phrases = [edit for edit in dict.fromkeys(found) if isinstance(edit, AddPhrase)]
    # In the order of how near they came: of two phrases the smaller is not the better one.
    further = {edit: _FURTHER * min(place, 4) for place, edit in enumerate(phrases)}
    doubted = ((edit, find_doubt(edit, misread, policy)) for edit in dict.fromkeys(found))
    kept = [
        EditCandidate(edit, doubt + (further[edit] if isinstance(edit, AddPhrase) else 0.0))
        for edit, doubt in doubted
        if doubt is not None
    ]
    return tuple(sorted(kept, key=lambda each: size_of(each.edit) + each.doubt))


def _find_own(misread: Misread, decider: OwnDecider) -> tuple[EditCandidate, ...]:
    """Of a domain with a reading of its own: it knows what its words mean."""
    values = {name: forms[0] for name, forms in misread.values.items() if forms}
    facts = decider.policy_of(misread.text, misread.context).catalogue.by_intent.get(misread.wanted[0])
    if facts and facts.target and misread.targets:
        values[facts.target] = misread.targets[0]
    found: dict[Edit, float] = {}
    for wanted in misread.wanted:
        why = find_why(misread.text, misread.context, decider, wanted, values)
        for edit, doubt in decider.find_edits(misread.text, misread.context, why, values):
            found.setdefault(edit, doubt)
    return tuple(sorted(starmap(EditCandidate, found.items()), key=lambda each: size_of(each.edit) + each.doubt))
