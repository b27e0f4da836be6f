"""The chat with the machines: the real composer on the real store, in both languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from assistant import Assistant, Lanes
from db.audit import Origin
from db.connection import Database
from db.executor import Executor
from db.machines.choices import read_learned
from db.machines.seed import seed_machines
from db.tasks.service import Clock
from db.turns.conversations import find_conversation, start_conversation
from db.turns.turns import StoredTurn, find_turn, read_decisions
from db.users import User
from domains.loading import load_domain
from domains.machines.decider import MachineDecider
from engine.border.json_form import from_json
from engine.border.wire import read_context
from engine.completing.values import ComposerSettings
from engine.decision import Decision, Learned
from engine.outcome.routing import Driver
from engine.values import make_call
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.patience import Breaker
from tests.conftest import NOW
from tests.llm.fault_server import FaultServer, call, serve, stream


class Talk:
    """One person's chat with their machines."""

    def __init__(self, database: Database, user: User, clock: Clock, settings: ComposerSettings | None = None) -> None:
        self.database, self.user = database, user
        self.assistant = Assistant(database, user, clock, load_domain("machines"))
        self.lanes = Lanes(MachineDecider(settings or ComposerSettings()))
        self.driver: Driver = "engine"
        self.executor = Executor(database, user, clock)
        with database.write() as session:
            self.id = start_conversation(session, user.id, domain="machines")

    def say(self, text: str) -> StoredTurn:
        return self.turn(self.assistant.run_turn(self.id, text, self.driver, self.lanes))

    def choose(self, label: str) -> StoredTurn:
        """A press on one of the buttons of the question says its label."""
        assert label in self.labels()
        return self.say(label)

    def labels(self) -> list[str]:
        with self.database.read() as session:
            found = find_conversation(session, self.user.id, self.id)
        assert found
        assert found.pending
        return [each["label"] for each in found.pending["choices"]]

    def turn(self, turn_id: str) -> StoredTurn:
        with self.database.read() as session:
            turn = find_turn(session, self.user.id, turn_id)
        assert turn
        return turn

    def decision(self, turn: StoredTurn, lane: str = "engine") -> Decision:
        with self.database.read() as session:
            return from_json(Decision, read_decisions(session, self.user.id, [turn.id])[turn.id][lane])

    def reason(self, turn: StoredTurn) -> str:
        return str(self.decision(turn).reason)

    def sources(self, turn: StoredTurn) -> dict[str, str]:
        (call,) = self.decision(turn).calls
        return {each.name: each.provenance.source for each in call.arguments}

    def state(self, name: str) -> dict[str, str]:
        result = self.executor.execute(make_call("device_detail", {"device_name": name}, "person"), Origin("person"))
        state = result.payload["state"]
        assert isinstance(state, dict)
        return state

    def learned(self) -> tuple[Learned, ...]:
        with self.database.read() as session:
            return read_learned(session, self.user.id)


@pytest.fixture
def talk(database: Database, ada: User, clock: Clock) -> Talk:
    seed_machines(database, ada, clock)
    return Talk(database, ada, clock)


def test_a_complete_request_is_carried_out_and_told(talk: Talk) -> None:
    turn = talk.say("turn on the light of Frigo Cucina")
    assert turn.reply == "Frigo Cucina: light switched on."
    assert talk.state("Frigo Cucina")["light"] == "on"
    assert turn.results[0]["audit_id"]
    assert talk.sources(turn)["device_id"] == "words"


def test_in_italian_the_answer_is_italian(talk: Talk) -> None:
    assert talk.say("accendi la luce del frigo cucina").reply == "Frigo Cucina: luce accesa."


def test_several_machines_are_asked_about_and_nothing_happens(talk: Talk) -> None:
    turn = talk.say("Accendi la luce del frigo")
    assert talk.reason(turn) == "ambiguous_target"
    assert set(talk.labels()) == {"Frigo Cucina", "Frigo Sala", "Frigo Cantina"}
    assert turn.results == ()
    assert talk.state("Frigo Cucina")["light"] == "off"


