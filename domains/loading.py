"""Domains from their folders: those beside this file, and those in the folders that `DOMAINS` names.

A domain is a folder with a `tools.py` (a Protocol whose methods carry `@tool(...)` facts) and one folder a language.
A further language is one more folder there; a further domain is one more folder here or elsewhere.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from engine.domain import Catalogue, Domain
from engine.policy.loading import Policy, PolicyError, load_policy_file, load_policy_folder, read_overlay
from engine.policy.origin import LANGUAGE, Place, Problem
from engine.policy.yaml_text import read_yaml
from engine.text.language import SmallWords

if TYPE_CHECKING:
    from engine.conduct import Conduct
    from engine.items import ItemStore

BUNDLED = Path(__file__).parent
LANGUAGES = BUNDLED / "languages"
"""What all domains say in a language: polite words, yes and no, places in a list, the words of dates."""
TASKS = "tasks"
_VARIABLE = "DOMAINS"
_LAST = 1_000


class DomainError(ValueError):
    """A domain that is not there, or whose folder is none."""


def list_domains() -> tuple[str, ...]:
    return tuple(_folders())


def _folders() -> dict[str, Path]:
    """By name; a bundled domain is not replaced by another of its name."""
    places = [BUNDLED, *(Path(place) for place in os.environ.get(_VARIABLE, "").split(os.pathsep) if place)]
    found: dict[str, Path] = {}
    for place in places:
        inside = sorted(place.iterdir(), key=lambda each: (each.name != TASKS, each.name)) if place.is_dir() else []
        # The variable may name a domain itself or a folder of several.
        for folder in [place, *inside]:
            if (folder / "tools.py").is_file():
                found.setdefault(folder.name, folder)
    return found


def find_folder(name: str) -> Path:
    folders = _folders()
    if name not in folders:
        raise DomainError(f"there is no domain called {name!r}; there are: {', '.join(folders)}")
    return folders[name]


@cache
def load_domain(name: str | None = None) -> Domain:
    """A domain by its name; without one, tasks. Each of its languages is read when it is first asked for."""
    # Tasks with and without their name are two keys of the cache, but one domain, read once.
    return load_domain(TASKS) if name is None else read_domain(find_folder(name))


def read_domain(folder: Path) -> Domain:
    """The domain of a folder, as its files are now."""
    tools = _load_tools(folder)
    catalogue = _find_catalogue(tools, folder)
    heads = _read_heads(folder)
    return Domain(
        name=folder.name,
        catalogue=catalogue,
        policies=_Policies(folder, catalogue, tuple(heads)),
        label=str(getattr(tools, "LABEL", folder.name.capitalize())),
        small_words=heads,
        conduct=_find_conduct(folder),
        implement=_find_implementation(folder),
        examples=_read_examples(folder),
        sayings=tuple(getattr(tools, "SAYINGS", ())),
    )


def load_policy(language: str, domain: str = TASKS) -> Policy:
    """The bundled policy of a language."""
    return load_domain(domain).policies[language]


def first_policy(domain: str = TASKS) -> Policy:
    """That of a domain's first language."""
    policies = load_domain(domain).policies
    return policies[next(iter(policies))]


def read_policy(text: str, name: str = "policy", domain: str = TASKS) -> Policy:
    """A policy from one file's text, over the bundled one of its language."""
    return read_overlay(text, name, load_domain(domain).policies)


def read_policy_path(path: Path, domain: str = TASKS) -> Policy:
    """What `--policy` names: a language folder or one file."""
    return load_policy_file(path, load_domain(domain).policies)


@cache
def numbered_nouns(domain: str = TASKS) -> tuple[str, ...]:
    """What people say before a number, in any language: "task 12", "promemoria 12". A tool call has no language."""
    policies = load_domain(domain).policies.values()
    return tuple(dict.fromkeys(noun for policy in policies for noun in policy.words.get("numbered", ())))


class _Policies(Mapping[str, Policy]):
    """The policies of a domain, each loaded when it is first asked for: most runs need one language."""

    def __init__(self, folder: Path, catalogue: Catalogue, languages: tuple[str, ...]) -> None:
        self._folder, self._catalogue, self._languages = folder, catalogue, languages
        self._loaded: dict[str, Policy] = {}

    def __getitem__(self, language: str) -> Policy:
        if language not in self._loaded:
            if language not in self._languages:
                raise KeyError(language)
            folder = self._folder / language
            self._loaded[language] = load_policy_folder(folder, self._catalogue, find_bases(folder))
        return self._loaded[language]

    def __iter__(self) -> Iterator[str]:
        return iter(self._languages)

    def __len__(self) -> int:
        return len(self._languages)


