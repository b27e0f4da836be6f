"""The files of a run, cut into shards: JSON Lines (plain or .gz) and Parquet, read once from front to back.

Whoever runs the command reads; a worker gets the bytes of its shard and needs no file. Where a shard begins and ends
depends on the files alone, so a run that goes on finds the same shards.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from glob import glob
from pathlib import Path
from typing import IO, Literal, NamedTuple, cast

import pyarrow as pa
import pyarrow.parquet as pq

Form = Literal["jsonl", "parquet"]
JSON_ENDINGS = (".jsonl", ".ndjson", ".json")
PARQUET_ENDINGS = (".parquet", ".pq")
LINE_BYTES = 1 << 20
"""A longer line is a bad one, and is never read whole."""
SHARD_BYTES = 8 << 20
"""However few messages these are: lines may bring long contexts."""
_BATCH_ROWS = 2_000


class BulkError(ValueError):
    """Why a run cannot be made, in a sentence."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    path: str
    size: int
    changed: int
    """When, in nanoseconds: a file that was changed since makes another run."""

    @property
    def form(self) -> Form:
        return "parquet" if self.path.lower().endswith(PARQUET_ENDINGS) else "jsonl"

    @property
    def name(self) -> str:
        return Path(self.path).name


class Shard(NamedTuple):
    """A stretch of one file, with its bytes: what a worker gets."""

    number: int
    """From 0, over all files in their order."""
    file: str
    form: Form
    first: int
    """The number of its first line, or row, from 1."""
    rows: int
    too_long: tuple[int, ...]
    """Lines that were left out because of their length."""
    span: int
    """How many bytes of its file it covers: for progress."""
    data: bytes


def find_files(patterns: Sequence[str]) -> tuple[SourceFile, ...]:
    """Each file once, sorted by path. BulkError where a pattern fits nothing, or a file has another form."""
    found: dict[str, SourceFile] = {}
    for pattern in patterns:
        paths = [Path(each) for each in glob(pattern, recursive=True)]  # noqa: PTH207 - patterns may be absolute
        files = [path for path in paths if path.is_file()]
        if not files:
            raise BulkError(f"there is no file {pattern}")
        for path in files:
            if not is_message_file(path):
                known = ", ".join((*JSON_ENDINGS, *PARQUET_ENDINGS))
                raise BulkError(
                    f"{path.name} is neither JSON Lines nor Parquet; files end with {known} (or .gz of JSON)"
                )
            stat = path.stat()
            found[str(path.resolve())] = SourceFile(str(path.resolve()), stat.st_size, stat.st_mtime_ns)
    return tuple(found[path] for path in sorted(found))


def is_message_file(path: Path) -> bool:
    name = path.name.lower()
    return name.removesuffix(".gz").endswith(JSON_ENDINGS) or name.endswith(PARQUET_ENDINGS)


def cut_shards(files: Sequence[SourceFile], most_rows: int) -> Iterator[Shard]:
    """In their order. Only one shard at a time is in memory here."""
    number = 0
    for file in files:
        cut = _cut_parquet if file.form == "parquet" else _cut_lines
        for shard in cut(file, most_rows):
            yield shard._replace(number=number)
            number += 1


def _cut_lines(file: SourceFile, most_rows: int) -> Iterator[Shard]:
    kept: list[bytes] = []
    too_long: list[int] = []
    size, first, begins = 0, 1, 0
    for line_number, (line, position) in enumerate(_read_lines(file), start=1):
        if line is None:
            too_long.append(line_number)
            kept.append(b"\n")  # so that the lines behind it keep their numbers
        else:
            kept.append(line)
            size += len(line)
        if len(kept) >= most_rows or size >= SHARD_BYTES:
            yield _line_shard(file, first, kept, too_long, position - begins)
            first, size, begins = line_number + 1, 0, position
            kept, too_long = [], []
    if kept:
        yield _line_shard(file, first, kept, too_long, file.size - begins)


def _line_shard(file: SourceFile, first: int, lines: list[bytes], too_long: list[int], span: int) -> Shard:
    return Shard(0, file.path, "jsonl", first, len(lines), tuple(too_long), span, b"".join(lines))


def _read_lines(file: SourceFile) -> Iterator[tuple[bytes | None, int]]:
    """Each line with how far into the file it is; None in place of one that is too long."""
    is_packed = file.path.lower().endswith(".gz")
    with ExitStack() as stack:
        raw: IO[bytes] = stack.enter_context(Path(file.path).open("rb"))
        lines = cast(IO[bytes], stack.enter_context(gzip.open(raw))) if is_packed else raw
        read = 0
        while line := _next_line(lines):
            read += len(line)
            if len(line) <= LINE_BYTES:
                yield line, raw.tell() if is_packed else read
                continue
            while not line.endswith(b"\n") and (line := _next_line(lines)):
                read += len(line)
            yield None, raw.tell() if is_packed else read


def _next_line(lines: IO[bytes]) -> bytes:
    try:
        return lines.readline(LINE_BYTES + 1)
    except (EOFError, gzip.BadGzipFile) as error:
        raise BulkError(f"a packed file ends in the middle or is damaged: {error}") from None


def _cut_parquet(file: SourceFile, most_rows: int) -> Iterator[Shard]:
    """Shards of so many rows, however the file groups them."""
    try:
        source = pq.ParquetFile(file.path)
    except pa.ArrowInvalid as error:
        raise BulkError(f"{file.name} is no Parquet file: {error}") from None
    total, first = source.metadata.num_rows, 1
    waiting: list[pa.RecordBatch] = []
    for batch in source.iter_batches(batch_size=min(most_rows, _BATCH_ROWS)):
        waiting.append(batch)
        while sum(map(len, waiting)) >= most_rows or sum(each.nbytes for each in waiting) >= SHARD_BYTES:
            table = pa.Table.from_batches(waiting)
            rows = min(most_rows, len(table))
            yield _row_shard(file, first, table.slice(0, rows), total)
            first += rows
            waiting = table.slice(rows).combine_chunks().to_batches()
    if waiting:
        yield _row_shard(file, first, pa.Table.from_batches(waiting), total)


def _row_shard(file: SourceFile, first: int, table: pa.Table, total: int) -> Shard:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    ends, begins = (file.size * place // max(1, total) for place in (first - 1 + len(table), first - 1))
    return Shard(0, file.path, "parquet", first, len(table), (), ends - begins, sink.getvalue())
