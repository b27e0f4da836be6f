"""Cases run turn by turn through any decider, and a decider that raises costs one case."""

from __future__ import annotations

from collections.abc import Callable

from engine.decision import Context, Decision, Pending, Reason
from engine.values import Task, make_call
from evals.case import Case, EarlierMessage, Turn
from evals.runner import readings, run_case, run_cases

MILK = Task("id-milk", 1, "buy milk")


class Scripted:
    """Answers by a function; remembers the contexts that it was given."""

    def __init__(self, answer: Callable[[str, Context], Decision]) -> None:
        self.answer = answer
        self.contexts: list[Context] = []

    def decide(self, text: str, context: Context) -> Decision:
        self.contexts.append(context)
        return self.answer(text, context)


def reply(text: str, context: Context) -> Decision:
    return Decision("scripted", "reply", "unknown", Reason.NOT_ABOUT_TASKS, confidence=0.0)


def delete_with_question(text: str, context: Context) -> Decision:
    call = make_call("delete_task", {"task_identifier": "id-milk"}, "words")
    if context.pending and text == "yes":
        return Decision("scripted", "execute", "delete_task", Reason.ANSWERED, (context.pending.call,))
    pending = Pending("confirm", "delete_task", call)
    return Decision("scripted", "confirm", "delete_task", Reason.DESTRUCTIVE, (call,), pending=pending)


def case(*turns: Turn, **more: object) -> Case:
    return Case("some-case", turns, tasks=(MILK,), keys={"milk": MILK.id}, **more)  # type: ignore[arg-type]


def test_the_question_travels_to_the_next_turn_and_the_call_is_carried_out() -> None:
    decider = Scripted(delete_with_question)
    conversation = case(
        Turn("delete it", ("delete_task",), action=("confirm",), task=("milk",)),
        Turn("yes", ("delete_task",), action=("execute",), task=("milk",)),
        Turn("delete it", ("delete_task",), action=("confirm",)),
    )
    result = run_case(decider, conversation)
    assert result.passed, result.problems
    assert [message.role for message in decider.contexts[1].history] == ["user", "assistant"]
    assert decider.contexts[1].tasks.find_by_id("id-milk") == MILK
    assert decider.contexts[2].tasks.find_by_id("id-milk") is None


def test_after_a_wrong_turn_the_conversation_ends() -> None:
    decider = Scripted(reply)
    result = run_case(decider, case(Turn("delete it", ("delete_task",)), Turn("yes", ("delete_task",))))
    assert not result.passed
    assert len(result.turns) == 1
    assert result.problems == ("intent: unknown, expected delete_task",)


def test_a_task_just_added_is_in_reach_of_the_next_turn() -> None:
    def add(text: str, context: Context) -> Decision:
        call = make_call("add_task", {"title": text, "priority": "high"}, "words")
        return Decision("scripted", "execute", "add_task", Reason.MATCHED_RULE, (call,))

    decider = Scripted(add)
    run_case(decider, case(Turn("buy tea", ("add_task",)), Turn("buy jam", ("add_task",))))
    added = decider.contexts[1].tasks.find_by_number(2)
    assert added is not None
    assert (added.title, added.priority) == ("buy tea", "high")
    assert decider.contexts[1].history[-1].tasks == (added.id,)


def test_what_was_said_before_comes_with_the_ids_of_its_tasks() -> None:
    decider = Scripted(reply)
    run_case(decider, case(Turn("hm", ("unknown",)), history=(EarlierMessage("assistant", "I added it.", ("milk",)),)))
    assert decider.contexts[0].history[0].tasks == ("id-milk",)


def test_a_decider_that_raises_costs_one_case_and_the_run_goes_on() -> None:
    def fragile(text: str, context: Context) -> Decision:
        if text == "boom":
            raise ZeroDivisionError("by design")
        return reply(text, context)

    seen: list[tuple[int, int]] = []
    cases = (case(Turn("boom", ("unknown",))), case(Turn("hello", ("unknown",))))
    results = run_cases(Scripted(fragile), cases, lambda done, total: seen.append((done, total)))
    assert [result.passed for result in results] == [False, True]
    assert results[0].error.startswith("ZeroDivisionError: by design")
    assert seen == [(1, 2), (2, 2)]
    assert len(readings(results)) == 1


def test_the_cases_may_be_huge() -> None:
    decider = Scripted(lambda text, context: reply(text, context))
    result = run_case(decider, case(Turn("a", ("unknown",), repeat=10_000)))
    assert len(result.turns[0].text) == 10_000
