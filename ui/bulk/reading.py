"""Bulk runs as pages read them: each file once, until it changes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from evals.bulk.files import BulkError
from evals.bulk.folder import FIGURES, SHARDS, Plan, RunFolder, State, list_runs
from evals.bulk.report import BulkFigures
from settings import bulk_runs

Stamp = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class ListedBulkRun:
    """A bulk run as `ui.kept_runs` lists runs."""

    folder: RunFolder
    plan: Plan
    state: State
    worked_on: bool

    @property
    def id(self) -> str:
        return self.folder.id

    @property
    def name(self) -> str:
        return self.plan.name

    @property
    def status(self) -> str:
        return self.state.status

    @property
    def done(self) -> int:
        return self.state.messages

    @property
    def total(self) -> int:
        return self.state.messages

    @property
    def problems(self) -> tuple[str, ...]:
        return ()

    @property
    def both(self) -> bool:
        return len(self.plan.names) > 1


def list_bulk_runs() -> tuple[ListedBulkRun, ...]:
    """The newest first; what is no run, or one of another version, is left out."""
    found = []
    for folder in list_runs(bulk_runs()):
        try:
            plan = folder.plan()
        except BulkError:
            continue
        found.append(ListedBulkRun(folder, plan, folder.state(), folder.is_worked_on()))
    return tuple(found)


def read_figures(run: ListedBulkRun) -> BulkFigures | None:
    """Of a run that ended its figures, at once; of one under way those of the shards that it has. None: none yet."""
    path = run.folder.path
    kept = path / FIGURES
    whole = kept if kept.exists() else path / SHARDS
    figures = _read(str(path), whole.stat().st_mtime_ns, run.state.shards) if whole.exists() else None
    return BulkFigures(figures, run.plan.domain, run.plan.names) if figures else None


@lru_cache(maxsize=8)
def _read(path: str, _changed: int, _shards: int) -> dict[str, object] | None:
    folder = RunFolder(Path(path))
    figures = folder.figures()
    if figures is None and folder.shard_paths():
        figures = folder.merge()
    return figures
