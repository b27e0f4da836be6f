"""Small files of messages for bulk runs, and a run of them without the command."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.bulk.command import NOW
from evals.bulk.files import find_files
from evals.bulk.folder import Plan, RunFolder
from evals.bulk.job import make_job, make_recipe, pack
from evals.bulk.running import Runner, ThisProcess, run_shards

LINES: tuple[dict[str, Any], ...] = (
    {"id": "tea", "text": "add a task to buy tea", "intent": "add_task", "source": "shop", "tags": ["urgent"]},
    {"id": "list", "text": "show my tasks", "tool": "list_tasks", "source": "shop"},
    {"id": "day", "text": "what a lovely day", "tool": None, "lang": "en"},
    {
        "id": "passport",
        "text": "mark the passport task as done",
        "tool": "complete_task",
        "target": "Renew passport",
        "tasks": [{"id": "p", "number": 3, "title": "Renew passport"}],
    },
    {"id": "wrong", "text": "delete everything", "intent": "add_task"},
    {"id": "latte", "text": "aggiungi comprare il latte", "lang": "it", "accept": ["add_task", "unknown"]},
    {"id": "no label", "text": "remind me to call Anna tomorrow at 5 pm", "now": "2026-05-04T10:00"},
)
"""The label of the fifth is wrong on purpose."""
STRICTER = "language: en\nthresholds: {act: 0.999}\n"
"""A policy under which little is acted on without asking."""


def write_lines(path: Path, rows: Iterable[Mapping[str, Any] | str]) -> Path:
    """What is no object is written as it is."""
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def many(count: int) -> list[dict[str, Any]]:
    """The lines again and again, a third of them with other words each time."""
    rows = []
    for place in range(count):
        row = dict(LINES[place % len(LINES)])
        if place % 3 == 0 and "target" not in row:
            row["text"] = f"{row['text']} {place}"
        rows.append({**row, "id": f"message-{place}"})
    return rows


def begin(
    folder: Path,
    files: Sequence[Path],
    *,
    shard: int = 1000,
    policy: Path | None = None,
    both: bool = False,
    **more: Any,
) -> RunFolder:
    recipes = [make_recipe("tasks", "engine", "new", policy)]
    if both:
        recipes.append(make_recipe("tasks", "engine", "before"))
    job = make_job(recipes, now=NOW, **more)
    packed = pack(job)
    plan = Plan("made up", find_files([str(file) for file in files]), shard, packed.digest, job.domain, job.names,
                job.versions, job.now, job.labels, job.seed, "2026-11-16T18:00:00+00:00")  # fmt: skip
    run = RunFolder(folder)
    run.begin(plan, packed)
    return run


def run_here(run: RunFolder, runner: Runner | None = None) -> dict[str, Any]:
    state = run_shards(run, runner or ThisProcess(), lambda _state: None)
    assert state.status == "done", state
    figures = run.figures()
    assert figures is not None
    return figures
