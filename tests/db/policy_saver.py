"""A process that saves one version of a policy after the other until it is killed. Run by `test_policy_versions.py`.

Every version that was saved and put in force is a line on standard output, written only after the store has said yes.
"""

from __future__ import annotations

import itertools
import os
import sys

from db.connection import Database
from db.policies.saving import save_draft
from db.policies.versions import latest_sequence
from domains.drafts import begin_draft
from engine.editing.edits import AddPhrase, SetWeight


def main(url: str) -> None:
    database = Database(url)
    begun = begin_draft("tasks", "en")
    for count in itertools.count():
        # Two files change, one of them large: a mixture would be one of them without the other.
        draft = begun.edit(
            AddPhrase("remind_me", f"holler {os.getpid()} {count}"), SetWeight("word:zone", "add_task", count / 100)
        )
        with database.write() as session:
            since = latest_sequence(session, "tasks", "en")
            save_draft(session, draft, author="saver", since=since, in_force=True)
        os.write(1, f"{draft.digest}\n".encode())


if __name__ == "__main__":
    main(sys.argv[1])
