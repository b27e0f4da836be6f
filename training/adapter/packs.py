"""Many examples behind one copy of the tools: each reads the tools and itself, and none of the others.

The tools take some 260 tokens and an example about 140, so this is much less to read than example by example.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

_NO_EXAMPLE = -1


class Packs(NamedTuple):
    tokens: Tensor
    positions: Tensor
    owner: Tensor
    """Which example a token belongs to; 0 is the tools, which everybody reads."""
    wanted: Tensor
    """Where the next token belongs to an answer."""


def places_of(arrays: Mapping[str, np.ndarray], *, validation: bool) -> list[int]:
    return np.flatnonzero(arrays["validation"] == validation).tolist()


def count_steps(arrays: Mapping[str, np.ndarray], places: Sequence[int], size: int, many: int) -> int:
    return -(-sum(1 for _ in _fill(arrays, places, size)) // many)


def mask_of(owner: Tensor) -> Tensor:
    """Who reads what: the tools and oneself, and nothing that comes later."""
    same = (owner[:, :, None] == owner[:, None, :]) | (owner[:, None, :] == 0)
    causal = torch.ones(owner.shape[1], owner.shape[1], dtype=torch.bool, device=owner.device).tril()
    return (same & causal)[:, None]


def epoch(arrays: Mapping[str, np.ndarray], places: Sequence[int], size: int, many: int, seed: int) -> Iterator[Packs]:
    """All of these examples once, in an order of the seed's, `many` packs at a time."""
    order = list(places)
    random.Random(seed).shuffle(order)  # noqa: S311 - nothing secret
    packs = list(_fill(arrays, order, size))
    for start in range(0, len(packs), many):
        yield _stack([_lay_out(arrays, pack, size) for pack in packs[start : start + many]])


def epoch_with_places(
    arrays: Mapping[str, np.ndarray], places: Sequence[int], size: int, many: int
) -> Iterator[tuple[Packs, list[list[int]]]]:
    """All of these examples in their order, with which examples each pack holds."""
    packs = list(_fill(arrays, places, size))
    for start in range(0, len(packs), many):
        taken = packs[start : start + many]
        yield _stack([_lay_out(arrays, pack, size) for pack in taken]), taken


def prefix_of(arrays: Mapping[str, np.ndarray], family: int) -> np.ndarray:
    """The tools that every example of this domain reads first."""
    start, end = arrays["prefix_starts"][family : family + 2]
    return arrays["prefixes"][start:end]


def _fill(arrays: Mapping[str, np.ndarray], order: Sequence[int], size: int) -> Iterator[list[int]]:
    """A pack holds examples of one domain: it has one copy of the tools."""
    rooms = [size - int(length) for length in np.diff(arrays["prefix_starts"])]
    open_packs: list[list[int]] = [[] for _ in rooms]
    used = [0] * len(rooms)
    for place in order:
        family = int(arrays["families"][place])
        length = int(arrays["starts"][place + 1] - arrays["starts"][place])
        if used[family] + length > rooms[family]:
            yield open_packs[family]
            open_packs[family], used[family] = [], 0
        open_packs[family].append(place)
        used[family] += length
    yield from (pack for pack in open_packs if pack)


def _lay_out(arrays: Mapping[str, np.ndarray], pack: Sequence[int], size: int) -> tuple[np.ndarray, ...]:
    prefix = prefix_of(arrays, int(arrays["families"][pack[0]]))
    tokens, positions, owner = np.zeros(size, np.int64), np.zeros(size, np.int64), np.full(size, _NO_EXAMPLE)
    wanted = np.zeros(size, bool)
    at = len(prefix)
    tokens[:at], positions[:at], owner[:at] = prefix, np.arange(at), 0
    for number, place in enumerate(pack, 1):
        start, answer, end = arrays["starts"][place], arrays["answers"][place], arrays["starts"][place + 1]
        length = int(end - start)
        tokens[at : at + length] = arrays["tokens"][start:end]
        positions[at : at + length] = np.arange(len(prefix), len(prefix) + length)
        owner[at : at + length] = number
        wanted[at + int(answer - start) - 1 : at + length - 1] = True
        at += length
    return tokens, positions, owner, wanted


def _stack(laid: Sequence[tuple[np.ndarray, ...]]) -> Packs:
    return Packs(*(torch.from_numpy(np.stack(part)) for part in zip(*laid, strict=True)))
