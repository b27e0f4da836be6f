"""Temporary files lie in memory only where there is room, and nobody chose another place."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.quick_folder import ROOM_BYTES, use_memory


@pytest.fixture(autouse=True)
def _nothing_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `tmp_path` was made where it belongs."""
    monkeypatch.delenv("TMPDIR", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", "before")


def has_free(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=count))


def test_a_folder_with_room_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    has_free(monkeypatch, ROOM_BYTES)
    use_memory(tmp_path)
    assert (os.environ["TMPDIR"], tempfile.gettempdir()) == (str(tmp_path), str(tmp_path))


def test_one_without_room_one_that_is_not_there_and_any_beside_a_chosen_one_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_free(monkeypatch, ROOM_BYTES - 1)
    use_memory(tmp_path)
    has_free(monkeypatch, ROOM_BYTES)
    use_memory(tmp_path / "nowhere")
    assert "TMPDIR" not in os.environ
    monkeypatch.setenv("TMPDIR", "chosen")
    use_memory(tmp_path)
    assert (os.environ["TMPDIR"], tempfile.tempdir) == ("chosen", "before")
