"""The adapter merged into the embedded model's weights: one file, made once, that answers quicker than the two.

GGUF files are read and written here as far as these two need it: F32, F16, Q4_1 and Q8_0. Every step is done element by
element in a fixed order, so that the same bytes come out on every machine.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

_MAGIC, _VERSION, _ALIGNMENT = b"GGUF", 3, 32
_F32, _F16, _Q4_1, _Q8_0 = 0, 1, 3, 8
_BLOCK = 32
_FLOAT, _STRING, _LIST = 6, 8, 9
_SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
_BYTES = {_F32: (1, 4), _F16: (1, 2), _Q4_1: (_BLOCK, 20), _Q8_0: (_BLOCK, 34)}
"""Type -> how many values stand in how many bytes."""
_ALPHA = "adapter.lora.alpha"
_A, _B = ".lora_a", ".lora_b"
Values = NDArray[np.float32]


class MergeError(Exception):
    """A file that is not what it should be."""


class Tensor(NamedTuple):
    name: str
    shape: tuple[int, ...]
    """Rows first."""
    kind: int
    offset: int


@dataclass(frozen=True)
class GgufFile:
    header: bytes
    """All that is said about the model, as it stands in the file."""
    count: int
    facts: dict[str, Any]
    """Of it the numbers and texts."""
    tensors: tuple[Tensor, ...]
    data: memoryview

    def raw(self, tensor: Tensor) -> memoryview:
        return self.data[tensor.offset : tensor.offset + _size(tensor)]

    def values(self, tensor: Tensor) -> Values:
        return _unpack(self.raw(tensor), tensor.kind).reshape(tensor.shape)


def merge(weights: Path, adapter: Path, target: Path) -> None:
    """Writes the merged weights: what the adapter changes as Q8_0, all else as it is."""
    base, change = read_gguf(weights), read_gguf(adapter)
    parts = {tensor.name: tensor for tensor in change.tensors}
    alpha = float(change.facts[_ALPHA])
    merged = [tensor._replace(kind=_Q8_0) if f"{tensor.name}{_A}" in parts else tensor for tensor in base.tensors]
    with target.open("wb") as file:
        _write_head(file, base, merged)
        for old, new in zip(base.tensors, merged, strict=True):
            if new is old:
                _write_padded(file, base.raw(old))
                continue
            first, second = (change.values(parts[f"{old.name}{end}"]) for end in (_A, _B))
            _write_padded(file, pack_q8(_add_product(base.values(old), first, second, alpha / len(first))))


def _add_product(values: Values, first: Values, second: Values, scale: float) -> Values:
    """values + scale * second @ first; no library's own product, whose order of adding differs by machine."""
    total = np.zeros_like(values)
    for rank in range(len(first)):
        total += second[:, rank : rank + 1] * first[rank]
    total *= np.float32(scale)
    total += values
    return total


def pack_q8(values: Values) -> bytes:
    blocks = values.reshape(-1, _BLOCK)
    scale = np.abs(blocks).max(axis=1, keepdims=True) / np.float32(127)
    inverse = np.divide(np.float32(1), scale, out=np.zeros_like(scale), where=scale > 0)
    packed = np.empty((len(blocks), 34), np.uint8)
    packed[:, :2] = scale.astype("<f2").view(np.uint8)
    packed[:, 2:] = np.rint(blocks * inverse).astype(np.int8).view(np.uint8)
    return packed.tobytes()


def _unpack(raw: memoryview, kind: int) -> Values:
    if kind in (_F32, _F16):
        return np.frombuffer(raw, "<f4" if kind == _F32 else "<f2").astype(np.float32)
    blocks = np.frombuffer(raw, np.uint8).reshape(-1, _BYTES[kind][1])
    scale = blocks[:, :2].copy().view("<f2").astype(np.float32)
    if kind == _Q8_0:
        return (blocks[:, 2:].view(np.int8).astype(np.float32) * scale).ravel()
    least = blocks[:, 2:4].copy().view("<f2").astype(np.float32)
    halves = np.concatenate([blocks[:, 4:] & 15, blocks[:, 4:] >> 4], axis=1)
    return (halves.astype(np.float32) * scale + least).ravel()


def read_gguf(path: Path) -> GgufFile:
    data = memoryview(path.read_bytes())
    try:
        return _read(data)
    except (struct.error, KeyError, IndexError, UnicodeDecodeError) as error:
        raise MergeError(f"{path.name} is no GGUF file that can be read.") from error


def _read(data: memoryview) -> GgufFile:
    reader = _Reader(data)
    if bytes(reader.take(4)) != _MAGIC or reader.number("<I") != _VERSION:
        raise KeyError(_VERSION)
    tensors, count = reader.number("<Q"), reader.number("<Q")
    begin = reader.place
    facts = {reader.text(): reader.value(reader.number("<I")) for _ in range(count)}
    header = bytes(data[begin : reader.place])
    found = tuple(reader.tensor() for _ in range(tensors))
    start = -(-reader.place // _ALIGNMENT) * _ALIGNMENT
    return GgufFile(header, count, facts, found, data[start:])


class _Reader:
    def __init__(self, data: memoryview) -> None:
        self._data, self.place = data, 0

    def take(self, size: int) -> memoryview:
        self.place += size
        if self.place > len(self._data):
            raise IndexError(size)
        return self._data[self.place - size : self.place]

    def number(self, form: str) -> int:
        found: int = struct.unpack(form, self.take(struct.calcsize(form)))[0]
        return found

    def text(self) -> str:
        return bytes(self.take(self.number("<Q"))).decode()

    def value(self, kind: int) -> Any:
        if kind == _STRING:
            return self.text()
        if kind == _LIST:
            inner, count = self.number("<I"), self.number("<Q")
            return [self.text() for _ in range(count)] if inner == _STRING else self.take(count * _SIZES[inner])
        raw = self.take(_SIZES[kind])
        return struct.unpack("<f", raw)[0] if kind == _FLOAT else bytes(raw)

    def tensor(self) -> Tensor:
        name = self.text()
        shape = tuple(self.number("<Q") for _ in range(self.number("<I")))
        kind, offset = self.number("<I"), self.number("<Q")
        return Tensor(name, shape[::-1], kind, offset)


def _size(tensor: Tensor) -> int:
    values, size = _BYTES[tensor.kind]
    return int(np.prod(tensor.shape)) // values * size


def _write_head(file: BinaryIO, base: GgufFile, tensors: list[Tensor]) -> None:
    head = [_MAGIC, struct.pack("<IQQ", _VERSION, len(tensors), base.count), base.header]
    for tensor, offset in zip(tensors, _offsets(tensors), strict=True):
        name = tensor.name.encode()
        head.append(struct.pack("<Q", len(name)) + name + struct.pack("<I", len(tensor.shape)))
        head.append(
            struct.pack(f"<{len(tensor.shape)}Q", *tensor.shape[::-1]) + struct.pack("<IQ", tensor.kind, offset)
        )
    _write_padded(file, b"".join(head))


def _offsets(tensors: list[Tensor]) -> Iterator[int]:
    offset = 0
    for tensor in tensors:
        yield offset
        offset += -(-_size(tensor) // _ALIGNMENT) * _ALIGNMENT


def _write_padded(file: BinaryIO, data: bytes | memoryview) -> None:
    file.write(data)
    file.write(bytes(-len(data) % _ALIGNMENT))
