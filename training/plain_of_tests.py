"""A plugin of pytest that notes what is noticed about each change in a test that passes: nobody should be asked about
these (`training/learn_doubt.py`).

    python -m pytest -p training.plain_of_tests -m "not thorough" tests/engine tests/assistant

Writes `plain_rows.jsonl.gz`: no texts, only the name of the test's file and what was noticed.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from engine import decider
from engine.decision import Context, Decision
from engine.doubting.asking import is_doubtable
from engine.doubting.signs import notice_doubts
from engine.policy.values import Policy
from engine.text.normalise import Utterance

ROWS = Path(__file__).parent / "plain_rows.jsonl.gz"
_OWN = "test_doubts.py"
_noted: list[dict[str, float]] = []
_kept: dict[str, str] = {}


def _note(decision: Decision, utterance: Utterance, context: Context, policy: Policy) -> Decision:
    if is_doubtable(decision, policy) and not utterance.quotes:
        _noted.append({name: round(value, 3) for name, value in notice_doubts(decision, utterance, context, policy)})
    return decision


def pytest_configure() -> None:
    decider.ask_if_doubtful = _note


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Any:
    outcome = yield
    report = outcome.get_result()
    if report.when == "call":
        if report.passed and not hasattr(report, "wasxfail") and item.path.name != _OWN:
            for noticed in _noted:
                _kept.setdefault(json.dumps(noticed, ensure_ascii=False, sort_keys=True), item.path.stem)
        _noted.clear()


def pytest_sessionfinish() -> None:
    with ROWS.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as lines:
        for noticed, name in sorted(_kept.items()):
            lines.write(f'{{"test": {json.dumps(name)}, "noticed": {noticed}}}\n'.encode())
