"""The parts of a data set: language, kind, source, length, first message or follow-up, with a date, severity, tags."""

from __future__ import annotations

from pathlib import PurePosixPath

from domains.loading import load_domain
from engine.dates import find_dates
from engine.domain import Catalogue
from evals.case import Case, Turn

SLICE_WORDS = {
    "language": "Language",
    "kind": "Kind",
    "source": "Source",
    "length": "Length",
    "place": "First or follow-up",
    "date": "With a date",
    "severity": "Severity",
    "tag": "Tag",
}
"""How people call each, in the order in which they are shown."""
_LENGTHS = ((3, "1 to 3 words"), (8, "4 to 8 words"), (15, "9 to 15 words"))
_LONGER = "16 words and more"
VALUE_LIMIT = 80


def slices_of(case: Case, source: str) -> dict[str, tuple[str, ...]]:
    turn = case.turns[-1]
    follows = bool(len(case.turns) > 1 or case.history or case.pending)
    found = {
        "language": (case.language,),
        "kind": (kind_of(case),),
        "source": (source,),
        "length": (length_of(turn.text),),
        "place": ("follow-up" if follows else "first",),
        "date": ("with a date" if _has_date(case) else "without a date",),
        "severity": (case.severity,),
        "tag": case.tags,
    }
    return {name: tuple(value[:VALUE_LIMIT] for value in values) for name, values in found.items() if values}


def kind_of(case: Case) -> str:
    """Of our own cases the file: add, dialogue, hostile. Of others the intent that is expected."""
    place = PurePosixPath(case.source.rpartition(":")[0])
    return place.stem if place.suffix == ".yaml" else case.turns[-1].intent[0]


def length_of(text: str) -> str:
    words = len(text.split())
    return next((name for most, name in _LENGTHS if words <= most), _LONGER)


def _has_date(case: Case) -> bool:
    """As the label says; where it says nothing, as the words do."""
    domain = load_domain(case.domain)
    if any(_expects_date(turn, domain.catalogue) for turn in case.turns):
        return True
    words = domain.policies[case.language].date_words
    return bool(find_dates(case.turns[-1].text[:1_000], case.now, words))


def _expects_date(turn: Turn, catalogue: Catalogue) -> bool:
    named = {*turn.parameters, *(name for call in turn.calls for name in call.parameters)}
    dated = {name for tool in catalogue.tools for name, kind in tool.reads.items() if kind in ("date", "day_filter")}
    return bool(named & dated)
