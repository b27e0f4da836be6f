"""The steps of a move's ledger are told in words, none by the name that the weights have for it."""

from __future__ import annotations

import pytest

from domains.loading import load_policy
from ui.rules.talk_words import describe_thing
from ui.rules.words import describe_rule, short_rule


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("store:named", "a task is called that"),
        ("talk:after add", "follows something added"),
        ("talk:follows change", "follows change"),
        ("talk:after finish & shape:short", "follows something done and a short message"),
        ("cue:ask_date", "a word for “ask date”"),
        ("begins:undo", "begins with a word for “undo”"),
        ("words:read", "the words alone: showing"),
        ("frame:weak remove", "hints at deleting"),
        ("frame:strong add", "asks for adding"),
        ("store:2 words more", "2 words besides the name"),
        ("word:<begins> and", "begins with “and”"),
        ("word:paid <ends>", "ends with “paid”"),
        ("word:the <task>", "“the”, then a task's name"),
        ("word:is paid", "“is paid”"),
        ("shape:begins pronoun", "begins with a pronoun"),
    ],
)
def test_a_thing_is_told_in_words(name: str, told: str) -> None:
    assert describe_rule(name) == short_rule(name) == told


def test_what_is_no_thing_of_a_move_is_left_to_others() -> None:
    assert describe_thing("frame:complete.mark") is None
    assert describe_thing("word:milk") is None


def test_no_crossing_of_two_things_shows_a_bare_name() -> None:
    crossed = [name for name in load_policy("en").talk.weights if " & " in name]
    assert len(crossed) > 100
    bare = [name for name in crossed if ":" in str(describe_thing(name)) and "alone:" not in str(describe_thing(name))]
    assert bare == []
