"""What one decider makes of one case: the verdict, what came of it and what was behind, arguments, thresholds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from db.evaluation.run_values import ScoredCase
from domains.deciders import make_engine
from engine.decision import Context, Decision, IntentScore, Pending, Reason, Thresholds
from engine.values import make_call
from evals.answers import TimedDecision
from evals.case import Case, Turn
from evals.evaluate.data_sets import CASE, make_kept_case, read_case
from evals.evaluate.inspecting import context_of
from evals.evaluate.judging import judge_case, sign
from evals.evaluate.sources import load_our_cases
from evals.runner import run_case

MILK = make_call("add_task", {"title": "milk"}, "words")
LIST = make_call("list_tasks", {}, "words")


def decided(action: str, intent: str, *calls: Any, reason: Reason = Reason.MATCHED_RULE, **more: Any) -> Decision:
    return Decision("engine", action, intent, reason, calls, **more)  # type: ignore[arg-type]


def judge(decision: Decision | Exception | None, turn: Turn) -> ScoredCase:
    def answer(_text: str, _context: Context) -> TimedDecision:
        if isinstance(decision, Exception):
            raise decision
        return TimedDecision(decision, 2.0, 10, 3, 0.5)

    return judge_case(answer, Case("a", (turn,)), 4, "key")


WANTS_MILK = Turn("add milk", ("add_task",), parameters={"title": "milk"}, action=("execute",))
WANTS_NOTHING = Turn("nice weather", ("unknown",))
ASKS_FIRST = Turn("add something", ("add_task",), action=("clarify",))
ACTS, LISTS = decided("execute", "add_task", MILK), decided("execute", "list_tasks", LIST)
ADDS_BREAD = decided("execute", "add_task", make_call("add_task", {"title": "bread"}, "llm"))
ADDS_NOTHING = decided("execute", "add_task", make_call("add_task", {}, "llm"))
OFFERS = decided("clarify", "add_task", reason=Reason.BELOW_THRESHOLD, pending=Pending("confirm", "add_task", MILK))
REPLIES = decided("reply", "unknown", reason=Reason.NOT_ABOUT_TASKS)


@pytest.mark.parametrize(
    ("decision", "turn", "verdict", "final", "outcome"),
    [
        (ACTS, WANTS_MILK, "right", "add_task", "call"),
        (REPLIES, WANTS_NOTHING, "right", "unknown", "abstention"),
        (LISTS, WANTS_MILK, "wrong_tool", "list_tasks", "call"),
        (ADDS_BREAD, WANTS_MILK, "wrong_arguments", "add_task", "call"),
        (decided("execute", "add_task", MILK, MILK), WANTS_MILK, "wrong_arguments", "add_task", "call"),
        (ACTS, WANTS_NOTHING, "acted_unasked", "add_task", "call"),
        (ACTS, ASKS_FIRST, "acted_unasked", "add_task", "call"),
        (OFFERS, WANTS_NOTHING, "asked_needlessly", "asks", "abstention"),
        (OFFERS, WANTS_MILK, "asked_needlessly", "asks", "abstention"),
        (REPLIES, WANTS_MILK, "silent", "unknown", "abstention"),
        (ADDS_NOTHING, WANTS_MILK, "broken_call", "broken", "broken"),
        (decided("reply", "unknown", reason=Reason.UNAVAILABLE), WANTS_NOTHING, "no_answer", "none", "none"),
        (RuntimeError("boom"), WANTS_MILK, "no_answer", "none", "none"),
        (REPLIES, replace(WANTS_NOTHING, reason=("negated",)), "other_reason", "unknown", "abstention"),
    ],
)  # fmt: skip
def test_each_decision_has_one_verdict(
    decision: Decision | Exception, turn: Turn, verdict: str, final: str, outcome: str
) -> None:
    found = judge(decision, turn)
    assert (found.verdict, found.final, found.outcome) == (verdict, final, outcome)
    assert found.passed == (verdict == "right")
    assert (found.position, found.key) == (4, "key")


def test_an_exception_is_told_and_costs_only_its_case() -> None:
    found = judge(RuntimeError("boom"), WANTS_MILK)
    assert found.detail["problems"] == ["RuntimeError: boom"]
    assert (found.confidence, found.action, found.signature) == (None, None, "none")


def test_the_intent_behind_a_question_or_refusal_is_kept() -> None:
    assert judge(OFFERS, WANTS_NOTHING).behind == "add_task"
    scores = (IntentScore("add_task", 0.3), IntentScore("list_tasks", 0.4), IntentScore("unknown", 0.3))
    assert judge(replace(REPLIES, scores=scores), WANTS_MILK).behind == "list_tasks"
    assert judge(REPLIES, WANTS_MILK).behind == "unknown"


def test_arguments_are_judged_one_by_one_also_of_a_call_that_is_asked_about() -> None:
    turn = Turn("x", ("add_task",), parameters={"title": "milk", "priority": "high"}, absent=("due_date",))
    expected = (("add_task", "title", True), ("add_task", "priority", False), ("add_task", "due_date", True))
    assert judge(ACTS, turn).arguments == expected
    assert judge(OFFERS, turn).arguments == expected
    assert judge(LISTS, turn).arguments == ()


def test_equal_decisions_are_signed_alike_whatever_their_confidence() -> None:
    assert sign(replace(ACTS, confidence=0.9)) == sign(replace(ACTS, confidence=0.8))
    assert len({sign(each) for each in (ACTS, LISTS, OFFERS, REPLIES, None)}) == 5


def test_what_thresholds_would_do_is_known_where_a_threshold_decides() -> None:
    limits = {"thresholds": Thresholds(act=0.7, read=0.45), "confidence": 0.6}
    offered = judge(replace(OFFERS, **limits), WANTS_MILK).weighing
    assert offered == {"act": 0.7, "read": 0.45, "sure": 0.6, "acted": True, "asked": "needless", "silent": False}
    wrong = judge(replace(OFFERS, **limits), Turn("x", ("list_tasks",))).weighing
    assert wrong
    assert (wrong["acted"], wrong["asked"], wrong["silent"]) == (False, "useless", False)
    quiet = judge(replace(ACTS, **limits), WANTS_NOTHING).weighing
    assert quiet
    assert (quiet["acted"], quiet["asked"], quiet["silent"]) == (False, "needless", True)
    wanted = judge(replace(OFFERS, **limits), ASKS_FIRST).weighing
    assert wanted
    assert (wanted["acted"], wanted["asked"]) == (False, "wanted")
    assert judge(ACTS, WANTS_MILK).weighing is None
    destructive = replace(ACTS, action="confirm", reason=Reason.DESTRUCTIVE, **limits)
    assert judge(destructive, WANTS_MILK).weighing is None


def test_a_case_of_several_messages_counts_by_the_one_that_decided_it() -> None:
    turns = (replace(WANTS_MILK, say="add milk"), Turn("thanks", ("list_tasks",)), Turn("never said", ("unknown",)))

    def answer(text: str, _context: Context) -> TimedDecision:
        return TimedDecision(ACTS if text == "add milk" else REPLIES, 2.0, 10, 3, 0.5)

    found = judge_case(answer, Case("a", turns), 0, "key")
    assert (found.verdict, found.detail["turn"], found.detail["of"], found.detail["text"]) == ("silent", 2, 3, "thanks")
    assert (found.prompt_tokens, found.answer_tokens, found.cost, found.milliseconds) == (20, 6, 1.0, 2.0)


def test_what_passes_here_passes_in_python_m_evals() -> None:
    engine = make_engine()

    def answer(text: str, context: Context) -> TimedDecision:
        return TimedDecision(engine.decide(text, context), 1.0)

    chosen = load_our_cases().cases[::17]
    assert len(chosen) > 60
    cases = [read_case(each.body[CASE]) for each in chosen]
    ours = [judge_case(answer, case, 0, "") for case in cases]
    theirs = [run_case(engine, case) for case in cases]
    assert [each.passed for each in ours] == [each.passed for each in theirs]
    assert {each.passed for each in ours} == {True, False}


def test_a_case_can_be_inspected_at_the_message_that_decided_it() -> None:
    turns = (replace(WANTS_MILK, say="add a task to buy milk"), Turn("complete it", ("complete_task",)))
    kept = make_kept_case(0, Case("a", turns), "s")
    text, context = context_of(kept)
    assert (text, context["tasks"], context["history"]) == ("add a task to buy milk", [], [])
    later, after = context_of(kept, replace(judge(ACTS, WANTS_MILK), detail={"turn": 2}))
    assert later == "complete it"
    assert [task["title"] for task in after["tasks"]] == ["buy milk"]
    assert len(after["history"]) == 2
