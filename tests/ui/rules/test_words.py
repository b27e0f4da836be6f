"""No id of a rule, no class and no code in what people read: all that a policy weighs has words."""

from __future__ import annotations

import re

import pytest

from domains.loading import load_domain, load_policy
from ui.call_words import name_argument, name_tool, show_day, show_value
from ui.inspect.editing import EditLinks, find_whereabouts
from ui.rules.words import describe_rule, short_rule

_CODES = re.compile(r"no_frame|<\w+>|\b[a-z]+_[a-z]+\b|\b[a-z]+\.[a-z]+\b|^\w+:")


@pytest.mark.parametrize("language", ["en", "it"])
def test_nothing_that_is_weighed_is_told_by_its_code(language: str) -> None:
    policy = load_policy(language)
    rules = [*policy.weights.evidence, *(name for name in policy.talk.weights if " & " not in name)]
    said = {rule: (describe_rule(rule, policy), short_rule(rule, policy)) for rule in rules}
    # What the words themselves hold may look like anything: "all'una.", "e-mail".
    bare = {rule: re.sub(r"“[^”]*”", "", " ".join(told)) for rule, told in said.items()}
    assert [rule for rule, told in bare.items() if _CODES.search(told)] == []


def test_classes_are_told_by_one_of_their_words() -> None:
    policy = load_policy("en")
    assert describe_rule("tags:<det> <wh>", policy) == "a question word after an article"
    assert describe_rule("shape:no_frame", policy) == "no known way of asking"
    named = describe_rule("store:named as complete_task", policy)
    assert named == "in the store: a task is named for “Complete a task”"


def test_calls_are_named_as_everywhere() -> None:
    assert (name_tool("add_task"), name_tool("add_task + list_tasks")) == ("Add a task", "Add a task + List tasks")
    assert (name_argument("task_identifier"), name_argument("new_due_date")) == ("task", "new due date")
    assert show_value("add_task", "due_date", "2026-11-20T17:00") == "Fri 20 Nov 2026, 17:00"
    assert show_value("add_task", "title", "turn_on_light") == "turn_on_light", "somebody's own words stay"
    assert [show_day(each) for each in ("this_week", "2026-03-02/2026-03-03")] == [
        "this week",
        "Mon 2 Mar 2026 to Tue 3 Mar 2026",
    ]


def test_several_values_and_states_are_told_as_pages_tell_them() -> None:
    assert show_value("metrics_read", "metrics", ["temperature", "fill_level"]) == "temperature, fill level"
    assert show_value("list_tasks", "filter", "pending") == "open"
    assert show_value("update_task", "new_status", "completed") == "done"
    assert show_value("add_task", "title", "pending") == "pending", "somebody's own words stay"


def test_where_a_message_begins_and_ends_is_said_as_people_would() -> None:
    policy = load_policy("en")
    assert describe_rule("pair:_ $", policy) == "ends with the user's own words"
    assert describe_rule("tags:^ <wh>", policy) == "begins with a question word"
    unsaid = describe_rule("shape:delete_task without object", policy)
    assert unsaid == "asks to delete a task, and says no more"


def test_what_to_edit_is_what_a_person_wrote_and_not_a_line_of_weights() -> None:
    policy = load_policy("en")
    found = {rule: find_whereabouts(rule, policy) for rule in ("lead:complete.mark", "threshold:act", "guard:negated")}
    assert [each.part for each in found.values() if each] == ["frames", "thresholds", "guards"]
    said = [each.words for each in found.values() if each]
    assert said[0] == "this way of asking to complete a task", "its name in the file stands in the hint"
    assert not [words for words in said if _CODES.search(words)]
    word = find_whereabouts("word:done", policy)
    assert word is not None
    assert (word.part, "done" in policy.words[word.search]) == ("words", True)
    assert word.words == "the words like “done”", "the one that was said"
    kind = find_whereabouts("tags:^ <interjection>", policy)
    assert kind is not None
    assert kind.words == "what counts as an exclamation"
    assert find_whereabouts("talk:points", load_domain("machines").policies["en"]) is None


def test_its_link_opens_policy_at_it_in_the_same_session() -> None:
    links = EditLinks(load_policy("it"), "tasks", (("user", "maya"),))
    cell = links.cell("lead:complete.mark")
    assert cell.link == "/policy?view=browse&q=complete.mark&language=it&user=maya"
    assert cell.hint == "lead:complete.mark"
    assert EditLinks(load_domain("machines").policies["en"], "machines").cell("lead:turn_on").link == ""
