"""The composer's part of the LLM's card."""

from __future__ import annotations

from ui.turns.composer import composer_html


def note(**more: object) -> dict[str, object]:
    plain = {"before": {}, "after": {"task_identifier": "a"}, "status": "completed", "why": "one_way", "message": ""}
    return {**plain, **more}


def test_a_completed_call_shows_each_argument_before_and_after() -> None:
    shown = composer_html([note()], {"a": "#1 Buy milk"})
    assert "left out" in shown
    assert '<td class="tl-new">#1 Buy milk</td>' in shown


def test_a_refusal_has_its_reason_and_no_empty_table() -> None:
    shown = composer_html([note(after={}, status="failed", why="negated")], {})
    assert "Composer refused" in shown
    assert "<table" not in shown


def test_markup_in_a_value_is_shown_and_not_run() -> None:
    shown = composer_html([note(before={"title": "<b>x</b>"}, message='"><script>')], {})
    assert "<b>x</b>" not in shown
    assert "<script>" not in shown


def test_values_are_told_as_in_the_call_above() -> None:
    shown = composer_html([note(tool_name="list_tasks", before={"due": "this_week"}, after={"due": "this_week"})], {})
    assert "<td>this week</td>" in shown
    assert "this_week" not in shown
