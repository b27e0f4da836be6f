"""Answers many prompts at once on a GPU, to see quickly what an adapter has learned; the evaluation itself is
`training.adapter.evaluate`, on the server that people use.

    python -m training.adapter.answer prompts.npz WEIGHTS.gguf adapter.npz --out answers.npz
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch

from training.adapter.llama import Llama
from training.adapter.packs import mask_of, prefix_of

_OPTIONS = Path(__file__).parent / "options.toml"
_MOST_TOKENS = 72
_ROWS = 24
_END = 2


def load_adapter(model: Llama, path: Path) -> None:
    saved = np.load(path)
    with torch.no_grad():
        for name, part in model.adapters().items():
            part.copy_(torch.from_numpy(saved[name]))


@torch.no_grad()
def answer_pack(model: Llama, prefix: Sequence[int], prompts: Sequence[np.ndarray], device: str) -> list[list[int]]:
    """One copy of the tools, then every prompt with room for its answer; all answers grow by one token a step."""
    size = len(prefix) + sum(len(prompt) + _MOST_TOKENS for prompt in prompts)
    tokens, positions, owner = (torch.zeros(1, size, dtype=torch.long) for _ in range(3))
    tokens[0, : len(prefix)] = torch.tensor(prefix)
    positions[0, : len(prefix)] = torch.arange(len(prefix))
    ends, at = [], len(prefix)
    for number, prompt in enumerate(prompts, 1):
        room = len(prompt) + _MOST_TOKENS
        tokens[0, at : at + len(prompt)] = torch.from_numpy(prompt.astype(np.int64))
        positions[0, at : at + room] = torch.arange(len(prefix), len(prefix) + room)
        owner[0, at : at + room] = number
        ends.append(at + len(prompt))
        at += room
    tokens, positions, mask = tokens.to(device), positions.to(device), mask_of(owner.to(device))
    place, found = torch.tensor(ends, device=device), []
    for _ in range(_MOST_TOKENS):
        hidden = model(tokens, positions, mask)[0]
        best = model.logits(hidden[place - 1]).argmax(-1)
        found.append(best)
        tokens[0, place] = best
        place = place + 1
        if all((row == _END).any() for row in torch.stack(found, 1)):
            break
    return [row[: row.index(_END) + 1] if _END in row else row for row in torch.stack(found, 1).tolist()]


def answer_all(model: Llama, arrays: Mapping[str, np.ndarray], device: str) -> list[list[int]]:
    """Prompts of one domain: "family" says which; without it the first."""
    starts, prefix = arrays["starts"], prefix_of(arrays, int(arrays.get("family", 0))).tolist()
    prompts = [arrays["tokens"][start:end] for start, end in pairwise(starts)]
    order = sorted(range(len(prompts)), key=lambda place: len(prompts[place]))
    answers: dict[int, list[int]] = {}
    for start in range(0, len(order), _ROWS):
        rows = order[start : start + _ROWS]
        found = answer_pack(model, prefix, [prompts[row] for row in rows], device)
        answers.update(zip(rows, found, strict=True))
    return [answers[place] for place in range(len(prompts))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("prompts", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("adapter", type=Path, nargs="?", help="without one the base model answers")
    parser.add_argument("--out", type=Path, default=Path("answers.npz"))
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    options = tomllib.loads(_OPTIONS.read_text(encoding="utf-8"))
    model = Llama(given.weights, options["lora"]).to(given.device).eval()
    if given.adapter:
        load_adapter(model, given.adapter)
    answers = answer_all(model, dict(np.load(given.prompts)), given.device)
    ends = np.cumsum([0, *map(len, answers)])
    flat = np.array([token for row in answers for token in row], np.uint16)
    np.savez_compressed(given.out, tokens=flat, starts=ends)


if __name__ == "__main__":
    main()
