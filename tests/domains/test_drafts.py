"""A draft: every edit is a line in a file, what is wrong is told with its line, and nothing on disk changes."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from domains.deciders import make_engine
from domains.drafts import PolicyDraft, begin_draft, load_texts, read_texts, rebase
from domains.loading import load_policy
from engine.decision import Context, Decision
from engine.editing.archive import read_archive, write_archive
from engine.editing.edits import (
    AddGuard,
    AddPattern,
    AddPhrase,
    AddSpelling,
    AddWay,
    Edit,
    RemovePattern,
    RemovePhrase,
    SetThreshold,
    SetWeight,
    SeveralEdits,
    WriteFile,
    read_edit,
    size_of,
    tell_edit,
    write_edit,
)
from engine.editing.yaml_edits import EditError
from engine.policy.loading import PolicyError
from engine.targets.memory_index import MemoryIndex
from engine.values import Task

NOW = datetime(2026, 3, 4, 10)  # noqa: DTZ001 - a person's own clock
EDITS: tuple[Edit, ...] = (
    AddPhrase("remind_me", "holler at me"),
    AddPhrase("opener", "okie dokie"),
    RemovePhrase("opener", "please"),
    RemovePhrase("remind_me", "bug me to"),
    AddPattern("add_task", "add.item", "scribble {title} $"),
    AddPattern("add_task", "add.scribble", "scribble {title}", clear=True),
    RemovePattern("add_task", "add.forget", "note to self {title}"),
    AddWay("state.done", "^ {target} is history"),
    AddGuard("not_about_tasks", "^ complete silence", ("complete.",)),
    AddSpelling("tsk", "task"),
    SetThreshold("act", 0.8),
    SetWeight("word:zone", "add_task", 0.5),
    SetWeight("word:zorb", "add_task", 0.5),
    SeveralEdits((AddSpelling("tsks", "tasks"), AddSpelling("shw", "show"))),
)


@pytest.fixture(scope="module")
def draft() -> PolicyDraft:
    return begin_draft("tasks", "en")


def decide(draft: PolicyDraft, text: str, *titles: str) -> Decision:
    tasks = tuple(Task(str(number), number, title) for number, title in enumerate(titles, 1))
    return make_engine(draft.policy).decide(text, Context(MemoryIndex(tasks), NOW, language="en"))


def test_a_draft_without_an_edit_is_the_policy_of_the_files(draft: PolicyDraft) -> None:
    assert draft.digest == load_policy("en").digest
    assert draft.changed == ()
    assert draft.diff == ""


@pytest.mark.parametrize("edit", EDITS, ids=tell_edit)
def test_an_edit_changes_one_file_by_a_few_lines_and_loads_like_the_files_it_makes(
    draft: PolicyDraft, edit: Edit, tmp_path: Path
) -> None:
    edited = draft.edit(edit)
    assert len(edited.changed) == 1
    added = [line for line in edited.diff.splitlines() if line[:1] in "+-" and line[:3] not in ("+++", "---")]
    copied = isinstance(edit, AddPhrase | RemovePhrase) and edit.class_name == "opener"  # a class of the language's own
    assert 1 <= len(added) <= (200 if copied else 6)
    again = load_texts("tasks", "en", edited.after)
    assert again.digest == edited.digest != draft.digest
    assert again.source == edited.policy.source
    assert again.weights.evidence == edited.policy.weights.evidence
    # What was on the other lines is there still, comments included.
    gone = [line for line in added if line.startswith("-")]
    assert len(gone) <= (
        2 if isinstance(edit, SetWeight) else 1 if isinstance(edit, RemovePhrase | RemovePattern) else 0
    )


@pytest.mark.parametrize("edit", [*EDITS, WriteFile("words.txt", "x")], ids=tell_edit)
def test_an_edit_is_kept_as_json(edit: Edit) -> None:
    assert read_edit(write_edit(edit)) == edit
    assert size_of(edit) > 0


def test_no_edit_touches_the_disk(draft: PolicyDraft) -> None:
    before = read_texts("tasks", "en")
    draft.edit(*EDITS)
    assert read_texts("tasks", "en") == before


def test_each_kind_of_edit_does_what_it_says(draft: PolicyDraft) -> None:
    said = "holler at me to feed the cat"
    assert decide(draft, said).action == "reply"
    assert decide(draft.edit(AddPhrase("remind_me", "holler at me")), said).calls[0].parameters == {
        "title": "feed the cat"
    }
    clear = draft.edit(AddPattern("add_task", "add.scribble", "scribble {title}", clear=True))
    assert decide(clear, "scribble feed the cat").action == "execute"
    guarded = draft.edit(AddGuard("not_about_tasks", "^ add {rest} to the soup"))
    assert decide(guarded, "add a task to the soup").action == "reply"
    spelt = draft.edit(AddSpelling("rmnd", "remind"))
    assert decide(spelt, "rmnd me to feed the cat").action == "execute"
    assert decide(draft, "the cat is history", "Feed the cat").action == "reply"
    told = draft.edit(AddWay("state.done", "^ {target} is history"))
    assert decide(told, "the cat is history", "Feed the cat").action == "execute"
    both = draft.edit(SeveralEdits((AddSpelling("rmnd", "remind"), AddPhrase("opener", "okie dokie"))))
    assert decide(both, "okie dokie rmnd me to feed the cat").action == "execute"
    assert both.changed == ("language.yaml", "words.txt")
    strict = draft.edit(SetThreshold("act", 1.0))
    assert decide(strict, "remind me to feed the cat").action == "clarify"


def test_tables_that_are_shared_give_the_same_decisions_as_those_made_anew(draft: PolicyDraft) -> None:
    edited = draft.edit(*EDITS)
    fresh = load_texts("tasks", "en", edited.after)
    for text in ("okie dokie holler at me to feed the cat", "please mark it as done", "scribble x", "show my tsk list"):
        context = Context(MemoryIndex((Task("1", 1, "Feed the cat"),)), NOW, language="en")
        assert make_engine(edited.policy).decide(text, context) == make_engine(fresh).decide(text, context)


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (AddPhrase("no_such_class", "x"), "no class is called 'no_such_class'"),
        (AddPhrase("remind_me", "remind me"), "has “remind me” already"),
        (AddPhrase("remind_me", "  "), "is no phrase"),
        (RemovePhrase("remind_me", "fly me"), "has no “fly me”"),
        (AddPattern("fly_task", "fly.x", "fly {title}"), "there is no intent 'fly_task'"),
        (AddPattern("list_tasks", "add.item", "x {title}"), "'add.item' is a way of asking for add_task"),
        (RemovePattern("add_task", "add.item", "x {title}"), "stands in no list"),
        (AddWay("state.flown", "^ {target} flew"), "there is no way of talking 'state.flown'"),
        (SeveralEdits((AddSpelling("tsk", "task"), AddPhrase("flying", "x"))), "no class is called 'flying'"),
        (SeveralEdits((SeveralEdits(()),)), "one after the other"),
        (SetWeight("word:zone", "fly_task", 1.0), "there is no intent 'fly_task'"),
        (WriteFile("../secrets.yaml", ""), "has no file '../secrets.yaml'"),
        (WriteFile("talk.json", "{}"), "has no file 'talk.json'"),
    ],
)
def test_an_edit_that_cannot_be_made_says_why(draft: PolicyDraft, edit: Edit, told: str) -> None:
    with pytest.raises(EditError) as error:
        draft.edit(edit)
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (
            AddPattern("add_task", "add.item", "<nonsense> {title}"),
            "en/intents/add_task.yaml, line 38: no class is called",
        ),
        (AddPattern("add_task", "add.item", "fly ({title}"), "en/intents/add_task.yaml, line 38: missing ')'"),
        (SetThreshold("act", 7.0), "en/language.yaml, line 16: the threshold 'act' must lie between 0 and 1"),
        (WriteFile("guards.yaml", "- reason: [\n"), "en/guards.yaml, line 2:"),
    ],
)
def test_what_is_no_policy_any_more_is_told_with_its_line(draft: PolicyDraft, edit: Edit, told: str) -> None:
    with pytest.raises(PolicyError) as error:
        draft.edit(edit)
    assert told in str(error.value)


def test_the_same_edits_go_over_another_version(draft: PolicyDraft) -> None:
    theirs = draft.edit(AddPhrase("remind_me", "ping me to"))
    both = rebase(draft.edit(AddPhrase("remind_me", "holler at me")), theirs.after)
    assert {"ping me to", "holler at me"} <= set(both.policy.words["remind_me"])
    with pytest.raises(EditError):
        rebase(theirs, theirs.after)


def test_a_version_goes_out_as_files_and_comes_back(draft: PolicyDraft) -> None:
    edited = draft.edit(AddPhrase("remind_me", "holler at me"))
    packed = write_archive("tasks", "en", edited.after, {"note": "holler"})
    domain, language, texts, about = read_archive(packed)
    assert (domain, language, about) == ("tasks", "en", {"note": "holler"})
    assert load_texts(domain, language, texts).digest == edited.digest
    assert packed == write_archive("tasks", "en", edited.after, {"note": "holler"})


@pytest.mark.parametrize("content", [b"", b"PK nonsense", b"\x00" * 100])
def test_what_is_no_export_is_refused(content: bytes) -> None:
    with pytest.raises(EditError):
        read_archive(content)


def test_an_export_cannot_reach_out_of_the_folder() -> None:
    packed = write_archive("tasks", "en", {"../../evil.yaml": "x"}, {})
    with pytest.raises(EditError, match="has no file"):
        read_archive(packed)
