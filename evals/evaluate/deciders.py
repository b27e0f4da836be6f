"""Who takes part in a run, made from its spec."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from db.connection import Session
from db.policies.versions import find_version, read_files
from domains.loading import TASKS, load_domain
from engine.completing.values import ComposerSettings
from engine.decider import RuleDecider
from engine.policy.values import Policy
from evals.asking import AT_ONCE, DriverDecider, Entrant
from evals.evaluate.engines import SavedPolicy, make_quick
from evals.evaluate.specs import DeciderError, DeciderSpec
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.locating import make_endpoint
from llm.trace import LaneError

FindEndpoint = Callable[[DeciderSpec], Endpoint | None]


def settings_endpoint(spec: DeciderSpec) -> Endpoint | None:
    """The endpoint of the settings, where it is the one that the decider was made with."""
    try:
        found = make_endpoint()
    except LaneError:
        return None
    same = spec.endpoint in ("", found.name) and spec.model in ("", found.model)
    return found if same else None


def read_saved(session: Session, spec: DeciderSpec, domain: str = TASKS) -> tuple[SavedPolicy, ...]:
    """The saved versions of policies that a decider is to have. DeciderError where one is not there."""
    found = []
    for version_id in spec.saved:
        version = find_version(session, version_id)
        if version is None or version.domain != domain:
            raise DeciderError(f"{spec.name}: there is no such version of the policy")
        found.append(SavedPolicy(version.language, read_files(session, version)))
    return tuple(found)


def make_entrant(
    spec: DeciderSpec,
    domain_name: str = TASKS,
    find_endpoint: FindEndpoint = settings_endpoint,
    saved: Sequence[Policy] = (),
) -> Entrant:
    """Raises DeciderError (or PolicyError for a policy with a mistake) where it cannot be made. `saved`: of
    `load_policies`."""
    domain = load_domain(domain_name)
    engine = make_quick(spec, domain_name, saved)
    if spec.kind == "baseline":
        return Entrant(spec.name, engine)
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
    engine = make_quick(spec, domain_name, saved)
    if not isinstance(engine, RuleDecider):
        return spec
    versions = [engine.policy_for(language).version for language in load_domain(domain_name).languages]
    return replace(spec, version=", ".join(versions))
