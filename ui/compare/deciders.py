"""Who takes part in a comparison: the lanes as this session has them, the baseline, and what was added."""

from __future__ import annotations

from dataclasses import replace

from db.policies.in_force import find_active
from domains.loading import TASKS, load_domain
from domains.tasks.baseline.decider import BaselineDecider
from evals.asking import AT_ONCE, Entrant
from evals.evaluate.deciders import make_entrant, read_saved
from evals.evaluate.engines import load_policies
from evals.evaluate.specs import DeciderSpec
from llm.decider import LLMDecider
from ui.deciding.choosing import AddedDecider, DeciderChoice, find_added, find_endpoint, is_added, read_domain
from ui.lanes import current_composer, current_endpoint, domain_engine, domain_llm, label_of
from ui.resources import load_database
from ui.state.lanes import read_thresholds
from ui.state.policy import read_scope, read_trials


def _read_own() -> dict[str, DeciderSpec]:
    """The baseline counts the keywords of tasks."""
    found = {"engine": DeciderSpec("engine", "Engine")}
    if read_domain() == TASKS:
        found["baseline"] = DeciderSpec("baseline", "Baseline")
    endpoint = current_endpoint()
    if endpoint.kind != "off":
        found["llm"] = DeciderSpec("llm", f"LLM · {label_of(endpoint)}")
    return found


CHOICE = DeciderChoice("compare", _read_own)


def make_entrants() -> list[Entrant]:
    return [_make(name, spec) for name, spec in CHOICE.read_chosen().items()]


def write_specs() -> tuple[DeciderSpec, ...]:
    """The same as values that another process can make them from; empty where it could not: a draft is on trial."""
    if read_trials(read_domain()):
        return ()
    return tuple(_write(name, spec) for name, spec in CHOICE.read_chosen().items())


def _write(name: str, spec: DeciderSpec) -> DeciderSpec:
    if is_added(name):
        return find_added(name).spec
    if name == "baseline":
        return spec
    domain = load_domain(read_domain())
    with load_database().read() as session:
        found = [find_active(session, domain.name, language, read_scope()) for language in domain.languages]
    own = replace(spec, saved=tuple(each.id for each in found if each), thresholds=dict(read_thresholds()))
    endpoint = current_endpoint()
    if name == "llm":
        return replace(own, endpoint=endpoint.name, model=endpoint.model, composed=current_composer().enabled)
    return own


def _make(name: str, spec: DeciderSpec) -> Entrant:
    domain = load_domain(read_domain())
    if is_added(name):
        return _make_added(find_added(name))
    if name == "baseline":
        return Entrant(spec.label, BaselineDecider())
    if name == "llm":
        # The embedded model has one processor to share: side by side its answers would only run out of time.
        embedded = current_endpoint().kind == "embedded"
        return Entrant(spec.label, domain_llm(domain), 1 if embedded else AT_ONCE)
    return Entrant(spec.label, domain_engine(domain))


def _make_added(added: AddedDecider) -> Entrant:
    domain = load_domain(read_domain())
    if added.endpoint:  # it completes and speaks as this session's own model does
        engine = domain_engine(domain)
        llm = LLMDecider(added.endpoint, composer=current_composer(), domain=domain, engine=engine)
        return Entrant(added.spec.label, llm)
    with load_database().read() as session:
        saved = read_saved(session, added.spec, domain.name)
    return make_entrant(added.spec, domain.name, find_endpoint, load_policies(saved, domain.name))
