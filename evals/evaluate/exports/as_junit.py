"""What a gate found, as JUnit XML: CI systems show it beside the other tests. It is red exactly where the gate is."""

from __future__ import annotations

import re
from xml.sax.saxutils import escape, quoteattr

from db.evaluation.run_values import KeptCase, ScoredCase
from evals.evaluate.gating import GateResult

_SUITE = "twolane.gate"
_NOT_XML = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot hold, not even escaped."""


def write_junit(result: GateResult) -> str:
    """The gate itself is a test; besides there is one for each case that is not right: broken ones fail with the gate,
    and those that were wrong before are skipped."""
    tests = [_gate_test(result), *_case_tests(result)]
    kinds = {"failures": "<failure", "errors": "<error", "skipped": "<skipped"}
    counts = {name: sum(mark in test for test in tests) for name, mark in kinds.items()}
    counted = " ".join(f'{name}="{count}"' for name, count in {"tests": len(tests), **counts}.items())
    body = "\n".join(tests)
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<testsuites {counted}>\n<testsuite name="{_SUITE}" {counted}>\n{body}\n</testsuite>\n</testsuites>\n'
    )


def _gate_test(result: GateResult) -> str:
    said = "\n".join(result.reasons)
    if result.verdict == "pass":
        inside = f"<system-out>{_text(said)}</system-out>"
    else:
        kind = "failure" if result.verdict == "fail" else "error"
        inside = f"<{kind} message={_attribute(result.reasons[0])}>{_text(said)}</{kind}>"
    return _test("gate", result.run.set_name, inside)


def _case_tests(result: GateResult) -> list[str]:
    if result.comparison is None or not result.run.deciders:
        return []
    broken = set(result.comparison.broken)
    cases = result.run.by_position
    wrong = [row for row in result.run.deciders[0].rows if not row.passed]
    return [_case_test(cases[row.position], row, row.key in broken, result) for row in wrong]


def _case_test(case: KeptCase, row: ScoredCase, is_broken: bool, result: GateResult) -> str:
    said = "; ".join([case.text, *(row.detail.get("problems") or [row.verdict])])
    if not is_broken:
        inside = f"<skipped message={_attribute('it was wrong in the baseline, too')}/>"
    elif result.verdict == "fail":
        inside = f"<failure message={_attribute(f'broken: {row.verdict}')}>{_text(said)}</failure>"
    else:  # within the noise: told, and not red
        inside = f"<system-out>{_text(f'broken, and the gate passed: {said}')}</system-out>"
    kinds = case.slices.get("kind") or case.slices.get("source") or ("cases",)
    return _test(f"{_SUITE}.{kinds[0]}", case.case_id, inside)


def _test(group: str, name: str, inside: str) -> str:
    return f"<testcase classname={_attribute(group)} name={_attribute(name)}>{inside}</testcase>"


def _text(text: str) -> str:
    return escape(_NOT_XML.sub("\ufffd", text))


def _attribute(text: str) -> str:
    return quoteattr(_NOT_XML.sub("\ufffd", text))
