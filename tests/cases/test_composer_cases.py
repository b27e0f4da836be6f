"""Every composer case, in both languages, about machines and about tasks."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

from domains.composing import compose
from engine.completing.values import ComposedCall, Composition, Why
from engine.values import Argument, ToolCall
from evals.composer_cases import ComposerCase, find_fault, load_composer_cases, load_known_failures
from evals.known_failures import NOT_LOOKED_INTO

KNOWN = load_known_failures()
SOURCES = {"words", "store", "conversation", "llm", "answer", "learned", "default"}
REASONS_TO_ASK = {
    *("several_machines", "several_commands", "several_tasks", "no_command_said", "no_value_said", "nothing_said"),
    *("not_sure_enough", "contradiction"),
}


@cache
def cases() -> tuple[ComposerCase, ...]:
    """Read by the process that tests them, and not by all that collect this file."""
    return load_composer_cases()


@cache
def _composed() -> dict[str, Composition]:
    return {case.id: compose(case.request) for case in cases()}


def _answer(case: ComposerCase) -> Composition:
    return _composed()[case.id]


def test_the_composer_answers_as_a_careful_human_would() -> None:
    """A failure names each case with its fault; one that is known and has none any more is to be taken off the list."""
    faults = {case.id: fault for case in cases() if (fault := find_fault(case, _answer(case)))}
    assert {case_id: fault for case_id, fault in faults.items() if case_id not in KNOWN} == {}
    assert sorted(KNOWN.keys() - faults.keys()) == []


def test_nothing_is_done_where_nothing_may_be() -> None:
    """Known failures too: a wrong reason is a flaw, a wrong deed is damage."""
    not_to_be_done = [case for case in cases() if "completed" not in case.statuses]
    assert not_to_be_done
    assert {case.id: _answer(case) for case in not_to_be_done if not _does_nothing(case)} == {}


def _does_nothing(case: ComposerCase) -> bool:
    composed = _answer(case)
    settled = [(each.call.tool_name, each.call.parameters) for each in composed.calls]
    return (
        composed.status in ("needs_clarification", "failed")
        and settled == [(tool, dict(arguments)) for tool, arguments in case.calls]
        and bool(composed.message)
    )


def test_no_argument_is_without_provenance() -> None:
    arguments = [
        (case, argument) for case in cases() for composed in _answer(case).calls for argument in composed.call.arguments
    ]
    assert arguments
    assert [(case.id, argument) for case, argument in arguments if not _has_provenance(case, argument)] == []


def _has_provenance(case: ComposerCase, argument: Argument) -> bool:
    origin = argument.provenance
    if origin.source == "llm":
        given = set(case.request.arguments)
        return argument.name in given or bool({"device_name", "command_name"} & given)
    if origin.source == "words" and origin.span is not None:
        return bool(case.request.text[origin.span.start : origin.span.end].strip())
    return origin.source in SOURCES


def test_there_are_arguments_from_every_source_that_a_case_can_have() -> None:
    calls = [each.call for case in cases() for each in _answer(case).calls]
    found = Counter(argument.provenance.source for call in calls for argument in call.arguments)
    assert all(found[source] >= 20 for source in ("words", "store", "conversation", "llm")), found


def test_no_case_is_without_a_check_beyond_its_status() -> None:
    assert [case.id for case in cases() if not _is_checked(case)] == []


def _is_checked(case: ComposerCase) -> bool:
    if "completed" in case.statuses and not case.calls:
        return False
    if set(case.statuses) != {"completed"} and not (case.why and set(case.why) <= {str(why) for why in Why}):
        return False
    asks = "needs_clarification" in case.statuses and bool(set(case.why) & REASONS_TO_ASK)
    return not asks or bool(case.offers or case.asks or case.says)


def test_any_other_answer_would_turn_a_case_red() -> None:
    passing = [case for case in cases() if case.id not in KNOWN]
    assert passing
    assert [
        (case.id, wrong) for case in passing for wrong in _spoilt(_answer(case)) if find_fault(case, wrong) == ""
    ] == []


def _spoilt(composed: Composition) -> list[Composition]:
    """The same answer with one thing wrong: another reason, another argument, a choice too few, another question."""
    nothing = ToolCall("machines_list", ())
    wrong = [replace(composed, calls=(*composed.calls, ComposedCall(nothing, 1.0)))]
    if composed.status != "completed":
        wrong.append(replace(composed, why=Why.EMPTY))
    for place, each in enumerate(composed.calls):
        spoilt = tuple(Argument(one.name, "other", one.provenance) for one in each.call.arguments)
        call = ToolCall(each.call.tool_name, spoilt) if spoilt else ToolCall("other", ())
        wrong.append(replace(composed, calls=_with(composed.calls, place, replace(each, call=call))))
    for place, offer in enumerate(composed.suggestions):
        for name in offer.value:
            other = replace(offer, value={**offer.value, name: "other"})
            wrong.append(replace(composed, suggestions=_with(composed.suggestions, place, other)))
    if composed.suggestions:
        wrong.append(replace(composed, suggestions=composed.suggestions[1:]))
    elif composed.status == "needs_clarification":
        wrong += [replace(composed, asked_for="other"), replace(composed, partial={"other": 1})]
    return wrong


def _with(items: tuple[Any, ...], place: int, item: object) -> tuple[Any, ...]:
    return (*items[:place], item, *items[place + 1 :])


def test_known_failures_name_cases_that_exist() -> None:
    assert set(KNOWN) <= {case.id for case in cases()}


def test_every_known_failure_has_a_cause() -> None:
    assert [case_id for case_id, cause in KNOWN.items() if cause == NOT_LOOKED_INTO or len(cause.split()) < 4] == []


def test_there_are_enough_cases_where_completing_would_be_wrong() -> None:
    wrong = Counter("completed" not in case.statuses for case in cases())
    assert len(cases()) >= 200
    assert wrong[True] >= 0.4 * len(cases())


def test_case_names_are_unique() -> None:
    assert max(Counter(case.id for case in cases()).values()) == 1
