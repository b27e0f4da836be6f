"""Weights learned anew: as far as the cases move them, as one edit of a draft, and ended when somebody says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domains.drafts import begin_draft
from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.editing.edits import SetWeights, read_edit, tell_edit, write_edit
from engine.editing.yaml_edits import EditError
from evals.case import Case, Turn
from evals.learning.learning import STEPS, learn_weights
from evals.learning.rows import observing, read_rows
from evals.progress import Progress
from tests.our_cases import our_cases

SAYINGS = tuple(f"zap {thing} for good" for thing in ("the slides", "the rent", "my taxes", "that call"))


def cases(*messages: str, intent: str = "delete_task") -> list[Case]:
    """Said where there is something to be done about."""
    like = next(case for case in our_cases() if case.language == "en" and case.tasks)
    turns = [
        (replace(like.turns[0], say=text, intent=(intent,), action=(), parameters={}, task=())) for text in messages
    ]
    return [replace(like, id=f"learned-{number}", turns=(turn,), tags=()) for number, turn in enumerate(turns)]


def test_what_cases_say_moves_the_weights_and_a_new_word_gets_some() -> None:
    begun = begin_draft("tasks", "en")
    found = learn_weights(cases(*SAYINGS), begun.policy, "tasks")
    assert found
    assert found.edit
    assert (found.rows, found.before, found.after) == (4, 0, 4)
    assert any(
        rule == "word:zap" and intent == "delete_task" and value > 0 for rule, intent, value in found.edit.weights
    )
    draft = begun.edit(found.edit)
    moved = {rule for rule, _, _ in found.edit.weights}
    before, after = begun.policy.weights, draft.policy.weights
    assert (before.bias, before.calibration) == (after.bias, after.calibration)
    assert {name for name in after.evidence if after.evidence[name] != before.evidence.get(name)} <= moved
    assert draft.changed == ("weights.json",)
    assert tell_edit(found.edit).startswith("set ")


def test_messages_that_are_read_right_already_move_little() -> None:
    begun = begin_draft("tasks", "en")
    found = learn_weights(cases("show my tasks", "list my tasks", intent="list_tasks"), begun.policy, "tasks")
    assert found
    assert (found.before, found.after, found.left_out) == (2, 2, 2)
    table, intents = begun.policy.weights.evidence, begun.policy.catalogue.intents
    moves = [
        abs(value - table[rule][intents.index(intent)])
        for rule, intent, value in (found.edit.weights if found.edit else ())
    ]
    assert max(moves, default=0.0) < 0.1


def test_it_counts_its_steps_and_ends_when_it_is_cancelled() -> None:
    begun, progress = begin_draft("tasks", "en"), Progress(0)
    assert learn_weights(cases(*SAYINGS), begun.policy, "tasks", progress)
    assert progress.done == progress.total >= STEPS
    progress = Progress(0, cancelled=True)
    assert learn_weights(cases(*SAYINGS), begun.policy, "tasks", progress) is None
    assert progress.done == 0


def test_turns_after_one_that_goes_wrong_are_not_learned_from() -> None:
    policy = begin_draft("tasks", "en").policy
    (case,) = cases("show my tasks", intent="list_tasks")
    wrong, right = Turn("hello there", ("delete_task",)), case.turns[0]
    decider = RuleDecider(load_domain("tasks"), policy)
    rows = list(read_rows(replace(case, turns=(right, wrong, right)), decider, observing(policy)))
    assert [row.intents for row in rows] == [("list_tasks",), ("delete_task",)]


def test_many_weights_are_kept_with_a_version_and_come_back() -> None:
    edit = SetWeights((("word:zap", "delete_task", 1.5), ("word:zone", "add_task", 0.25)))
    assert read_edit(write_edit(edit)) == edit
    begun = begin_draft("tasks", "en")
    after = begun.edit(edit).policy.weights.evidence
    place = begun.policy.catalogue.intents.index
    assert after["word:zap"][place("delete_task")] == 1.5
    assert after["word:zone"][place("add_task")] == 0.25
    kept = begun.policy.weights.evidence["word:zone"]
    assert after["word:zone"][place("unknown")] == kept[place("unknown")]
    with pytest.raises(EditError, match="no intent 'fly'"):
        begun.edit(SetWeights((("word:zap", "fly", 1.0),)))
