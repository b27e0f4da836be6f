"""What the controls of the Settings page do. It holds in every tab of the browser; a key only in its own."""

from __future__ import annotations

from dataclasses import replace

from domains.loading import first_policy
from engine.completing.values import ComposerSettings
from engine.policy.tuning import KNOBS, find_problem, own_thresholds
from llm.connection import check_connection
from llm.endpoint import Endpoint
from ui.connection_form import ConnectionDraft, FormError, Kind, make_endpoint_of
from ui.lanes import current_endpoint, known_endpoints, label_of
from ui.resources import environment_endpoint, warm_model
from ui.state.fields import drop_values, put_value, read_text, read_value
from ui.state.lanes import (
    keep_ask_llm,
    keep_checked,
    keep_composer,
    keep_endpoint,
    keep_thresholds,
    read_endpoint,
    read_thresholds,
)
from ui.state.notices import put_notice
from ui.state.values import CheckedEndpoint, Notice

CONNECTION, THRESHOLDS, COMPOSER = "connection", "thresholds", "composer"
COMPOSE_KEY, COMPOSE_FROM_KEY, COMPOSE_MOST_KEY = "compose_on", "compose_from", "compose_most"
KIND_KEY, URL_KEY, SECRET_KEY, SECONDS_KEY, ASK_KEY = "llm_kind", "llm_url", "llm_key", "llm_seconds", "ask_llm"


def model_key(kind: Kind) -> str:
    """Each kind keeps its own: another address has other models."""
    return f"llm_model_{kind}"


def tell(place: str, text: str, *, failed: bool = False) -> None:
    put_notice(Notice("error" if failed else "success", text, place))


def read_draft() -> ConnectionDraft:
    kind: Kind = read_value(KIND_KEY) or "embedded"
    return ConnectionDraft(
        kind,
        read_text(URL_KEY),
        read_text(model_key(kind)),
        read_text(SECRET_KEY),
        float(read_value(SECONDS_KEY) or current_endpoint().timeout_seconds),
    )


def check_draft(draft: ConnectionDraft) -> None:
    """Ask what answers there, and remember it. Nothing is saved."""
    put_notice(None)
    keep_checked(None)
    try:
        endpoint = make_endpoint_of(draft, known_endpoints(), model_needed=False)
    except FormError as error:
        tell(CONNECTION, str(error), failed=True)
        return
    found = check_connection(endpoint)
    keep_checked(CheckedEndpoint(replace(endpoint, model=found.model), found))


def is_of_draft(endpoint: Endpoint) -> bool:
    """Whether this is what stands in the fields now: what was found out about another one says nothing about it."""
    try:
        typed = make_endpoint_of(read_draft(), known_endpoints(), model_needed=False)
    except FormError:
        return False
    return replace(typed, timeout_seconds=endpoint.timeout_seconds) == endpoint


def use_connection() -> None:
    """Take what was typed for this session, and empty the key field."""
    try:
        endpoint = make_endpoint_of(read_draft(), known_endpoints())
    except FormError as error:
        tell(CONNECTION, str(error), failed=True)
        return
    keep_endpoint(endpoint)
    put_value(SECRET_KEY, "")
    warm_model(endpoint)
    tell(CONNECTION, "The LLM lane is off." if endpoint.kind == "off" else f"Now in use: {label_of(endpoint)}.")


def use_environment() -> None:
    keep_endpoint(None)
    keep_checked(None)
    drop_draft()
    warm_model(environment_endpoint())
    tell(CONNECTION, f"Back to the environment's settings: {label_of(environment_endpoint())}.")


def forget_key() -> None:
    endpoint = read_endpoint()
    if endpoint:
        keep_endpoint(replace(endpoint, key=""))
    keep_checked(None)
    put_value(SECRET_KEY, "")
    tell(CONNECTION, "The key is forgotten.")


def drop_draft() -> None:
    drop_values(KIND_KEY, URL_KEY, SECRET_KEY, SECONDS_KEY, model_key("openai"), model_key("custom"))


def fill_address(address: str) -> None:
    put_notice(None)
    put_value(URL_KEY, address)
    put_value(model_key("custom"), None)


def clear_notice() -> None:
    put_notice(None)


def switch_ask() -> None:
    put_notice(None)
    keep_ask_llm(bool(read_value(ASK_KEY)))


def threshold_key(name: str) -> str:
    return f"threshold_{name}"


def turn_threshold(name: str) -> None:
    """Take the new value if it makes sense beside the others; otherwise put the control back."""
    own = own_thresholds(first_policy())
    before = {**own, **read_thresholds()}
    wanted = {**before, name: round(float(read_value(threshold_key(name))), 2)}
    problem = find_problem(wanted)
    if problem:
        put_value(threshold_key(name), before[name])
        tell(THRESHOLDS, problem, failed=True)
        return
    put_notice(None)
    keep_thresholds({each: value for each, value in wanted.items() if value != own[each]})


def reset_thresholds() -> None:
    keep_thresholds({})
    drop_values(*(threshold_key(knob.name) for knob in KNOBS))
    tell(THRESHOLDS, "The engine follows its policies' own thresholds again.")


def turn_composer() -> None:
    put_notice(None)
    keep_composer(
        ComposerSettings(
            enabled=bool(read_value(COMPOSE_KEY)),
            threshold=round(float(read_value(COMPOSE_FROM_KEY)), 2),
            max_suggestions=int(read_value(COMPOSE_MOST_KEY)),
        )
    )


def reset_composer() -> None:
    keep_composer(None)
    drop_values(COMPOSE_KEY, COMPOSE_FROM_KEY, COMPOSE_MOST_KEY)
    tell(COMPOSER, "The composer works as the environment says again.")
