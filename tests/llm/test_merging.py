"""Base and adapter in one file: the same weights as the two, the same bytes everywhere, or the two as before."""

from __future__ import annotations

import hashlib
import json
import struct
from pathlib import Path

import numpy as np
import pytest

from llm import shared_server, weights
from llm.merging import MergeError, merge, pack_q8, read_gguf

F32, F16, Q4_1, Q8_0 = 0, 1, 3, 8


def text(said: str) -> bytes:
    return struct.pack("<Q", len(said.encode())) + said.encode()


def gguf(path: Path, tensors: dict[str, tuple[tuple[int, ...], int, bytes]], alpha: float | None = None) -> Path:
    """A small file as llama.cpp writes it."""
    facts = [text("general.architecture") + struct.pack("<I", 8) + text("llama")]
    facts.append(text("some.words") + struct.pack("<IIQ", 9, 8, 2) + text("a") + text("b"))
    if alpha is not None:
        facts.append(text("adapter.lora.alpha") + struct.pack("<If", 6, alpha))
    head = b"GGUF" + struct.pack("<IQQ", 3, len(tensors), len(facts)) + b"".join(facts)
    body = b""
    for name, (shape, kind, data) in tensors.items():
        head += text(name) + struct.pack(f"<I{len(shape)}Q", len(shape), *shape[::-1])
        head += struct.pack("<IQ", kind, len(body))
        body += data + bytes(-len(data) % 32)
    path.write_bytes(head + bytes(-len(head) % 32) + body)
    return path


def q4_1(scale: float, least: float, nibbles: list[int]) -> bytes:
    low, high = nibbles[:16], nibbles[16:]
    packed = bytes(one | two << 4 for one, two in zip(low, high, strict=True))
    return struct.pack("<ee", scale, least) + packed


NIBBLES = [place % 16 for place in range(32)]
ROWS = np.array([[0.5 * each - 1.0 for each in NIBBLES]] * 4, np.float32)
NORM = np.arange(32, dtype="<f4")
A = np.linspace(-1, 1, 64, dtype="<f2").reshape(2, 32)
B = np.linspace(0, 2, 8, dtype="<f2").reshape(4, 2)


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return gguf(
        tmp_path / "base.gguf",
        {"norm": ((32,), F32, NORM.tobytes()), "up.weight": ((4, 32), Q4_1, q4_1(0.5, -1.0, NIBBLES) * 4)},
    )


@pytest.fixture
def adapter(tmp_path: Path) -> Path:
    parts = {"up.weight.lora_a": ((2, 32), F16, A.tobytes()), "up.weight.lora_b": ((4, 2), F16, B.tobytes())}
    return gguf(tmp_path / "adapter.gguf", parts, alpha=4.0)


def test_what_the_adapter_changes_is_added_and_all_else_stays(base: Path, adapter: Path, tmp_path: Path) -> None:
    merge(base, adapter, tmp_path / "merged.gguf")
    merged, before = read_gguf(tmp_path / "merged.gguf"), read_gguf(base)
    norm, up = merged.tensors
    assert (norm.kind, up.kind) == (F32, Q8_0)
    assert merged.header == before.header
    assert np.array_equal(merged.values(norm), NORM)
    wanted = ROWS + 2.0 * B.astype(np.float32) @ A.astype(np.float32)
    assert np.abs(merged.values(up) - wanted).max() < np.abs(wanted).max() / 200


def test_a_row_of_nothing_stays_nothing() -> None:
    assert set(pack_q8(np.zeros((1, 32), np.float32))) == {0}


@pytest.mark.parametrize(
    "content", [b"", b"GGUF", b"GGUF\x03\x00\x00\x00" + b"\xff" * 40, b"no model at all, but text"]
)
def test_a_file_that_is_no_model_is_said_to_be_none(content: bytes, adapter: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(content)
    with pytest.raises(MergeError, match="no GGUF file"):
        merge(tmp_path / "broken.gguf", adapter, tmp_path / "merged.gguf")


@pytest.fixture
def installed(base: Path, adapter: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """As if these two were the model's; what has to come out of them is noted."""
    merge(base, adapter, tmp_path / "expected.gguf")
    sha256 = hashlib.sha256((tmp_path / "expected.gguf").read_bytes()).hexdigest()
    (tmp_path / "merged.json").write_text(json.dumps({"adapter": weights.ADAPTER_SHA256, "merged": sha256}))
    monkeypatch.setattr(weights, "_MERGED", tmp_path / "merged.json")
    for module in (weights, shared_server):
        monkeypatch.setattr(module, "find_weights", lambda *_: base)
        monkeypatch.setattr(module, "find_adapter", lambda: adapter)
    monkeypatch.setattr(weights, "weights_path", lambda *_: tmp_path / "cache" / "base.gguf")
    monkeypatch.setattr(shared_server, "find_merged", weights.find_merged)
    (tmp_path / "cache").mkdir()
    return tmp_path


def test_it_is_merged_once_and_then_loaded_alone(installed: Path) -> None:
    former = installed / "cache" / "twolane-tools-of-before.gguf"
    former.write_bytes(b"x")
    merged = weights.make_merged()
    assert merged is not None
    assert shared_server._find() == (merged, None)
    assert weights.make_merged() == merged
    assert list(merged.parent.iterdir()) == [merged]


def test_where_something_else_comes_out_base_and_adapter_are_loaded_side_by_side(installed: Path) -> None:
    noted = {"adapter": weights.ADAPTER_SHA256, "merged": "0" * 64}
    (installed / "merged.json").write_text(json.dumps(noted))
    assert weights.make_merged() is None
    assert shared_server._find() == (installed / "base.gguf", installed / "adapter.gguf")


def test_what_was_noted_for_another_adapter_does_not_count(installed: Path) -> None:
    (installed / "merged.json").write_text(json.dumps({"adapter": "0" * 64, "merged": "0" * 64}))
    assert weights.make_merged() is None


def test_a_merged_file_that_was_changed_is_not_loaded(installed: Path) -> None:
    merged = weights.make_merged()
    assert merged is not None
    merged.write_bytes(merged.read_bytes() + b"x")
    assert weights.find_merged() is None


def test_what_has_to_come_out_is_noted_for_the_adapter_that_is_there() -> None:
    noted = json.loads(weights._MERGED.read_text())
    assert noted["adapter"] == weights.ADAPTER_SHA256, "after a new adapter: python -m llm.weights --new-adapter"
