"""What the benchmark of bulk runs measures on: so many messages, and so many of them repeated."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from benchmarks.bulk import write_messages


def test_messages_repeat_as_often_as_was_asked_for(tmp_path: Path) -> None:
    for repeats in (0.0, 0.9):
        path = tmp_path / f"{repeats}.jsonl"
        write_messages(path, 4_000, repeats, None)
        lines = path.read_text(encoding="utf-8").splitlines()
        assert len(lines) == 4_000
        often = sum(count for _, count in Counter(lines).most_common(400))
        assert abs(often / 4_000 - repeats) < 0.11
