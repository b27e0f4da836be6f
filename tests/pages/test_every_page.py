"""Every page opens for somebody with tasks, and for somebody who has nothing yet."""

from __future__ import annotations

import pytest

from db.connection import Database
from db.users import create_user
from tests.pages.opening import PAGES, open_at

NAMES = sorted(path.stem for path in PAGES.glob("*.py"))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_opens_for_a_demo_person_and_for_a_new_one(workbench: Database, name: str) -> None:
    with workbench.write() as session:
        nina = create_user(session, "Nina")
    for handle in ("jonas", nina.handle):
        page = open_at(name, {"user": handle}, seconds=120)
        assert not page.error
