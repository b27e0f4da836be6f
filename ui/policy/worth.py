"""What rules, words and weights are worth on the cases that somebody chooses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from db.users import User
from engine.policy.values import Policy
from evals.case import Case
from evals.cases import find_cases, load_cases
from evals.effect.gathering import load_saved
from evals.worth import RuleWorth, weigh_rules
from evals.worth_of_words import weigh_classes, weigh_evidence
from ui.counting import count_of
from ui.policy.entries import Section
from ui.policy.work import DraftWork
from ui.resources import load_database

EVERY, SAVED = "every", "saved"
_Weigh = Callable[[Iterable[Case], Policy, str], tuple[RuleWorth, ...]]
WEIGHED: dict[Section, _Weigh] = {
    "frames": weigh_rules,
    "guards": weigh_rules,
    "ways": weigh_rules,
    "words": weigh_classes,
    "weights": weigh_evidence,
}


def list_case_groups(user: User, domain: str, language: str) -> dict[str, str]:
    """What can be chosen: all cases, those that this person saved, and each file of the project's."""
    own = sum(case.language == language for case in load_saved(load_database(), user.id, domain))
    files = Counter(_file_of(case) for case in _project_cases(domain, language))
    groups = {EVERY: f"on all of {count_of(sum(files.values()) + own, 'case')}"}
    if own:
        groups[SAVED] = f"on the {own:,} that you saved"
    return groups | {name: f"on {name.replace('_', ' ')} ({count:,})" for name, count in sorted(files.items())}


def load_group(user: User, domain: str, language: str, group: str) -> list[Case]:
    saved = [case for case in load_saved(load_database(), user.id, domain) if case.language == language]
    if group == SAVED:
        return saved
    project = _project_cases(domain, language)
    return [*project, *saved] if group == EVERY else [case for case in project if _file_of(case) == group]


def _project_cases(domain: str, language: str) -> list[Case]:
    return [case for case in load_cases(find_cases(domain), domain) if case.language == language]


def _file_of(case: Case) -> str:
    return Path(case.source.partition(":")[0]).stem


class WorthWork(DraftWork):
    """What each entry of one part of a policy is worth."""

    found: tuple[RuleWorth, ...] = ()

    def __init__(self, domain: str, policy: Policy, section: Section, load: Callable[[], list[Case]]) -> None:
        super().__init__()
        self._domain, self._policy, self._section, self._load = domain, policy, section, load

    def run(self) -> None:
        self.found = WEIGHED[self._section](self._load(), self._policy, self._domain)
