"""Deciding recorded turns again: cancelling, turns that are gone, and a record that cannot be decided."""

from __future__ import annotations

from assistant import Assistant, Lanes
from db.connection import Database
from db.machines.seed import seed_machines
from db.turns.conversations import clear_conversation, start_conversation
from db.turns.history import find_history_ids
from db.turns.query import TurnQuery
from domains.deciders import make_decider, make_tuned_engine
from domains.loading import load_domain
from engine.completing.values import ComposerSettings
from engine.decider import RuleDecider
from engine.decision import Context, Decision
from evals.replay import Replay
from tests.assistant.conftest import Chat, chat
from tests.conftest import NOW

__all__ = ["chat"]


def ids_of(database: Database, user_id: str) -> tuple[str, ...]:
    with database.read() as session:
        return find_history_ids(session, user_id, TurnQuery())


def test_changes_are_sorted_by_what_they_mean(chat: Chat) -> None:
    for text in ("complete buy milk", "hello"):
        chat.say(text)
    replay = Replay(chat.database, chat.user.id, ids_of(chat.database, chat.user.id), make_tuned_engine({"act": 1.0}))
    replay.run()
    (change,) = replay.changes
    assert (change.text, change.sort) == ("complete buy milk", "no_longer_acts")
    assert any(title.endswith("Buy milk") for title in change.titles.values())
    assert replay.counts == {"no_longer_acts": 1}
    assert replay.progress.share == 1


def test_a_replay_that_is_cancelled_keeps_what_it_found_so_far(chat: Chat) -> None:
    for text in ("complete buy milk", "who am i", "complete renew passport"):
        chat.say(text)

    class Impatient(RuleDecider):
        def decide(self, text: str, context: Context) -> Decision:
            replay.cancel()
            return make_tuned_engine({"act": 1.0}).decide(text, context)

    replay = Replay(chat.database, chat.user.id, ids_of(chat.database, chat.user.id), Impatient(load_domain()))
    replay.run()
    assert [change.text for change in replay.changes] == ["complete renew passport"]
    assert (replay.progress.done, replay.progress.total) == (1, 3)


def test_turns_that_were_cleared_meanwhile_are_passed_over(chat: Chat) -> None:
    chat.say("who am i")
    ids = ids_of(chat.database, chat.user.id)
    with chat.database.write() as session:
        clear_conversation(session, chat.user.id, chat.id)
    replay = Replay(chat.database, chat.user.id, ids, make_tuned_engine({"act": 1.0}))
    replay.run()
    assert (replay.changes, replay.progress.done) == ([], 1)


def test_a_turn_that_cannot_be_decided_again_does_not_end_the_others(chat: Chat) -> None:
    for text in ("who am i", "complete buy milk"):
        chat.say(text)

    class Fragile(RuleDecider):
        def decide(self, text: str, context: Context) -> Decision:
            if text == "complete buy milk":
                raise RuntimeError("boom")
            return make_tuned_engine({"act": 1.0}).decide(text, context)

    replay = Replay(chat.database, chat.user.id, ids_of(chat.database, chat.user.id), Fragile(load_domain()))
    replay.run()
    assert (replay.unreadable, [change.text for change in replay.changes]) == (1, ["who am i"])


def test_a_turn_of_another_domain_is_decided_by_its_own(chat: Chat) -> None:
    machines = load_domain("machines")
    seed_machines(chat.database, chat.user, lambda: NOW)
    with chat.database.write() as session:
        conversation = start_conversation(session, chat.user.id, domain="machines")
    assistant = Assistant(chat.database, chat.user, lambda: NOW, machines)
    assistant.run_turn(conversation, "turn on the light of Frigo Cucina", "engine", Lanes(make_decider(machines)))
    ids = ids_of(chat.database, chat.user.id)
    same = Replay(chat.database, chat.user.id, ids, make_tuned_engine({}))
    same.run()
    assert (same.changes, same.unreadable, same.progress.done) == ([], 0, 1)
    conduct = machines.conduct
    assert conduct
    careful = conduct.make_decider(ComposerSettings(threshold=0.99))
    replay = Replay(chat.database, chat.user.id, ids, make_tuned_engine({}), others={"machines": careful})
    replay.run()
    (change,) = replay.changes
    assert (change.sort, list(change.titles.values())) == ("no_longer_acts", ["Frigo Cucina"])
