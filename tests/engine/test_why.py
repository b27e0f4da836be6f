"""Why a message was not read as wanted: each condition that is named is the one that has to change."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from domains.deciders import make_engine
from domains.loading import load_domain, load_policy, read_policy
from engine.__main__ import main
from engine.decision import Context
from engine.policy.patterns import compile_pattern
from engine.reading.frames import make_scene
from engine.targets.memory_index import MemoryIndex
from engine.values import Task
from engine.why import WhyNot, find_why
from engine.why.near import find_near, write_node

NOW = datetime(2026, 3, 4, 10)  # noqa: DTZ001 - a person's own clock
TASKS = (Task("a", 1, "Call the dentist"), Task("b", 2, "Pay the rent"), Task("c", 3, "Pay the rent for the garage"))


def why(text: str, wanted: str, arguments: dict[str, str] | None = None, tasks: tuple[Task, ...] = TASKS) -> WhyNot:
    context = Context(tasks=MemoryIndex(tasks), now=NOW, language="en")
    return find_why(text, context, make_engine(), wanted, arguments or {})


def test_words_that_are_in_no_class_are_named_with_the_class() -> None:
    found = why("holler at me to water the plants", "add_task")
    miss = found.misses[0]
    assert (miss.frame, miss.kind, miss.words, miss.class_name) == (
        "add.remind_me",
        "swap",
        "holler at me",
        "remind_me",
    )
    assert miss.told == "add.remind_me would fit if “holler at me” were a <remind_me>"
    assert miss.place
    assert miss.place.file == "en/intents/add_task.yaml"
    assert found.decided_by == "words"


def test_the_phrase_that_is_named_does_make_the_way_of_asking_fit() -> None:
    words = load_policy("en").words["remind_me"]
    draft = read_policy(f"language: en\nwords:\n  remind_me: {json.dumps([*words, 'holler at me'])}\n")
    context = Context(tasks=MemoryIndex(()), now=NOW, language="en")
    decision = make_engine(draft).decide("holler at me to water the plants", context)
    assert decision.action == "execute"
    assert decision.calls[0].parameters["title"] == "water the plants"


def test_a_guard_is_named_with_its_words_and_its_line() -> None:
    obstacle = why("don't add milk", "add_task").obstacles[0]
    assert (obstacle.kind, obstacle.rule) == ("guard", "guard:negated")
    assert "“don't add”" in obstacle.told
    assert obstacle.place
    assert obstacle.place.file == "en/guards.yaml"


def test_a_way_of_asking_that_fits_and_loses_says_by_how_much() -> None:
    obstacle = next(each for each in why("put a check next to it", "add_task").obstacles if each.kind == "loses")
    assert "fits, but loses by" in obstacle.told
    assert obstacle.amount > 0


def test_a_request_that_is_not_sure_enough_names_the_threshold() -> None:
    found = why("please note down a to-do: water the plants", "add_task")
    assert [(each.kind, each.rule) for each in found.obstacles] == [("below_threshold", "threshold:act")]
    assert 0 < found.obstacles[0].amount < 0.7


def test_a_slot_that_lacks_its_word_is_named() -> None:
    found = why("push the dentist to the basement", "update_task")
    assert any(miss.kind == "slot_needs" and "<date_word>" in miss.told for miss in found.misses)


def test_what_was_learned_from_conversations_is_said_to_be_so() -> None:
    found = why("show me the stuff i nailed", "list_tasks")
    assert found.decided_by == "learned_talk"
    assert any("a draft does not edit that" in each.told for each in found.obstacles)


def test_a_filter_names_the_class_whose_words_are_missing() -> None:
    (gap,) = why("show me my earth-shaking tasks", "list_tasks", {"priority": "high"}).gaps
    assert gap.classes[0] == "priority_high"
    assert "no word of the message is a <priority_high>" in gap.told


@pytest.mark.parametrize(
    ("text", "wanted", "told"),
    [
        ("delete the garage", "b", "does not name “Pay the rent”"),
        ("complete the rent", "c", "“rent” fits “Pay the rent for the garage” to 0.0"),
        ("complete task 2", "a", "does not name “Call the dentist”"),
        ("what is up", "a", "no words of the message were taken for a name"),
    ],
)
def test_a_target_that_was_not_taken_says_why(text: str, wanted: str, told: str) -> None:
    (gap,) = why(text, "complete_task", {"task_identifier": wanted}).gaps
    assert told in gap.told


def test_a_target_that_was_taken_is_no_gap() -> None:
    assert why("complete the dentist", "complete_task", {"task_identifier": "a"}).gaps == ()


def test_a_domain_with_a_reading_of_its_own_says_so() -> None:
    domain = load_domain("machines")
    assert domain.conduct
    from engine.completing.values import DEFAULT_SETTINGS

    context = Context(tasks=domain.conduct.read_index({}), now=NOW, language="en")
    decider = domain.conduct.make_decider(DEFAULT_SETTINGS)
    found = find_why("holler at the press", context, decider, domain.catalogue.intents[0])
    assert found.decided_by == "own_reading"


@pytest.mark.parametrize(
    ("pattern", "text", "kind", "part", "words"),
    [
        ("note to self {title}", "note for self buy milk", "swap", "to", "for"),
        ("note to self {title}", "note self buy milk", "lack", "to", ""),
        ("note to self {title}", "note my to self buy milk", "extra", "to", "my"),
        ("^ note {title}", "bah note buy milk", "start", "^", "bah"),
        ("drop (it|that) $", "drop it quickly", "end", "$", "quickly"),
        ("drop (it|that) $", "drop them", "swap", "(it|that)", "them"),
    ],
)
def test_one_repair_makes_a_pattern_fit(pattern: str, text: str, kind: str, part: str, words: str) -> None:
    policy = load_policy("en")
    scene = make_scene(tuple(text.split()), frozenset({0}), policy)
    found = find_near(compile_pattern(pattern), scene, policy.lexicon)
    shown = {(fit.kind, write_node(fit.node), " ".join(scene.words[fit.first : fit.last])) for fit in found}
    assert (kind, part, words) in shown


def test_an_unknown_intent_is_told() -> None:
    with pytest.raises(ValueError, match="there is no intent 'fly'"):
        why("fly", "fly")


def test_the_command_tells_it_in_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "context.json"
    path.write_text('{"tasks": [{"title": "Water the plants"}], "lang": "en"}', encoding="utf-8")
    assert main(["why", "holler at me to water the plants", "--want", "add_task", "--context", str(path)]) == 0
    told = capsys.readouterr().out
    assert "add.remind_me would fit if “holler at me” were a <remind_me>  [en/intents/add_task.yaml line 5]" in told


def test_the_command_refuses_an_unknown_intent(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["why", "hello", "--want", "nonsense"])
    assert "there is no intent 'nonsense'" in capsys.readouterr().err
