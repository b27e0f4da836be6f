"""Turns examples into tokens, through the server that will read them later.

python -m training.adapter.tokenise examples.jsonl.gz --out tokens.npz
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

import numpy as np

from training.adapter.example import Example, render_answer, render_messages
from training.adapter.make_examples import ASIDE, OPTIONS, load_options
from training.adapter.server import Tokeniser, running_tokeniser


def load_examples(path: Path) -> list[Example]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [_example(json.loads(line)) for line in lines]


def _example(entry: dict[str, Any]) -> Example:
    calls = tuple((call["name"], call["arguments"]) for call in entry["calls"])
    said = tuple(entry["messages"])
    return Example(entry["kind"], entry["language"], said, calls, entry["text"], entry["domain"])


def tokenise(examples: list[Example], tokeniser: Tokeniser, options: dict[str, Any]) -> dict[str, np.ndarray]:
    """Flat arrays: where each example starts, where its answer does, and which domain's tools stand before it."""
    prompts = list(tokeniser.tokens_of_all([render_messages(each.messages) for each in examples]))
    answers = list(tokeniser.tokens_of_all([render_answer(each) for each in examples]))
    chooser = random.Random(options["seed"])  # noqa: S311 - nothing secret
    most, share = options["tokens"]["most"], options["tokens"]["validation"]
    flat: list[int] = []
    starts, answered, aside, kinds, families = [], [], [], [], []
    names, domains = sorted({each.kind for each in examples}), sorted({each.domain for each in examples})
    for example, prompt, answer in zip(examples, prompts, answers, strict=True):
        held_out = chooser.random() < share or example.kind.startswith(ASIDE)
        if len(prompt) + len(answer) <= most:
            starts.append(len(flat))
            answered.append(len(flat) + len(prompt))
            aside.append(held_out)
            kinds.append(names.index(example.kind))
            families.append(domains.index(example.domain))
            flat += prompt + answer
    prefixes = [tokeniser.tokens(tokeniser.prefix(domain)) for domain in domains]
    return {
        "prefixes": np.array([token for prefix in prefixes for token in prefix], np.uint16),
        "prefix_starts": np.cumsum([0, *map(len, prefixes)]),
        "families": np.array(families, np.uint8),
        "tokens": np.array(flat, np.uint16),
        "starts": np.array([*starts, len(flat)], np.int64),
        "answers": np.array(answered, np.int64),
        "validation": np.array(aside, bool),
        "kinds": np.array(kinds, np.int32),
        "kind_names": np.array(names),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("examples", type=Path)
    parser.add_argument("--options", type=Path, default=OPTIONS)
    parser.add_argument("--out", type=Path, default=Path("tokens.npz"))
    given = parser.parse_args()
    with running_tokeniser() as tokeniser:
        arrays = tokenise(load_examples(given.examples), tokeniser, load_options(given.options))
    np.savez_compressed(given.out, **arrays)
    count, size = len(arrays["answers"]), len(arrays["tokens"])
    tools = "+".join(str(length) for length in np.diff(arrays["prefix_starts"]))
    sys.stdout.write(f"{count} examples, {size} tokens, after {tools} of the tools, in {given.out}\n")


if __name__ == "__main__":
    main()
