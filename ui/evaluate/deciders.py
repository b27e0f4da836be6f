"""Who takes part in a run: the engine under any policy, the baseline, the session's model in each way of driving, and
what was added."""

from __future__ import annotations

from db.policies.versions import PolicyVersion, list_versions
from domains.loading import TASKS
from evals.evaluate.specs import DeciderKind, DeciderSpec
from llm.endpoint import Endpoint
from ui.deciding.choosing import DeciderChoice, read_added, read_domain, takes_policies
from ui.lanes import current_composer, current_endpoint, label_of
from ui.resources import load_database
from ui.state.lanes import read_thresholds

_MOST_VERSIONS = 20
_LONGEST_NOTE = 40
_OWN_THRESHOLDS = "thresholds"
_WAYS: dict[str, tuple[DeciderKind, str, bool]] = {
    "llm": ("llm", "LLM", False),
    "composed": ("llm", "LLM and composer", True),
    "router": ("router", "Both, weighed", False),
    "llm_guarded": ("llm_guarded", "LLM, guarded", False),
}
"""How the session's model takes part: the kind of decider, its name, and whether the composer completes its calls.
The two drivers complete as Settings says."""


def _read_own() -> dict[str, DeciderSpec]:
    found = {"engine": DeciderSpec("engine", "Engine")}
    if read_domain() == TASKS:
        found["baseline"] = DeciderSpec("baseline", "Baseline")
    if read_thresholds() and takes_policies():
        found[_OWN_THRESHOLDS] = DeciderSpec(
            "engine", "Engine, this session's thresholds", thresholds=dict(read_thresholds())
        )
    found |= _read_versions()
    endpoint = current_endpoint()
    if endpoint.kind != "off":
        found |= {way: _spec_of(way, endpoint) for way in _WAYS}
    return found | _read_further_ways()


CHOICE = DeciderChoice("evaluate", _read_own)


def _read_further_ways() -> dict[str, DeciderSpec]:
    """A model that was added takes part alone; composed or driving with the engine, where somebody chooses that."""
    return {
        f"{way}:{place}": _spec_of(way, added.endpoint)
        for place, added in enumerate(read_added())
        if added.endpoint
        for way in _WAYS
        if way != "llm"
    }


def _read_versions() -> dict[str, DeciderSpec]:
    """The policies that were saved last, each in the place of its language's own."""
    if not takes_policies():
        return {}
    with load_database().read() as session:
        versions = list_versions(session, read_domain())[:_MOST_VERSIONS]
    return {
        f"version:{each.id}": DeciderSpec("engine", f"Policy {_name_version(each)}", saved=(each.id,))
        for each in versions
    }


def _name_version(version: PolicyVersion) -> str:
    note = " ".join(version.note.split())[:_LONGEST_NOTE]
    return f"{version.language} {version.sequence}{f': {note}' if note else ''}"


def _spec_of(way: str, endpoint: Endpoint) -> DeciderSpec:
    kind, name, composed = _WAYS[way]
    if kind != "llm":
        composed = current_composer().enabled
    label = f"{name} · {label_of(endpoint)}"
    return DeciderSpec(kind, label, endpoint=endpoint.name, model=endpoint.model, composed=composed)


def chosen_specs() -> list[DeciderSpec]:
    return list(CHOICE.read_chosen().values())
