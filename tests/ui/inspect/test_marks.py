"""The message with its evidence: the right words are marked, and nothing that a user typed becomes HTML."""

from __future__ import annotations

import re
from datetime import datetime
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from domains.deciders import make_engine
from domains.loading import load_policy
from engine.decision import Context, Reason
from engine.explaining.anatomy import Anatomy, dissect
from engine.targets.memory_index import MemoryIndex
from engine.values import Span, Task
from ui.inspect.marks import describe_mark, find_marks, marked_message
from ui.inspect.steps import factor_label, why_lost
from ui.inspect.values import argument_rows
from ui.inspect.words import REASON_SENTENCES
from ui.rules.words import describe_rule, short_rule
from ui.turns.headline import headline
from ui.turns.marked_text import Chip, chipped_message
from ui.words import REASON_WORDS, label_intents

NOW = datetime(2026, 3, 4, 10)  # noqa: DTZ001 - a person's own clock
TASKS = (Task("a", 1, "Call the dentist"), Task("b", 2, "Send invoice to Acme"), Task("c", 3, "Send invoice to Globex"))
CONTEXT = Context(MemoryIndex(TASKS), NOW, language="en")


def taken_apart(text: str) -> Anatomy:
    return dissect(text, CONTEXT, make_engine())


def plain(html: str) -> str:
    """What a reader sees of the message: without marks, numbers and tips."""
    message = re.search(r'<div class="ti-message">(.*?)</div>', html, re.DOTALL)
    assert message
    bare = re.sub(r'<span class="ti-tip".*?</ul></span>|<span class="ti-pull">.*?</span>|<b>.*?</b>', "", message[1])
    return unescape(re.sub(r"<[^>]+>", "", bare))


def test_all_words_of_the_way_of_asking_are_marked_also_those_after_the_task() -> None:
    anatomy = taken_apart("mark the dentist as done")
    marks = find_marks(anatomy.requests[0])
    assert [anatomy.text[mark.span.start : mark.span.end] for mark in marks.words] == ["mark", "as done"]


def test_what_several_words_give_together_is_counted_and_drawn_once() -> None:
    anatomy = taken_apart("mark the dentist as done")
    (request,) = anatomy.requests
    marks = find_marks(request)
    assert marks.together[0].words == "mark … as done"
    drawn = [piece for mark in marks.words for piece in mark.pieces]
    drawn += [piece for group in marks.together for piece in group.pieces]
    assert len(drawn) == len({piece.rule for piece in drawn})
    html = marked_message(anatomy.text, request, anatomy.policy)
    assert html.count("“mark … as done”") == 1


def test_a_mark_names_rule_weight_and_policy_line() -> None:
    (request,) = taken_apart("mark the dentist as done").requests
    told, code = describe_mark(find_marks(request).words[0], request, load_policy("en"))[0]
    assert re.search(r"a way of asking to complete a task: \+\d\.\d\d Complete a task, ", told)
    assert re.search(r"frame:complete\.mark, en/intents/complete_task\.yaml line \d+", code)


def test_words_against_the_reading_are_marked_otherwise() -> None:
    (request,) = taken_apart("please tell me what the weather is like on my list of places").requests
    html = marked_message("please tell me what the weather is like on my list of places", request, load_policy("en"))
    assert "ti-for" in html
    assert "ti-against" in html


@settings(deadline=None, max_examples=60)
@given(some.text(max_size=80), some.sampled_from(["delete the dentist <b>task</b> ", "add <script>x</script> & ", ""]))
def test_the_text_stays_what_it_was_and_never_becomes_html(text: str, start: str) -> None:
    said = start + text
    anatomy = taken_apart(said)
    assert anatomy.requests or not start
    for request in anatomy.requests[:1]:
        html = marked_message(said, request, anatomy.policy)
        assert plain(html) == said
        assert "<script" not in html


def test_chips_stand_on_the_words_and_never_overlap() -> None:
    text = "call Anna <on> Friday"
    chips = [
        Chip(Span(10, 21), "due_date", "value"),
        Chip(Span(0, 9), "title", "value"),
        Chip(Span(0, 4), "x", "value"),
    ]
    html = chipped_message(text, chips)
    assert plain(html) == text
    assert html.count("ti-chip") == 2
    assert "&lt;on&gt;" in html


def test_a_date_is_shown_with_its_reading_and_the_alternatives() -> None:
    anatomy = taken_apart("remind me to call Anna next Friday")
    rows = {name.text: value for name, value, _ in argument_rows(anatomy, anatomy.requests[0], CONTEXT)}
    assert rows["due date"] == ("Fri 13 Mar 2026; or Fri 6 Mar 2026", "2026-03-13", "")


def test_losers_say_why_they_lost() -> None:
    anatomy = taken_apart("complete the invoice task")
    (reference,) = anatomy.requests[0].outcome.references
    told = [why_lost(each, reference, anatomy.policy.thresholds) for each in reference.candidates]
    assert told[0].startswith("undecided: no lead of 0.12")
    assert told[1].startswith("undecided: only 0.0")
    (reference,) = taken_apart("complete send invoice to acme").requests[0].outcome.references
    told = [why_lost(each, reference, anatomy.policy.thresholds) for each in reference.candidates]
    assert told[0] == "✓ meant"
    assert told[1].startswith("lost: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("delete the dentist task", "Would delete #1 “Call the dentist”, after a yes"),
        ("add a task to buy milk tomorrow", "Will add “buy milk” (due date Thu 5 Mar 2026)"),
        ("complete the invoice task", "Would complete a task, but has to ask first"),
        ("make task 1 high priority", "Will change #1 “Call the dentist” (priority high)"),
        ("show my tasks", "Will list tasks"),
        ("who am i", "Will say who you are"),
        ("hello", "Does nothing, only replies"),
        ("add a task to buy milk and show my tasks", "Will add “buy milk” and then list tasks"),
    ],
)
def test_the_verdict_is_a_sentence(text: str, said: str) -> None:
    assert headline(taken_apart(text).decision, CONTEXT) == said


def test_every_reason_and_every_intent_has_words() -> None:
    assert set(REASON_SENTENCES) == set(REASON_WORDS) == set(Reason)
    assert set(label_intents("tasks")) == {score.intent for score in taken_apart("hello there").decision.scores}


def test_every_kind_of_rule_has_words_of_its_own() -> None:
    rules = (
        "frame:a.b",
        "lead:a.b",
        "word:buy",
        "object:0",
        "pair:^ _",
        "tags:<det> $",
        "guard:negated",
        "shape:length 1-3",
    )
    told = [describe_rule(rule) for rule in rules]
    assert not set(told) & set(rules)
    assert describe_rule("pair:^ _") == "begins with the user's own words"
    assert short_rule("pair:_ $") == "own words, end"
    assert short_rule("a stored task is named") == "a stored task is named"


def test_the_ledger_names_the_words_that_were_misspelt() -> None:
    (request,) = taken_apart("delte the dentist task").requests
    labels = [factor_label(factor, "delte the dentist task") for factor in request.outcome.ledger]
    assert "“delte” misspelt" in labels
