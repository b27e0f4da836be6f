"""What a lane's card says in people's words; what the code calls it stands in a hint."""

from __future__ import annotations

from datetime import datetime
from typing import get_args

from domains.deciders import make_engine
from engine.decision import Context
from engine.targets.memory_index import MemoryIndex
from engine.values import Source, Task
from ui.turns.lanes import LaneView, engine_lane
from ui.words import HOW_WORDS, name_how

TASKS = MemoryIndex([Task("a", 1, "Buy bread"), Task("b", 2, "Renew passport")])
CONTEXT = Context(tasks=TASKS, now=datetime(2026, 3, 4, 10), language="en")  # noqa: DTZ001


def lane(text: str) -> LaneView:
    return engine_lane(make_engine().decide(text, CONTEXT), {"b": "#2 Renew passport"}, drives=True, act_threshold=0.7)


def test_a_confidence_says_what_it_is_of() -> None:
    acts, replies = lane("mark renew passport as done").scale, lane("what a lovely morning").scale
    assert acts is not None
    assert replies is not None
    assert "sure of this reading, acts from 0.70" in acts.text
    assert "sure that there is nothing to do" in replies.text
    assert (bool(acts.tick), bool(replies.tick)) == (True, False), "what only replies is held to no threshold"


def test_a_reading_that_is_overruled_is_not_sureness_of_nothing() -> None:
    """The words ask for "done" at .9, and "almost" says that it is not."""
    almost = lane("the passport is almost done")
    assert almost.scale is not None
    assert almost.scores[0].code == "complete_task"
    assert "by its words alone, but it only tells" in almost.scale.text


def test_intents_are_named_as_everywhere() -> None:
    best = lane("mark renew passport as done").scores[0]
    assert (best.intent, best.code) == ("Complete a task", "complete_task")


def test_how_a_task_was_found_is_said_in_words() -> None:
    target = lane("mark the passport one as done").targets[0]
    assert (target.title, target.fit) == ("#2 Renew passport", "named in part")
    assert target.hint.startswith("partial, 0.")
    assert {"exact", "partial", "fuzzy", "number", "id", "pronoun", "ordinal", "recent"} <= set(HOW_WORDS)
    # The LLM's card has a target from wherever its call has it.
    assert set(get_args(Source)) - {"conversation"} <= set(HOW_WORDS)
    assert name_how("llm") == "by the LLM"
