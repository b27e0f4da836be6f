"""What `make test` leaves out names the test that holds its promise, and that one stays."""

from __future__ import annotations

from tests.thorough import MARK, ROOT, find_left_out, is_run, read_tests


def test_each_test_left_out_names_one_that_is_run() -> None:
    found = find_left_out()
    assert found
    assert {test: held for test, held in found.items() if not held or not all(map(is_run, held))} == {}


def test_nothing_is_left_out_by_a_mark_that_names_no_other_test() -> None:
    """On a whole file, a class or one of several values it would not be seen above."""
    for path in (ROOT / "tests").rglob("test_*.py"):
        marks = path.read_text(encoding="utf-8").count(f"pytest.mark.{MARK}")
        assert marks == sum(held is not None for held in read_tests(path).values()), path