def test_a_click_completes_the_waiting_call_and_is_learned(talk: Talk) -> None:
    talk.say("Accendi la luce del frigo")
    turn = talk.choose("Frigo Cucina")
    assert (turn.text, turn.reply) == ("Frigo Cucina", "Frigo Cucina: luce accesa.")
    assert talk.sources(turn)["device_id"] == "answer"
    assert talk.state("Frigo Cucina")["light"] == "on"
    assert [each.times for each in talk.learned()] == [1]


@pytest.mark.parametrize("answer", ["frigo cucina", "quello della cucina", "Cucina"])
def test_an_answer_in_words_completes_the_call(talk: Talk, answer: str) -> None:
    talk.say("Accendi la luce del frigo")
    turn = talk.say(answer)
    assert turn.reply == "Frigo Cucina: luce accesa."
    assert talk.sources(turn)["device_id"] == "answer"


@pytest.mark.parametrize("answer", ["the second one", "il secondo", "2"])
def test_an_answer_by_place_takes_that_one(talk: Talk, answer: str) -> None:
    talk.say("spegni il frigo")
    second = talk.labels()[1]
    talk.say(answer)
    assert talk.state(second)["power"] == "off"


def test_a_new_request_instead_of_an_answer_is_heard(talk: Talk) -> None:
    talk.say("Accendi la luce del frigo")
    turn = talk.say("accendi il forno")
    assert turn.reply == "Forno Pizza: acceso."
    assert talk.state("Frigo Cucina")["light"] == "off"
    assert talk.learned() == ()


@pytest.mark.parametrize(("no", "reply"), [("no", "All right"), ("none of them", "All right")])
def test_no_leaves_everything_as_it_is(talk: Talk, no: str, reply: str) -> None:
    talk.say("turn off the frigo")
    turn = talk.say(no)
    assert turn.reply.startswith(reply)
    assert turn.results == ()
    again = talk.say("frigo cucina")
    assert talk.reason(again) == "missing_parameter", "the question is no longer open"


def test_two_questions_have_one_answer(talk: Talk) -> None:
    turn = talk.say("Voglio sapere se il frigo della cucina è connesso e qual è la temperatura")
    assert len(turn.results) == 2
    assert "connesso" in turn.reply
    assert "temperatura" in turn.reply
    assert turn.reply.count("Frigo Cucina") == 1


def test_one_choice_answers_both_questions(talk: Talk) -> None:
    talk.say("temperatura e umidità del frigo")
    turn = talk.choose("Frigo Sala")
    assert turn.reply.startswith("Frigo Sala: temperatura")
    assert "umidità" in turn.reply


def test_a_missing_value_is_asked_for_and_taken_from_the_answer(talk: Talk) -> None:
    asked = talk.say("set the temperature of Frigo Sala")
    assert talk.reason(asked) == "missing_parameter"
    turn = talk.say("5 degrees")
    assert turn.reply == "Frigo Sala: temperature set to 5 °C."
    assert talk.sources(turn)["value"] == "answer"
    assert talk.state("Frigo Sala")["target_temperature"] == "5"


def test_machine_and_value_are_asked_for_one_after_the_other(talk: Talk) -> None:
    talk.say("imposta la temperatura")
    asked = talk.say("frigo cucina")
    assert talk.reason(asked) == "missing_parameter"
    turn = talk.say("6 gradi")
    assert turn.reply == "Frigo Cucina: temperatura impostata a 6 °C."
    assert talk.sources(turn) == {"device_id": "answer", "machine_command_id": "words", "value": "answer"}


def test_what_was_clear_runs_with_what_was_asked_about(talk: Talk) -> None:
    talk.say("accendi la luce del frigo e accendi il forno")
    assert talk.state("Forno Pizza")["power"] == "off", "half of a request is not what was asked for"
    turn = talk.choose("Frigo Cucina")
    assert turn.reply == "Forno Pizza: acceso. Frigo Cucina: luce accesa."
    assert talk.executor.undo(turn.results[0]["audit_id"], Origin("person")).payload["count"] == 2


def test_a_value_that_was_said_is_kept_over_the_choice_of_the_machine(talk: Talk) -> None:
    talk.say("set the temperature of the frigo to 7 degrees")
    turn = talk.choose("Frigo Cucina")
    assert turn.reply == "Frigo Cucina: temperature set to 7 °C."
    assert talk.sources(turn)["value"] == "words"


