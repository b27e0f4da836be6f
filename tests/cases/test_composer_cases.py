"""Every composer case, in both languages, about machines and about tasks."""

from __future__ import annotations

from collections import Counter

import pytest

from domains.composing import compose
from evals.composer_cases import ComposerCase, find_fault, load_composer_cases, load_known_failures

CASES = load_composer_cases()
KNOWN = load_known_failures()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_composer_answers_as_a_careful_human_would(case: ComposerCase, request: pytest.FixtureRequest) -> None:
    if case.id in KNOWN:
        request.applymarker(pytest.mark.xfail(reason=KNOWN[case.id], strict=True))
    composed = compose(case.request)
    assert find_fault(case, composed) == ""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_no_argument_is_without_provenance(case: ComposerCase) -> None:
    for composed in compose(case.request).calls:
        for argument in composed.call.arguments:
            origin = argument.provenance
            assert origin.source in ("words", "store", "conversation", "llm", "answer", "learned", "default")
            if origin.source == "llm":
                assert argument.name in case.request.arguments or {"device_name", "command_name"} & set(
                    case.request.arguments
                )
            if origin.source == "words" and origin.span is not None:
                assert case.request.text[origin.span.start : origin.span.end].strip()


def test_known_failures_name_cases_that_exist() -> None:
    assert set(KNOWN) <= {case.id for case in CASES}


def test_there_are_enough_cases_where_completing_would_be_wrong() -> None:
    wrong = Counter("completed" not in case.statuses for case in CASES)
    assert len(CASES) >= 200
    assert wrong[True] >= 0.4 * len(CASES)


def test_case_names_are_unique() -> None:
    assert max(Counter(case.id for case in CASES).values()) == 1
