"""A policy file cannot hang the workbench: its size, depth, references and patterns are bounded, with a sentence."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path

import pytest
import yaml

from domains.loading import load_domain
from engine.decider import RuleDecider
from engine.decision import Context
from engine.policy.loading import PolicyError, load_policy_file
from engine.targets.memory_index import MemoryIndex
from llm.prices import PricesError, load_prices

NINE = ", ".join(["*a{0}"] * 9)
MERGES = "a0: &a0 {k: v}\n" + "".join(f"a{n}: &a{n} {{<<: [{NINE.format(n - 1)}]}}\n" for n in range(1, 10))
CONTEXT = Context(MemoryIndex(), datetime(2026, 3, 4, 10), language="en")  # noqa: DTZ001 - a person's own clock


def pattern(written: str, **words: list[str]) -> str:
    frames = {"add.own": {"intent": "add_task", "patterns": [written]}}
    return yaml.safe_dump({"language": "en", "frames": frames, **({"words": words} if words else {})})


ALIKE = {f"own{place}": ["very"] for place in range(24)}
TRAPS = {
    "references that multiply": (MERGES, "references"),
    "a row of brackets": ("words: " + "[" * 100_000, "deep"),
    "three megabytes": ("# " + "x" * 3_000_000, "larger than 2 MB"),
    "fourteen optional parts": (pattern("begin " + " ".join(f"[w{n}]" for n in range(14)) + " end"), "ways"),
    "optional classes that share a word": (
        pattern("begin " + " ".join(f"[<{name}>]" for name in ALIKE) + " end", **ALIKE),
        "ways",
    ),
    "slots beside slots": (pattern("begin {title} a {description} a {rest} end"), "ways"),
}


@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_is_refused_at_once_with_its_line(name: str, tmp_path: Path) -> None:
    text, says = TRAPS[name]
    path = tmp_path / "own.yaml"
    path.write_text(text, encoding="utf-8")
    bases = load_domain().policies
    assert bases["en"], "what is loaded once is loaded now"
    began = time.process_time()
    with pytest.raises(PolicyError, match=says) as refused:
        load_policy_file(path, bases)
    assert time.process_time() - began < 2
    assert str(refused.value).startswith("own.yaml, line ")


def test_what_is_just_allowed_is_quick_on_the_message_that_is_hardest_for_it(tmp_path: Path) -> None:
    words = {name: ALIKE[name] for name in list(ALIKE)[:13]}
    path = tmp_path / "own.yaml"
    path.write_text(pattern("begin " + " ".join(f"[<{name}>]" for name in words) + " end", **words), encoding="utf-8")
    domain = load_domain()
    engine = RuleDecider(domain, load_policy_file(path, domain.policies))
    engine.decide("hello", CONTEXT)
    began = time.process_time()
    engine.decide("begin " + "very " * 30 + "x end", CONTEXT)
    assert time.process_time() - began < 0.5


def test_a_table_of_prices_is_bounded_alike(tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(MERGES, encoding="utf-8")
    with pytest.raises(PricesError, match="references"):
        load_prices(path)
