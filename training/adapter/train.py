"""Trains the adapter on one GPU, in minutes.

python -m training.adapter.train tokens.npz WEIGHTS.gguf --out adapter.npz
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from training.adapter.llama import Llama
from training.adapter.packs import Packs, count_steps, epoch, mask_of, places_of

_OPTIONS = Path(__file__).parent / "options.toml"
_SHOWN_EVERY = 50


def loss_and_right(model: Llama, packs: Packs, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The mean loss over the answers' tokens, and the share of them that comes first."""
    tokens, positions, owner, wanted = (part.to(device, non_blocking=True) for part in packs)
    hidden = model(tokens, positions, mask_of(owner))
    logits = model.logits(hidden[:, :-1][wanted[:, :-1]])
    targets = tokens[:, 1:][wanted[:, :-1]]
    return functional.cross_entropy(logits, targets), (logits.argmax(-1) == targets).float().mean()


def rate_at(step: int, steps: int, options: dict[str, Any]) -> float:
    """Up in a straight line, down along a cosine."""
    warm = max(1, int(options["warm_up"] * steps))
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))


def train(arrays: dict[str, np.ndarray], weights: Path, options: dict[str, Any], device: str) -> Llama:
    torch.manual_seed(options["seed"])
    model = Llama(weights, options["lora"]).to(device)
    settings = options["training"]
    size, many = settings["pack_tokens"], settings["packs_per_step"]
    learned = list(model.adapters().values())
    optimiser = torch.optim.AdamW(learned, lr=settings["learning_rate"], weight_decay=settings["weight_decay"])
    places, aside = places_of(arrays, validation=False), places_of(arrays, validation=True)
    steps = settings["epochs"] * (count_steps(arrays, places, size, many) + 1)
    step, began = 0, time.monotonic()
    for number in range(settings["epochs"]):
        for packs in epoch(arrays, places, size, many, options["seed"] + number):
            for group in optimiser.param_groups:
                group["lr"] = settings["learning_rate"] * rate_at(step, steps, settings)
            loss, right = loss_and_right(model, packs, device)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learned, 1.0)
            optimiser.step()
            step += 1
            if step % _SHOWN_EVERY == 1:
                _say(f"step {step}/{steps} loss {loss.item():.4f} right {right.item():.4f}", began)
        _say(f"epoch {number + 1}: held-out tokens right {validate(model, arrays, aside, options, device):.4f}", began)
    return model


@torch.no_grad()
def validate(
    model: Llama, arrays: dict[str, np.ndarray], aside: list[int], options: dict[str, Any], device: str
) -> float:
    size, many = options["training"]["pack_tokens"], options["training"]["packs_per_step"]
    shares = [loss_and_right(model, packs, device)[1].item() for packs in epoch(arrays, aside, size, many, 0)]
    return sum(shares) / max(1, len(shares))


def _say(text: str, began: float) -> None:
    sys.stdout.write(f"{time.monotonic() - began:6.0f} s  {text}\n")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tokens", type=Path)
    parser.add_argument("weights", type=Path)
    parser.add_argument("--options", type=Path, default=_OPTIONS)
    parser.add_argument("--out", type=Path, default=Path("adapter.npz"))
    parser.add_argument("--device", default="cuda")
    given = parser.parse_args()
    options = tomllib.loads(given.options.read_text(encoding="utf-8"))
    model = train(dict(np.load(given.tokens)), given.weights, options, given.device)
    named = {name: part.detach().to("cpu", torch.float16).numpy() for name, part in model.adapters().items()}
    np.savez(given.out, **named)
    sys.stdout.write(f"{len(named)} tensors in {given.out}\n")


if __name__ == "__main__":
    main()
