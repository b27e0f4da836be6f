"""The engine under the policy files as they are on disk now, also if somebody edited them since the start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import get_args

from engine.decider import RuleDecider
from engine.decision import Language
from engine.policy.loading import POLICY_FOLDER, Policy, load_policy_file
from engine.policy.tuning import tune

Stamp = tuple[tuple[str, int, int], ...]


class PolicySetDecider(RuleDecider):
    """The rule-based decider under a given policy for every language."""

    def __init__(self, policies: Mapping[Language, Policy]) -> None:
        super().__init__()
        self._policies = dict(policies)

    def policy_for(self, language: Language) -> Policy:
        return self._policies[language]


def read_stamp() -> Stamp:
    """Equal as long as no policy file, and no table that a policy uses, has changed."""
    files = sorted(path for path in POLICY_FOLDER.iterdir() if path.suffix in (".yaml", ".json"))
    return tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in files)


def load_from_files(changes: Mapping[str, float]) -> PolicySetDecider:
    """PolicyError where a file is broken: it names the line."""
    languages: tuple[Language, ...] = get_args(Language)
    policies = {language: load_policy_file(POLICY_FOLDER / f"{language}.yaml") for language in languages}
    return PolicySetDecider({language: tune(policy, changes) for language, policy in policies.items()})