def test_a_command_that_was_not_said_is_offered_and_chosen(talk: Talk) -> None:
    asked = talk.say("Frigo cucina")
    assert talk.reason(asked) == "missing_parameter"
    turn = talk.choose(talk.labels()[0])
    assert turn.results
    assert not turn.results[0]["error"]


def test_the_machine_is_known_from_the_conversation(talk: Talk) -> None:
    talk.say("what is the temperature of Frigo Sala?")
    turn = talk.say("turn off the light")
    assert turn.reply == "Frigo Sala: light switched off."
    assert talk.sources(turn)["device_id"] == "conversation"


def test_a_machine_that_is_not_connected_is_said_so(talk: Talk) -> None:
    turn = talk.say("spegni il frigo cantina")
    assert turn.reply == "Frigo Cantina non è connesso: non è stato fatto nulla."
    assert turn.results[0]["error"] == "not_connected"


def test_undo_takes_all_commands_of_a_turn_back(talk: Talk) -> None:
    turn = talk.say("turn on the light of Frigo Cucina and start the defrost of Frigo Cucina")
    assert len(turn.results) == 2
    assert talk.executor.undo(turn.results[0]["audit_id"], Origin("person")).payload["count"] == 2
    assert (talk.state("Frigo Cucina")["light"], talk.state("Frigo Cucina")["defrost"]) == ("off", "idle")


def test_next_actions_are_offered_and_run_with_a_click(talk: Talk) -> None:
    turn = talk.say("turn on the light of Frigo Cucina")
    assert turn.offers
    turn = talk.say(turn.offers[0]["label"])
    assert turn.results
    assert not turn.results[0]["error"]
    assert set(talk.sources(turn).values()) == {"answer"}


def test_what_was_just_read_is_not_offered_as_the_next_action(talk: Talk) -> None:
    turn = talk.say("is Frigo Sala connected and what is its temperature?")
    assert len(turn.results) == 2
    assert [each["tool_name"] for each in turn.offers] == ["machine_command_execute"]


def test_a_next_action_that_needs_a_value_asks_for_it_in_the_same_language(talk: Talk) -> None:
    wanted = "Frigo Sala: imposta la temperatura"
    for answer, reply in (
        ("no", "Va bene, non è stato fatto nulla."),
        ("8", "Frigo Sala: temperatura impostata a 8 °C."),
    ):
        turn = talk.say("che temperatura ha il frigo sala?")
        assert wanted in [each["label"] for each in turn.offers]
        asked = talk.decision(talk.say(wanted))
        assert (str(asked.reason), asked.language) == ("missing_parameter", "it")
        assert talk.say(answer).reply == reply


def test_a_repeated_choice_is_taken_by_itself_in_the_end_and_can_be_undone(talk: Talk) -> None:
    for _ in range(6):
        turn = talk.say("accendi la luce del frigo")
        if talk.decision(turn).action == "execute":
            break
        talk.choose("Frigo Sala")
        talk.say("spegni la luce del frigo sala")
        talk.say("accendi il forno")  # something else, so that the conversation does not point at the fridge
    assert talk.reason(turn) == "learned"
    assert talk.state("Frigo Sala")["light"] == "on"


def test_switched_off_nothing_is_composed(database: Database, talk: Talk, clock: Clock) -> None:
    off = Talk(database, talk.user, clock, ComposerSettings(enabled=False))
    turn = off.say("turn on the light of Frigo Cucina")
    assert (off.reason(turn), turn.results) == ("switched_off", ())


def test_nobody_commands_another_persons_machine(talk: Talk, database: Database, bob: User, clock: Clock) -> None:
    other = Talk(database, bob, clock)
    turn = other.say("turn off Frigo Cucina")
    assert other.decision(turn).action == "reply"
    assert talk.state("Frigo Cucina")["power"] == "on"


def test_a_machine_that_went_while_it_was_asked_about_is_not_replaced_by_another(talk: Talk, clock: Clock) -> None:
    talk.say("spegni il frigo")
    seed_machines(talk.database, talk.user, clock, "jonas")
    turn = talk.choose("Frigo Cucina")
    assert (talk.reason(turn), turn.results) == ("no_target", ())
    assert "Frigo Cucina" in turn.reply
    assert talk.learned() == ()


