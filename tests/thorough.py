"""What `make test` leaves to `make test-all`: `python -m tests.thorough` lists it.

A test marked `thorough` tries something again at a greater cost: in a browser what the pages' tests see, in every view
what they see in one, in every variant. Its mark names the test that holds the promise in `make test`.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

MARK = "thorough"
ROOT = Path(__file__).parent.parent


@cache
def read_tests(path: Path) -> dict[str, tuple[str, ...] | None]:
    """Each test of a file with those that its mark names, and None for one without the mark."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    return {each.name: _named_by(each) for each in functions if each.name.startswith("test_")}


def _named_by(function: ast.FunctionDef | ast.AsyncFunctionDef) -> tuple[str, ...] | None:
    for decorator in function.decorator_list:
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == f"pytest.mark.{MARK}":
            return tuple(ast.literal_eval(argument) for argument in decorator.args)
    return None


def find_left_out() -> dict[str, tuple[str, ...]]:
    """Each test that `make test` leaves out, with those that hold its promise there."""
    return {
        f"{path.relative_to(ROOT).as_posix()}::{name}": holders
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for name, holders in read_tests(path).items()
        if holders is not None
    }


def is_run(test: str) -> bool:
    """By `make test`."""
    file, _, name = test.partition("::")
    path = ROOT / file
    return path.is_file() and name in read_tests(path) and read_tests(path)[name] is None


if __name__ == "__main__":
    for left_out, held_by in find_left_out().items():
        print(f"{left_out.removeprefix('tests/')}\n    held by {', '.join(held_by)}")
