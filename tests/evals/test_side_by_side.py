"""Lines through several deciders: differences, figures, cancelling, and a failure that costs only its own answer."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import pytest

from db.evaluation.comparisons import ComparedLine
from domains.deciders import make_engine
from domains.tasks.baseline.decider import BaselineDecider
from engine.border.wire import read_context
from engine.decision import Context, Decider, Decision
from engine.targets.memory_index import MemoryIndex
from evals.asking import Entrant
from evals.line_files import Line
from evals.side_by_side import Run
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from llm.trace import LLMTrace
from tests.assistant.conftest import calls, says
from tests.conftest import NOW
from tests.llm.fault_server import Answer, hang, serve, status

ENGINE, BASELINE = Entrant("engine", make_engine()), Entrant("baseline", BaselineDecider())


class Kept:
    def __init__(self) -> None:
        self.lines: list[ComparedLine] = []
        self.figures: Sequence[dict[str, Any]] = ()

    def __call__(self, lines: Sequence[ComparedLine], figures: Sequence[dict[str, Any]]) -> bool:
        self.lines += lines
        self.figures = figures
        return True


def context_of(line: Line) -> Context:
    return read_context(line.context, NOW) if line.context else Context(MemoryIndex(), NOW)


def price(_trace: LLMTrace) -> float | None:
    return 0.5


def make_run(entrants: Sequence[Entrant], lines: Sequence[Line]) -> tuple[Run, Kept]:
    kept = Kept()
    return Run(entrants, lines, context_of, price, kept), kept


def compare(*texts: str, entrants: Sequence[Entrant] = (ENGINE, BASELINE)) -> Kept:
    run, kept = make_run(entrants, [Line(place, text) for place, text in enumerate(texts, start=1)])
    run.run()
    return kept


def llm(*answers: Answer) -> Any:
    return serve(*answers)


def entrant_at(url: str, seconds: float = 5) -> Entrant:
    endpoint = Endpoint("openai", url, "m", key="sk-test", timeout_seconds=seconds)
    return Entrant("m", LLMDecider(endpoint, breaker=Breaker(), pause_seconds=0.01), 1)


def test_each_line_has_the_answer_of_each_decider_and_where_they_differ() -> None:
    (line,) = compare("add a task to buy milk tomorrow").lines
    engine, baseline = line.answers
    assert engine["calls"][0]["parameters"]["due_date"] == "2026-03-05"
    assert baseline["standing"] == "differ"
    assert "due_date" in [name for _, name, _, _ in baseline["differences"]]
    assert (line.differs, line.silent, line.broken, line.intent) == (True, False, False, "add_task")


def test_a_decider_that_calls_nothing_is_silent_and_not_different() -> None:
    (line,) = compare("I forget what the residue is").lines
    assert (line.differs, line.silent) == (False, True)


def test_a_line_has_its_own_tasks_where_it_brings_them() -> None:
    context = {"tasks": [{"id": "a", "number": 3, "title": "Renew passport"}], "lang": "en"}
    run, kept = make_run(
        [ENGINE], [Line(1, "complete the passport task", context), Line(2, "complete the passport task")]
    )
    run.run()
    first, second = kept.lines
    assert first.answers[0]["calls"][0]["task"] == "#3 Renew passport"
    assert first.context == context
    assert second.answers[0]["action"] == "clarify"


def test_the_figures_count_agreement_times_tokens_and_cost() -> None:
    with llm(calls("add_task", title="buy milk"), says("Hello!")) as server:
        kept = compare("add a task to buy milk", "add a task to buy milk", entrants=[ENGINE, entrant_at(server.url)])
    engine, model = kept.figures
    assert (engine["lines"], engine["compared"], engine["prompt_tokens"], engine["cost"]) == (2, 0, None, None)
    assert (model["compared"], model["agree"]) == (2, 1)
    assert (model["prompt_tokens"], model["answer_tokens"], model["cost"]) == (18, 8, 1.0)
    assert [line.silent for line in kept.lines] == [False, True]


def test_what_is_free_costs_nothing_and_what_has_no_price_is_not_known() -> None:
    for cost, unpriced in ((0.0, 0), (None, 1)):
        with llm(calls("add_task", title="buy milk")) as server:
            kept = Kept()
            entrants = [ENGINE, entrant_at(server.url)]
            Run(entrants, [Line(1, "add buy milk")], context_of, lambda _trace, cost=cost: cost, kept).run()
        assert (kept.figures[1]["cost"], kept.figures[1]["unpriced"]) == (cost, unpriced)


def test_a_line_that_fails_costs_only_its_own_answer() -> None:
    class Fragile:
        def decide(self, text: str, context: Context) -> Decision:
            if "boom" in text:
                raise RuntimeError("boom")
            return make_engine().decide(text, context)

    fragile: Decider = Fragile()
    kept = compare("show my tasks", "boom", "who am i", entrants=[ENGINE, Entrant("fragile", fragile)])
    assert [line.broken for line in kept.lines] == [False, True, False]
    assert kept.lines[1].answers[1]["problem"] == "RuntimeError: boom"
    assert kept.figures[1]["broken"] == 1


def test_an_endpoint_that_is_down_breaks_its_column_and_not_the_run() -> None:
    with llm(status(401)) as server:
        kept = compare("show my tasks", "hello", entrants=[ENGINE, entrant_at(server.url)])
    assert [line.broken for line in kept.lines] == [True, True]
    assert [line.answers[0]["action"] for line in kept.lines] == ["execute", "reply"]
    assert all("key" in line.answers[1]["problem"] for line in kept.lines)
    # No answer is no silence, and least of all agreement with a decider that rightly calls nothing.
    assert [line.answers[1]["standing"] for line in kept.lines] == ["failed", "failed"]
    assert [line.silent for line in kept.lines] == [False, False]
    assert (kept.figures[1]["agree"], kept.figures[1]["compared"]) == (0, 2)


@pytest.mark.timeout(30)
def test_cancelling_ends_a_request_that_hangs() -> None:
    import threading

    with llm(hang) as server:
        run, kept = make_run([ENGINE, entrant_at(server.url, 60)], [Line(1, "show my tasks"), Line(2, "who am i")])
        thread = threading.Thread(target=run.run)
        thread.start()
        assert server.asked.wait(10)
        run.cancel()
        thread.join(10)
        assert not thread.is_alive()
    assert kept.lines == []


def test_the_engine_alone_takes_a_thousand_lines_in_a_few_seconds() -> None:
    texts = ["add a task to buy milk tomorrow", "complete the passport task", "what a lovely day", "show overdue tasks"]
    began = time.monotonic()
    kept = compare(*(texts * 250), entrants=[ENGINE])
    assert len(kept.lines) == 1000
    assert time.monotonic() - began < 10
