"""Where data sets come from: our own cases, and what a person saved and reviewed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from db.connection import Session
from db.evaluation.cases import SavedCase, list_cases
from domains.loading import TASKS
from evals.case import Case
from evals.cases import find_cases, load_cases, read_entry
from evals.evaluate.data_sets import DataSet, make_data_set
from evals.evaluate.own_files import read_own_file
from evals.saved_cases import Label, make_entry

OURS, SAVED, REVIEWED = "our cases", "saved cases", "reviewed turns"


def load_our_cases(domain: str = TASKS, place: Path | None = None) -> DataSet:
    """The domain's case files; without any, an empty set. About half a second for a thousand: keep it."""
    place = place or find_cases(domain)
    found = load_cases(place, domain) if place.exists() else ()
    return make_data_set("Our cases", (case for case in found if case.domain == domain), source=OURS, domain=domain)


def load_saved_cases(session: Session, user_id: str, domain: str = TASKS) -> DataSet:
    """What the person saved by hand on Inspect and History."""
    saved = [each for each in list_cases(session, user_id, domain=domain) if not each.from_review]
    return _from_saved("Saved cases", saved, SAVED, domain)


def load_reviewed_turns(session: Session, user_id: str, domain: str = TASKS) -> DataSet:
    """Turns whose verdict on History says what was right."""
    reviewed = [each for each in list_cases(session, user_id, domain=domain) if each.from_review]
    return _from_saved("Reviewed turns", reviewed, REVIEWED, domain)


def load_path(path: Path, domain: str = TASKS) -> DataSet:
    """What the command line names: a case file or folder of ours, or a file of one's own (JSON Lines, CSV)."""
    if path.is_dir() or path.suffix in (".yaml", ".yml"):
        return load_our_cases(domain, path)
    return read_own_file(path.read_bytes(), path.name, domain)


def _from_saved(name: str, saved: Iterable[SavedCase], source: str, domain: str) -> DataSet:
    cases: list[Case] = []
    problems: list[str] = []
    for each in reversed(list(saved)):  # the oldest first, so that a set grows at its end
        try:
            entry = make_entry(Label(each.text, each.context, each.expected, each.digest))
            cases.append(read_entry(entry, source, domain))
        except (ValueError, KeyError) as error:
            problems.append(f"the case {each.text[:60]!r} cannot be used: {error}")
    return make_data_set(name, cases, source=source, problems=problems, domain=domain)
