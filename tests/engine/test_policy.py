"""Policies are data: validated with the line of the mistake, comparable, serialisable."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from engine.decider import RuleDecider, load_decider
from engine.decision import Context
from engine.policy.loading import POLICY_FOLDER, PolicyError, compare, load_policy, read_policy, serialise
from engine.targets.memory_index import MemoryIndex

ENGLISH = (POLICY_FOLDER / "en.yaml").read_text(encoding="utf-8")

SMALL = """\
version: test-1
language: en
thresholds:
  act: 0.7
words:
  opener: [please]
  closer: [please]
  det: [a, the]
frames:
  add.item:
    intent: add_task
    patterns:
      - "add [<det>] task {title}"
"""
NEW_FRAME = """\
  add.immortalise:
    intent: add_task
    clear: true
    patterns:
      - "immortalise {title} for the record"
"""


@pytest.mark.parametrize(
    ("right", "wrong", "line", "says"),
    [
        ("act: 0.7", "act: 7", 4, "between 0 and 1"),
        ("act: 0.7", "acting: 0.7", 4, "unknown threshold"),
        ("intent: add_task", "intent: add", 10, "unknown intent"),
        ("[<det>] task", "[<dets>] task", 13, "no class is called 'dets'"),
        ("[<det>] task", "[<det> task", 13, "missing"),
        ("opener: [please]", "opener: please", 6, "list of words"),
        ("opener: [please]", "opener: [5]", 6, "is no word"),
        ("language: en", "language: fr", 2, "en or it"),
        ("version: test-1", "versoin: test-1", 1, "unknown section"),
        ("words:", "words: [", 13, ""),
    ],
)
def test_a_mistake_is_named_with_its_line(right: str, wrong: str, line: int, says: str) -> None:
    with pytest.raises(PolicyError) as caught:
        read_policy(SMALL.replace(right, wrong), "mine.yaml")
    assert says in str(caught.value)
    if line != 13 or "<det" in wrong:
        assert f"mine.yaml, line {line}:" in str(caught.value)


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_policy_survives_being_written_and_read(language: str) -> None:
    policy = load_policy(language)  # type: ignore[arg-type]
    again = read_policy(serialise(policy))
    assert compare(policy, again) == ()
    assert again.frames == policy.frames


def test_the_comparison_names_what_changed() -> None:
    after = read_policy(SMALL.replace("[a, the]", "[a, my]").replace("act: 0.7", "act: 0.8"))
    assert compare(read_policy(SMALL), after) == (
        "thresholds.act: 0.7 -> 0.8",
        "words.det: - the",
        "words.det: + my",
    )


def test_words_like_no_and_on_stay_words() -> None:
    policy = read_policy(SMALL.replace("[a, the]", "[no, on, off, yes]"))
    assert policy.words["det"] == ("no", "on", "off", "yes")


def test_a_policy_can_be_loaded_from_a_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(SMALL, encoding="utf-8")
    decider = load_decider(policy_path=path)
    assert isinstance(decider, RuleDecider)
    assert decider.policy_for("en").version == "test-1"


def test_there_is_no_other_decider() -> None:
    with pytest.raises(ValueError, match="there is no decider called"):
        load_decider("oracle")


def test_a_new_way_of_asking_is_a_line_and_works_without_learning_again() -> None:
    text = 'please immortalise "sharpen the skates" for the record'
    policy = read_policy(ENGLISH.replace("frames:\n", "frames:\n" + NEW_FRAME, 1))
    context = Context(MemoryIndex(()), datetime(2026, 3, 2, 9), language="en")  # noqa: DTZ001
    assert RuleDecider(load_policy("en")).decide(text, context).intent == "unknown"
    decision = RuleDecider(policy).decide(text, context)
    assert (decision.action, decision.calls[0].parameters["title"]) == ("execute", "sharpen the skates")
