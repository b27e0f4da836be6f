"""A machine message taken apart is the same decision, with its words marked; and every flip really flips."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import partial

import pytest

from domains.machines.decider import MachineDecider
from domains.machines.memory_fleet import MemoryFleet
from domains.machines.reach import FleetIndex
from domains.machines.tools import CATALOGUE
from domains.machines.values import Machine, MachineCommand, MachineMetric, ValueRange
from engine.completing.values import ComposerSettings
from engine.decision import Context, Learned, Message
from engine.explaining.anatomy import Anatomy, dissect
from engine.explaining.flips import Flips, find_flips
from engine.explaining.trial import Flip, gist_of

NOW = datetime(2026, 3, 4, 10)  # noqa: DTZ001 - a person's own clock
COMMANDS = (
    MachineCommand("c1", "turn_on_light"),
    MachineCommand("c2", "turn_off_light"),
    MachineCommand("c3", "set_temperature", value=ValueRange("°C", 0, 10)),
)
MACHINES = tuple(
    Machine(name, title, commands=COMMANDS, metrics=(MachineMetric("temperature"),))
    for name, title in (("f1", "Frigo Cucina"), ("f2", "Frigo Cantina"), ("o1", "Oven"))
)
CONTEXT = Context(FleetIndex(MemoryFleet(MACHINES)), NOW)
DECIDER = MachineDecider()
TEXTS = (
    "turn on the light of frigo cucina",
    "Accendi la luce del frigo",
    "don't turn on the light of the oven",
    "set frigo cantina to 5 °C and turn on the light of the oven",
    "what is the temperature of the oven?",
    "list my machines",
    "turn on the light of the freezer",
    "hello there",
    "turn on",
    "accendi luce frigo cantna",
)


def take_apart(text: str, context: Context = CONTEXT) -> Anatomy:
    return dissect(text, context, DECIDER)


def flips_of(text: str, context: Context = CONTEXT, decider: MachineDecider = DECIDER) -> Flips:
    things, index = decider.things(context), partial(decider.with_things, context)
    return find_flips(text, context, things, decider, make_index=index, seconds=60)


def changes(flips: Flips, kind: str) -> dict[str, Flip]:
    return {flip.change: flip for flip in flips.found if flip.kind == kind}


@pytest.mark.parametrize("text", TEXTS)
def test_it_is_the_same_decision(text: str) -> None:
    anatomy = take_apart(text)
    assert anatomy.decision == DECIDER.decide(text, CONTEXT)
    assert anatomy.requests
    told = [request.outcome.call for request in anatomy.requests if request.outcome.call]
    assert tuple(told) == anatomy.decision.calls
    for request in anatomy.requests:
        assert request.outcome.ledger == anatomy.decision.ledger
        assert sum(each.amount for each in request.outcome.ledger) == pytest.approx(request.outcome.confidence)


def test_the_words_are_marked_with_what_they_mean_and_where_that_is_written() -> None:
    text = "Accendi la luce del frigo"
    (request,) = take_apart(text).requests
    seen = {text[piece.span.start : piece.span.end]: piece for piece in request.pieces}
    assert {said: piece.rule for said, piece in seen.items()} == {
        "Accendi": "actions:turn_on",
        "luce": "objects:light",
        "frigo": "device:frigo",
    }
    assert all(request.pull(piece) == 1 for piece in request.pieces)
    assert seen["Accendi"].place.startswith("it/intents/run_command.yaml line ")
    assert (seen["Accendi"].seen, seen["frigo"].place) == ("asks for the action “turn on”", "")


def test_what_speaks_against_it_is_marked_as_the_reason_to_do_nothing() -> None:
    (request,) = take_apart("don't turn on the light of the oven").requests
    pulls = {piece.rule.partition(":")[0]: request.pull(piece) for piece in request.pieces}
    assert (request.outcome.intent, request.rival) == ("unknown", "run_command")
    assert pulls == {"negations": 1.0, "actions": -1.0, "objects": -1.0, "device": -1.0}


def test_each_call_of_a_message_has_its_own_machine() -> None:
    first, second = take_apart("turn on the light of frigo cucina and of the oven").requests
    named = [request.outcome.references[0].task_id for request in (first, second)]
    assert (first.label, named) == ("1. machine_command_execute", ["f1", "o1"])


def test_a_message_that_answers_a_question_has_no_evidence_of_its_own() -> None:
    question = DECIDER.decide("Accendi la luce del frigo", CONTEXT).pending
    anatomy = take_apart("Frigo Cucina", replace(CONTEXT, pending=question))
    assert (anatomy.decision.reason, anatomy.requests[0].pieces) == ("answered", ())


@pytest.mark.parametrize("text", ["", "  ", "x" * 20_000])
def test_a_message_that_is_no_message_has_no_requests(text: str) -> None:
    assert take_apart(text).requests == ()


@pytest.mark.parametrize("text", TEXTS)
def test_every_flip_really_flips(text: str) -> None:
    flips = flips_of(text)
    assert flips.complete
    assert flips.found
    before = gist_of(DECIDER.decide(text, CONTEXT), CATALOGUE)
    for flip in flips.found:
        decider = DECIDER.with_policy(flip.policy) if flip.policy else DECIDER
        after = decider.decide(flip.text, flip.context)
        assert after == flip.after
        assert gist_of(after, CATALOGUE) != before, flip.change


def test_a_machine_that_is_gone_leaves_one() -> None:
    found = changes(flips_of("Accendi la luce del frigo"), "target")
    assert found["if “Frigo Cucina” were gone"].after.calls[0].parameters["device_id"] == "f2"


def test_a_word_that_names_one_of_them_settles_it() -> None:
    found = changes(flips_of("Accendi la luce del frigo"), "word added")
    assert any(flip.after.action == "execute" for flip in found.values())


def test_the_threshold_is_the_composers() -> None:
    (change,) = changes(flips_of("turn on the light of frigo cucina"), "threshold")
    assert "“act” at" in change
    assert "instead of 0.90" in change
    careful = MachineDecider(ComposerSettings(threshold=0.95))
    (change,) = changes(flips_of("turn on the light of frigo cucina", decider=careful), "threshold")
    assert "instead of 0.95" in change


def test_the_conversation_and_what_was_learned_count() -> None:
    said = (Message("user", "frigo cucina"), Message("assistant", "Frigo Cucina: light switched on.", ("f1",)))
    found = changes(flips_of("turn it off", replace(CONTEXT, history=said)), "conversation")
    assert found
    key = DECIDER.decide("Accendi la luce del frigo", CONTEXT).pending
    assert key
    learned = replace(CONTEXT, learned=(Learned(key.learns, "f1", 9),))
    assert DECIDER.decide("Accendi la luce del frigo", learned).reason == "learned"
    found = changes(flips_of("Accendi la luce del frigo", learned), "conversation")
    assert found["if no choice were remembered"].after.reason == "ambiguous_target"
