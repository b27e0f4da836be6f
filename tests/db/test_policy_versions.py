"""Versions of a policy: whole, named by their digest, never mixed, and the second to save sees what the first did."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from sqlalchemy import text

from db.connection import Database
from db.failures import ToolFailure
from db.policies.in_force import activate, find_active, list_times, load_in_force, roll_back
from db.policies.saving import save_draft
from db.policies.versions import (
    PolicyConflictError,
    PolicyVersion,
    compare_versions,
    find_by_digest,
    find_version,
    latest_sequence,
    list_versions,
    read_files,
)
from domains.deciders import make_engine
from domains.drafts import PolicyDraft, begin_draft, load_texts, rebase
from engine.decision import Context
from engine.editing.edits import AddPhrase, SetWeight
from engine.targets.memory_index import MemoryIndex
from tests.conftest import NOW
from tests.db.policy_saver import ENDED
from tests.rounds import rounds

ROOT = Path(__file__).parent.parent.parent
HOLLER = AddPhrase("remind_me", "holler at me")
KILLS = rounds(2, 3)
SAVED = re.compile(r"^holler \d+ (\d+)$", re.MULTILINE)
WEIGHED = re.compile(r'"word:zone":\{[^}]*"add_task":([\d.]+)')


@pytest.fixture(scope="module")
def begun() -> PolicyDraft:
    return begin_draft("tasks", "en")


def save(database: Database, draft: PolicyDraft, since: int, author: str = "Ada", **more: object) -> PolicyVersion:
    with database.write() as session:
        return save_draft(session, draft, author=author, since=since, **more)  # type: ignore[arg-type]


@pytest.mark.both_databases
def test_a_version_comes_back_whole(database: Database, begun: PolicyDraft) -> None:
    draft = begun.edit(HOLLER)
    version = save(database, draft, 0, note="as people say it here", evidence={"fixed": ["a"], "broken": []})
    with database.read() as session:
        found = find_version(session, version.id)
        assert found == version
        assert read_files(session, version) == draft.after
        assert load_texts("tasks", "en", read_files(session, version)).digest == draft.digest == version.digest
    assert (version.sequence, version.parent, version.author) == (1, begun.digest, "Ada")
    assert version.evidence == {"fixed": ["a"], "broken": []}
    assert "+holler at me" in version.diff
    assert version.edits == ({"kind": "AddPhrase", "class_name": "remind_me", "phrase": "holler at me"},)


def test_a_turn_names_the_version_that_it_was_decided_by(database: Database, begun: PolicyDraft) -> None:
    draft = begun.edit(HOLLER)
    version = save(database, draft, 0)
    decision = make_engine(draft.policy).decide("hello", Context(MemoryIndex(()), NOW, language="en"))
    with database.read() as session:
        assert find_by_digest(session, decision.policy_version) == version
        assert find_by_digest(session, f"{decision.policy_version} with act 0.8") == version
        assert find_by_digest(session, "en-00000000") is None


@pytest.mark.both_databases
def test_files_that_two_versions_share_are_kept_once(database: Database, begun: PolicyDraft) -> None:
    first = begun.edit(HOLLER)
    save(database, first, 0)
    save(database, first.edit(AddPhrase("remind_me", "ping me to")), 1)
    with database.read() as session:
        count = session.connection().execute(text("SELECT count(*) FROM policy_files")).scalar()
    assert count == len(begun.before) + 1


@pytest.mark.both_databases
def test_the_second_of_two_savers_sees_what_the_first_saved(database: Database, begun: PolicyDraft) -> None:
    with database.read() as session:
        since = latest_sequence(session, "tasks", "en")
    save(database, begun.edit(AddPhrase("remind_me", "ping me to")), since, "Ada", note="ping")
    mine = begun.edit(HOLLER)
    with pytest.raises(PolicyConflictError) as conflict:
        save(database, mine, since, "Bob")
    (theirs,) = conflict.value.saved
    assert (theirs.author, theirs.note) == ("Ada", "ping")
    assert "+ping me to" in theirs.diff
    with database.read() as session:
        assert len(list_versions(session, "tasks", "en")) == 1
        texts = read_files(session, theirs)
    both = save(database, rebase(mine, texts), theirs.sequence, "Bob")
    with database.read() as session:
        assert {"ping me to", "holler at me"} <= set(read_files(session, both)["words.txt"].splitlines())


def test_another_language_is_no_conflict(database: Database, begun: PolicyDraft) -> None:
    save(database, begun.edit(HOLLER), 0)
    italian = begin_draft("tasks", "it")
    class_name = next(iter(italian.policy.source["words"]))
    assert save(database, italian.edit(AddPhrase(class_name, "zut")), 0).sequence == 1


def test_what_breaks_a_critical_case_needs_a_reason(database: Database, begun: PolicyDraft) -> None:
    draft = begun.edit(HOLLER)
    with pytest.raises(ToolFailure, match="must not break"):
        save(database, draft, 0, evidence={"critical": ["en-delete-1"]})
    saved = save(database, draft, 0, evidence={"critical": ["en-delete-1"]}, reason="the case is wrong")
    assert saved.reason == "the case is wrong"


@pytest.mark.both_databases
def test_a_version_is_in_force_for_one_session_or_for_all_and_is_rolled_back(
    database: Database, begun: PolicyDraft
) -> None:
    first = save(database, begun.edit(HOLLER), 0, in_force=True)
    second = save(database, begun.edit(HOLLER, AddPhrase("remind_me", "ping me to")), 1)
    with database.write() as session:
        activate(session, "tasks", "en", second.id, author="Bob", scope="bobs session")
    with database.read() as session:
        assert find_active(session, "tasks", "en") == first
        assert find_active(session, "tasks", "en", "bobs session") == second
        assert find_active(session, "tasks", "en", "another session") == first
        assert find_active(session, "tasks", "it") is None
    with database.write() as session:
        activate(session, "tasks", "en", second.id, author="Bob")
        assert roll_back(session, "tasks", "en", author="Ada") == first
        assert find_active(session, "tasks", "en") == first
        assert roll_back(session, "tasks", "en", author="Ada") is None
        assert find_active(session, "tasks", "en") is None
        with pytest.raises(ToolFailure, match="nothing to roll back"):
            roll_back(session, "tasks", "en", author="Ada")


@pytest.mark.both_databases
def test_who_put_what_in_force_and_when_is_kept(database: Database, begun: PolicyDraft) -> None:
    first = save(database, begun.edit(HOLLER), 0, in_force=True)
    second = save(database, begun.edit(AddPhrase("remind_me", "ping me to")), 1, author="Bob", in_force=True)
    save(database, begun.edit(AddPhrase("remind_me", "buzz me to")), 2, in_force=True, scope="adas session")
    with database.write() as session:
        roll_back(session, "tasks", "en", author="Cleo")
        times = list_times(session, "tasks", "en")
        assert list_times(session, "tasks", "it") == ()
        assert [each.author for each in list_times(session, "tasks", "en", "adas session")] == ["Ada"]
    assert [each.version_id for each in times] == [first.id, second.id, first.id]
    assert [(each.author, each.back) for each in times] == [("Cleo", True), ("Bob", False), ("Ada", False)]
    assert [(each.ended_by, each.ended_back) for each in times] == [("", False), ("Cleo", True), ("Bob", False)]
    assert [each.until for each in times] == [None, times[0].since, times[1].since]


def test_no_version_of_another_language_is_put_in_force(database: Database, begun: PolicyDraft) -> None:
    version = save(database, begun.edit(HOLLER), 0)
    with database.write() as session, pytest.raises(ToolFailure, match="no such version"):
        activate(session, "tasks", "it", version.id, author="Ada")


def test_policies_in_force_are_loaded_once_and_decide(database: Database, begun: PolicyDraft) -> None:
    save(database, begun.edit(HOLLER), 0, in_force=True)
    first, again = (load_in_force(database, "tasks", ("en", "it")) for _ in range(2))
    assert first.policies.keys() == {"en"}
    assert first.policies["en"] is again.policies["en"]
    decided = make_engine(*first.policies.values()).decide(
        "holler at me to feed the cat", Context(MemoryIndex(()), NOW, language="en")
    )
    assert decided.action == "execute"


@pytest.mark.both_databases
def test_a_version_that_no_longer_loads_leaves_the_files_in_force_and_says_why(
    database: Database, begun: PolicyDraft
) -> None:
    version = save(database, begun.edit(HOLLER), 0, in_force=True)
    with database.write() as session:
        broken = {"content": zlib.compress(b"- ["), "kept": version.files["guards.yaml"]}
        session.connection().execute(text("UPDATE policy_files SET content = :content WHERE sha256 = :kept"), broken)
    found = load_in_force(database, "tasks", ("en",))
    assert found.policies == {}
    assert "en/guards.yaml, line 2" in found.problems["en"]


def test_two_versions_are_compared(database: Database, begun: PolicyDraft) -> None:
    first = save(database, begun.edit(HOLLER), 0)
    second = save(
        database, begun.edit(AddPhrase("remind_me", "ping me to"), SetWeight("word:zone", "add_task", 1.0)), 1
    )
    with database.read() as session:
        told = compare_versions(session, first, second)
        assert {"-holler at me", "+ping me to"} <= set(told.splitlines())
        assert "+holler at me" in compare_versions(session, None, first).splitlines()
        assert compare_versions(session, first, first) == ""


def start_savers(url: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.db.policy_saver", url]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def save_and_die(savers: subprocess.Popen[str], kill: int) -> list[str]:
    """What one of them has said; it is killed amid the saving after so many."""
    assert savers.stdin
    assert savers.stdout
    print(file=savers.stdin, flush=True)
    saver = int(savers.stdout.readline())
    told = [savers.stdout.readline() for _ in range(1 + kill)]
    os.kill(saver, signal.SIGKILL)
    return [*told, *iter(savers.stdout.readline, f"{ENDED}\n")]


def test_a_saver_that_is_killed_leaves_the_old_version_or_the_new_one(
    database_url: str, database: Database, begun: PolicyDraft
) -> None:
    """Each saver is killed as soon as it has said a number of times that it saved, amid the next saving. It counts in
    two files: in a mixture these would not agree."""
    with start_savers(database_url) as savers:
        for kill in range(KILLS):
            acknowledged = {line.strip() for line in save_and_die(savers, kill)}
            assert len(acknowledged) > kill
            with database.read() as session:
                versions = list_versions(session, "tasks", "en")
                active = find_active(session, "tasks", "en")
                assert active
                # What was acknowledged is there; at most the one that was being saved came through as well.
                assert {version.digest for version in versions} >= acknowledged
                assert [version.sequence for version in reversed(versions)] == list(range(1, len(versions) + 1))
                assert active.sequence == len(versions)
                for version in versions:
                    files = read_files(session, version)
                    (count,), (weight,) = SAVED.findall(files["words.txt"]), WEIGHED.findall(files["weights.json"])
                    assert float(weight) == int(count) / 100
                assert load_texts("tasks", "en", read_files(session, active)).digest == active.digest

    assert savers.returncode == 0
