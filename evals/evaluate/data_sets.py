"""A data set: labelled cases with a name, what could not be read of them, and a fingerprint.

The fingerprint is of what is said, in which situation, and what is expected of it: not of ids, tags, places in files or
the order. So two sets with the same cases are the same set, and one changed label makes another.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from pydantic import TypeAdapter

from db.evaluation.run_values import KeptCase
from domains.loading import TASKS
from evals.case import Case
from evals.evaluate.slices import slices_of

_CASE = TypeAdapter(Case)
_NOT_CONTENT = ("id", "source", "tags", "pair")
_KEY_LENGTH = 24
CASE, CONVERSATION, TURN = "case", "conversation", "turn"
"""What the body of a kept case holds: a case; or a conversation, and which turn of it this is, from 1."""


@dataclass(frozen=True)
class DataSet:
    name: str
    cases: tuple[KeptCase, ...] = ()
    problems: tuple[str, ...] = ()
    """A sentence about each line that could not be used."""
    domain: str = TASKS

    @cached_property
    def fingerprint(self) -> str:
        return fingerprint_of(each.key for each in self.cases)

    @property
    def short_fingerprint(self) -> str:
        return self.fingerprint[:12]

    @cached_property
    def counts(self) -> dict[str, dict[str, int]]:
        """Slice -> value -> how many cases, the largest first: what a set can be narrowed to."""
        found: dict[str, Counter[str]] = {}
        for case in self.cases:
            for name, values in case.slices.items():
                found.setdefault(name, Counter()).update(values)
        return {name: dict(counter.most_common()) for name, counter in found.items()}


def make_data_set(
    name: str, cases: Iterable[Case], *, source: str, problems: Sequence[str] = (), domain: str = TASKS
) -> DataSet:
    """`source`: where the cases come from, for people; one of the slices."""
    kept = [make_kept_case(position, case, source) for position, case in enumerate(cases)]
    return DataSet(name, number_doubles(kept), tuple(problems), domain)


def make_kept_case(position: int, case: Case, source: str) -> KeptCase:
    body = write_case(case)
    turn = case.turns[-1]
    return KeptCase(
        position,
        make_key(body),
        case.id,
        turn.text,
        turn.intent[0],
        case.severity,
        slices_of(case, source),
        {CASE: body},
        loaded=case,
    )


def write_case(case: Case) -> dict[str, Any]:
    """Without what is as usual: most cases have neither history nor pending question."""
    return _CASE.dump_python(case, mode="json", exclude_defaults=True)  # type: ignore[no-any-return]


def read_case(body: Mapping[str, Any]) -> Case:
    return _CASE.validate_python(body)


def case_of(kept: KeptCase) -> Case:
    """To read one takes a third of a millisecond, which ten thousand cases and several deciders add up."""
    return kept.loaded if isinstance(kept.loaded, Case) else read_case(kept.body[CASE])


def make_key(body: Mapping[str, Any]) -> str:
    content = {name: value for name, value in body.items() if name not in _NOT_CONTENT}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:_KEY_LENGTH]


def fingerprint_of(keys: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(keys)).encode()).hexdigest()


def number_doubles(cases: Iterable[KeptCase]) -> tuple[KeptCase, ...]:
    """The same case twice has two keys: each is matched with its own in another run."""
    seen: Counter[str] = Counter()
    numbered = []
    for position, case in enumerate(cases):
        seen[case.key] += 1
        key = case.key if seen[case.key] == 1 else f"{case.key}~{seen[case.key]}"
        numbered.append(replace(case, position=position, key=key))
    return tuple(numbered)


def narrow(data_set: DataSet, chosen: Mapping[str, Collection[str]], name: str = "") -> DataSet:
    """Only cases that have one of the chosen values in each of these slices: {"language": {"it"}, "tag": {"spec1"}}."""
    wanted = {slice_name: set(values) for slice_name, values in chosen.items() if values}
    fitting = [
        case
        for case in data_set.cases
        if all(values.intersection(case.slices.get(slice_name, ())) for slice_name, values in wanted.items())
    ]
    words = ", ".join(" or ".join(sorted(values)) for values in wanted.values())
    called = name or (f"{data_set.name}: {words}" if words else data_set.name)
    return DataSet(called, renumber(fitting), data_set.problems, data_set.domain)


def split_by_tag(data_set: DataSet) -> dict[str, DataSet]:
    """One set a tag; what has none is under ""."""
    tags = data_set.counts.get("tag", {})
    found = {tag: narrow(data_set, {"tag": [tag]}) for tag in tags}
    rest = [case for case in data_set.cases if not case.slices.get("tag")]
    return {**found, "": DataSet(f"{data_set.name}: without a tag", renumber(rest), (), data_set.domain)}


def join(name: str, sets: Sequence[DataSet]) -> DataSet:
    """Several sets as one; the same case in two of them is there once."""
    seen: dict[str, KeptCase] = {}
    for each in sets:
        for case in each.cases:
            seen.setdefault(case.key, case)
    problems = [problem for each in sets for problem in each.problems]
    return DataSet(name, renumber(seen.values()), tuple(problems), sets[0].domain if sets else TASKS)


def renumber(cases: Iterable[KeptCase]) -> tuple[KeptCase, ...]:
    """In this order, from 0."""
    return tuple(replace(case, position=place) for place, case in enumerate(cases))
