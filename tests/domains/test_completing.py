"""Completing calls of a domain that is only a folder: from its tools' facts and its language, nothing else."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from engine.__main__ import compose_lines

pytestmark = pytest.mark.usefixtures("parcels")
PARCELS = [
    {"id": "p1", "number": 1, "title": "Garden chairs", "status": "on_the_way"},
    {"id": "p2", "number": 2, "title": "Running shoes", "status": "on_the_way"},
    {"id": "p3", "number": 3, "title": "Garden table", "status": "on_the_way"},
]


def complete(text: str, tool: str | None = None, domain: str = "", **arguments: object) -> dict[str, Any]:
    call = {"function_call": {"name": tool, "arguments": arguments}} if tool else {}
    line = json.dumps({"user_message": text, "tasks": PARCELS, "now": "2026-03-02T09:00", **call})
    out = io.StringIO()
    compose_lines(io.StringIO(line), out, domain)
    return json.loads(out.getvalue())  # type: ignore[no-any-return]


def test_what_the_call_left_out_is_taken_from_the_words() -> None:
    done = complete("send the shoes to my office in Leeds", "redirect_parcel")
    assert (done["status"], done["composed_input"]) == ("completed", {"parcel": "p2", "address": "my office in Leeds"})
    assert done["calls"][0]["provenance"]["address"]["source"] == "words"


def test_what_the_call_says_stays_and_the_rest_is_added() -> None:
    done = complete("send the shoes to my office", "redirect_parcel", parcel="#2")
    assert done["composed_input"] == {"parcel": "p2", "address": "my office"}


def test_several_that_fit_are_asked_about() -> None:
    asked = complete("where is the garden parcel?", "track_parcel")
    assert (asked["status"], asked["reason"]) == ("needs_clarification", "several_tasks")
    assert {each["label"] for each in asked["suggestions"]} == {"#1 Garden chairs", "#3 Garden table"}
    assert {"parcel": "p1"} in [each["value"] for each in asked["suggestions"]]


def test_what_is_missing_is_asked_for_in_the_domains_own_words() -> None:
    asked = complete("redirect the shoes", "redirect_parcel")
    assert (asked["status"], asked["reason"]) == ("needs_clarification", "nothing_said")
    assert asked["message"] == "The message does not say it. Where shall 'Running shoes' go instead?"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("don't redirect the shoes", "negated"),
        ("if they call, the shoes go to my office", "conditional"),
        ("the shoes go to my office tomorrow", "later"),
        ("do the shoes go to my office?", "question"),
    ],
)
def test_what_speaks_against_it_completes_nothing(text: str, reason: str) -> None:
    refused = complete(text, "redirect_parcel")
    assert (refused["status"], refused["reason"]) == ("failed", reason)


def test_another_request_than_the_call_is_told_in_the_domains_verbs() -> None:
    refused = complete("show my parcels", "redirect_parcel")
    assert refused["reason"] == "contradiction"
    assert "see your parcels" in refused["message"]
    assert "redirect a parcel" in refused["message"]


def test_without_a_call_the_words_say_which_tool_where_the_domain_is_named() -> None:
    done = complete("where are the shoes?", domain="parcels")
    assert (done["status"], done["calls"][0]["tool_name"]) == ("completed", "track_parcel")
