"""A bulk run started from a page, as a process of its own: the workbench stays quick, and may be stopped meanwhile."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.bulk.folder import RunFolder
from evals.bulk.on_dask import has_dask
from settings import ROOT

_LOG = "log.txt"


def start_command(folder: Path, arguments: Sequence[str]) -> int:
    """`python -m evals bulk …`, with what it says kept in the run's folder. Its process id."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / _LOG).open("ab") as log:
        process = subprocess.Popen(  # noqa: S603 - our own program, with files of our own folders
            [*_giving_way(), sys.executable, "-m", "evals", "bulk", *arguments, *_workers()],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
        )
    return process.pid


def go_on(run: RunFolder) -> None:
    start_command(run.path, ["--resume", str(run.path)])


def _workers() -> list[str]:
    """One worker a core where there is Dask."""
    return ["--on", "local"] if has_dask() and (os.cpu_count() or 1) > 1 else []


def _giving_way() -> list[str]:
    """Everything else on this machine goes first, where there is a program for that."""
    nice = shutil.which("nice")
    return [nice, "-n", "10"] if nice else []
