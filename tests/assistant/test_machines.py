"""The chat with the machines: the real composer on the real store, in both languages."""

from __future__ import annotations

import threading

import pytest

from assistant.machines import MachineAssistant
from db.audit import Origin
from db.composer_choices import read_learned
from db.connection import Database
from db.executor import Executor
from db.failures import ToolFailure
from db.machine_seed import seed_machines
from db.machine_turns import MachineTurn, count_machine_turns, find_machine_turn
from db.tasks import Clock
from db.users import User
from engine.completing.values import ComposerSettings
from engine.decision import Learned
from engine.values import make_call


class Talk:
    """One person's chat with their machines."""

    def __init__(self, database: Database, user: User, clock: Clock, settings: ComposerSettings | None = None) -> None:
        self.database, self.user = database, user
        self.assistant = MachineAssistant(database, user, clock, settings or ComposerSettings())
        self.executor = Executor(database, user, clock)

    def say(self, text: str) -> MachineTurn:
        return self.turn(self.assistant.run_turn(text))

    def choose(self, turn: MachineTurn, label: str) -> MachineTurn:
        labels = [each["label"] for each in turn.composition["suggestions"]]
        return self.turn(self.assistant.run_choice(turn.id, labels.index(label)))

    def turn(self, turn_id: str) -> MachineTurn:
        with self.database.read() as session:
            turn = find_machine_turn(session, self.user.id, turn_id)
        assert turn
        return turn

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


def sources(turn: MachineTurn) -> dict[str, str]:
    (composed,) = turn.composition["calls"]
    return {name: each["source"] for name, each in composed["call"]["provenance"].items()}


def test_a_complete_request_is_carried_out_and_told(talk: Talk) -> None:
    turn = talk.say("turn on the light of Frigo Cucina")
    assert turn.reply == "Frigo Cucina: light switched on."
    assert talk.state("Frigo Cucina")["light"] == "on"
    assert turn.results[0]["audit_id"]
    assert sources(turn)["device_id"] == "words"


def test_in_italian_the_answer_is_italian(talk: Talk) -> None:
    assert talk.say("accendi la luce del frigo cucina").reply == "Frigo Cucina: luce accesa."


def test_several_machines_are_asked_about_and_nothing_happens(talk: Talk) -> None:
    turn = talk.say("Accendi la luce del frigo")
    assert turn.composition["status"] == "needs_clarification"
    labels = {each["label"] for each in turn.composition["suggestions"]}
    assert labels == {"Frigo Cucina", "Frigo Sala", "Frigo Cantina"}
    assert turn.results == ()
    assert talk.state("Frigo Cucina")["light"] == "off"


def test_a_click_completes_the_waiting_call_and_is_learned(talk: Talk) -> None:
    asked = talk.say("Accendi la luce del frigo")
    turn = talk.choose(asked, "Frigo Cucina")
    assert (turn.text, turn.reply) == ("Frigo Cucina", "Frigo Cucina: luce accesa.")
    assert sources(turn)["device_id"] == "answer"
    assert talk.state("Frigo Cucina")["light"] == "on"
    assert [each.times for each in talk.learned()] == [1]


@pytest.mark.parametrize("answer", ["frigo cucina", "quello della cucina", "Cucina"])
def test_an_answer_in_words_completes_the_call(talk: Talk, answer: str) -> None:
    talk.say("Accendi la luce del frigo")
    turn = talk.say(answer)
    assert turn.reply == "Frigo Cucina: luce accesa."
    assert sources(turn)["device_id"] == "answer"


@pytest.mark.parametrize("answer", ["the second one", "il secondo", "2"])
def test_an_answer_by_place_takes_that_one(talk: Talk, answer: str) -> None:
    asked = talk.say("spegni il frigo")
    second = asked.composition["suggestions"][1]["label"]
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
    assert again.composition["why"] == "no_command_said", "the question is no longer open"


def test_two_questions_have_one_answer(talk: Talk) -> None:
    turn = talk.say("Voglio sapere se il frigo della cucina è connesso e qual è la temperatura")
    assert len(turn.results) == 2
    assert "connesso" in turn.reply
    assert "temperatura" in turn.reply
    assert turn.reply.count("Frigo Cucina") == 1


def test_one_choice_answers_both_questions(talk: Talk) -> None:
    asked = talk.say("temperatura e umidità del frigo")
    turn = talk.choose(asked, "Frigo Sala")
    assert turn.reply.startswith("Frigo Sala: temperatura")
    assert "umidità" in turn.reply


def test_a_missing_value_is_asked_for_and_taken_from_the_answer(talk: Talk) -> None:
    asked = talk.say("set the temperature of Frigo Sala")
    assert asked.composition["why"] == "no_value_said"
    turn = talk.say("5 degrees")
    assert turn.reply == "Frigo Sala: temperature set to 5 °C."
    assert sources(turn)["value"] == "answer"
    assert talk.state("Frigo Sala")["target_temperature"] == "5"


def test_machine_and_value_are_asked_for_one_after_the_other(talk: Talk) -> None:
    talk.say("imposta la temperatura")
    asked = talk.say("frigo cucina")
    assert asked.composition["why"] == "no_value_said"
    turn = talk.say("6 gradi")
    assert turn.reply == "Frigo Cucina: temperatura impostata a 6 °C."
    assert sources(turn) == {"device_id": "answer", "machine_command_id": "words", "value": "answer"}


