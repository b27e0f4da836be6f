"""How far a message travels: the project's files that it passes through, and how often it goes from room to room.

python -m benchmarks.travel

"mark buy milk as done", from the start of its turn to the HTML of its card, with everything read before.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from types import FrameType

from assistant import Assistant, Lanes
from db.connection import Database
from db.turns.conversations import start_conversation
from db.turns.turns import read_decisions, read_turns
from db.users import create_user
from domains.deciders import make_engine
from ui.turns.card import card_html, make_view

ROOT = Path(__file__).parent.parent
WARM_UP = ("add a task to buy bread", "mark buy bread as done", "add a task to buy milk")
MESSAGE = "mark buy milk as done"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/tasks.db")
        with database.write() as session:
            user = create_user(session, "Ada")
            conversation = start_conversation(session, user.id)
        lanes = Lanes(make_engine())
        assistant = Assistant(database, user, lambda: datetime.now().astimezone())

        def take(text: str) -> None:
            assistant.run_turn(conversation, text, "engine", lanes)
            with database.read() as session:
                turn = read_turns(session, user.id, conversation)[-1]
                bodies = read_decisions(session, user.id, [turn.id])
            card_html(make_view(turn, bodies[turn.id], undone=False), "")

        for text in WARM_UP:
            take(text)
        passed = trace(lambda: take(MESSAGE))
        database.close()
    rooms = [place.split("/")[0] for place in passed]
    changes = sum(one != other for one, other in pairwise(rooms))
    print(f"{len(set(passed))} files, {changes} changes of room")
    print(", ".join(f"{room} {count}" for room, count in Counter(each.split("/")[0] for each in set(passed)).items()))


def trace(work: Callable[[], None]) -> list[str]:
    """The files in which functions were called, in their order; the same one in a row counts once."""
    passed: list[str] = []

    def note(frame: FrameType, event: str, _value: object) -> None:
        path = frame.f_code.co_filename
        if event == "call" and path.startswith(f"{ROOT}/") and ".venv" not in path and __file__ != path:
            place = path.removeprefix(f"{ROOT}/")
            if not passed or passed[-1] != place:
                passed.append(place)

    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
    return passed


if __name__ == "__main__":
    main()
