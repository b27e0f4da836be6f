"""Who takes part in a run: the engine, the baseline, the session's model in each way of driving, and what was added."""

from __future__ import annotations

from dataclasses import dataclass, replace

from yaml import YAMLError

from db.policies.versions import PolicyVersion, list_versions
from domains.loading import TASKS, load_domain, read_policy
from engine.policy.loading import PolicyError
from evals.evaluate.specs import DeciderKind, DeciderSpec
from llm.endpoint import Endpoint
from ui import connection_form as form
from ui.evaluate.data_sets import read_domain
from ui.lanes import current_composer, current_endpoint, known_endpoints, label_of
from ui.resources import load_database
from ui.state.fields import is_drawn, put_value, read_text, read_value
from ui.state.lanes import read_thresholds
from ui.state.notices import put_notice
from ui.state.values import Notice

CHOICE_KEY = "evaluate_deciders"
_CHOSEN, _ADDED = "evaluate_deciders_chosen", "evaluate_added"
PLACE = "evaluate_deciders"
_MOST_ADDED = 12
_MOST_VERSIONS = 20
_LONGEST_NOTE = 40
_ADDED_PREFIX = "added:"
_OWN_THRESHOLDS = "thresholds"
_WAYS: dict[str, tuple[DeciderKind, str, bool]] = {
    "llm": ("llm", "LLM", False),
    "composed": ("llm", "LLM and composer", True),
    "engine_first": ("engine_first", "Engine, then LLM", False),
    "llm_guarded": ("llm_guarded", "LLM, guarded", False),
}
"""How the session's model takes part: the kind of decider, its name, and whether the composer completes its calls.
The two drivers complete as Settings says."""


@dataclass(frozen=True, slots=True)
class AddedDecider:
    """For this browser session only. A key stays inside its endpoint, which never prints it."""

    spec: DeciderSpec
    endpoint: Endpoint | None = None
    domain: str = ""
    """Of a policy or thresholds: what they are for. A model can be asked about anything."""


def read_specs() -> dict[str, DeciderSpec]:
    """What can be chosen in this domain."""
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
    for place, added in enumerate(_read_added()):
        if added.domain in ("", read_domain()):
            found[f"{_ADDED_PREFIX}{place}"] = added.spec
    return found


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


def takes_policies() -> bool:
    return load_domain(read_domain()).conduct is None


def start_choice() -> None:
    """The deciders chosen last, or the engine beside what there is to hold against it."""
    options = read_specs()
    kept = [each for each in read_value(_CHOSEN) or () if each in options]
    # Another domain may lack one that was chosen: the widget takes no value that is not among its options.
    if not is_drawn(CHOICE_KEY) or any(each not in options for each in read_value(CHOICE_KEY) or ()):
        put_value(CHOICE_KEY, kept or [each for each in ("engine", "baseline") if each in options])
    take_choice()


def take_choice() -> None:
    put_value(_CHOSEN, list(read_value(CHOICE_KEY) or ()))


def chosen_specs() -> list[DeciderSpec]:
    specs = read_specs()
    return [specs[name] for name in read_value(_CHOSEN) or () if name in specs]


def find_endpoint(spec: DeciderSpec) -> Endpoint | None:
    """Of what is connected in this session, the model that a decider was made with; so a run can go on in it, too."""
    connected = [*known_endpoints(), *(added.endpoint for added in _read_added() if added.endpoint)]
    usable = (each for each in connected if each.kind != "off")
    return next((each for each in usable if spec.endpoint in ("", each.name) and spec.model in ("", each.model)), None)


def add_model(url_key: str, model_key: str, secret_key: str) -> None:
    draft = form.ConnectionDraft("custom", read_text(url_key), read_text(model_key), read_text(secret_key))
    try:
        endpoint = form.make_endpoint_of(draft, known_endpoints())
    except form.FormError as error:
        _tell(str(error), failed=True)
        return
    put_value(secret_key, "")  # it is in the endpoint now; the field need not hold it any longer
    spec = DeciderSpec("llm", f"LLM · {label_of(endpoint)}", endpoint=endpoint.name, model=endpoint.model)
    add(AddedDecider(spec, endpoint))


def add_policy(name: str, content: bytes) -> None:
    """A policy with a mistake is refused, with the line of it, and nothing is added."""
    try:
        text = content.decode("utf-8-sig")
        policy = read_policy(text, name, read_domain())
    except UnicodeDecodeError:
        _tell(f"{name} is no text in UTF-8.", failed=True)
    except PolicyError as error:
        _tell(f"The policy cannot be used: {error}.", failed=True)
    except (YAMLError, OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
        # Not a policy with a mistake but something else altogether: a list of numbers, a picture renamed.
        _tell(f"{name} does not have the form of a policy.", failed=True)
    else:
        spec = DeciderSpec("engine", f"Policy {name} ({policy.language})", policy=text)
        add(AddedDecider(spec, domain=read_domain()))


def add(added: AddedDecider, *, quietly: bool = False) -> None:
    """It takes part from now on, and is chosen for the next run."""
    known = _read_added()
    labels = {each.label: name for name, each in read_specs().items()}
    label, count = added.spec.label, 2
    if quietly and label in labels:  # the very same thresholds, taken twice
        _choose(labels[label])
        return
    if len(known) >= _MOST_ADDED:
        _tell(f"At most {_MOST_ADDED} can be added in a session.", failed=True)
        return
    while label in labels:
        label, count = f"{added.spec.label} {count}", count + 1
    put_value(_ADDED, [*known, replace(added, spec=replace(added.spec, label=label))])
    _choose(f"{_ADDED_PREFIX}{len(known)}")
    if not quietly:
        _tell(f"{label} takes part.")


def _choose(name: str) -> None:
    chosen = [*dict.fromkeys([*(read_value(_CHOSEN) or ()), name])]
    put_value(_CHOSEN, chosen)
    put_value(CHOICE_KEY, chosen)


def _read_added() -> list[AddedDecider]:
    return read_value(_ADDED) or []


def _tell(text: str, *, failed: bool = False) -> None:
    put_notice(Notice("error" if failed else "success", text, PLACE))
