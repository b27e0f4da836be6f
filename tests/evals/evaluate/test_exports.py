"""A run as a file: JSON that comes back, CSV that runs no formula, HTML that is whole and escaped, Markdown, JUnit."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

from db.connection import Database
from db.users import User
from evals.evaluate.direct import run_directly
from evals.evaluate.exports import RunReport, gather, write_csv, write_html, write_json, write_markdown
from evals.evaluate.exports.as_json import FormatError, read_json
from evals.evaluate.exports.as_junit import write_junit
from evals.evaluate.gating import hold
from evals.evaluate.own_files import read_own_file
from evals.evaluate.room import begin_run
from evals.evaluate.specs import DeciderSpec
from tests.evals.evaluate.made_up import report_of

HOSTILE = """=HYPERLINK("http://x") <script>alert(1)</script> | `code` & \u202e ]]> \x07"""
SPECS = (DeciderSpec("engine", "Engine <b>"), DeciderSpec("baseline", "=Baseline"))


@pytest.fixture(scope="module")
def report() -> RunReport:
    rows = [
        {"text": HOSTILE, "intent": "add_task", "id": "<i>hostile</i>", "tags": ["<u>"], "severity": "critical"},
        {"text": "add a task to buy milk", "intent": "add_task", "arguments": {"title": "buy milk"}},
        {"text": "show my tasks", "intent": "list_tasks"},
        {"text": "che tempo fa", "tool": None},
    ]
    data_set = read_own_file("\n".join(map(json.dumps, rows)) + "\n{", "<mine>.jsonl")
    first = run_directly(data_set, SPECS, "A <em>run</em>")
    return replace(first, baseline=replace(first, name="Before"))


def test_a_run_comes_back_from_json(report: RunReport) -> None:
    again = read_json(write_json(report))
    assert again.fingerprint == report.fingerprint
    assert [case.text for case in again.cases] == [case.text for case in report.cases]
    for ours, theirs in zip(report.deciders, again.deciders, strict=True):
        assert [replace(row, weighing=None) for row in ours.rows] == list(theirs.rows)
        assert theirs.scoreboard == ours.scoreboard
    assert again.created_at == report.created_at
    assert len(write_json(report).splitlines()) > 4 * 3, "one line a case and result, so that a change can be read"
    assert (again.scoring, again.status) == (report.scoring, "done")


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"version": 99, %s}', '{"version": 1, %s}'])
def test_a_file_that_is_no_run_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(FormatError):
        read_json(text.replace("%s", '"format": "twolane-evaluation"'))


def test_no_cell_runs_as_a_formula(report: RunReport) -> None:
    rows = list(csv.reader(io.StringIO(write_csv(report).decode("utf-8-sig"))))
    assert len(rows) == 5
    assert rows[0][8].startswith("Engine <b>: ")
    assert not [cell for row in rows for cell in row if cell[:1] in ("=", "+", "-", "@")]
    assert rows[1][1].startswith("'=HYPERLINK")


class Reading(HTMLParser):
    """The tags of a page, and everything that it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.loads += [str(value) for name, value in attributes if name in ("src", "href", "action", "data")]


def test_the_page_is_one_file_that_loads_nothing_and_runs_nothing(report: RunReport) -> None:
    html = write_html(report)
    page = Reading()
    page.feed(html)
    assert page.loads == []
    assert not {"script", "link", "img", "iframe", "em", "u", "i-frame"} & set(page.tags)
    assert "url(" not in html
    assert "@import" not in html
    assert "default-src &#39;none&#39;" in html or "default-src 'none'" in html
    assert "prefers-color-scheme: dark" in html
    assert html.count("<svg") == html.count("</svg>") >= 2


def test_whatever_people_wrote_is_shown_as_it_is(report: RunReport) -> None:
    html = write_html(report)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "&lt;i&gt;hostile&lt;/i&gt;" in html
    assert "A &lt;em&gt;run&lt;/em&gt;" in html
    assert "\u202e" not in html


def test_every_figure_of_the_page_can_be_drawn_without_cases_too() -> None:
    empty = report_of([])
    assert "It states no confidence." in write_html(empty)
    assert "0 cases" in write_markdown(empty)
    assert write_csv(empty)
    one = report_of([True])
    assert "<b>engine</b> is right in 100.0 %" in write_html(one)


def test_markdown_holds_its_tables_together(report: RunReport) -> None:
    text = write_markdown(report)
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"(?<!\\)\|", line)) for line in tables} == {4}
    assert "<script" not in text.replace("\\<script", "")
    assert "are right and wrong on the same of 4 cases" in text


def test_a_kept_run_is_gathered_with_its_baseline(database: Database, ada: User, bob: User) -> None:
    data_set = read_own_file('{"text": "show my tasks", "intent": "list_tasks"}', "m.jsonl")
    runs = [begin_run(database, ada.id, data_set, SPECS[:1], name=name) for name in ("One", "Two")]
    for begun in runs:
        begun.work.run()
        begun.work.finish("done")
    with database.read() as session:
        found = gather(session, ada.id, runs[1].run_id, baseline=runs[0].run_id)
        assert gather(session, bob.id, runs[0].run_id) is None
    assert found
    assert found.baseline
    assert (found.name, found.baseline.name, found.status) == ("Two", "One", "done")
    (since,) = found.since
    assert (since.first, since.second, since.shared) == ("Engine <b> in One", "Engine <b> in Two", 1)
    assert found.deciders[0].rows[0].detail["answer"]["calls"][0]["tool_name"] == "list_tasks"


def test_junit_is_red_exactly_where_the_gate_is(report: RunReport) -> None:
    good = report_of([True] * 50 + [False] * 3)
    for rights, red in (([True] * 50 + [False] * 3, False), ([False] * 20 + [True] * 33, True)):
        result = hold(good, report_of(rights))
        suites = ElementTree.fromstring(write_junit(result))
        assert (result.verdict == "fail") is red
        failing = suites.findall(".//failure")
        assert int(suites.attrib["failures"]) == len(failing)
        assert (len(failing) > 0) is red
        assert int(suites.attrib["tests"]) == len(suites.findall(".//testcase"))
    unsure = ElementTree.fromstring(write_junit(hold(good, report_of([True]))))
    assert unsure.attrib["errors"] == "1"
    hostile = replace(report, deciders=report.deciders[:1])
    assert ElementTree.fromstring(write_junit(hold(hostile, hostile))) is not None
