"""Who takes part in a run, as a value that can be kept: all that is needed to make the decider again, but no key."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal, get_args

from db.connection import Session
from db.policies.versions import find_version, read_files
from domains.deciders import make_decider
from domains.drafts import load_texts
from domains.loading import TASKS, load_domain, read_policy
from engine.completing.values import ComposerSettings
from engine.decider import RuleDecider
from engine.decision import Decider
from engine.domain import Domain
from engine.policy.tuning import TunedDecider
from engine.policy.values import Policy
from evals.asking import AT_ONCE, DriverDecider, Entrant
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.locating import make_endpoint
from llm.trace import LaneError

DeciderKind = Literal["engine", "baseline", "llm", "engine_first", "llm_guarded"]
DECIDER_KINDS: tuple[DeciderKind, ...] = get_args(DeciderKind)
_LLM_KINDS = ("llm", "engine_first", "llm_guarded")


class DeciderError(ValueError):
    """A decider that cannot be made, in a sentence."""


@dataclass(frozen=True, slots=True)
class DeciderSpec:
    kind: DeciderKind
    label: str = ""
    """How it is called in tables; empty: after its kind."""
    policy: str = ""
    """The text of a policy file for the engine; empty: the policies as they are."""
    saved: tuple[str, ...] = ()
    """Ids of saved policy versions (`db.policies.versions`) for the engine, one a language."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """Of the engine, where they are others than the policy's: {"act": 0.8}."""
    endpoint: str = ""
    """Of an LLM: `Endpoint.name`, which holds no key; empty: the one of the settings."""
    model: str = ""
    composed: bool = False
    """Whether the composer completes incomplete calls of the LLM."""
    version: str = ""
    """Which policies it was run under; set when a run begins."""

    @property
    def is_slow(self) -> bool:
        return self.kind in _LLM_KINDS

    @property
    def is_altered(self) -> bool:
        """Whether its engine is another one than that of the project's files."""
        return bool(self.policy or self.saved or self.thresholds)

    @property
    def name(self) -> str:
        return self.label or self.kind


FindEndpoint = Callable[[DeciderSpec], Endpoint | None]


def write_spec(spec: DeciderSpec) -> dict[str, Any]:
    return {**asdict(spec), "label": spec.name, "saved": list(spec.saved), "thresholds": dict(spec.thresholds)}


def read_spec(data: Mapping[str, Any]) -> DeciderSpec:
    known = {name: value for name, value in data.items() if name in DeciderSpec.__dataclass_fields__}
    if known.get("kind") not in DECIDER_KINDS:
        raise DeciderError(f"there is no decider of the kind {known.get('kind')!r}")
    return DeciderSpec(**{**known, "saved": tuple(known.get("saved") or ())})


def settings_endpoint(spec: DeciderSpec) -> Endpoint | None:
    """The endpoint of the settings, where it is the one that the decider was made with."""
    try:
        found = make_endpoint()
    except LaneError:
        return None
    same = spec.endpoint in ("", found.name) and spec.model in ("", found.model)
    return found if same else None


def load_saved(session: Session, spec: DeciderSpec, domain: str = TASKS) -> tuple[Policy, ...]:
    """The policies of the saved versions that a decider is to have. DeciderError where one is not there."""
    found = []
    for version_id in spec.saved:
        version = find_version(session, version_id)
        if version is None or version.domain != domain:
            raise DeciderError(f"{spec.name}: there is no such version of the policy")
        found.append(load_texts(domain, version.language, read_files(session, version)))
    return tuple(found)


def make_entrant(
    spec: DeciderSpec,
    domain_name: str = TASKS,
    find_endpoint: FindEndpoint = settings_endpoint,
    saved: Sequence[Policy] = (),
) -> Entrant:
    """Raises DeciderError (or PolicyError for a policy with a mistake) where it cannot be made. `saved`: of
    `load_saved`."""
    domain = load_domain(domain_name)
    if spec.kind == "baseline":
        return Entrant(spec.name, _make_baseline(domain_name))
    engine = _make_engine(spec, domain, saved)
    if spec.kind == "engine":
        return Entrant(spec.name, engine, driver=None if spec.is_altered else "engine")
    endpoint = find_endpoint(spec)
    if endpoint is None:
        model = f"{spec.model or 'its model'}{f' at {spec.endpoint}' if spec.endpoint else ''}"
        raise DeciderError(f"{spec.name}: {model} is not connected in this session")
    composer = ComposerSettings(enabled=spec.composed)
    llm = LLMDecider(endpoint, composer=composer, domain=domain, engine=engine)
    # The embedded model has one processor to share: side by side its answers would only run out of time.
    at_once = 1 if endpoint.kind == "embedded" else AT_ONCE
    if spec.kind == "llm":
        return Entrant(spec.name, llm, at_once, "llm")
    return Entrant(spec.name, DriverDecider(spec.kind, engine, llm, domain), at_once, spec.kind)


def with_version(spec: DeciderSpec, domain_name: str = TASKS, saved: Sequence[Policy] = ()) -> DeciderSpec:
    """The same, saying which policies it decides under now."""
    if spec.kind in ("baseline", "llm"):
        return spec
    engine = _make_engine(spec, load_domain(domain_name), saved)
    if not isinstance(engine, RuleDecider):
        return spec
    versions = [engine.policy_for(language).version for language in load_domain(domain_name).languages]
    return replace(spec, version=", ".join(versions))


def _make_engine(spec: DeciderSpec, domain: Domain, saved: Sequence[Policy]) -> Decider:
    if domain.conduct:
        if spec.is_altered:
            raise DeciderError(f"{domain.name} are read in their own way: no policy or threshold can be given")
        return make_decider(domain)
    if len(saved) != len(spec.saved):
        raise DeciderError(f"{spec.name}: a saved version of the policy needs the store that it is in")
    policies = (*saved, *((read_policy(spec.policy, spec.name, domain.name),) if spec.policy else ()))
    return TunedDecider(domain, spec.thresholds, *policies) if spec.thresholds else RuleDecider(domain, *policies)


def _make_baseline(domain: str) -> Decider:
    if domain != TASKS:
        raise DeciderError(f"the baseline knows the {TASKS} only, not the {domain}")
    from domains.tasks.baseline.decider import BaselineDecider  # late: few runs ask for it

    return BaselineDecider()
