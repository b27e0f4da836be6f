"""SmolLM2 in PyTorch with low-rank adapters, straight from the GGUF file and in its layout.

llama.cpp turns neighbouring pairs in its rotary embedding and stores the rows of q and k for that. So does this: no
permutation is needed, neither on reading nor on export.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import gguf
import torch
from torch import Tensor, nn
from torch.nn import functional

LINEAR = ("attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down")


def read_weights(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    reader = gguf.GGUFReader(path)
    tensors = {
        tensor.name: torch.from_numpy(gguf.quants.dequantize(tensor.data, tensor.tensor_type).copy())
        for tensor in reader.tensors
    }
    fields = {name: reader.get_field(f"llama.{name}") for name in (
        "block_count", "attention.head_count", "attention.head_count_kv", "rope.freq_base",
        "attention.layer_norm_rms_epsilon",
    )}  # fmt: skip
    return tensors, {name: field.contents() for name, field in fields.items() if field}


class Adapted(nn.Module):
    """A frozen linear layer with its low-rank change."""

    def __init__(self, weight: Tensor, rank: int, alpha: float, dropout: float) -> None:
        super().__init__()
        self.register_buffer("weight", weight.to(torch.bfloat16))
        self.lora_a = nn.Parameter(torch.empty(rank, weight.shape[1]))
        self.lora_b = nn.Parameter(torch.zeros(weight.shape[0], rank))
        nn.init.kaiming_uniform_(self.lora_a, a=math.sqrt(5))
        self._scale, self._dropout = alpha / rank, dropout

    def forward(self, given: Tensor) -> Tensor:
        seen = functional.dropout(given, self._dropout, self.training) if self._dropout else given
        change = functional.linear(functional.linear(seen, self.lora_a.to(given.dtype)), self.lora_b.to(given.dtype))
        return functional.linear(given, self.weight) + self._scale * change


class Block(nn.Module):
    def __init__(self, tensors: dict[str, Tensor], place: int, facts: dict[str, Any], lora: dict[str, Any]) -> None:
        super().__init__()
        name = f"blk.{place}"
        self.layers = nn.ModuleDict(
            {
                each: Adapted(tensors[f"{name}.{each}.weight"], lora["rank"], lora["alpha"], lora["dropout"])
                for each in LINEAR
            }
        )
        self.register_buffer("attn_norm", tensors[f"{name}.attn_norm.weight"])
        self.register_buffer("ffn_norm", tensors[f"{name}.ffn_norm.weight"])
        self._heads, self._kv_heads = facts["attention.head_count"], facts["attention.head_count_kv"]
        self._epsilon = facts["attention.layer_norm_rms_epsilon"]

    def forward(self, hidden: Tensor, turns: tuple[Tensor, Tensor], mask: Tensor) -> Tensor:
        batch, length, width = hidden.shape
        given = normed(hidden, self.attn_norm, self._epsilon)
        query, key, value = (
            self.layers[name](given).view(batch, length, heads, -1).transpose(1, 2)
            for name, heads in (("attn_q", self._heads), ("attn_k", self._kv_heads), ("attn_v", self._kv_heads))
        )
        repeats = self._heads // self._kv_heads
        query, key = turned(query, turns), turned(key, turns).repeat_interleave(repeats, 1)
        mixed = functional.scaled_dot_product_attention(query, key, value.repeat_interleave(repeats, 1), mask)
        hidden = hidden + self.layers["attn_output"](mixed.transpose(1, 2).reshape(batch, length, width))
        given = normed(hidden, self.ffn_norm, self._epsilon)
        gate = functional.silu(self.layers["ffn_gate"](given))
        return hidden + self.layers["ffn_down"](gate * self.layers["ffn_up"](given))


class Llama(nn.Module):
    def __init__(self, path: Path, lora: dict[str, Any]) -> None:
        super().__init__()
        tensors, facts = read_weights(path)
        self.register_buffer("embedding", tensors["token_embd.weight"].to(torch.bfloat16))
        self.register_buffer("output_norm", tensors["output_norm.weight"])
        blocks = range(facts["block_count"])
        self.blocks = nn.ModuleList(Block(tensors, place, facts, lora) for place in blocks)
        self._epsilon = facts["attention.layer_norm_rms_epsilon"]
        size = self.embedding.shape[1] // facts["attention.head_count"]
        self.register_buffer("speeds", facts["rope.freq_base"] ** (-torch.arange(0, size, 2) / size))

    def forward(self, tokens: Tensor, positions: Tensor, mask: Tensor) -> Tensor:
        """The last hidden states; `logits` turns those that are needed into scores."""
        angles = positions[..., None].float() * self.speeds
        turns = (angles.cos()[:, None], angles.sin()[:, None])
        hidden = functional.embedding(tokens, self.embedding)
        for block in self.blocks:
            hidden = block(hidden, turns, mask)
        return normed(hidden, self.output_norm, self._epsilon)

    def logits(self, hidden: Tensor) -> Tensor:
        return functional.linear(hidden, self.embedding).float()

    def adapters(self) -> dict[str, Tensor]:
        """By their names in a GGUF adapter."""
        return {
            f"blk.{place}.{name}.weight.{part}": getattr(layer, part)
            for place, block in enumerate(self.blocks)
            for name, layer in block.layers.items()
            for part in ("lora_a", "lora_b")
        }


def normed(hidden: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    wide = hidden.float()
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + epsilon) * weight).to(hidden.dtype)


def turned(heads: Tensor, turns: tuple[Tensor, Tensor]) -> Tensor:
    """Rotary positions on neighbouring pairs."""
    cosine, sine = turns
    first, second = heads.float().unflatten(-1, (-1, 2)).unbind(-1)
    pairs = torch.stack((first * cosine - second * sine, first * sine + second * cosine), -1)
    return pairs.flatten(-2).to(heads.dtype)
