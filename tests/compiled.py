"""What a fresh clone has to compile is compiled once in a run, and not once in each of its processes.

The processes begin together, and each would rewrite the assertions of three hundred files for itself and read the
constants of all of our modules for Hypothesis: 8 seconds of a core, which only the first of them has to take. Where
everything is there from an earlier run, this takes no time.
"""

from __future__ import annotations

import compileall
import os
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest
from _pytest.assertion import rewrite

ROOT = Path(__file__).parent.parent


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_setupnodes(config: pytest.Config) -> None:
    """Before the first of the processes that test is started."""
    if not sys.dont_write_bytecode:
        compile_all(ROOT, config)


def compile_all(folder: Path, config: pytest.Config) -> None:
    for path in sources(folder):
        if is_rewritten(path, config):
            rewrite_once(path, config)
        else:
            compileall.compile_file(path, quiet=2)


def sources(folder: Path) -> Iterator[Path]:
    for place, folders, files in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        yield from (Path(place, name) for name in files if name.endswith(".py"))


def is_rewritten(path: Path, config: pytest.Config) -> bool:
    """As pytest sees it."""
    patterns = ["conftest.py", *config.getini("python_files")]
    return config.getoption("assertmode") == "rewrite" and any(fnmatch(path.name, pattern) for pattern in patterns)


def rewrite_once(path: Path, config: pytest.Config) -> None:
    """As pytest does when it imports a test. One that is out of date is left to the processes, and so is what another
    version of pytest does in another way."""
    kept = rewrite.get_cache_dir(path) / (path.stem + rewrite.PYC_TAIL)
    if kept.exists():
        return
    source_hash, code = rewrite._rewrite_test(path, config)
    kept.parent.mkdir(parents=True, exist_ok=True)
    rewrite._write_pyc(config.stash[rewrite.assertstate_key], code, source_hash, kept)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems() -> Iterator[None]:
    """Hypothesis makes values up from the constants of our modules. Its plugin would read them here, in every process;
    only one that has such a test needs them."""
    if "hypothesis" not in sys.modules:
        return (yield)
    from hypothesis.internal.conjecture import providers

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(providers, "_get_local_constants", lambda: None)
        return (yield)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Before such a test begins, so that the time that this takes is none of the test's."""
    if item.get_closest_marker("hypothesis"):
        from hypothesis.internal.conjecture import providers

        providers._get_local_constants()
