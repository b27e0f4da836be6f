"""Answers to "which one?", in both languages; and what is no answer but a new request."""

from __future__ import annotations

import pytest

from domains.machines.answers import Picked, read_answer

FRIDGES = ("Frigo Cucina", "Frigo Sala", "Abbattitore")
COMMANDS = ("turn on the light", "turn off the light", "read the temperature")


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("Frigo Sala", 1),
        ("frigo sala", 1),
        ("sala", 1),
        ("quello della sala", 1),
        ("il frigo della cucina, per favore", 0),
        ("the kitchen's Abbattitore", None),
        ("abbattitore", 2),
        ("the second one", 1),
        ("the second", 1),
        ("second one please", 1),
        ("il secondo", 1),
        ("la prima", 0),
        ("number 3", 2),
        ("3", 2),
        ("#2", 1),
        ("uno", 0),
        ("one", 0),
        ("the first one", 0),
        ("the last one", 2),
        ("l'ultimo", 2),
    ],
)
def test_an_answer_by_name_or_place(text: str, place: int | None) -> None:
    answer = read_answer(text, FRIDGES)
    assert (answer.place if answer else None) == place


@pytest.mark.parametrize(
    "text", ["no", "none of them", "nessuno", "never mind", "lascia stare", "annulla", "No, grazie"]
)
def test_no_chooses_none(text: str) -> None:
    assert read_answer(text, FRIDGES) == Picked(None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "frigo",  # two of them
        "the fourth one",  # there are three
        "yes",  # to which?
        "spegni il frigo sala",
        "turn on the light of the second one",
        "accendi la luce del frigo cucina",
        "what is the temperature of Frigo Sala?",
        "no, turn off the Abbattitore",
        "first and second",
        "x" * 100_000,
        "\x00\xff",
    ],
)
def test_anything_else_is_a_new_request(text: str) -> None:
    assert read_answer(text, FRIDGES) is None


@pytest.mark.parametrize("text", ["yes", "sì", "ok", "va bene", "yes please", "certo"])
def test_a_yes_takes_the_only_option(text: str) -> None:
    assert read_answer(text, ["Frigo Cucina: turn on"]) == Picked(0)


def test_a_command_is_chosen_by_its_words() -> None:
    assert read_answer("turn off the light", COMMANDS) == Picked(1)
    assert read_answer("temperature", COMMANDS) == Picked(2)
    assert read_answer("the light", COMMANDS) is None


def test_without_options_nothing_is_an_answer() -> None:
    assert read_answer("the first one", ()) is None


def test_a_question_without_options_can_be_called_off() -> None:
    assert read_answer("never mind", ()) == Picked(None)
