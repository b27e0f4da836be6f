"""Saved cases: kept once, listed, removed, and nobody else's."""

from __future__ import annotations

import pytest

from db.connection import Database
from db.evaluation.cases import count_cases, list_cases, remove_case, save_case
from db.users import User

pytestmark = pytest.mark.both_databases

CONTEXT = {"tasks": [{"id": "a", "title": "Buy milk"}], "now": "2026-03-04T10:00:00"}
EXPECTED = {"intent": "complete_task", "task": "a"}


def test_a_case_is_kept_whole_and_the_newest_comes_first(database: Database, ada: User) -> None:
    with database.write() as session:
        save_case(session, ada.id, "got the milk", CONTEXT, EXPECTED)
        save_case(session, ada.id, "no milk today", CONTEXT, {"intent": "unknown"})
    with database.read() as session:
        newest, oldest = list_cases(session, ada.id)
        assert (oldest.text, oldest.context, oldest.expected) == ("got the milk", CONTEXT, EXPECTED)
        assert newest.text == "no milk today"
        assert list_cases(session, ada.id, limit=1) == (newest,)
        assert count_cases(session, ada.id) == 2


def test_the_same_case_is_kept_once_and_another_expectation_is_another_case(database: Database, ada: User) -> None:
    with database.write() as session:
        first, new = save_case(session, ada.id, "got the milk", CONTEXT, EXPECTED)
        assert new
        turned = dict(reversed(list(CONTEXT.items())))
        assert save_case(session, ada.id, "got the milk", turned, EXPECTED) == (first, False)
        assert save_case(session, ada.id, "got the milk", CONTEXT, {"intent": "unknown"})[1]
        assert save_case(session, ada.id, "got the milk", {**CONTEXT, "lang": "en"}, EXPECTED)[1]
        assert count_cases(session, ada.id) == 3


def test_nobody_sees_or_removes_anothers_case(database: Database, ada: User, bob: User) -> None:
    with database.write() as session:
        case, _ = save_case(session, ada.id, "got the milk", CONTEXT, EXPECTED)
        assert save_case(session, bob.id, "got the milk", CONTEXT, EXPECTED)[1]
        assert not remove_case(session, bob.id, case.id)
        assert remove_case(session, ada.id, case.id)
        assert not remove_case(session, ada.id, case.id)
        assert list_cases(session, ada.id) == ()
        assert count_cases(session, bob.id) == 1
