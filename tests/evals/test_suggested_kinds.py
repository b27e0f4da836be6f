"""The kinds of edits that are tried: ways of talking, slips, words that misled, frames that set a value."""

from __future__ import annotations

from functools import cache

import pytest

from domains.drafts import PolicyDraft, begin_draft
from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context
from engine.editing.edits import (
    AddPattern,
    AddPhrase,
    AddSpelling,
    AddWay,
    Edit,
    RemovePhrase,
    SetThreshold,
    SeveralEdits,
)
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from evals.suggesting.candidates import find_candidates
from evals.suggesting.misread import Misread, misread_message
from tests.conftest import NOW


@cache
def begun(language: str) -> PolicyDraft:
    return begin_draft("tasks", language)


def of_message(text: str, wanted: str, *titles: str, language: str = "en", **values: str) -> Misread:
    tasks = tuple(Task(f"t{number}", number, title) for number, title in enumerate(titles, 1))
    context = Context(MemoryIndex(tasks), NOW, language=language)
    return misread_message(text, context, wanted, values, language=language)


def candidates(misread: Misread) -> list[Edit]:
    decider = RuleDecider(load_domain("tasks"), begun(misread.language).policy)
    return [each.edit for each in find_candidates(misread, decider)]


@pytest.mark.parametrize(
    ("misread", "edit"),
    [
        pytest.param(
            of_message("quanti vasetti dovevo prendere", "list_tasks", "Comprare i vasetti", language="it"),
            AddWay("ask.note", "^ quanti {target} dovevo prendere $"),
            id="what is asked of a stored thing, with its name as a slot",
        ),
        pytest.param(
            of_message("il bagno lo faccio martedì", "update_task", "Pulire il bagno", language="it",
                       task_identifier="t1", new_due_date="2026-03-10"),
            AddWay("state.moved", "^ {target} [<det>] faccio {new_due_date}"),
            id="and a bare day as a slot",
        ),
        pytest.param(
            of_message("orderd the hingse", "complete_task", "Order hinges", task_identifier="t1"),
            SeveralEdits((AddSpelling("orderd", "ordered"), AddSpelling("hingse", "hinges"))),
            id="two slips at once",
        ),
        pytest.param(
            of_message("on Thursday I need to pick up the parcel", "add_task", title="pick up the parcel"),
            AddPattern("add_task", "add.i_need", "{when} i need <into> {title}"),
            id="a day that must be there",
        ),
        pytest.param(
            of_message("put number 1 back among the living", "update_task", "Pay rent",
                       task_identifier="t1", new_status="pending"),
            AddPattern("update_task", "update.reopen", "^ put {target} back among the living $"),
            id="one more pattern of a frame that sets what was wanted",
        ),
    ],
)  # fmt: skip
def test_the_kinds_of_edits_that_are_tried(misread: Misread, edit: Edit) -> None:
    assert edit in candidates(misread)


def test_a_way_that_fits_but_for_what_is_said_after_it_is_left_open_at_its_end() -> None:
    misread = of_message("I've sown the carrots a day early", "complete_task", "Sow carrots", task_identifier="t1")
    opened = [edit for edit in candidates(misread) if isinstance(edit, AddWay) and edit.pattern.endswith("{tail?}")]
    ways = {way.id: way.patterns for way in begun("en").policy.ways}
    assert any(f"{edit.pattern.removesuffix('{tail?}')}$" in ways[edit.way] for edit in opened)


def test_a_phrase_by_which_a_guard_took_the_message_may_be_taken_out() -> None:
    guard = begun("en").edit(AddPhrase("hypothetical", "before breakfast"))
    misread = of_message("before breakfast mark the rent as done", "complete_task", "Rent", task_identifier="t1")
    found = find_candidates(misread, RuleDecider(load_domain("tasks"), guard.policy))
    assert RemovePhrase("hypothetical", "before breakfast") in [each.edit for each in found]


def test_where_a_target_is_uncertain_the_threshold_is_moved_by_what_it_lacks() -> None:
    misread = of_message("delete the pasport", "delete_task", "Renew passport", "Feed cat", task_identifier="t1")
    moved = [edit for edit in candidates(misread) if isinstance(edit, SetThreshold) and edit.name == "sure_target"]
    assert all(edit.value < begun("en").policy.thresholds.sure_target for edit in moved)
    assert moved


def test_no_rule_is_made_of_a_slip_in_somebodys_own_words() -> None:
    misread = of_message("pracel droped off", "complete_task", "Drop parcel at Finch", task_identifier="t1")
    texts = [getattr(edit, "phrase", getattr(edit, "pattern", "")) for edit in candidates(misread)]
    assert texts
    assert not [each for each in texts if "pracel" in each.split()]
