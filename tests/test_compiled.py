"""What is compiled before the processes of a run begin is what they then find."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import CodeType

import pytest
from _pytest.assertion import rewrite
from hypothesis.internal.conjecture import providers

from tests.compiled import compile_all, pytest_collection_modifyitems, pytest_runtest_setup, sources


def test_tests_are_rewritten_and_modules_compiled_where_python_looks_for_them(
    tmp_path: Path, pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    test, module = tmp_path / "test_one.py", tmp_path / "helper.py"
    test.write_text("def test_it():\n    assert 1 == 2\n")
    module.write_text("NUMBER = 7\n")
    compile_all(tmp_path, pytestconfig)
    assert Path(importlib.util.cache_from_source(str(module))).exists()
    found = _kept(test)
    assert found, "pytest would rewrite it again"
    assert "@pytest_ar" in found.co_names
    test.write_text("def test_it():\n    assert 2 == 3\n")
    assert _kept(test) is None


def _kept(test: Path) -> CodeType | None:
    return rewrite._read_pyc(test, rewrite.get_cache_dir(test) / (test.stem + rewrite.PYC_TAIL))


def test_our_sources_are_found_and_those_of_others_are_not() -> None:
    found = set(sources(Path(__file__).parent.parent))
    assert Path(__file__) in found
    assert not [path for path in found if "site-packages" in path.parts or "node_modules" in path.parts]


def test_constants_are_read_by_a_process_that_needs_them(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    times: list[int] = []
    monkeypatch.setattr(providers, "_get_local_constants", lambda: times.append(1))
    collecting = pytest_collection_modifyitems()
    next(collecting)
    providers._get_local_constants()
    with pytest.raises(StopIteration):
        next(collecting)
    pytest_runtest_setup(request.node)
    assert not times
    request.node.add_marker("hypothesis")
    pytest_runtest_setup(request.node)
    assert times
