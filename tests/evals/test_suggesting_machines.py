"""Suggested fixes for messages about machines: each mends its message, and was run on every case of theirs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from itertools import islice
from typing import cast

import pytest

from domains.deciders import make_decider
from domains.drafts import PolicyDraft, begin_draft
from domains.loading import load_domain
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from engine.decision import Context
from engine.editing.edits import AddGuard, AddPattern, AddPhrase, Edit
from engine.explaining.values import OwnDecider
from evals.__main__ import main
from evals.effect.composed import probe_composed
from evals.effect.finding import EffectBase
from evals.suggesting.candidates import find_candidates
from evals.suggesting.misread import Misread, misread_message
from evals.suggesting.misread_call import find_composed, misread_composed, misread_known
from evals.suggesting.search import Suggestions, suggest
from tests.conftest import NOW
from tests.domains.machines.test_compose import machine

FLEET = MemoryFleet(
    [machine("o", "Convection Oven", "turn_on", "turn_off"), machine("f", "Fridge", "turn_off_light", "start_defrost")]
)
KNOWN = "machines_more/it: quando rientrano le mucche"


@cache
def begun(language: str = "en") -> PolicyDraft:
    return begin_draft("machines", language)


def own_decider() -> OwnDecider:
    return cast("OwnDecider", make_decider(load_domain("machines")))


def misread(text: str, wanted: str, values: Mapping[str, str] | None = None) -> Misread:
    context = Context(FleetIndex(FLEET), NOW, language="en")
    return misread_message(text, context, wanted, values or {}, domain="machines", language="en")


def mended(text: str, wanted: str, values: Mapping[str, str] | None = None) -> Suggestions:
    probes = tuple(islice(probe_composed("machines"), 40))
    return suggest(misread(text, wanted, values), begun(), EffectBase(probes, begun().policy, "machines"))


@pytest.mark.parametrize(
    ("text", "wanted", "values", "edit"),
    [
        ("fire up the oven", "run_command", {}, AddPattern("run_command", "turn_on", "fire up")),
        (
            "douse the fridge light", "run_command", {"command_name": "turn_off_light"},
            AddPattern("run_command", "turn_off", "douse"),
        ),
        (
            "how toasty is the oven", "read_metrics", {"metrics": "temperature"},
            AddPhrase("metric_temperature", "toasty"),
        ),
        ("vitals of the oven", "show_machine", {}, AddPattern("show_machine", "details", "vitals")),
    ],
)  # fmt: skip
def test_a_word_for_what_is_asked_is_suggested(text: str, wanted: str, values: dict[str, str], edit: Edit) -> None:
    found = mended(text, wanted, values)
    assert found.safe
    assert found.safe[0].edit == edit
    assert found.misread.passes(make_decider(load_domain("machines"), found.safe[0].draft.policy))


def test_what_asks_for_nothing_gets_a_guard_or_a_word_that_says_so() -> None:
    found = mended("the day of turn on was a disaster for the oven", "unknown")
    assert all(isinstance(each.edit, AddGuard | AddPhrase) for each in found.found)
    for each in found.found:
        assert found.misread.passes(make_decider(load_domain("machines"), each.draft.policy))


def test_which_action_is_meant_is_not_guessed() -> None:
    """What is said is no word of any action: without the command, on and off are as likely."""
    found = find_candidates(misread("douse the oven", "run_command"), own_decider())
    assert not any(isinstance(each.edit, AddPattern) and each.edit.pattern == "douse" for each in found)


def test_no_rule_is_made_of_what_a_machine_is_called_by() -> None:
    wanted = misread("convection the oven", "run_command", {"command_name": "turn_on"})
    edits = [each.edit for each in find_candidates(wanted, own_decider())]
    assert not any("convection" in str(edit) for edit in edits)


def test_a_labelled_call_that_fails_is_mended_on_every_case_of_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    case = find_composed(KNOWN)
    assert case
    found = misread_composed(case)
    assert found
    assert not found.passes(make_decider(load_domain("machines")))
    assert KNOWN in {each.id for each in misread_known("machines", make_decider(load_domain("machines")))}
    assert main(["suggest", "--domain", "machines", "--case", KNOWN]) == 0
    told = capsys.readouterr().out
    assert "breaks nothing" in told
    assert f"fixed {KNOWN}" in told


def test_a_call_about_tasks_is_none_of_theirs() -> None:
    assert find_composed("tasks/it: cancellami, parlato") is None
