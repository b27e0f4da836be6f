"""What the embedded model made of its prompt is taken in by every slot; where that fails, each slot reads it."""

from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest

from llm.embedded_child import SLOTS
from llm.endpoint import Endpoint
from llm.kept_prompt import KeptPrompt
from tests.llm.fault_server import Answer, serve, status

DONE, REFUSED = status(200, body="{}"), status(400, body="{}")
REQUEST = {"messages": [{"role": "user", "content": "hello"}]}


@pytest.fixture
def kept(tmp_path: Path) -> KeptPrompt:
    (tmp_path / "weights.gguf").write_bytes(b"weights")
    kept = KeptPrompt(tmp_path / "read", tmp_path / "weights.gguf", None)
    assert kept.prepare() == kept.folder
    return kept


def fill(kept: KeptPrompt, *answers: Answer, request: dict[str, object] | None = None) -> tuple[list[int], list[str]]:
    """Which slots had to read, and what the server was asked to do with files."""
    read: list[int] = []

    async def read_slot(slot: int) -> None:
        read.append(slot)

    with serve(*answers) as server:
        asyncio.run(kept.fill_slots(Endpoint("embedded", server.url, "m", "k"), request or REQUEST, read_slot))
        acts = [line.split()[1] for line in server.headers if line.startswith("POST ")]
    return read, acts


def saved(kept: KeptPrompt) -> Path:
    """As the server does it: the file is there when it has answered."""
    name = kept._name(REQUEST)
    (kept.folder / f"{name}.{os.getpid()}").write_bytes(b"what it made of it")
    return kept.folder / name


def test_one_slot_reads_the_others_take_it_in_and_the_next_start_reads_nothing(kept: KeptPrompt) -> None:
    file = saved(kept)
    assert fill(kept, DONE) == ([0], ["/slots/0?action=save", *restored(range(1, SLOTS))])
    assert list(kept.folder.iterdir()) == [file]
    assert fill(kept, DONE) == ([], restored(range(SLOTS)))


def restored(slots: range) -> list[str]:
    return [f"/slots/{slot}?action=restore" for slot in slots]


def test_a_file_that_cannot_be_taken_in_is_made_anew(kept: KeptPrompt) -> None:
    saved(kept).write_bytes(b"broken off")
    read, acts = fill(kept, *[REFUSED] * SLOTS, DONE)
    assert read == [0]
    assert acts[SLOTS:] == ["/slots/0?action=save", *restored(range(1, SLOTS))]
    assert saved(kept).read_bytes() == b"what it made of it"


def test_an_empty_file_is_not_even_tried(kept: KeptPrompt) -> None:
    saved(kept).write_bytes(b"")
    assert fill(kept, DONE) == ([0], ["/slots/0?action=save", *restored(range(1, SLOTS))])
    assert fill(kept, DONE)[0] == []


def test_where_nothing_can_be_kept_every_slot_reads(kept: KeptPrompt) -> None:
    assert fill(kept, REFUSED)[0] == list(range(SLOTS))


def test_another_prompt_or_model_is_read_anew(kept: KeptPrompt, tmp_path: Path) -> None:
    saved(kept)
    fill(kept, DONE)
    assert fill(kept, REFUSED, request={"messages": []})[0] == list(range(SLOTS))
    (tmp_path / "weights.gguf").write_bytes(b"other weights")
    assert fill(kept, REFUSED)[0] == list(range(SLOTS))


def test_the_oldest_go(kept: KeptPrompt) -> None:
    for number in range(6):
        old = kept.folder / f"prompt-{number}.bin"
        old.write_bytes(b"")
        os.utime(old, (number, number))
    file = saved(kept)
    fill(kept, DONE)
    assert {path.name for path in kept.folder.iterdir()} == {file.name, *(f"prompt-{n}.bin" for n in (3, 4, 5))}


def test_only_this_user_may_look_into_the_folder_and_a_folder_that_cannot_be_made_is_none(
    kept: KeptPrompt, tmp_path: Path
) -> None:
    assert stat.S_IMODE(kept.folder.stat().st_mode) == 0o700
    assert KeptPrompt(tmp_path / "weights.gguf" / "read").prepare() is None
