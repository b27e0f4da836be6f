"""Everything that somebody's edits are tried on, from the project and from the store."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from db.connection import Database
from db.evaluation.cases import list_cases
from db.turns.history import batches, find_history_ids
from db.turns.query import TurnQuery
from db.turns.turns import find_turns
from domains.loading import TASKS, load_domain
from evals.case import Case
from evals.cases import load_cases
from evals.effect.composed import probe_composed
from evals.effect.conversations import probe_conversations
from evals.effect.probes import Probe, probe_case, probe_cases, probe_message
from evals.saved_cases import Label, write_case_file

MOST_TURNS = 5_000
"""The latest turns of History."""


def gather_probes(
    database: Database | None = None, user_id: str = "", domain: str = TASKS, *, conversations: bool = True
) -> tuple[Probe, ...]:
    """Cases and conversations of the project; with a store, also what this person saved and said."""
    found = [*probe_project(domain, conversations=conversations)]
    if database is not None:
        found += [*probe_saved(database, user_id, domain), *probe_history(database, user_id, domain)]
    return tuple(found)


def probe_project(domain: str, *, conversations: bool = True) -> tuple[Probe, ...]:
    """What the project itself has of a domain."""
    own = probe_composed(domain) if load_domain(domain).conduct else ()
    played = probe_conversations() if conversations and domain == TASKS else ()
    return (*probe_cases(domain), *own, *played)


def probe_saved(database: Database, user_id: str, domain: str) -> tuple[Probe, ...]:
    return tuple(probe_case(case, "saved") for case in load_saved(database, user_id, domain))


def load_saved(database: Database, user_id: str, domain: str) -> tuple[Case, ...]:
    """The cases that somebody saved."""
    with database.read() as session:
        saved = list_cases(session, user_id, domain=domain)
    if not saved:
        return ()
    labels = [Label(each.text, each.context, each.expected, each.digest) for each in saved]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "saved.yaml"
        path.write_text(write_case_file(labels, domain), encoding="utf-8")
        return tuple(load_cases(path, domain))


def probe_history(database: Database, user_id: str, domain: str, most: int = MOST_TURNS) -> Iterator[Probe]:
    with database.read() as session:
        ids = find_history_ids(session, user_id, TurnQuery(domain=domain, with_words=True))[:most]
    for some in batches(ids):
        with database.read() as session:
            turns = find_turns(session, user_id, some)
        for turn in turns:
            yield probe_message(turn.id, turn.text, "history", domain, turn.context, link={"turn": turn.id})
