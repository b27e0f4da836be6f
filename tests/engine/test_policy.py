"""Policies are data: everything that is wrong is named with its file and line; comparable, serialisable."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from domains.deciders import load_decider, make_engine
from domains.loading import LANGUAGES, find_folder, load_domain, load_policy, read_policy
from engine.decider import RuleDecider
from engine.decision import Context
from engine.policy.loading import Policy, PolicyError, compare, load_policy_folder, serialise
from engine.targets.memory_index import MemoryIndex

NEW_FRAME = """\
frames:
  add.immortalise:
    intent: add_task
    clear: true
    patterns:
      - "immortalise {title} for the record"
"""
Edit = Callable[[str, str, str], None]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """English in one folder that stands on nothing else: what all domains say, and what the tasks add to it."""
    copy = tmp_path / "tasks" / "en"
    shutil.copytree(LANGUAGES / "en", copy)
    for own in sorted((find_folder("tasks") / "en").rglob("*.*")):
        join(own, copy / own.relative_to(find_folder("tasks") / "en"))
    for shared in (LANGUAGES / "shared.yaml", find_folder("tasks") / "shared.yaml"):
        join(shared, copy.parent / "shared.yaml")
    return copy


def join(source: Path, path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(f"{before}\n{source.read_text(encoding='utf-8')}".lstrip(), encoding="utf-8")


@pytest.fixture
def edit(folder: Path) -> Edit:
    def change(name: str, before: str, after: str) -> None:
        path = folder / name
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after, 1), encoding="utf-8")

    return change


def load(folder: Path) -> Policy:
    return load_policy_folder(folder, load_domain().catalogue)


def problems(folder: Path) -> list[str]:
    with pytest.raises(PolicyError) as caught:
        load(folder)
    return [str(problem) for problem in caught.value.problems]


def line_of(path: Path, text: str) -> int:
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, start=1) if text in line)


@pytest.mark.parametrize(
    ("name", "before", "after", "says"),
    [
        ("language.yaml", "  act: 0.7", "  act: 7", "between 0 and 1"),
        ("language.yaml", "  act: 0.7", "  acting: 0.7", "unknown threshold 'acting'"),
        ("language.yaml", "name: English", "nmae: English", "unknown section 'nmae'"),
        ("language.yaml", "{one: 1,", "{one: first,", "whole number"),
        ("language.yaml", "  day: [date_word]", "  day: [date_wrod]", "no class is called 'date_wrod'"),
        ("language.yaml", "  whats: what's", "  whats: [what's]", "must be words"),
        ("intents/add_task.yaml", "<remind_me> {title}", "<remind_you> {title}", "no class is called 'remind_you'"),
        ("intents/add_task.yaml", "<remind_me> {title}", "<remind_me {title}", "unexpected"),
        ("intents/add_task.yaml", '"<remind_me> {title}"', '"<remind_me> [ {title}"', "missing ']'"),
        ("intents/add_task.yaml", '    - "<remind_me> {title}"', '    - "{t1} {t2} {t3} {t4} {t5} {t6}"', "at most 5"),
        ("intents/add_task.yaml", '    - "<remind_me> {title}"', f'    - "{"[" * 9}a{"]" * 9}"', "nested"),
        ("intents/add_task.yaml", '    - "<remind_me> {title}"', f'    - "{"[very] " * 9} b"', "begin alike"),
        ("intents/add_task.yaml", '    - "<remind_me> {title}"', f'    - "{"a " * 2000}"', "2000 characters"),
        ("intents/add_task.yaml", "  clear: true", "  claer: true", "'claer' is not known here"),
        ("intents/add_task.yaml", "  clear: true", "  clear: yes", "true or false"),
        ("intents/update_task.yaml", "sets: {new_priority: high}", "sets: {priority: high}", "no argument 'priority'"),
        ("intents/update_task.yaml", "within: new_priority", "within: urgency", "no argument 'urgency'"),
        ("guards.yaml", "reason: hypothetical", "reason: hypocritical", "unknown reason 'hypocritical'"),
        ("guards.yaml", "frames: [complete.]", "frames: [compleat.]", "no frame begins with 'compleat.'"),
        ("replies.yaml", "{limit} characters", "{limt} characters", "has no {limt} to fill in"),
        ("replies.yaml", "called '{mention}'. Would", "called that. Would", "lacks its {mention}"),
        ("replies.yaml", "'{title}' (#{number})?", "'{title' (#{number})?", "cannot be filled in"),
        ("replies.yaml", "{title}", "{title.__class__}", "no plain placeholder"),
        ("replies.yaml", "unsure:", "unsrue:", "nobody says the reply 'unsrue'"),
        ("replies.yaml", "Mon Tue Wed", "Mon Tue", "must have 7 words"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_line(
    folder: Path, edit: Edit, name: str, before: str, after: str, says: str
) -> None:
    edit(name, before, after)
    found = problems(folder)
    line = line_of(folder / name, after.splitlines()[0].strip())
    assert any(each.startswith(f"en/{name}, line {line}: ") and says in each for each in found), found


def test_a_reply_that_is_missing_is_told_before_anybody_gets_an_empty_question(folder: Path, edit: Edit) -> None:
    edit("replies.yaml", "which_delete_task:", "witch_delete_task:")
    assert [each.partition(": ")[2] for each in problems(folder)] == [
        "the reply 'which_delete_task' is missing",
        "nobody says the reply 'witch_delete_task'",
    ]


def test_a_class_that_code_reads_may_not_be_taken_away_and_one_that_nobody_uses_is_told(
    folder: Path, edit: Edit
) -> None:
    edit("words.txt", "[splitter]", "[spliter]")
    line = line_of(folder / "words.txt", "[spliter]")
    assert problems(folder) == [
        "en/words.txt, line 1: the class 'splitter' is missing; the engine reads it",
        f"en/words.txt, line {line}: nothing uses the class 'spliter'",
    ]


@pytest.mark.parametrize(
    ("name", "before", "after", "says"),
    [
        ("words.txt", "[closer]\nplease\n", "[closer]\nplease\nthanks\nplease\n", "'please' stands twice in the class"),
        ("words.txt", "[closer]\n", "[closer]\ncheerio\n[closer]\n", "the class 'closer' stands here twice"),
        ("words.txt", "[opener]\n", "stray\n[opener]\n", "before the first [class]"),
        ("intents/list_tasks.yaml", "list.show:\n", "add.item:\n", "a frame 'add.item' stands elsewhere too"),
        ("intents/add_task.yaml", "add.remind_tail:\n", "add.remind_me:\n", "'add.remind_me' stands here twice"),
        (
            "intents/add_task.yaml",
            '    - "<remind_me> $"',
            '    - "<remind_me> $"\n    - "<remind_me> $"',
            "stands there twice",
        ),
        ("replies.yaml", "\nempty:", "\nor: or\nempty:", "'or' stands here twice"),
    ],
)
def test_what_stands_twice_is_told(folder: Path, edit: Edit, name: str, before: str, after: str, says: str) -> None:
    edit(name, before, after)
    assert any(each.startswith(f"en/{name}, line ") and says in each for each in problems(folder))


def test_a_frame_without_patterns_is_told(folder: Path) -> None:
    with (folder / "intents" / "add_task.yaml").open("a", encoding="utf-8") as file:
        file.write("\nadd.nothing:\n  clear: true\n")
    assert "patterns are missing" in problems(folder)[0]


def test_a_class_that_ways_of_talking_need_may_not_be_taken_away_where_moves_were_learned(
    folder: Path, edit: Edit
) -> None:
    edit("words.txt", "[note_write]", "[note_writ]")
    edit("words.txt", "[cue_undo]", "[cue_undid]")
    unused = f"en/words.txt, line {line_of(folder / 'words.txt', '[note_writ]')}: nothing uses the class 'note_writ'"
    assert problems(folder) == [unused]  # what nothing was learned for is read where it is there
    shutil.copy(find_folder("tasks") / "talk.json", folder.parent)
    assert problems(folder) == [
        "en/words.txt, line 1: the class 'cue_undo' is missing; the ways of talking need it",
        "en/words.txt, line 1: the class 'note_write' is missing; the ways of talking need it",
    ]


def test_a_slot_that_nothing_reads_is_told(folder: Path, edit: Edit) -> None:
    edit("intents/add_task.yaml", '"<remind_me> {title}"', '"<remind_me> {titel}"')
    line = line_of(folder / "intents/add_task.yaml", "{titel}")
    told = f"en/intents/add_task.yaml, line {line}: 'add_task' has no argument 'titel', and nothing reads that slot"
    assert problems(folder) == [told]


def test_a_file_for_an_intent_that_no_tool_has_is_told(folder: Path) -> None:
    (folder / "intents" / "add_task.yaml").rename(folder / "intents" / "add_tusk.yaml")
    found = problems(folder)
    assert found[0].startswith("en/intents/add_tusk.yaml, line ")
    assert "unknown intent 'add_tusk'" in found[0]


def test_weights_for_an_unknown_intent_are_told(folder: Path) -> None:
    path = folder / "weights.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    data["evidence"]["word:zebra"] = {"add_zebra": 1.0}
    path.write_text(json.dumps(data), encoding="utf-8")
    assert problems(folder) == ["en/weights.json, line 1: 'word:zebra' has a weight for an unknown intent 'add_zebra'"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"bias": []}, "'bias' is missing"),
        ({"calibration": [[1]]}, "pairs of numbers"),
        ({"evidence": {"word:a": {"add_task": "much"}}}, "must map intents to numbers"),
        ({"vocabulary": None}, "'vocabulary' is missing"),
    ],
)
def test_a_broken_table_of_weights_is_told(folder: Path, change: dict[str, object], says: str) -> None:
    path = folder / "weights.json"
    path.write_text(json.dumps({**json.loads(path.read_text(encoding="utf-8")), **change}), encoding="utf-8")
    assert any(says in each for each in problems(folder))


def test_date_words_that_are_missing_are_told(folder: Path) -> None:
    path = folder / "dates.json"
    data = json.loads(path.read_text(encoding="utf-8"))
    del data["weekdays"]
    path.write_text(json.dumps(data), encoding="utf-8")
    assert problems(folder) == ["en/dates.json, line 1: missing: weekdays"]


def test_amounts_are_checked_where_they_stand(folder: Path) -> None:
    path = folder.parent / "shared.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("  newest: 0.85", "  newset: 0.85"), encoding="utf-8")
    found = problems(folder)
    assert "shared.yaml, line 3: the amount 'newest' is missing" in found
    assert f"shared.yaml, line {line_of(path, 'newset')}: unknown amount 'newset'" in found


def test_everything_wrong_is_told_at_once_up_to_a_limit(folder: Path, edit: Edit) -> None:
    edit("language.yaml", "  act: 0.7", "  act: 7")
    edit("replies.yaml", "unsure:", "unsrue:")
    edit("guards.yaml", "reason: hypothetical", "reason: hypocritical")
    assert len(problems(folder)) >= 4
    many = "words:\n" + "".join(f"  class_{number}: [a]\n" for number in range(50))
    with pytest.raises(PolicyError, match="and 30 more") as caught:
        read_policy(many, "mine.yaml")
    assert len(str(caught.value).splitlines()) == 21


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[\n" * 100_000, "nested more than"),
        ("{" * 5_000, ""),
        ("- " * 5_000, "nested more than"),
        ("a: &a [x]\nb: [*a, *a]\n", "line 2: references"),
        ("x" * 3_000_000, "larger than 2 MB"),
        ("words: [", ""),
        ("- 1\n- 2\n", "mapping of sections"),
        ("\x00", ""),
        ("", "mapping of sections"),
        ("language: fr\n", "line 1: language must be one of: en, it"),
        ("language: [en]\n", "language must be one of"),
        ("words: 3\n", "'words' must be a mapping"),
        ("words: {det: a}\n", "must be a list of words"),
        ("words:\n  det: [a, 5]\n", "line 2: 5 is no word"),
        ("frames: {add.x: 1}\n", "must be a mapping"),
        ("frames: {add.x: {intent: add, patterns: [a]}}\n", "unknown intent 'add'"),
        ("frames: {add.x: {intent: add_task, patterns: [1]}}\n", "is no pattern"),
        ("guards: [1]\n", "must be a mapping"),
        ("version: en-1\n", "unknown section 'version'"),
        ("amounts: {newest: high}\n", "between 0 and 100"),
        ("replies: {empty: null}\n", "line 1: the reply 'empty' is missing"),
        ("1: 2\n", "unknown section 1"),
        ("? [a]\n: b\n", ""),
        ("thresholds: {act: true}\n", "between 0 and 1"),
    ],
)
def test_a_file_that_is_no_policy_is_refused_in_a_sentence(text: str, says: str) -> None:
    with pytest.raises(PolicyError) as caught:
        read_policy(text, "mine.yaml")
    assert says in str(caught.value)
    assert str(caught.value).startswith("mine.yaml, line ")
    assert len(str(caught.value)) < 4_000


@pytest.mark.parametrize("language", load_domain().languages)
def test_a_policy_survives_being_written_and_read(language: str) -> None:
    policy = load_policy(language)
    again = read_policy(serialise(policy))
    assert compare(policy, again) == ()
    assert (again.frames, again.words, again.language) == (policy.frames, policy.words, language)


def test_a_file_with_one_section_stands_over_the_bundled_policy() -> None:
    policy = read_policy("thresholds:\n  act: 0.8\nwords:\n  numbered: [task]\nreplies:\n  or: or else\n", "mine.yaml")
    assert policy.words["det"] == load_policy("en").words["det"]
    assert compare(load_policy("en"), policy)[0] == "thresholds.act: 0.7 -> 0.8"
    assert "words.numbered: - todo" in compare(load_policy("en"), policy)
    assert 'replies.or: "or" -> "or else"' in compare(load_policy("en"), policy)
    assert read_policy("language: it\nthresholds: {act: 0.8}\n").language == "it"


def test_null_takes_an_entry_away_and_whole_lets_nothing_show_through() -> None:
    without = read_policy("frames:\n  add.bare: null\n")
    assert {frame.id for frame in load_policy("en").frames} - {frame.id for frame in without.frames} == {"add.bare"}
    with pytest.raises(PolicyError, match="'words' is missing"):
        read_policy("whole: true\nthresholds: {act: 0.8}\n")


def test_words_like_no_and_on_stay_words() -> None:
    policy = read_policy("words:\n  det: [no, on, off, yes]\n")
    assert policy.words["det"] == ("no", "on", "off", "yes")


def test_another_word_in_a_file_is_another_version(folder: Path, edit: Edit) -> None:
    bundled = load(folder)
    assert load(folder).version == bundled.version == f"en-{bundled.digest}"
    versions = {bundled.version, read_policy("thresholds: {act: 0.8}\n").version}
    edit("words.txt", "[closer]\nplease\n", "[closer]\nplease\ncheerio\n")
    versions.add(load(folder).version)
    edit("weights.json", '"add_task":1.861', '"add_task":1.862')
    versions.add(load(folder).version)
    shared = folder.parent / "shared.yaml"
    shared.write_text(shared.read_text(encoding="utf-8") + "# a note\n", encoding="utf-8")
    versions.add(load(folder).version)
    assert len(versions) == 5


def test_a_policy_can_be_loaded_from_a_file_or_a_folder(tmp_path: Path, folder: Path, edit: Edit) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("thresholds: {act: 0.9}\n", encoding="utf-8")
    edit("language.yaml", "  act: 0.7", "  act: 0.8")
    for where, act in ((path, 0.9), (folder, 0.8)):
        decider = load_decider(policy_path=where)
        assert isinstance(decider, RuleDecider)
        assert decider.policy_for("en").thresholds.act == act


def test_there_is_no_other_decider() -> None:
    with pytest.raises(ValueError, match="there is no decider called"):
        load_decider("oracle")


def test_a_new_way_of_asking_is_a_line_and_works_without_learning_again() -> None:
    text = 'please immortalise "sharpen the skates" for the record'
    context = Context(MemoryIndex(()), datetime(2026, 3, 2, 9), language="en")  # noqa: DTZ001
    assert make_engine(load_policy("en")).decide(text, context).intent == "unknown"
    decision = make_engine(read_policy(NEW_FRAME)).decide(text, context)
    assert (decision.action, decision.calls[0].parameters["title"]) == ("execute", "sharpen the skates")
