"""A title with controls of direction cannot turn a question around: they are shown as marks."""

from __future__ import annotations

import pytest

from db.audit import Origin
from db.executor import Executor
from engine.text.visible import show_controls, take_marks
from engine.values import Task, ToolResult, make_call
from mcp_door.questions import question_of
from tests.conftest import NOW, Call
from ui.markdown import verbatim
from ui.tasks.rows import calls_for_edits, table_frame
from ui.templates import draw

TURNED = "keep \u202eetepeD"
CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


@pytest.mark.parametrize("control", CONTROLS)
def test_every_control_of_direction_becomes_a_mark(control: str) -> None:
    assert show_controls(f"a{control}b") == f"a⟨U+{ord(control):04X}⟩b"


def test_text_in_any_script_stays_as_it_is() -> None:
    for text in ("שלום", "سلام", "日本語", "👩\u200d👩\u200d👧", "naïve", "می\u200cخواهم"):
        assert show_controls(text) == text


def test_questions_show_the_marks(call: Call, executor: Executor) -> None:
    call("add_task", title=TURNED)
    held: ToolResult = executor.hold(make_call("delete_task", {"task_identifier": "#1"}, "llm"), Origin("llm"))
    said = (str(held.payload["error_message"]), question_of(held).params.message, verbatim(TURNED))
    for sentence in said:
        assert "U+202E" in sentence.replace("\\", "")
        assert "\u202e" not in sentence


def test_templates_show_the_marks() -> None:
    drawn = draw("panels/task_panel", "cut", TURNED)
    assert "⟨U+202E⟩" in drawn
    assert "\u202e" not in drawn


def test_the_table_shows_the_marks_and_an_edit_keeps_what_they_stand_for() -> None:
    task = Task("id-1", 1, TURNED, TURNED)
    frame = table_frame([task], NOW)
    shown = str(frame.loc[0, "title"])
    assert shown == str(frame.loc[0, "description"]) == "keep ⟨U+202E⟩etepeD"
    assert calls_for_edits([task], {0: {"title": shown}}) == [], "nothing was changed"
    (longer,) = calls_for_edits([task], {0: {"title": f"{shown}!"}})
    assert longer.parameters["new_title"] == f"{TURNED}!"
    (plain,) = calls_for_edits([task], {0: {"title": "keep etepeD"}})
    assert plain.parameters["new_title"] == "keep etepeD", "who takes the mark out is rid of it"


def test_marks_of_other_characters_are_plain_text() -> None:
    assert take_marks("⟨U+0041⟩") == "⟨U+0041⟩"
    assert all(take_marks(show_controls(each)) == each for each in CONTROLS)