def test_a_question_is_answered_once(talk: Talk) -> None:
    """Two tabs press at once: the later one finds no question, and nothing is done a second time."""
    talk.say("spegni il frigo")
    talk.say("Frigo Cucina")
    later = talk.say("Frigo Sala")
    assert later.results == ()
    assert talk.state("Frigo Sala")["power"] == "on"


def test_a_turn_keeps_its_domain_and_is_decided_the_same_from_its_record(talk: Talk) -> None:
    talk.say("Accendi la luce del frigo")
    turn = talk.say("il secondo")
    assert turn.domain == "machines"
    again = MachineDecider().decide(turn.text, read_context(turn.context, NOW, load_domain("machines")))
    assert again == talk.decision(turn)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "<script>alert(1)</script>",
        "'; DROP TABLE machines; --",
        "\x00\x01\ud800",
        "🔥" * 50,
        "frigo " * 3000,
    ],
)
def test_hostile_text_is_answered_and_changes_nothing(talk: Talk, text: str) -> None:
    before = [talk.state(name) for name in ("Frigo Cucina", "Frigo Sala", "Abbattitore", "Forno Pizza")]
    turn = talk.say(text)
    assert turn.reply
    assert [talk.state(name) for name in ("Frigo Cucina", "Frigo Sala", "Abbattitore", "Forno Pizza")] == before


@pytest.fixture
def model(talk: Talk) -> Iterator[Any]:
    """`model(call_of("metrics_read", …), …)`: the chat's LLM gives these answers in order."""
    with ExitStack() as stack:

        def start(*answers: bytes, driver: Driver = "llm") -> FaultServer:
            server = stack.enter_context(serve(*answers))
            endpoint = Endpoint("openai", server.url, "m", key="sk-test-key-never-shown", timeout_seconds=10)
            llm = LLMDecider(
                endpoint,
                breaker=Breaker(),
                pause_seconds=0.01,
                composer=ComposerSettings(),
                domain=load_domain("machines"),
            )
            talk.lanes, talk.driver = Lanes(MachineDecider(), llm), driver
            return server

        yield start


def call_of(name: str, **arguments: object) -> bytes:
    return stream(call(name, json.dumps(arguments)), finish="tool_calls")


def test_the_llm_drives_and_its_names_are_resolved_by_the_fleet(talk: Talk, model: Any) -> None:
    server = model(
        call_of("machine_command_execute", device_name="frigo cucina", command_name="turn_on_light"),
        stream({"content": "Done."}),
    )
    turn = talk.say("turn on the light of frigo cucina")
    assert (turn.lane, turn.reply) == ("llm", "Frigo Cucina: light switched on.")
    assert talk.state("Frigo Cucina")["light"] == "on"
    sent = server.requests[0]
    assert {tool["function"]["name"] for tool in sent["tools"]} == set(load_domain("machines").catalogue.by_name)
    assert "Frigo Cucina | commands:" in sent["messages"][0]["content"]
    assert set(talk.decision(turn, "llm").calls[0].parameters) == {"device_id", "machine_command_id"}


def test_what_the_llm_left_out_is_asked_back_and_the_answer_settles_it(talk: Talk, model: Any) -> None:
    model(call_of("machine_command_execute", command_name="turn_on_light"), stream({"content": "?"}))
    turn = talk.say("turn on the light of the frigo")
    assert (turn.lane, turn.results) == ("llm", ())
    turn = talk.choose("Frigo Cucina")
    assert (turn.route, turn.reply) == ("answered", "Frigo Cucina: light switched on.")


def test_a_call_against_the_users_words_is_vetoed(talk: Talk, model: Any) -> None:
    model(call_of("machine_command_execute", device_name="Frigo Cucina", command_name="turn_off"), driver="llm_guarded")
    turn = talk.say("don't turn off frigo cucina")
    assert turn.results == ()
    assert talk.state("Frigo Cucina")["power"] == "on"


def test_weighed_it_asks_the_llm_only_where_the_engine_does_not_know(talk: Talk, model: Any) -> None:
    model(call_of("machines_list"), stream({"content": "?"}), driver="router")
    turn = talk.say("turn on the light of frigo cucina")
    assert (turn.lane, turn.route) == ("engine", "engine_sure")
