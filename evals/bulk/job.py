"""What a worker is told: the domain, the deciders with their policies as bytes, and what these must come out as.

The bytes have a digest, and so has every policy that is made of them, and the code that decides. A worker in which one
of these comes out otherwise refuses its shard: nothing is decided under another policy than the one that was asked for.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from domains.drafts import read_texts
from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Decider
from engine.policy.origin import list_files
from evals.bulk.files import BulkError
from evals.evaluate.engines import SavedPolicy
from evals.evaluate.helping import Recipe, make_deciders
from evals.evaluate.specs import DeciderSpec, read_spec, write_spec

_ROOMS = ("engine", "domains", "evals")
_PLAIN = ("domain", "now", "labels", "seed", "code")
_ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Job:
    recipes: tuple[Recipe, ...]
    """One decider, or two: the second is what the first is held against."""
    versions: tuple[tuple[str, ...], ...]
    """The policies of each as they must come out, with their digests; none for the baseline."""
    domain: str
    now: str
    """The clock of messages that name none."""
    labels: bool
    """Whether what lines say should come of them is looked at."""
    seed: int
    code: str
    """Of the code that decides."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(each.spec.name for each in self.recipes)


class PackedJob(NamedTuple):
    data: bytes
    digest: str


class OpenedJob(NamedTuple):
    job: Job
    deciders: tuple[Decider, ...]


def make_job(recipes: Sequence[Recipe], *, now: str, labels: bool = True, seed: int = 1) -> Job:
    """DeciderError or PolicyError where a decider cannot be made."""
    versions = tuple(map(_versions, recipes, make_deciders(recipes)))
    return Job(tuple(recipes), versions, recipes[0].domain, now, labels, seed, code_digest())


def make_recipe(domain: str, kind: str, label: str, policy: Path | None = None) -> Recipe:
    """The engine, with the files of every language as they are here, or the baseline. A policy is a language folder, or
    one file over the project's own."""
    if kind == "baseline":
        return Recipe(DeciderSpec("baseline", label or "baseline"), domain)
    if load_domain(domain).conduct:
        if policy:
            raise BulkError(f"the {domain} are read in a way of their own: no policy can be given")
        return Recipe(DeciderSpec("engine", label or "engine"), domain)
    texts = {language: read_texts(domain, language) for language in load_domain(domain).languages}
    overlay = ""
    if policy is not None and policy.is_dir():
        if policy.name not in texts:
            raise BulkError(f"{policy} must be called like a language of the {domain}: {', '.join(texts)}")
        texts[policy.name] = {name: path.read_text(encoding="utf-8") for name, path in list_files(policy).items()}
    elif policy is not None:
        overlay = policy.read_text(encoding="utf-8-sig")
    return make_policy_recipe(domain, texts, label, overlay)


def make_policy_recipe(domain: str, texts: dict[str, dict[str, str]], label: str, overlay: str = "") -> Recipe:
    saved = tuple(SavedPolicy(language, files) for language, files in texts.items())
    return Recipe(DeciderSpec("engine", label or "engine", policy=overlay, saved=tuple(texts)), domain, saved)


def pack(job: Job) -> PackedJob:
    data = zlib.compress(json.dumps(_write(job), sort_keys=True).encode())
    return PackedJob(data, hashlib.sha256(data).hexdigest())


def unpack(packed: PackedJob) -> Job:
    """BulkError where the bytes are not those of the digest."""
    if hashlib.sha256(packed.data).hexdigest() != packed.digest:
        raise BulkError("the policies were changed on their way: their bytes have another digest")
    try:
        return _read(json.loads(zlib.decompress(packed.data)))
    except (zlib.error, ValueError, KeyError, TypeError) as error:
        raise BulkError(f"what was sent is no job: {error}") from None


def _write(job: Job) -> dict[str, Any]:
    """Plain JSON: whoever goes on with a run of somebody else's loads no code with it."""
    recipes = [
        {
            "spec": write_spec(each.spec),
            "domain": each.domain,
            "saved": [[own.language, dict(own.texts)] for own in each.saved],
        }
        for each in job.recipes
    ]
    return {**{name: getattr(job, name) for name in _PLAIN}, "versions": job.versions, "recipes": recipes}


def _read(data: Mapping[str, Any]) -> Job:
    recipes = tuple(
        Recipe(read_spec(each["spec"]), each["domain"], tuple(SavedPolicy(*own) for own in each["saved"]))
        for each in data["recipes"]
    )
    versions = tuple(tuple(each) for each in data["versions"])
    return Job(recipes, versions, **{name: data[name] for name in _PLAIN})


@lru_cache(maxsize=2)
def open_job(packed: PackedJob) -> OpenedJob:
    """Once a worker. BulkError where it would decide by another policy or other code than was asked for."""
    job = unpack(packed)
    if job.code != code_digest():
        raise BulkError(f"another version of Twolane is installed here ({code_digest()}, asked for {job.code})")
    deciders = tuple(make_deciders(job.recipes))
    for recipe, decider, wanted in zip(job.recipes, deciders, job.versions, strict=True):
        if (found := _versions(recipe, decider)) != wanted:
            raise BulkError(f"the policies come out as {', '.join(found)} here, asked for {', '.join(wanted)}")
    return OpenedJob(job, deciders)


def _versions(recipe: Recipe, decider: Decider) -> tuple[str, ...]:
    if recipe.spec.kind == "baseline":
        return ()
    domain = load_domain(recipe.domain)
    if isinstance(decider, RuleDecider):
        return tuple(decider.policy_for(language).version for language in domain.languages)
    return tuple(policy.version for policy in domain.policies.values())


@cache
def code_digest() -> str:
    """Over the sources of the rooms that decide and count."""
    digest = hashlib.sha256()
    for room in _ROOMS:
        for path in sorted((_ROOT / room).rglob("*.py")):
            digest.update(f"{path.relative_to(_ROOT).as_posix()}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:12]
