"""A third language is one folder, a third domain another; nothing else has to know."""

from __future__ import annotations

import shutil
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from domains.files import LastGoodFiles, read_stamp
from domains.loading import DomainError, find_bases, find_folder, list_domains, load_domain, read_domain
from engine.decider import RuleDecider
from engine.decision import Context, Message
from engine.targets.memory_index import MemoryIndex
from engine.text.language import detect_language
from engine.values import Task

CONTEXT = Context(MemoryIndex(()), datetime(2026, 3, 2, 9))  # noqa: DTZ001


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A domain outside the project: the tasks under another name."""
    shutil.copytree(find_folder("tasks"), tmp_path / "chores")
    monkeypatch.setenv("DOMAINS", str(tmp_path))
    return tmp_path / "chores"


def test_the_tasks_are_a_domain_and_its_first_language_is_the_one_without_a_hint() -> None:
    domain = load_domain("tasks")
    assert "tasks" in list_domains()
    assert domain.languages[0] == "en"
    assert [policy.name for policy in domain.policies.values()] == ["English", "Italian"]
    assert all(policy.catalogue is domain.catalogue for policy in domain.policies.values())
    assert detect_language("1234", CONTEXT, domain.small_words) == "en"


def test_a_domain_elsewhere_is_named_by_the_environment(elsewhere: Path) -> None:
    assert "chores" in list_domains()
    domain = read_domain(find_folder("chores"))
    assert (domain.name, domain.label, domain.languages) == ("chores", "Chores", ("en", "it"))
    assert domain.catalogue.intents == load_domain("tasks").catalogue.intents
    assert domain.policies["it"].digest == load_domain("tasks").policies["it"].digest


def test_a_domain_that_is_not_there_is_told_with_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOMAINS", "/nowhere/at/all")
    with pytest.raises(DomainError, match=r"no domain called 'garden'; there are: .*tasks"):
        load_domain("garden")


def test_a_folder_without_tools_is_no_domain(elsewhere: Path) -> None:
    (elsewhere / "tools.py").write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(DomainError, match="@tool"):
        read_domain(elsewhere)


GERMAN = {
    "language.yaml": "name: German\nlike: en\nsmall_words: der die das und nicht ist eine heute bitte meine zeig\n",
    "words.txt": "[show]\nzeig\nzeig mir\n\n[items]\naufgaben\n",
    "intents/list_tasks.yaml": 'list.show:\n  patterns:\n    - "<show> [meine] <items>"\n',
    "replies.yaml": "doing_list_tasks: Hier sind deine Aufgaben.\n",
}


def test_a_third_language_is_one_folder_and_may_begin_with_a_few_phrases(elsewhere: Path) -> None:
    for name, text in GERMAN.items():
        path = elsewhere / "de" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    domain = read_domain(elsewhere)
    assert domain.languages == ("en", "it", "de")
    assert domain.policies["de"].version.startswith("de-")
    small = domain.small_words
    assert detect_language("das ist nicht eine Milch", CONTEXT, small) == "de"
    assert detect_language("compra il latte", CONTEXT, small) == "it"
    assert detect_language("buy the milk", CONTEXT, small) == "en"
    decision = RuleDecider(domain).decide("zeig mir meine Aufgaben", CONTEXT)
    assert (decision.action, decision.intent, decision.language) == ("execute", "list_tasks", "de")
    assert decision.message == "Hier sind deine Aufgaben."
    assert RuleDecider(domain).decide("das ist eine Milch", CONTEXT).intent == "unknown"


NEW_TOOL = """    @tool(intent="shelve_task", effect="change", target="task_identifier", reads={"shelf": "words"})
    def shelve_task(self, task_identifier: TaskIdentifier, shelf: Title) -> TaskResult:
        \"\"\"Put one task on a shelf.

        Args:
            task_identifier: The task.
            shelf: Which one.
        \"\"\"
        ...

    @tool(intent="identity_query\""""
NEW_REPLIES = """
verb_shelve_task: shelve a task
preview_shelve_task: "shelve '{title}'"
doing_shelve_task: "I shelve '{title}'."
done_shelve_task: "'{title}' is shelved."
detail_shelf: "under {value}"
which_shelve_task: "Which one?"
batch_shelve_task: "One at a time, please."
shelf_too_long: "At most {limit} characters."
"""


def test_an_intent_with_its_tool_is_read_at_once_where_others_were_learned(elsewhere: Path) -> None:
    """By its signature, its ways of asking and its replies; what it does is the fourth file."""
    tools, replies = elsewhere / "tools.py", elsewhere / "en" / "replies.yaml"
    code = tools.read_text(encoding="utf-8")
    tools.write_text(code.replace('    @tool(intent="identity_query"', NEW_TOOL), encoding="utf-8")
    replies.write_text(replies.read_text(encoding="utf-8") + NEW_REPLIES, encoding="utf-8")
    (elsewhere / "en" / "intents" / "shelve_task.yaml").write_text(
        'shelve.under:\n  clear: true\n  patterns:\n    - "archive {target} under {shelf}"\n', encoding="utf-8"
    )
    context = replace(CONTEXT, tasks=MemoryIndex((Task("a", 1, "Change the tyres"),)), language="en")
    engine = RuleDecider(read_domain(elsewhere))
    decision = engine.decide("please archive the tyres under garage", context)
    assert (decision.action, decision.intent) == ("execute", "shelve_task")
    assert decision.calls[0].parameters == {"task_identifier": "a", "shelf": "garage"}
    assert decision.confidence is not None
    assert decision.confidence >= 0.7
    others = [engine.decide(text, context).intent for text in ("the tyres are done", "delete the tyres", "what a day")]
    assert others == ["complete_task", "delete_task", "unknown"]


def test_two_languages_with_as_many_small_words_leave_it_to_what_was_said_before() -> None:
    small = load_domain("tasks").small_words
    context = Context(MemoryIndex(()), CONTEXT.now, (Message("user", "mostrami la lista"),))
    assert detect_language("Milano", context, small) == "it"
    assert detect_language("no", CONTEXT, small) == "en"


def test_the_stamp_changes_with_any_file_of_a_language(elsewhere: Path) -> None:
    before = read_stamp("chores")
    for name in ("en/words.txt", "en/intents/add_task.yaml", "it/weights.json", "shared.yaml"):
        path = elsewhere / name
        path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
        assert read_stamp("chores") != before
        before = read_stamp("chores")
    assert LastGoodFiles("chores").current().problem == ""


def test_a_file_broken_by_hand_leaves_the_last_good_one_in_force_and_says_which_line(elsewhere: Path) -> None:
    files, path = LastGoodFiles("chores"), elsewhere / "en" / "words.txt"
    good = path.read_text(encoding="utf-8")
    at_start = files.current().domain.policies["en"].digest
    path.write_text(good.replace("[remind_me]\n", "[remind_me]\nholler at me\n"), encoding="utf-8")
    edited = files.current()
    assert edited.domain.policies["en"].digest != at_start
    assert edited.problem == ""
    path.write_text("nonsense\n" + good, encoding="utf-8")
    broken = files.current()
    assert broken.domain is edited.domain  # the last good one, not the one of the start
    assert "en/words.txt, line 1: 'nonsense' stands before the first [class]" in broken.problem
    assert "holler at me" in broken.domain.policies["en"].words["remind_me"]
    path.write_text(good, encoding="utf-8")
    assert files.current().problem == ""
    assert files.current().domain.policies["en"].digest == at_start


def test_two_languages_that_are_like_each_other_do_not_go_round_in_a_circle(elsewhere: Path) -> None:
    for language, other in (("en", "it"), ("it", "en")):
        path = elsewhere / language / "language.yaml"
        path.write_text(path.read_text(encoding="utf-8") + f"like: {other}\n", encoding="utf-8")
    assert [folder.name for folder in find_bases(elsewhere / "en")][:1] == ["it"]