def test_what_was_clear_runs_with_what_was_asked_about(talk: Talk) -> None:
    asked = talk.say("accendi la luce del frigo e accendi il forno")
    assert talk.state("Forno Pizza")["power"] == "off", "half of a request is not what was asked for"
    turn = talk.choose(asked, "Frigo Cucina")
    assert turn.reply == "Forno Pizza: acceso. Frigo Cucina: luce accesa."
    assert talk.executor.undo(turn.results[0]["audit_id"], Origin("person")).payload["count"] == 2


def test_a_value_that_was_said_is_kept_over_the_choice_of_the_machine(talk: Talk) -> None:
    asked = talk.say("set the temperature of the frigo to 7 degrees")
    turn = talk.choose(asked, "Frigo Cucina")
    assert turn.reply == "Frigo Cucina: temperature set to 7 °C."
    assert sources(turn)["value"] == "words"


def test_a_command_that_was_not_said_is_offered_and_chosen(talk: Talk) -> None:
    asked = talk.say("Frigo cucina")
    assert asked.composition["why"] == "no_command_said"
    labels = [each["label"] for each in asked.composition["suggestions"]]
    turn = talk.choose(asked, labels[0])
    assert turn.results
    assert not turn.results[0]["error"]


def test_the_machine_is_known_from_the_conversation(talk: Talk) -> None:
    talk.say("what is the temperature of Frigo Sala?")
    turn = talk.say("turn off the light")
    assert turn.reply == "Frigo Sala: light switched off."
    assert sources(turn)["device_id"] == "conversation"


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
    assert turn.next_actions
    turn = talk.turn(talk.assistant.run_next(turn.id, 0))
    assert turn.results
    assert not turn.results[0]["error"]
    assert set(sources(turn).values()) == {"answer"}


def test_what_was_just_read_is_not_offered_as_the_next_action(talk: Talk) -> None:
    turn = talk.say("is Frigo Sala connected and what is its temperature?")
    assert len(turn.results) == 2
    assert [each["tool_name"] for each in turn.next_actions] == ["machine_command_execute"]


def test_a_next_action_that_needs_a_value_asks_for_it_in_the_same_language(talk: Talk) -> None:
    turn = talk.say("che temperatura ha il frigo sala?")
    labels = [each["label"] for each in turn.next_actions]
    asked = talk.turn(talk.assistant.run_next(turn.id, labels.index("Frigo Sala: imposta la temperatura")))
    assert (asked.composition["why"], asked.composition["language"]) == ("no_value_said", "it")
    assert talk.say("no").reply == "Va bene, non è stato fatto nulla."
    asked = talk.turn(talk.assistant.run_next(turn.id, labels.index("Frigo Sala: imposta la temperatura")))
    assert talk.say("8").reply == "Frigo Sala: temperatura impostata a 8 °C."


def test_a_repeated_choice_is_taken_by_itself_in_the_end_and_can_be_undone(talk: Talk) -> None:
    for _ in range(6):
        turn = talk.say("accendi la luce del frigo")
        if turn.composition["status"] == "completed":
            break
        turn = talk.choose(turn, "Frigo Sala")
        talk.say("spegni la luce del frigo sala")
        talk.say("accendi il forno")  # something else, so that the conversation does not point at the fridge
    assert turn.composition["why"] == "learned"
    assert talk.state("Frigo Sala")["light"] == "on"


def test_switched_off_nothing_is_composed(database: Database, talk: Talk, clock: Clock) -> None:
    off = Talk(database, talk.user, clock, ComposerSettings(enabled=False))
    turn = off.say("turn on the light of Frigo Cucina")
    assert (turn.composition["why"], turn.results) == ("switched_off", ())


def test_nobody_commands_another_persons_machine(talk: Talk, database: Database, bob: User, clock: Clock) -> None:
    other = Talk(database, bob, clock)
    turn = other.say("turn off Frigo Cucina")
    assert turn.composition["status"] == "failed"
    assert talk.state("Frigo Cucina")["power"] == "on"
    asked = talk.say("turn off the frigo")
    with pytest.raises(ToolFailure, match="no longer open"):
        other.assistant.run_choice(asked.id, 0)


def test_a_machine_that_went_while_it_was_asked_about_is_not_replaced_by_another(talk: Talk, clock: Clock) -> None:
    asked = talk.say("spegni il frigo")
    seed_machines(talk.database, talk.user, clock, "jonas")
    turn = talk.choose(asked, "Frigo Cucina")
    assert (turn.composition["why"], turn.results) == ("no_machine", ())
    assert "Frigo Cucina" in turn.reply
    assert talk.learned() == ()


def test_a_question_is_answered_once(talk: Talk) -> None:
    """Two tabs click at once: one of them is told that the question is no longer open."""
    asked = talk.say("spegni il frigo")
    start, refused = threading.Barrier(2), []

    def click(place: int) -> None:
        start.wait()
        try:
            talk.assistant.run_choice(asked.id, place)
        except ToolFailure as failure:
            refused.append(failure.message)

    threads = [threading.Thread(target=click, args=(place,)) for place in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(refused) == 1
    with talk.database.read() as session:
        assert count_machine_turns(session, talk.user.id) == 2


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
