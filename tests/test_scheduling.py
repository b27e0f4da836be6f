"""Processes share the tests, and what belongs together stays in one of them."""

from __future__ import annotations

import re

from tests.scheduling import MODEL, MODEL_PIECE, next_piece, piece, place
from tests.workbench import ROOT


def test_a_file_is_one_piece_and_all_tests_with_the_real_model_are_one_and_all_of_the_cases() -> None:
    assert piece("tests/cases/test_cases.py::test_a") == piece("tests/cases/test_pairs.py::test_b")
    assert piece("tests/db/test_tasks.py::test_a[x::y]") == "tests/db/test_tasks.py"
    assert {piece(f"{file}::test_a") for file in MODEL} == {"model"}


def test_every_file_that_asks_the_real_model_is_in_the_models_piece() -> None:
    asking = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if re.search(r"embedded: EmbeddedServer|shared_server\(\)", path.read_text(encoding="utf-8"))
    } - {"tests/test_scheduling.py"}
    assert asking == set(MODEL)


def test_browser_and_pages_stand_at_the_two_ends_with_the_model_between_and_what_is_short_before_it() -> None:
    folders = ("pages", "engine", "evals/bulk", "browser", "db")
    files = [*MODEL, *(f"tests/{folder}/test_a.py" for folder in folders)]
    ordered = sorted(files, key=place)
    assert ordered == [
        "tests/browser/test_a.py",
        "tests/evals/bulk/test_a.py",
        "tests/engine/test_a.py",
        *MODEL,
        "tests/db/test_a.py",
        "tests/pages/test_a.py",
    ]


def test_the_last_process_begins_with_the_model_and_the_others_at_the_ends() -> None:
    pieces = ["browser a", "browser b", MODEL_PIECE, "pages"]
    assert [next_piece(pieces, process, 3) for process in range(3)] == ["browser a", "pages", MODEL_PIECE]
    assert [next_piece(pieces, process, 2) for process in range(2)] == ["browser a", MODEL_PIECE]
    assert next_piece(pieces, 0, 1) == "browser a"
    assert [next_piece(["browser b", "llm"], process, 3) for process in range(3)] == ["browser b", "llm", "llm"]
    assert [next_piece(["browser b", "llm"], process, 6) for process in range(6)] == ["browser b", "llm", "llm"] * 2
