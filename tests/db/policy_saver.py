"""Processes that save one version of a policy after the other until they are killed. Run by `test_policy_versions.py`.

One is forked for each line on standard input, so that what takes long, the imports and the policy, is loaded once.
Each tells its number first. Every version that was saved and put in force is a line on standard output, written only
after the store has said yes; `ENDED` is the last line of each.
"""

from __future__ import annotations

import itertools
import os
import sys

from db.connection import Database
from db.policies.saving import save_draft
from db.policies.versions import latest_sequence
from domains.drafts import PolicyDraft, begin_draft
from engine.editing.edits import AddPhrase, SetWeight

ENDED = "ended"


def main(url: str) -> None:
    begun = begin_draft("tasks", "en")
    for _ in sys.stdin:
        saver = os.fork()
        if not saver:
            save_without_end(url, begun)
        os.waitpid(saver, 0)
        os.write(1, f"{ENDED}\n".encode())


def save_without_end(url: str, begun: PolicyDraft) -> None:
    os.write(1, f"{os.getpid()}\n".encode())
    database = Database(url)
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
