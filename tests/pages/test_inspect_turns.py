"""A link to a recorded turn shows the decision exactly as it was made: over a long conversation."""

from __future__ import annotations

from pathlib import Path

from streamlit.testing.v1 import AppTest

from assistant import Assistant, Lanes
from db.connection import Database
from db.turns.conversations import start_conversation
from db.turns.turns import read_decisions, read_turns
from db.users import create_user
from domains.deciders import make_engine
from engine.border.json_form import to_json
from engine.explaining.anatomy import dissect
from tests.pages.test_inspect import html, open_page
from tests.pages.test_tasks import here, person
from ui.given.message import make_context
from ui.given.recorded import find_turn_input
from ui.inspect.draft import draft_of, read_draft, task_frame, tasks_of
from ui.turns.headline import headline

CONVERSATION = (
    *("show my tasks", "mark the second one as done", "delete it", "yes", "add a task to water the plants tomorrow"),
    *("make it urgent", "rename it to water the roses", "delete buy", "the first one", "no", "complete #4", "hello"),
    *("don't delete anything", "remind me to call Anna on Friday at 5 and show my tasks", "move it to Monday"),
    *(
        "delete the passport task",
        "never mind",
        "mostra le mie attività",
        "segna come fatto renew passport",
        "who am i",
    ),
    *("compelte buy oat milk", "delete all tasks", "add a task", "Pay the rent", "what's overdue?", "delete xyzzy"),
)


def test_every_turn_of_a_long_conversation_is_decided_again_exactly(workbench: Database) -> None:
    maya = person(workbench)
    with workbench.write() as session:
        conversation = start_conversation(session, maya.id)
    assistant = Assistant(workbench, maya, here)
    for text in CONVERSATION:
        assistant.run_turn(conversation, text, "engine", Lanes(make_engine()))
    with workbench.read() as session:
        turns = read_turns(session, maya.id, conversation)
        decisions = read_decisions(session, maya.id, [turn.id for turn in turns])
    assert len(turns) == len(CONVERSATION)
    for turn in turns:
        given = find_turn_input(maya, turn.id)
        assert given
        draft = draft_of(given.context_wire)
        assert tasks_of(task_frame(draft.tasks), draft.tasks) == draft.tasks, turn.text
        wire, problems = read_draft(draft, {})
        assert not problems
        again = to_json(dissect(given.text, make_context(wire), make_engine()).decision)
        recorded = decisions[turn.id]["engine"]
        assert {**again, "elapsed_ms": None} == {**recorded, "elapsed_ms": None}, turn.text
    last = turns[0]
    page: AppTest = open_page(turn=last.id)
    context = make_context(last.context)
    assert headline(make_engine().decide(last.text, context), context) in html(page)


def test_nobody_opens_anothers_turn(workbench: Database, tmp_path: Path) -> None:
    maya = person(workbench)
    with workbench.write() as session:
        nina = create_user(session, "Nina")
        conversation = start_conversation(session, maya.id)
    turn_id = Assistant(workbench, maya, here).run_turn(conversation, "hello", "engine", Lanes(make_engine()))
    assert find_turn_input(maya, turn_id)
    assert find_turn_input(nina, turn_id) is None