def _read_heads(folder: Path) -> dict[str, SmallWords]:
    """The languages in their order, with the small words by which they are told apart."""
    found: list[tuple[int, str, SmallWords]] = []
    for path in sorted(folder.glob(f"*/{LANGUAGE}")):
        data, faults = read_yaml(path.read_text(encoding="utf-8-sig"))
        name = path.parent.name
        if faults:
            raise PolicyError(tuple(Problem(Place(f"{name}/{LANGUAGE}", line), text) for line, text in faults))
        head = {**_read_base_head(name), **(data if isinstance(data, dict) else {})}
        order = head.get("order", _LAST)
        small = SmallWords(
            frozenset(str(head.get("small_words", "")).split()), frozenset(str(head.get("small_letters", "")))
        )
        found.append((order if isinstance(order, int) else _LAST, name, small))
    return {name: small for _, name, small in sorted(found, key=lambda each: each[:2])}


def find_bases(folder: Path, above: tuple[str, ...] = ()) -> tuple[Path, ...]:
    """What a language folder stands on: what all domains say in its language; or, where it says `like: en`, all that
    its domain says in that one, so that a new language can begin with a few phrases."""
    data, _ = read_yaml((folder / LANGUAGE).read_text(encoding="utf-8-sig"))
    like = data.get("like") if isinstance(data, dict) else None
    above = (*above, folder.name)
    # Two languages that are like each other would go round in a circle.
    if isinstance(like, str) and like not in above and (folder.parent / like).is_dir():
        return folder.parent / like, *find_bases(folder.parent / like, above)
    base = LANGUAGES / folder.name
    return (base,) if base.is_dir() else ()


def _read_base_head(language: str) -> dict[str, object]:
    path = LANGUAGES / language / LANGUAGE
    data, _ = read_yaml(path.read_text(encoding="utf-8-sig")) if path.is_file() else (None, [])
    return data if isinstance(data, dict) else {}


def _find_conduct(folder: Path) -> Conduct | None:
    """`CONDUCT` of its conduct.py, for a reading of its own."""
    return _load_module(folder, "conduct").CONDUCT if (folder / "conduct.py").is_file() else None


def _find_implementation(folder: Path) -> Callable[[ItemStore], object] | None:
    """`bind(items)` of its implementation.py."""
    if not (folder / "implementation.py").is_file():
        return None
    bind = getattr(_load_module(folder, "implementation"), "bind", None)
    if not callable(bind):
        raise DomainError(f"{folder.name}/implementation.py needs a function bind(items) that returns the tools")
    return bind  # type: ignore[no-any-return]


def _read_examples(folder: Path) -> tuple[Mapping[str, object], ...]:
    path = folder / "examples.json"
    if not path.is_file():
        return ()
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return tuple({**each, "title": str(each["title"])} for each in found)
    except (ValueError, TypeError, KeyError):
        raise DomainError(f"{folder.name}/examples.json must be a list of objects with a title") from None


def _load_tools(folder: Path) -> ModuleType:
    return _load_module(folder, "tools")


def _load_module(folder: Path, part: str) -> ModuleType:
    """A file of the domain. Outside the project its files can import each other as `domain_<folder>_<file>`."""
    if folder.parent == BUNDLED:
        return importlib.import_module(f"{__package__}.{folder.name}.{part}")
    name = f"domain_{folder.name}_{part}"
    spec = importlib.util.spec_from_file_location(name, folder / f"{part}.py")
    if spec is None or spec.loader is None:
        raise DomainError(f"{folder.name}/{part}.py cannot be read")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _find_catalogue(tools: ModuleType, folder: Path) -> Catalogue:
    catalogue = getattr(tools, "CATALOGUE", None)
    if not isinstance(catalogue, Catalogue) or not catalogue.tools:
        raise DomainError(f"{folder.name}/tools.py needs CATALOGUE = read_catalogue(a Protocol with @tool methods)")
    return catalogue
