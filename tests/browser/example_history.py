"""Three weeks of turns for the pictures in docs/: real decisions of the engine beside those of a scripted model that
sometimes sees things otherwise. The same at every run, but for the days."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

from sqlalchemy import text

from assistant import Assistant, Lanes
from db.connection import Database
from db.turns.conversations import start_conversation
from db.users import User, find_user
from domains.deciders import make_engine
from evals.reviews import review_turn
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from tests.assistant.conftest import calls, says
from tests.llm.fault_server import Answer, serve, status

DAYS, TURNS, REVIEWED = 21, 150, 9
SAID: tuple[tuple[str, tuple[Answer, ...]], ...] = (
    ("show my tasks", (calls("list_tasks"), calls("list_tasks", filter="pending"))),
    ("what's overdue?", (calls("list_tasks", filter="overdue"), calls("list_tasks"))),
    ("what a lovely morning", (says("It is!"), says("Indeed."), calls("add_task", title="lovely morning"))),
    ("who am i", (calls("get_user_info"), says("You are Jonas."))),
    ("I keep forgetting the milk", (says("Shall I add it?"), calls("add_task", title="milk"))),
    ("add a task to call Anna tomorrow", (calls("add_task", title="call Anna"), calls("list_tasks", filter="due"))),
    ("never mind", (says("All right."),)),
)
LAST = ("mark the rent task as done", calls("update_task", task_identifier="Pay the rent", new_status="completed"))


def fill_history(database: Database, handle: str) -> None:
    chance = random.Random(7)
    with database.read() as session:
        user = find_user(session, handle)
    assert user
    picked = [chance.choice(SAID) for _ in range(TURNS - 1)]
    answers = [_answer(chance, choices) for _, choices in picked] + [LAST[1]]
    now = datetime.now(UTC)
    moments = [*sorted(now - timedelta(days=DAYS * chance.random() ** 1.3) for _ in picked), now]
    ids = _say(database, user, [said for said, _ in picked] + [LAST[0]], answers, moments)
    with database.write() as session:
        for turn_id, moment in zip(ids, moments, strict=True):
            session.connection().execute(
                text("UPDATE turns SET created_at = :at WHERE id = :id"),
                {"at": f"{moment:%Y-%m-%d %H:%M:%S.%f}", "id": turn_id},
            )
        disputed = session.connection().execute(text("SELECT id FROM turns WHERE agreement = 'differ' LIMIT 99"))
        for (turn_id,) in [row for row in disputed if row[0] != ids[-1]][:REVIEWED]:
            review_turn(session, user.id, turn_id, "engine", "right")
            review_turn(session, user.id, turn_id, "llm", chance.choice(("wrong", "unsure")))  # type: ignore[arg-type]


def _answer(chance: random.Random, choices: tuple[Answer, ...]) -> Answer:
    if chance.random() < 0.03:
        return status(401)
    return chance.choices(choices, weights=[6] + [2] * (len(choices) - 1))[0]


def _say(database: Database, user: User, texts: list[str], answers: list[Answer], moments: list[datetime]) -> list[str]:
    ids = []
    with serve(*answers) as server:
        endpoint = Endpoint("openai", server.url, "example-model", key="none", timeout_seconds=5)
        lanes = Lanes(make_engine(), LLMDecider(endpoint, breaker=Breaker(), pause_seconds=0.01))
        for place, (said, moment) in enumerate(zip(texts, moments, strict=True)):
            if place % 12 == 0:
                with database.write() as session:
                    conversation = start_conversation(session, user.id)
            clock = moment.astimezone()
            assistant = Assistant(database, user, lambda clock=clock: clock)
            ids.append(assistant.run_turn(conversation, said, "engine", lanes))
    return ids
