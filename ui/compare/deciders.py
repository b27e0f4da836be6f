"""Who takes part in a comparison: the session's own deciders, and models and policies added for it."""

from __future__ import annotations

from dataclasses import dataclass

from yaml import YAMLError

from domains.deciders import make_engine
from domains.loading import TASKS, load_domain, read_policy
from domains.tasks.baseline.decider import BaselineDecider
from engine.policy.loading import Policy, PolicyError
from evals.asking import AT_ONCE, Entrant
from llm.decider import LLMDecider
from llm.endpoint import Endpoint
from ui import connection_form as form
from ui.lanes import current_composer, current_endpoint, domain_engine, domain_llm, known_endpoints, label_of
from ui.state.fields import is_drawn, put_value, read_text, read_value
from ui.state.notices import put_notice
from ui.state.values import Notice

CHOICE_KEY, DOMAIN_KEY = "compare_choice", "domain"
_CHOSEN, _ADDED = "compare_chosen", "compare_added"
"""Plain keys: the widget's own value is dropped while another page is open."""
PLACE = "compare_deciders"
_MOST_ADDED = 12


@dataclass(frozen=True, slots=True)
class Added:
    """A model or a policy, for this browser session only. A key stays inside its endpoint, which never prints it."""

    label: str
    endpoint: Endpoint | None = None
    policy: Policy | None = None
    domain: str = ""
    """Of a policy: what it is for. A model can be asked about anything."""


def read_domain() -> str:
    """What the messages are about."""
    return str(read_value(DOMAIN_KEY) or TASKS)


def read_options() -> dict[str, str]:
    """What can be chosen in this domain, with its label. The baseline counts the keywords of tasks; a policy that was
    added is of the domain it was added in."""
    options = {"engine": "Engine", **({"baseline": "Baseline"} if read_domain() == TASKS else {})}
    if current_endpoint().kind != "off":
        options["llm"] = f"LLM · {label_of(current_endpoint())}"
    added = enumerate(_read_added())
    return options | {f"added:{place}": each.label for place, each in added if each.domain in ("", read_domain())}


def takes_policies() -> bool:
    return load_domain(read_domain()).conduct is None


def start_choice() -> None:
    """The deciders chosen last, or the engine beside what there is to hold against it."""
    options = read_options()
    kept = [each for each in read_value(_CHOSEN) or () if each in options]
    # Another domain may lack one that was chosen: the widget takes no value that is not among its options.
    if not is_drawn(CHOICE_KEY) or any(each not in options for each in read_value(CHOICE_KEY) or ()):
        put_value(CHOICE_KEY, kept or [each for each in ("engine", "baseline") if each in options])
    take_choice()


def take_choice() -> None:
    put_value(_CHOSEN, [each for each in read_value(CHOICE_KEY) or () if each in read_options()])


def read_choice() -> list[str]:
    chosen: list[str] = read_value(_CHOSEN) or []
    return chosen


def make_entrants() -> list[Entrant]:
    labels = read_options()
    return [_make(name, labels[name]) for name in read_choice()]


def _make(name: str, label: str) -> Entrant:
    domain = load_domain(read_domain())
    if name == "engine":
        return Entrant(label, domain_engine(domain))
    if name == "baseline":
        return Entrant(label, BaselineDecider())
    if name == "llm":
        # The embedded model has one processor to share: side by side its answers would only run out of time.
        embedded = current_endpoint().kind == "embedded"
        return Entrant(label, domain_llm(domain), 1 if embedded else AT_ONCE)
    added = _read_added()[int(name.partition(":")[2])]
    if added.policy:
        return Entrant(label, make_engine(added.policy, domain=domain.name))
    engine = domain_engine(domain)
    return Entrant(label, LLMDecider(added.endpoint, composer=current_composer(), domain=domain, engine=engine))


def add_model(url_key: str, model_key: str, secret_key: str) -> None:
    draft = form.ConnectionDraft("custom", read_text(url_key), read_text(model_key), read_text(secret_key))
    try:
        endpoint = form.make_endpoint_of(draft, known_endpoints())
    except form.FormError as error:
        _tell(str(error), failed=True)
        return
    put_value(secret_key, "")  # it is in the endpoint now; the field need not hold it any longer
    _add(Added(label_of(endpoint), endpoint=endpoint))


def add_policy(name: str, content: bytes) -> None:
    """A policy with a mistake is refused, with the line of it, and nothing is added."""
    try:
        policy = read_policy(content.decode("utf-8-sig"), name, read_domain())
    except UnicodeDecodeError:
        _tell(f"{name} is no text in UTF-8.", failed=True)
    except PolicyError as error:
        _tell(f"The policy cannot be used: {error}.", failed=True)
    except (YAMLError, OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        # Not a policy with a mistake but something else altogether: a list of numbers, a picture renamed.
        _tell(f"{name} does not have the form of a policy.", failed=True)
    else:
        _add(Added(f"Policy {name} ({policy.language})", policy=policy, domain=read_domain()))


def _add(added: Added) -> None:
    known = _read_added()
    if len(known) >= _MOST_ADDED:
        _tell(f"At most {_MOST_ADDED} can be added in a session.", failed=True)
        return
    labels = read_options().values()
    label, count = added.label, 2
    while label in labels:
        label, count = f"{added.label} {count}", count + 1
    put_value(_ADDED, [*known, Added(label, added.endpoint, added.policy, added.domain)])
    chosen = [*read_choice(), f"added:{len(known)}"]
    put_value(_CHOSEN, chosen)
    put_value(CHOICE_KEY, chosen)
    _tell(f"{label} takes part.")


def _read_added() -> list[Added]:
    return read_value(_ADDED) or []


def _tell(text: str, *, failed: bool = False) -> None:
    put_notice(Notice("error" if failed else "success", text, PLACE))
