"""The scoreboard and the confusion matrix, held against scikit-learn on random data."""

from __future__ import annotations

import random

import pytest

from domains.loading import load_domain
from evals.evaluate.confusion import make_confusion
from evals.evaluate.scoreboard import make_scoreboard
from evals.evaluate.verdicts import VERDICTS
from tests.evals.evaluate.made_up import scored

INTENTS = load_domain().catalogue.intents
GENERATOR = random.Random(20261116)


def random_pairs(size: int) -> list[tuple[str, str]]:
    return [(GENERATOR.choice(INTENTS), GENERATOR.choice(INTENTS[:4])) for _ in range(size)]


def test_precision_recall_and_f1_are_scikit_learns() -> None:
    # late: every process of a run loads this file, and one of them runs it
    from sklearn.metrics import precision_recall_fscore_support

    pairs = random_pairs(400)
    rows = [scored(place, label=label, final=final, behind=final) for place, (label, final) in enumerate(pairs)]
    board = make_scoreboard("engine", rows, INTENTS)
    meant, came = zip(*pairs, strict=True)
    precision, recall, f1, support = precision_recall_fscore_support(
        meant, came, labels=list(INTENTS), zero_division=0.0
    )
    for figures in (board.intents, board.intents_behind):
        assert [each.precision.value or 0.0 for each in figures] == pytest.approx(list(precision))
        assert [each.recall.value or 0.0 for each in figures] == pytest.approx(list(recall))
        assert [each.f1.value or 0.0 for each in figures] == pytest.approx(list(f1))
        assert [each.support for each in figures] == list(support)


def test_the_matrix_is_scikit_learns() -> None:
    from sklearn.metrics import confusion_matrix  # late, as above

    pairs = random_pairs(300)
    cells: dict[tuple[str, str], int] = {}
    for pair in pairs:
        cells[pair] = cells.get(pair, 0) + 1
    matrix = make_confusion(cells, INTENTS)
    meant, came = zip(*pairs, strict=True)
    assert [list(line) for line in matrix.counts] == confusion_matrix(meant, came, labels=list(INTENTS)).tolist()
    assert sum(matrix.share(1, column) for column in range(len(matrix.columns))) == pytest.approx(1.0)


def test_questions_broken_calls_and_no_answers_are_columns_where_they_occur() -> None:
    matrix = make_confusion({("add_task", "asks"): 2, ("add_task", "none"): 1}, INTENTS)
    assert matrix.columns == (*INTENTS, "asks", "none")
    assert matrix.rows == INTENTS
    wanted = matrix.cell_filter(0, matrix.columns.index("asks"), decider=1)
    assert (wanted.decider, wanted.label, wanted.final, wanted.behind) == (1, "add_task", "asks", "")
    behind = make_confusion({("add_task", "add_task"): 2}, INTENTS, behind=True)
    assert (behind.cell_filter(0, 0).final, behind.cell_filter(0, 0).behind) == ("", "add_task")


def test_the_verdicts_add_up_and_each_has_its_interval() -> None:
    rows = [scored(place, passed=place % 3 == 0) for place in range(30)]
    board = make_scoreboard("engine", rows, INTENTS)
    assert sum(rate.count for rate in board.verdicts.values()) == 30
    assert set(board.verdicts) == set(VERDICTS)
    assert (board.right.count, board.verdicts["wrong_arguments"].count) == (10, 20)
    assert 0 < board.right.low < 1 / 3 < board.right.high < 1


def test_acting_on_nothing_is_a_share_of_what_asks_for_nothing() -> None:
    silence = {"action": "reply", "final": "unknown", "outcome": "abstention"}
    quiet = [scored(place, label="unknown", **silence) for place in range(8)]
    acted = [scored(8, passed=False, label="unknown", verdict="acted_unasked")]
    missed = [scored(9, passed=False, verdict="silent", **silence)]
    board = make_scoreboard("engine", quiet + acted + missed, INTENTS)
    assert (board.unasked.count, board.unasked.total) == (1, 9)
    assert (board.missed.count, board.missed.total) == (1, 1)
    assert {name: rate.count for name, rate in board.outcomes.items()} == {
        "call": 1, "broken": 0, "abstention": 9, "none": 0,
    }  # fmt: skip


def test_arguments_are_counted_apart() -> None:
    rows = [
        scored(0, arguments=(("add_task", "title", True), ("add_task", "due_date", False))),
        scored(1, arguments=(("add_task", "title", True),)),
    ]
    figures = make_scoreboard("e", rows, INTENTS).arguments
    found = {each.argument: (each.right.count, each.right.total) for each in figures}
    assert found == {"title": (2, 2), "due_date": (0, 1)}


def test_tokens_and_costs_are_summed_where_they_are_known() -> None:
    rows = [
        scored(0, prompt_tokens=10, answer_tokens=2, cost=0.5),
        scored(1, prompt_tokens=5, answer_tokens=1),
        scored(2),
    ]
    board = make_scoreboard("llm", rows, INTENTS)
    assert (board.prompt_tokens, board.answer_tokens, board.cost, board.unpriced) == (15, 3, 0.5, 1)
    assert make_scoreboard("engine", [scored(0)], INTENTS).cost is None


def test_without_a_case_nothing_is_claimed() -> None:
    board = make_scoreboard("engine", [], INTENTS)
    assert (board.cases, board.right.value, board.median_ms, board.unasked.value) == (0, None, None, None)
    assert make_confusion({}, INTENTS).share(0, 0) == 0.0
