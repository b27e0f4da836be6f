"""A decision taken apart is the same decision, with all of its evidence."""

from __future__ import annotations

import pytest

from domains.deciders import make_engine
from domains.loading import LANGUAGES, find_folder
from engine.decider import combine, merge_repeated
from engine.decision import Context, Reason
from engine.doubting.asking import ask_if_doubtful
from engine.explaining.anatomy import dissect
from engine.policy.rule_places import find_rule_place
from engine.targets.memory_index import MemoryIndex
from engine.text.normalise import normalise
from evals.case import Case
from evals.situation import begin, go_on
from tests.our_cases import our_cases

ENGINE = make_engine()
CASES = our_cases()[::7]


def situations(case: Case) -> list[tuple[str, Context]]:
    """Every message of the case in the context in which the engine meets it."""
    situation, met = begin(case), []
    for turn in case.turns:
        met.append((turn.text, situation.context))
        situation = go_on(situation, turn.text, ENGINE.decide(turn.text, situation.context))
    return met


def test_the_requests_put_together_are_the_decision() -> None:
    assert len(CASES) > 100
    for text, context in (situation for case in CASES for situation in situations(case)):
        anatomy = dissect(text, context, ENGINE)
        assert anatomy.decision == ENGINE.decide(text, context), text
        assert anatomy.requests or context.pending or anatomy.decision.reason in (Reason.EMPTY, Reason.TOO_LONG)
        if anatomy.requests and not (context.pending and context.pending.then):
            policy = anatomy.policy
            again = combine(merge_repeated([request.outcome for request in anatomy.requests], policy), policy)
            said = normalise(text, policy.spellings, policy.elisions, policy.abbreviations)
            assert ask_if_doubtful(again, said, context, policy) == anatomy.decision, text


def test_all_evidence_is_there_and_adds_up_to_the_scores() -> None:
    context = Context(tasks=MemoryIndex(), now=begin(CASES[0]).context.now)
    (request,) = dissect("please tell me what the weather is like in the old town of Rome", context, ENGINE).requests
    shown = request.outcome.scores[-1].evidence
    assert shown
    assert len(request.pieces) > len(shown)
    assert {piece.rule for piece in shown} <= {piece.rule for piece in request.pieces}
    weights = {piece.rule: request.weight(piece, "unknown") for piece in request.pieces}
    assert all(weights[piece.rule] == piece.weight for piece in shown)


def test_a_message_with_two_requests_has_two() -> None:
    context = Context(tasks=MemoryIndex(), now=begin(CASES[0]).context.now)
    text = "add a task to buy milk and show me my tasks"
    requests = dissect(text, context, ENGINE).requests
    assert [request.outcome.intent for request in requests] == ["add_task", "list_tasks"]
    assert text[requests[1].span.start : requests[1].span.end] == "show me my tasks"


@pytest.mark.parametrize("text", ["", "   ", "x" * 20_000])
def test_a_message_that_is_no_message_has_no_requests(text: str) -> None:
    assert dissect(text, Context(tasks=MemoryIndex(), now=begin(CASES[0]).context.now), ENGINE).requests == ()


@pytest.mark.parametrize("language", ["en", "it"])
def test_every_rule_of_the_tables_is_found_on_its_line(language: str) -> None:
    policy = ENGINE.policy_for(language)
    own = find_folder("tasks")
    text = {
        path.relative_to(beside).as_posix(): path.read_text(encoding="utf-8").splitlines()
        for beside, folder in ((own, own / language), (LANGUAGES.parent, LANGUAGES / language))
        for path in folder.rglob("*.*")
    }
    rules = [*list(policy.weights.evidence)[::40], *(f"guard:{guard.reason}" for guard in policy.guards)]
    rules += [f"lead:{frame.id}" for frame in policy.frames] + ["threshold:act"]
    for rule in rules:
        place = find_rule_place(rule, policy)
        assert place, rule
        name = rule.partition(":")[2] if place.file.endswith(".yaml") else rule
        assert name.replace('"', '\\"') in text[place.file][place.line - 1], rule
