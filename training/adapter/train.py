"""Trains the adapter on one GPU, in minutes.

python -m training.adapter.train tokens.npz WEIGHTS.gguf --out adapter.npz [--further llm/adapter/twolane-tools.gguf]
"""

from __future__ import annotations

import argparse
import math
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import torch
from torch.nn import functional

from training.adapter.llama import Llama
from training.adapter.packs import Packs, count_steps, epoch, epoch_with_places, mask_of, places_of

_OPTIONS = Path(__file__).parent / "options.toml"
_SHOWN_EVERY = 100
_TRIED = 40


Run = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], torch.Tensor]


def loss_and_right(model: Llama, run: Run, packs: Packs, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """The mean loss over the answers' tokens, and which of them come first. `run`: the model, or its compiled form."""
    tokens, positions, owner, wanted = (part.to(device, non_blocking=True) for part in packs)
    hidden = run(tokens, positions, mask_of(owner))
    logits = model.logits(hidden[:, :-1][wanted[:, :-1]])
    targets = tokens[:, 1:][wanted[:, :-1]]
    return functional.cross_entropy(logits, targets), logits.argmax(-1) == targets


def rate_at(step: int, steps: int, options: dict[str, Any]) -> float:
    """Up in a straight line, down along a cosine."""
    warm = max(1, int(options["warm_up"] * steps))
    if step < warm:
        return (step + 1) / warm
    return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm)))


class Pace:
    """How many steps there are. Where there is only so much time, the first ones tell how many fit."""

    def __init__(self, steps: int, seconds: float | None) -> None:
        self.steps, self.seconds = steps, seconds
        self.began, self._tried = time.monotonic(), 0.0

    def after(self, step: int) -> None:
        if self.seconds and step == _TRIED:  # the first ones are compiled
            self._tried = time.monotonic()
        if self.seconds and step == 2 * _TRIED:
            each = (time.monotonic() - self._tried) / _TRIED
            left = self.seconds - (time.monotonic() - self.began)
            self.steps = min(self.steps, step + int(left / each))
            _say(f"{each:.3f} s a step: {self.steps} steps", self.began)


def train(
    arrays: dict[str, np.ndarray],
    weights: Path,
    options: dict[str, Any],
    device: str,
    seconds: float | None = None,
    further: Path | None = None,
) -> Llama:
    """`seconds`: at most so long, with the rate going down accordingly. `further`: the adapter to go on from."""
    torch.manual_seed(options["seed"])
    model = Llama(weights, options["lora"]).to(device)
    if further:
        start_from(model, further)
    settings = options["training"]
    size, many = settings["pack_tokens"], settings["packs_per_step"]
    learned = list(model.adapters().values())
    optimiser = torch.optim.AdamW(learned, lr=settings["learning_rate"], weight_decay=settings["weight_decay"])
    places = places_of(arrays, validation=False)
    pace = Pace(settings["epochs"] * (count_steps(arrays, places, size, many) + 1), seconds)
    step = 0
    compiled: Run = torch.compile(model, dynamic=False) if settings.get("compile") else model
    for number in range(settings["epochs"]):
        for packs in epoch(arrays, places, size, many, options["seed"] + number):
            for group in optimiser.param_groups:
                group["lr"] = settings["learning_rate"] * rate_at(step, pace.steps, settings)
            run = compiled if len(packs.tokens) == many else model  # another size would be compiled anew
            loss, right = loss_and_right(model, run, packs, device)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(learned, 1.0)
            optimiser.step()
            step += 1
            pace.after(step)
            if step >= pace.steps:
                return model
            if step % _SHOWN_EVERY == 1:
                told = f"loss {loss.item():.4f} right {right.float().mean().item():.4f}"
                _say(f"step {step}/{pace.steps} {told}", pace.began)
    return model


@torch.no_grad()
def start_from(model: Llama, adapter: Path) -> None:
    """Puts an adapter's weights into the model."""
    kept = {each.name: each.data for each in gguf.GGUFReader(adapter).tensors}
    for name, part in model.adapters().items():
        part.copy_(torch.from_numpy(np.array(kept[name], np.float32)).reshape(part.shape))


@torch.no_grad()
def validate(model: Llama, arrays: dict[str, np.ndarray], options: dict[str, Any], device: str) -> list[str]:
    """Of the held-out examples, how many answers are right from the first token to the last, by kind."""
    size, many = options["training"]["pack_tokens"], options["training"]["packs_per_step"]
    counts: Counter[str] = Counter()
    aside = places_of(arrays, validation=True)
    names = [str(name) for name in arrays["kind_names"]]
    model.eval()
    for packs, places in epoch_with_places(arrays, aside, size, many):
        right = loss_and_right(model, model, packs, device)[1]
        owners = packs.owner[:, :-1][packs.wanted[:, :-1]]
        rows = torch.arange(len(packs.tokens))[:, None].expand_as(packs.owner)[:, :-1][packs.wanted[:, :-1]]
        whole: dict[tuple[int, int], bool] = {}
        for row, owner, fits in zip(rows.tolist(), owners.tolist(), right.tolist(), strict=True):
            whole[row, owner] = whole.get((row, owner), True) and fits
        for (row, owner), fits in whole.items():
            kind = names[arrays["kinds"][places[row][owner - 1]]]
            for group in {kind, kind.split("_")[0]}:
                counts[f"{group}: all"] += 1
                counts[f"{group}: right"] += fits
    model.train()
    groups = sorted(name.removesuffix(": all") for name in counts if name.endswith(": all"))
    return [f"{name} {counts[f'{name}: right']} of {counts[f'{name}: all']}" for name in groups]


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
    parser.add_argument("--seconds", type=float, help="at most so long")
    parser.add_argument("--further", type=Path, help="the adapter to go on from, in place of a fresh one")
    given = parser.parse_args()
    options = tomllib.loads(given.options.read_text(encoding="utf-8"))
    arrays = dict(np.load(given.tokens))
    model = train(arrays, given.weights, options, given.device, given.seconds, given.further)
    named = {name: part.detach().to("cpu", torch.float16).numpy() for name, part in model.adapters().items()}
    np.savez(given.out, **named)
    sys.stdout.write(f"{len(named)} tensors in {given.out}\n")
    for line in validate(model, arrays, options, given.device):
        sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    main()
