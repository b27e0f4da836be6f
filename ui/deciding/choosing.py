"""The deciders that a page has chosen, and the models and policies that this browser session has added to them.

What was added on one page can be chosen on the others, too; which of them are chosen is each page's own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from yaml import YAMLError

from domains.loading import TASKS, load_domain, read_policy
from engine.policy.loading import PolicyError
from evals.evaluate.specs import DeciderSpec
from llm.endpoint import Endpoint
from ui import connection_form as form
from ui.domain_choice import DOMAIN_KEY
from ui.lanes import known_endpoints, label_of
from ui.state.fields import is_drawn, put_value, read_text, read_value
from ui.state.notices import put_notice
from ui.state.values import Notice

_ADDED = "added_deciders"
_MOST_ADDED = 12
_PREFIX = "added:"
_USUAL = ("engine", "baseline")


@dataclass(frozen=True, slots=True)
class AddedDecider:
    """For this browser session only. A key stays inside its endpoint, which never prints it."""

    spec: DeciderSpec
    endpoint: Endpoint | None = None
    domain: str = ""
    """Of a policy or thresholds: what they are for. A model can be asked about anything."""


def read_domain() -> str:
    """What the messages are about."""
    return str(read_value(DOMAIN_KEY) or TASKS)


def takes_policies() -> bool:
    return load_domain(read_domain()).conduct is None


def read_added() -> list[AddedDecider]:
    return read_value(_ADDED) or []


def find_added(name: str) -> AddedDecider:
    return read_added()[int(name.removeprefix(_PREFIX))]


def is_added(name: str) -> bool:
    return name.startswith(_PREFIX)


def find_endpoint(spec: DeciderSpec) -> Endpoint | None:
    """Of what is connected in this session, the model that a decider was made with; so a run can go on in it, too."""
    connected = [*known_endpoints(), *(added.endpoint for added in read_added() if added.endpoint)]
    usable = (each for each in connected if each.kind != "off")
    return next((each for each in usable if spec.endpoint in ("", each.name) and spec.model in ("", each.model)), None)


@dataclass(frozen=True)
class DeciderChoice:
    page: str
    """Its fields have keys that begin with this."""
    read_own: Callable[[], dict[str, DeciderSpec]]
    """What the page offers in this domain, besides what was added."""

    @property
    def key(self) -> str:
        return f"{self.page}_deciders"

    @property
    def place(self) -> str:
        """Where it is told what came of a click."""
        return f"{self.page}_deciders"

    @property
    def _kept(self) -> str:
        """A plain key: the widget's own value is dropped while another page is open."""
        return f"{self.page}_deciders_chosen"

    def read_specs(self) -> dict[str, DeciderSpec]:
        """What can be chosen in this domain. A policy that was added is of the domain that it was added in."""
        added = enumerate(read_added())
        return self.read_own() | {
            f"{_PREFIX}{place}": each.spec for place, each in added if each.domain in ("", read_domain())
        }

    def start(self) -> None:
        """The deciders chosen last, or the engine beside what there is to hold against it."""
        options = self.read_specs()
        kept = [each for each in self.read_names() if each in options]
        # Another domain may lack one that was chosen: the widget takes no value that is not among its options.
        if not is_drawn(self.key) or any(each not in options for each in read_value(self.key) or ()):
            put_value(self.key, kept or [each for each in _USUAL if each in options])
        self.take()

    def take(self) -> None:
        put_value(self._kept, list(read_value(self.key) or ()))

    def read_names(self) -> list[str]:
        chosen: list[str] = read_value(self._kept) or []
        return chosen

    def read_chosen(self) -> dict[str, DeciderSpec]:
        specs = self.read_specs()
        return {name: specs[name] for name in self.read_names() if name in specs}

    def add_model(self, url_key: str, model_key: str, secret_key: str) -> None:
        draft = form.ConnectionDraft("custom", read_text(url_key), read_text(model_key), read_text(secret_key))
        try:
            endpoint = form.make_endpoint_of(draft, known_endpoints())
        except form.FormError as error:
            self._tell(str(error), failed=True)
            return
        put_value(secret_key, "")  # it is in the endpoint now; the field need not hold it any longer
        spec = DeciderSpec("llm", f"LLM · {label_of(endpoint)}", endpoint=endpoint.name, model=endpoint.model)
        self.add(AddedDecider(spec, endpoint))

    def add_policy(self, name: str, content: bytes) -> None:
        """A policy with a mistake is refused, with the line of it, and nothing is added."""
        try:
            text = content.decode("utf-8-sig")
            policy = read_policy(text, name, read_domain())
        except UnicodeDecodeError:
            self._tell(f"{name} is no text in UTF-8.", failed=True)
        except PolicyError as error:
            self._tell(f"The policy cannot be used: {error}.", failed=True)
        except (YAMLError, OSError, ValueError, TypeError, AttributeError, KeyError, RecursionError):
            # Not a policy with a mistake but something else altogether: a list of numbers, a picture renamed.
            self._tell(f"{name} does not have the form of a policy.", failed=True)
        else:
            spec = DeciderSpec("engine", f"Policy {name} ({policy.language})", policy=text)
            self.add(AddedDecider(spec, domain=read_domain()))

    def add(self, added: AddedDecider, *, quietly: bool = False) -> None:
        """It takes part from now on, and is chosen for the next run."""
        known, labels = read_added(), {each.label: name for name, each in self.read_specs().items()}
        label, count = added.spec.label, 2
        if quietly and label in labels:  # the very same thresholds, taken twice
            self._choose(labels[label])
            return
        if len(known) >= _MOST_ADDED:
            self._tell(f"At most {_MOST_ADDED} can be added in a session.", failed=True)
            return
        while label in labels:
            label, count = f"{added.spec.label} {count}", count + 1
        put_value(_ADDED, [*known, replace(added, spec=replace(added.spec, label=label))])
        self._choose(f"{_PREFIX}{len(known)}")
        if not quietly:
            self._tell(f"{label} takes part.")

    def _choose(self, name: str) -> None:
        chosen = [*dict.fromkeys([*self.read_names(), name])]
        put_value(self._kept, chosen)
        put_value(self.key, chosen)

    def _tell(self, text: str, *, failed: bool = False) -> None:
        put_notice(Notice("error" if failed else "success", text, self.place))
