"""What a run is about: the data sets chosen, joined and narrowed, and a file of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from db.users import User
from domains.loading import TASKS
from evals.cases import find_cases
from evals.evaluate.conversing import load_blind_conversations, load_our_conversations
from evals.evaluate.data_sets import DataSet, join, narrow
from evals.evaluate.own_files import read_own_file
from evals.evaluate.sources import load_our_cases, load_reviewed_turns, load_saved_cases
from ui.deciding.choosing import read_domain
from ui.resources import load_database
from ui.state.fields import is_drawn, put_value, read_value

SETS_KEY, FILE_KEY = "evaluate_sets", "evaluate_file"
NARROW_KEYS = {name: f"evaluate_{name}" for name in ("language", "kind", "tag")}
"""By which slices a set can be narrowed before it is run; all others are figures afterwards."""
_CHOSEN = "evaluate_sets_chosen"
"""A plain key: the widget's own value is dropped while another page is open."""
SETS: dict[str, str] = {
    "ours": "Our cases",
    "conversations": "Our conversations",
    "blind": "Blind conversations",
    "saved": "Saved cases",
    "reviewed": "Reviewed turns",
    "file": "A file of your own",
}

_TALKS = {"conversations": load_our_conversations, "blind": load_blind_conversations}


def read_options() -> dict[str, str]:
    """Conversations are about tasks only."""
    return {name: label for name, label in SETS.items() if name not in _TALKS or read_domain() == TASKS}


def start_choice() -> None:
    options = read_options()
    if not is_drawn(SETS_KEY) or any(each not in options for each in read_value(SETS_KEY) or ()):
        put_value(SETS_KEY, [each for each in read_value(_CHOSEN) or ("ours",) if each in options])
    take_choice()


def take_choice() -> None:
    put_value(_CHOSEN, list(read_value(SETS_KEY) or ()))


def read_choice() -> list[str]:
    return list(read_value(_CHOSEN) or ())


def read_whole(user: User) -> DataSet:
    """The sets chosen as one, before it is narrowed."""
    domain = read_domain()
    found = [_LOADERS[name](user, domain) for name in read_choice()]
    if len(found) == 1:
        return found[0]
    return join(" + ".join(each.name for each in found), found)


def read_data_set(user: User) -> DataSet:
    return narrow_by_choice(read_whole(user))


def narrow_by_choice(whole: DataSet) -> DataSet:
    chosen = {name: tuple(read_value(key) or ()) for name, key in NARROW_KEYS.items()}
    return narrow(whole, chosen) if any(chosen.values()) else whole


def narrowing_options(whole: DataSet) -> Mapping[str, Mapping[str, int]]:
    """Only what tells cases apart: one language is no choice."""
    return {
        name: whole.counts[name]
        for name in NARROW_KEYS
        if len(whole.counts.get(name, {})) > 1 or (name == "tag" and whole.counts.get(name))
    }


def _load_ours(_user: User, domain: str) -> DataSet:
    place = find_cases(domain)
    return _ours(domain, max((path.stat().st_mtime_ns for path in place.rglob("*.yaml")), default=0))


@lru_cache(maxsize=4)
def _ours(domain: str, _changed: int) -> DataSet:
    """Kept until a case file changes: it takes most of a second."""
    return load_our_cases(domain)


@lru_cache(maxsize=2)
def _conversations(name: str) -> DataSet:
    return _TALKS[name]()


def _load_saved(user: User, domain: str) -> DataSet:
    with load_database().read() as session:
        return load_saved_cases(session, user.id, domain)


def _load_reviewed(user: User, domain: str) -> DataSet:
    with load_database().read() as session:
        return load_reviewed_turns(session, user.id, domain)


def _load_file(_user: User, domain: str) -> DataSet:
    file = read_value(FILE_KEY)
    return _read_file(file.getvalue(), file.name, domain) if file else DataSet("No file yet", domain=domain)


@lru_cache(maxsize=2)
def _read_file(content: bytes, name: str, domain: str) -> DataSet:
    """Kept: the page runs again at every click, and ten thousand lines take a while to check."""
    return read_own_file(content, name, domain)


_LOADERS: dict[str, Callable[[User, str], DataSet]] = {
    "ours": _load_ours,
    "conversations": lambda _user, _domain: _conversations("conversations"),
    "blind": lambda _user, _domain: _conversations("blind"),
    "saved": _load_saved,
    "reviewed": _load_reviewed,
    "file": _load_file,
}
