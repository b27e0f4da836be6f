"""The two lanes as this browser session has set them up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import cast

from assistant import Lanes
from domains.loading import TASKS
from engine.completing.values import ComposerSettings
from engine.conduct import Conduct
from engine.decider import RuleDecider
from engine.decision import Decider
from engine.domain import Domain
from engine.explaining.anatomy import ReadingDecider
from engine.policy.tuning import TunedDecider, own_thresholds
from engine.policy.values import Policy
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from llm.prices import PricesError, PriceTable, cost_of, load_prices
from llm.trace import LLMTrace
from settings import load_settings, prices_path
from ui.policies import files_in_force, session_policies, shared_policies
from ui.resources import environment_endpoint
from ui.state.lanes import read_ask_llm, read_composer, read_endpoint, read_thresholds

_MOST_ENGINES = 16


Changes = tuple[tuple[str, float], ...]
_engines: dict[tuple[Domain, Changes, tuple[str, ...]], RuleDecider] = {}
_own_deciders: dict[tuple[Domain, ComposerSettings, tuple[str, ...]], ReadingDecider] = {}


def current_engine() -> RuleDecider:
    """The engine under this session's thresholds and policies. A policy file that was edited counts from the next
    message on; while it is broken, the last good one does."""
    return _engine(files_in_force().domain, _read_changes(), session_policies())


def shared_engine() -> RuleDecider:
    """The same without any session's thresholds and policies: for who asks from outside a browser."""
    return _engine(files_in_force().domain, (), shared_policies())


def engine_from_files() -> RuleDecider:
    """The same, but PolicyError or OSError where a file is broken: for whoever asks what an edit of it would do."""
    error = files_in_force().error
    if error:
        raise error
    return current_engine()


def engine_under(policy: Policy) -> RuleDecider:
    """This session's engine, with this policy for its language."""
    others = tuple(each for each in session_policies() if each.language != policy.language)
    return _engine(files_in_force().domain, _read_changes(), (*others, policy))


def _read_changes() -> Changes:
    return tuple(sorted(read_thresholds().items()))


def _engine(domain: Domain, changes: Changes, policies: tuple[Policy, ...]) -> RuleDecider:
    """Kept: an engine makes look-up tables of its policies once."""
    key = (domain, changes, tuple(policy.version for policy in policies))
    if key not in _engines:
        _engines[key] = TunedDecider(domain, dict(changes), *policies)
        for old in list(_engines)[:-_MOST_ENGINES]:
            _engines.pop(old, None)
    return _engines[key]


def current_endpoint() -> Endpoint:
    """The model that this session chose, or else the environment's."""
    return read_endpoint() or environment_endpoint()


def known_endpoints() -> tuple[Endpoint, ...]:
    """Those whose keys may be used again, each for its own address."""
    return tuple(each for each in (read_endpoint(), environment_endpoint()) if each)


def current_llm() -> LLMDecider:
    """The LLM lane. One that is off answers too: it says so."""
    return LLMDecider(read_endpoint(), composer=current_composer(), engine=current_engine())


def current_composer() -> ComposerSettings:
    """Whether and how sure incomplete calls are completed: this session's choice, or else the environment's."""
    return read_composer() or ComposerSettings(*load_settings().composition)


def is_llm_on() -> bool:
    """Whether a message should go to the LLM lane: it is wanted, and there is a model to ask."""
    return read_ask_llm() and current_endpoint().kind != "off"


def llm_label() -> str:
    """The model and where it is, in a few words, for the head of a card."""
    return label_of(current_endpoint())


def label_of(endpoint: Endpoint) -> str:
    if endpoint.kind == "off":
        return "off"
    where = {"embedded": "embedded", "openai": "OpenAI"}.get(endpoint.kind) or _host_of(endpoint)
    return f"{endpoint.model} · {where}"


def _host_of(endpoint: Endpoint) -> str:
    """Also of an address that is none: the environment may hold anything."""
    return endpoint.base_url.rpartition("://")[2].partition("/")[0]


def current_prices() -> PriceTable:
    """The prices of all sessions. A broken table knows no price and so no cost; Settings says what is wrong."""
    path = prices_path()
    try:
        state = path.stat()
        return _load_prices(path, (state.st_mtime_ns, state.st_size, state.st_ino))
    except FileNotFoundError:
        return _load_prices(path, None)
    except PricesError:
        return PriceTable()


@lru_cache(maxsize=4)
def _load_prices(path: Path, _as_of: tuple[int, int, int] | None) -> PriceTable:
    """Read anew where the file was changed: reading it took as long as deciding about a message."""
    return load_prices(path)


def current_lanes() -> Lanes:
    """Both, as a turn takes them."""
    llm = current_llm() if is_llm_on() else None
    return Lanes(current_engine(), llm, _cost_of, patient=False, wait_seconds=_wait_seconds())


def _wait_seconds() -> float:
    return load_settings().llm_wait_seconds


def _cost_of(trace: LLMTrace) -> float | None:
    return cost_of(trace, current_prices())


def domain_lanes(domain: Domain) -> Lanes:
    """The same for any domain. One with a reading of its own acts from what the composer may take by itself."""
    composer, engine = current_composer(), domain_engine(domain)
    llm = LLMDecider(read_endpoint(), composer=composer, domain=domain, engine=engine) if is_llm_on() else None
    return Lanes(engine, llm, _cost_of, patient=False, wait_seconds=_wait_seconds())


def domain_engine(domain: Domain) -> Decider:
    """A domain's own decider, or the engine under this session's thresholds."""
    return reading_engine(domain)


def reading_engine(domain: Domain, thresholds: Mapping[str, float] | None = None) -> ReadingDecider:
    """The same, as something that can be taken apart. The first domain's takes an edited policy at once. With
    `thresholds`, under these: those that were in force when a turn was decided."""
    changes = _read_changes() if thresholds is None else tuple(sorted(thresholds.items()))
    if domain.name == TASKS:
        return _engine(files_in_force().domain, changes, session_policies())
    if domain.conduct:
        composer = current_composer()
        if thresholds is not None:
            composer = replace(composer, threshold=thresholds.get("act", composer.threshold))
        return _own_decider(domain, composer, session_policies(domain.name))
    return _engine(domain, changes, session_policies(domain.name))


def current_thresholds(domain: Domain) -> Mapping[str, float]:
    """All that hold now for a domain; one with a reading of its own has only one."""
    if domain.conduct:
        return {"act": current_composer().threshold}
    return {**own_thresholds(next(iter(domain.policies.values()))), **read_thresholds()}


def _own_decider(domain: Domain, composer: ComposerSettings, policies: tuple[Policy, ...]) -> ReadingDecider:
    """Kept: what is found with it is kept by it."""
    key = (domain, composer, tuple(policy.version for policy in policies))
    if key not in _own_deciders:
        conduct: Conduct = cast("Conduct", domain.conduct)
        _own_deciders[key] = conduct.make_decider(composer, *policies)
        for old in list(_own_deciders)[:-_MOST_ENGINES]:
            _own_deciders.pop(old, None)
    return _own_deciders[key]


def domain_llm(domain: Domain) -> LLMDecider:
    """The LLM lane of a domain. One that is off answers too: it says so."""
    return LLMDecider(read_endpoint(), composer=current_composer(), domain=domain, engine=domain_engine(domain))
