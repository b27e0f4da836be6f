"""Files cut into shards and read as messages: every form, every bad line, never more than a shard in memory."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from domains.loading import load_domain
from evals.bulk import files
from evals.bulk.files import BulkError, Shard, cut_shards, find_files
from evals.bulk.rows import BadLine, BulkMessage, read_messages
from tests.evals.bulk.made_up import LINES, many, write_lines


def read_all(shards: list[Shard]) -> list[BulkMessage | BadLine]:
    return [each for shard in shards for each in read_messages(shard, load_domain("tasks"))]


def messages(shards: list[Shard]) -> list[BulkMessage]:
    found = read_all(shards)
    assert all(isinstance(each, BulkMessage) for each in found), found
    return [each for each in found if isinstance(each, BulkMessage)]


def cut(*paths: Path, rows: int = 4) -> list[Shard]:
    return list(cut_shards(find_files([str(path) for path in paths]), rows))


def write_parquet(path: Path, rows: list[dict[str, Any]], group: int = 3) -> Path:
    nested = ("tasks", "tags", "accept")
    plain = [{name: json.dumps(value) if name in nested else value for name, value in row.items()} for row in rows]
    names = list(dict.fromkeys(name for row in plain for name in row))
    columns = {name: [row.get(name) for row in plain] for name in names}
    pq.write_table(pa.table(columns), path, row_group_size=group)
    return path


def test_every_form_of_a_file_gives_the_same_messages(tmp_path: Path) -> None:
    rows = [row for row in many(11) if "tool" not in row]  # a tool of null cannot be told from none in a column
    plain = write_lines(tmp_path / "a.jsonl", rows)
    packed = tmp_path / "b.jsonl.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    table = write_parquet(tmp_path / "c.parquet", rows)
    said = [messages(cut(path)) for path in (plain, packed, table)]
    assert said[0] == said[1] == said[2]
    assert [each.line for each in said[0]] == list(range(1, len(rows) + 1))


def test_shards_hold_so_many_lines_and_cover_their_files(tmp_path: Path) -> None:
    first = write_lines(tmp_path / "1.jsonl", many(10))
    second = write_parquet(tmp_path / "2.parquet", [row for row in many(9) if "tool" not in row])
    shards = cut(second, first)
    assert [shard.number for shard in shards] == list(range(len(shards)))
    assert [shard.rows for shard in shards if shard.form == "jsonl"] == [4, 4, 2]
    for path in (first, second):
        own = [shard for shard in shards if shard.file == str(path)]
        assert sum(shard.span for shard in own) == path.stat().st_size
        assert [shard.first for shard in own] == [1 + sum(each.rows for each in own[:n]) for n in range(len(own))]


def test_a_shard_ends_early_where_its_lines_are_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "SHARD_BYTES", 300)
    shards = cut(write_lines(tmp_path / "a.jsonl", many(20)), rows=1000)
    assert len(shards) > 3
    assert sum(shard.rows for shard in shards) == 20


def test_bad_lines_are_told_by_their_number_and_the_others_are_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LINE_BYTES", 400)
    lines: list[Any] = [
        "\ufeff" + json.dumps(LINES[1]),
        "{not json",
        "",
        '"a text"',
        {"text": "   "},
        {"text": "x" * 500},
        {"text": "hello", "lang": "fr"},
        {"text": "hello", "intent": "make_coffee"},
        {"text": "hello", "tool": "make_coffee"},
        {"text": "turn on the oven", "domain": "machines"},
        '{"text": "half \\ud800"}',
        {"text": "hello", "context": []},
        {"text": "hello", "context": 7},
        LINES[2],
    ]
    path = write_lines(tmp_path / "a.jsonl", lines)
    path.write_bytes(path.read_bytes() + b'{"text": "\xff"}\n')
    found = read_all(cut(path, rows=3))
    assert [each.id for each in found if isinstance(each, BulkMessage)] == ["list", "line-12", "day"]
    bad = {each.line: each.problem for each in found if isinstance(each, BadLine)}
    assert sorted(bad) == [2, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15]
    assert "not valid JSON" in bad[2]
    assert "longer than" in bad[6]
    assert "en, it" in bad[7]
    assert "UTF-8" in bad[15]


def test_a_line_without_an_end_is_never_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "LINE_BYTES", 1_000)
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"text": "' + b"x" * 50_000)
    shards = cut(path)
    assert [len(shard.data) for shard in shards] == [1]
    assert [each.line for each in read_all(shards)] == [1]


def test_a_label_is_read_however_it_is_said(tmp_path: Path) -> None:
    found = {each.id: each for each in messages(cut(write_lines(tmp_path / "a.jsonl", LINES)))}
    assert {name: each.accepted for name, each in found.items()} == {
        "tea": ("add_task",),
        "list": ("list_tasks",),
        "day": ("unknown",),
        "passport": ("complete_task",),
        "wrong": ("add_task",),
        "latte": ("add_task", "unknown"),
        "no label": (),
    }
    assert found["passport"].context == {"tasks": LINES[3]["tasks"]}
    assert found["tea"].context is None
    assert [each.id for each in found.values() if each.detailed] == ["passport"]
    assert found["no label"].now == "2026-05-04T10:00"


def test_labels_can_be_left_aside(tmp_path: Path) -> None:
    (shard,) = cut(write_lines(tmp_path / "a.jsonl", [{"text": "hello", "intent": "make_coffee"}]))
    (found,) = read_messages(shard, load_domain("tasks"), labels=False)
    assert isinstance(found, BulkMessage)
    assert found.accepted == ()


def test_a_column_of_times_is_a_clock(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"text": ["hello", "hi"], "now": [datetime(2026, 5, 4, 10), None]}), path)  # noqa: DTZ001
    assert [each.now for each in messages(cut(path))] == ["2026-05-04T10:00:00", None]


def test_globs_find_each_file_once(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.jsonl", "c.ndjson"):
        write_lines(tmp_path / name, LINES[:1])
    found = find_files([str(tmp_path / "*.jsonl"), str(tmp_path / "*")])
    assert [file.name for file in found] == ["a.jsonl", "b.jsonl", "c.ndjson"]
    with pytest.raises(BulkError, match="there is no file"):
        find_files([str(tmp_path / "*.parquet")])
    (tmp_path / "notes.txt").touch()
    with pytest.raises(BulkError, match=r"notes\.txt is neither"):
        find_files([str(tmp_path / "*")])


def test_damaged_files_end_a_run_with_a_sentence(tmp_path: Path) -> None:
    packed = tmp_path / "a.jsonl.gz"
    packed.write_bytes(gzip.compress(b'{"text": "hello"}\n' * 1000)[:60])
    with pytest.raises(BulkError, match="damaged"):
        cut(packed)
    table = tmp_path / "b.parquet"
    table.write_bytes(b"no parquet at all")
    with pytest.raises(BulkError, match="is no Parquet file"):
        cut(table)
