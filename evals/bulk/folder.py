"""The folder of a run: what it is about, the shards that are finished, how far it is, and its figures.

Everything is written beside and then put in its place, so whatever is there is whole: a run may be killed at any
moment, and goes on from the shards that it has.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any, Literal

from evals.bulk.columns import read_about, read_counts
from evals.bulk.files import BulkError, SourceFile
from evals.bulk.job import PackedJob
from evals.bulk.tally import Merged

Status = Literal["running", "done", "stopped", "incomplete", "failed"]
PLAN, STATE, JOB, FIGURES, LOCK, SHARDS = "run.json", "state.json", "job.bin", "figures.json", "lock", "shards"
LLM = "llm.jsonl"
_FORM = 1


@dataclass(frozen=True)
class Plan:
    """What a run is: two with the same are the same run."""

    name: str
    files: tuple[SourceFile, ...]
    most_rows: int
    job: str
    """The digest of what workers are told: deciders, policies, clock, code."""
    domain: str
    names: tuple[str, ...]
    versions: tuple[tuple[str, ...], ...]
    now: str
    labels: bool
    seed: int
    created: str
    llm: Mapping[str, Any] = field(default_factory=dict)
    """Of the sample that the LLM lane gets; empty: none."""

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)

    @property
    def identity(self) -> str:
        """Without its name, its moment and the limits of the sample, which may be raised when it goes on."""
        same = {**asdict(self), "name": "", "created": "", "llm": ""}
        return hashlib.sha256(json.dumps(same, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class State:
    status: Status
    messages: int = 0
    bad: int = 0
    distinct: int = 0
    shards: int = 0
    read: int = 0
    """Bytes of the files that are done."""
    seconds: float = 0.0
    """That runs took so far, one after the other."""
    deciding: float = 0.0
    """Seconds of all workers together that went into decisions."""
    processor: float = 0.0
    """Seconds of a processor, of all workers together, waiting not included."""
    working: float = 0.0
    """Seconds of all workers together, waiting included."""
    workers: int = 1
    worker_mb: int = 0
    own_mb: int = 0
    on: str = ""
    rate: float = 0.0
    """Messages a second, lately."""
    left: float | None = None
    """Seconds."""
    problem: str = ""


class RunFolder:
    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def id(self) -> str:
        return self.path.name

    def begin(self, plan: Plan, packed: PackedJob) -> None:
        """BulkError where the folder holds another run."""
        if (self.path / PLAN).exists():
            if self.plan().identity != plan.identity:
                raise BulkError(
                    f"{self.path} holds another run: of other files, policies, options or another version of Twolane. "
                    "Name another folder, or go on with that one by --resume"
                )
            return
        (self.path / SHARDS).mkdir(parents=True, exist_ok=True)
        write_whole(self.path / JOB, packed.data)
        self._write(PLAN, {"form": _FORM, **asdict(plan)})

    def plan(self) -> Plan:
        try:
            data = json.loads((self.path / PLAN).read_text(encoding="utf-8"))
            files = tuple(SourceFile(**each) for each in data.pop("files"))
            if data.pop("form") != _FORM:
                raise BulkError(f"{self.path} was made by another version of Twolane")
            versions = tuple(tuple(each) for each in data.pop("versions"))
            return Plan(files=files, versions=versions, names=tuple(data.pop("names")), **data)
        except (OSError, KeyError, TypeError, json.JSONDecodeError) as error:
            raise BulkError(f"{self.path} holds no run: {error}") from None

    def packed_job(self) -> PackedJob:
        data = (self.path / JOB).read_bytes()
        return PackedJob(data, self.plan().job)

    def state(self) -> State:
        try:
            return State(**json.loads((self.path / STATE).read_text(encoding="utf-8")))
        except (OSError, TypeError, json.JSONDecodeError):
            return State("stopped")

    def keep_state(self, state: State) -> None:
        self._write(STATE, asdict(state))

    def shard_path(self, number: int) -> Path:
        return self.path / SHARDS / f"{number:06d}.parquet"

    def shard_paths(self) -> list[Path]:
        """Of the finished ones, in their order."""
        return sorted((self.path / SHARDS).glob("[0-9]*.parquet"))

    def finished(self) -> dict[int, Mapping[str, Any]]:
        """What each finished shard says of itself (`messages`, `bad`, `distinct`, `span` in bytes), by its number."""
        return {int(path.stem): read_about(path) for path in self.shard_paths()}

    def keep_shard(self, number: int, content: bytes) -> None:
        write_whole(self.shard_path(number), content)

    def merge(self) -> dict[str, Any]:
        """The figures of all shards that are there, in their order."""
        merged = Merged()
        for path in self.shard_paths():
            merged.add(read_counts(path))
        return merged.figures()

    def keep_figures(self, figures: Mapping[str, Any]) -> None:
        self._write(FIGURES, figures)

    def figures(self) -> dict[str, Any] | None:
        """Of a run that ended; None: not yet."""
        try:
            found: dict[str, Any] = json.loads((self.path / FIGURES).read_text(encoding="utf-8"))
        except (OSError, json.JSONDecodeError):
            return None
        return found

    def _write(self, name: str, data: Mapping[str, Any]) -> None:
        write_whole(self.path / name, (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode())

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Only one process works on a folder. What holds the lock goes with the process, however that ends."""
        self.path.mkdir(parents=True, exist_ok=True)
        with (self.path / LOCK).open("a+b") as file:
            if not _take_lock(file):
                raise BulkError(f"another process works on {self.path}")
            yield

    def is_worked_on(self) -> bool:
        try:
            with (self.path / LOCK).open("a+b") as file:
                return not _take_lock(file)
        except OSError:
            return False


def write_whole(path: Path, content: bytes) -> None:
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_bytes(content)
    beside.replace(path)


def _take_lock(file: IO[bytes]) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            file.seek(0)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def list_runs(place: Path) -> tuple[RunFolder, ...]:
    """The runs of a folder, the newest first."""
    found = [RunFolder(path.parent) for path in place.glob(f"*/{PLAN}")]
    return tuple(sorted(found, key=lambda run: (run.path / PLAN).stat().st_mtime, reverse=True))


def find_run(place: Path, run_id: str) -> RunFolder | None:
    """By its name in the folder; None if there is none."""
    return next((run for run in list_runs(place) if run.id == run_id), None)
