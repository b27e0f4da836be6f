"""Machines: what is said of all of them, of those in a state, and of the last change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from assistant.play.lines import play_line
from assistant.play.player import Player
from db.temporary import TemporaryStore


class Play:
    def __init__(self, store: TemporaryStore) -> None:
        self._player = Player(store)
        play_line(self._player, json.dumps({"start": {"domain": "machines"}}))

    def say(self, text: str) -> dict[str, Any]:
        return play_line(self._player, json.dumps({"say": text}))


@pytest.fixture
def play() -> Iterator[Play]:
    with TemporaryStore() as store:
        yield Play(store)


@pytest.mark.parametrize(
    "text", ["turn everything off", "turn them all off", "switch off all machines", "spegni tutto", "spegni ogni cosa"]
)
@pytest.mark.parametrize("before", [(), ("turn off frigo sala",), ("spegni", "Frigo Sala") * 4])
def test_everything_is_never_one_machine(play: Play, text: str, before: tuple[str, ...]) -> None:
    """Neither the one that was spoken of, nor the one that is usually chosen."""
    for each in before:
        play.say(each)
    said = play.say(text)
    assert (said["action"], said["reason"], said["changes"]) == ("clarify", "batch", [])
    assert len(said["offered"]) > 2


@pytest.mark.parametrize(
    ("text", "on"),
    [
        ("which machines are on?", True),
        ("which machines are off?", False),
        ("which machines are not on?", False),
        ("show me the machines that are switched on", True),
        ("quali macchine sono accese?", True),
        ("quali macchine sono spente?", False),
        ("which ones are off?", False),
        ("which of them are on?", True),
        ("what is switched off?", False),
        ("quali sono spente?", False),
        ("cosa è acceso?", True),
    ],
)
def test_machines_in_a_state_are_those_alone(play: Play, text: str, on: bool) -> None:
    play.say("turn off frigo sala")
    reply = play.say(text)["reply"]
    assert ("Frigo Cucina" in reply, "Frigo Sala" in reply) == (on, not on)


@pytest.mark.parametrize("text", ["which ones are offline?", "quali sono scollegate?", "which machines are offline?"])
def test_machines_that_are_not_connected_are_those_alone(play: Play, text: str) -> None:
    reply = play.say(text)["reply"]
    assert ("Frigo Cantina" in reply, "Frigo Cucina" in reply) == (True, False)


@pytest.mark.parametrize(
    "text",
    ["which machines have the light off?", "which ones have the light off?", "quali macchine hanno la luce spenta?"],
)
def test_asking_which_lights_are_off_switches_nothing(play: Play, text: str) -> None:
    """Also where a machine was spoken of just before: it was switched."""
    play.say("turn off frigo sala")
    said = play.say(text)
    assert [call["tool_name"] for call in said["calls"]] == ["machines_list"]
    assert said["changes"] == []


def test_an_answer_that_names_the_machine_alone_keeps_what_was_asked(play: Play) -> None:
    """Said in a question of its own it ended in an error."""
    play.say("quali sono le temperature?")
    said = play.say("is the oven on?")
    assert said["calls"][0]["tool_name"] == "metrics_read"
    assert said["changes"] == []


def test_a_place_is_no_state(play: Play) -> None:
    said = play.say("list the machines on the first floor")
    assert "state" not in said["calls"][0]["parameters"]


@pytest.mark.parametrize(
    "words", ["undo", "undo that", "please take that back", "put it back as it was", "annulla", "rimetti com'era"]
)
def test_the_last_change_is_taken_back_in_words(play: Play, words: str) -> None:
    before = play.say("turn off frigo sala")["changes"][0]
    back = play.say(words)
    assert (back["act"], back["changes"][0]["after"]) == ("undo", before["before"])
    assert "Frigo Sala" in back["reply"]
    assert play.say(words)["changes"] == []  # there is nothing else to take back


def test_what_was_taken_back_in_words_can_be_made_again(play: Play) -> None:
    done = play.say("turn off frigo sala")["changes"][0]
    play.say("undo")
    assert play.say("redo that")["changes"][0]["after"] == done["after"]


def test_while_a_question_waits_annulla_answers_that(play: Play) -> None:
    play.say("turn off frigo sala")
    assert play.say("spegni tutto")["pending"]
    said = play.say("annulla")
    assert (said["reason"], said["pending"], said["changes"]) == ("cancelled", None, [])


def test_a_cycle_is_still_stopped_by_a_word_that_alone_means_undo(play: Play) -> None:
    said = play.say("annulla il ciclo dell'abbattitore")
    assert (said["act"], said["intent"]) == ("request", "run_command")
