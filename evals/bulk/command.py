"""`python -m evals bulk`: millions of messages under one policy or two."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path

from domains.loading import TASKS, list_domains
from evals.bulk.files import BulkError, find_files
from evals.bulk.folder import Plan, RunFolder, State
from evals.bulk.job import Job, make_job, make_recipe, pack, unpack
from evals.bulk.on_dask import DaskRunner, has_dask
from evals.bulk.report import BulkFigures
from evals.bulk.running import Runner, ThisProcess, run_shards
from evals.bulk.sampling import LLMLimits, check_entrant, run_sample
from evals.bulk.terminal import figure_lines, progress_line, time_lines
from evals.evaluate.helping import Recipe
from settings import bulk_runs

NOW = "2026-03-02T09:00"
INSTALL = "pip install --require-hashes -r constraints-bulk.txt"
FILES = "the project's files"
_SHARD = 10_000


def main(given: Sequence[str]) -> int:
    options = make_parser().parse_args(given)
    folder, plan, job = _resume(options) if options.resume else _begin(options)
    before = signal.signal(signal.SIGTERM, _stop)  # a stop by hand and one by a batch system end alike
    try:
        return _run_to_the_end(folder, plan, job, options)
    except KeyboardInterrupt:
        sys.stderr.write(f"\nStopped. The same command, or --resume {folder.path}, goes on.\n")
        return 130
    finally:
        signal.signal(signal.SIGTERM, before)


def _run_to_the_end(folder: RunFolder, plan: Plan, job: Job, options: argparse.Namespace) -> int:
    with folder.locked():
        state = _run(folder, plan, options)
        if state.status != "done":
            sys.stderr.write(f"\n{state.problem}. The same command tries them again.\n")
            return 1
        figures = folder.figures() or {}
        if plan.llm:
            figures["llm"] = run_sample(folder, job, LLMLimits(**plan.llm), _tell_line)
            folder.keep_figures(figures)
    _print(folder, plan, figures, state, as_json=options.json)
    return 0


def make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m evals bulk", description=__doc__)
    parser.add_argument("--data", nargs="+", metavar="FILES", help="JSON Lines (also .gz) and Parquet; globs are taken")
    parser.add_argument("--decider", choices=("engine", "baseline"), default="engine")
    parser.add_argument("--policy", metavar="A", help="a language folder or one file; otherwise the project's own")
    parser.add_argument("--against", metavar="B", help="another policy to hold it against; `files`: the project's own")
    parser.add_argument("--policy-name", default="", metavar="NAME", help="how the first is called in figures")
    parser.add_argument("--against-name", default="", metavar="NAME", help="… and the other")
    parser.add_argument("--out", type=Path, metavar="FOLDER", help="otherwise a new one among the workbench's")
    parser.add_argument("--name", default="", help="how the run is called on the pages")
    parser.add_argument("--resume", type=Path, metavar="FOLDER", help="go on with a run, whatever has changed since")
    parser.add_argument("--on", default="", metavar="WHERE", help="`local`, or a scheduler's tcp://…; otherwise here")
    parser.add_argument("--workers", type=int, default=0, metavar="N", help="of `--on local`; otherwise one a core")
    parser.add_argument("--shard", type=int, default=_SHARD, metavar="N", help="messages a shard")
    parser.add_argument("--domain", default=TASKS, choices=list_domains(), metavar="NAME")
    parser.add_argument("--now", default=NOW, metavar="TIME", help=f"of messages that name none; otherwise {NOW}")
    parser.add_argument("--no-labels", action="store_true", help="what lines say should come of them is not looked at")
    parser.add_argument("--json", action="store_true", help="print all figures as one JSON object")
    parser.add_argument("--seed", type=int, default=1, help="of the sample for the LLM lane")
    parser.add_argument("--llm-sample", type=int, default=0, metavar="N", help="so many messages go to the model, too")
    parser.add_argument("--llm-calls", type=int, default=0, metavar="N", help="… at most so many calls")
    parser.add_argument("--llm-tokens", type=int, default=0, metavar="N", help="… at most so many tokens, both ways")
    parser.add_argument("--llm-dollars", type=float, default=0.0, metavar="USD", help="… at most for so much money")
    parser.add_argument("--llm-rate", type=float, default=60.0, metavar="N", help="… at most so many calls a minute")
    return parser


def _begin(options: argparse.Namespace) -> tuple[RunFolder, Plan, Job]:
    if not options.data:
        raise BulkError("say which messages: --data FILES")
    if options.shard < 1:
        raise BulkError("a shard has at least one message")
    if options.decider == "baseline" and (options.policy or options.against):
        raise BulkError("a policy is for the engine; the baseline has none")
    files = find_files(options.data)
    if options.llm_sample:
        check_entrant(options.domain)
    job = make_job(_recipes(options), now=_clock(options.now), labels=not options.no_labels, seed=options.seed)
    packed = pack(job)
    name = options.name or ", ".join(Path(each).name for each in options.data[:3])
    limits = {"sample": options.llm_sample, "calls": options.llm_calls, "tokens": options.llm_tokens,
              "dollars": options.llm_dollars, "rate": options.llm_rate} if options.llm_sample else {}  # fmt: skip
    moment = datetime.now().astimezone()
    plan = Plan(
        name=name,
        files=files,
        most_rows=options.shard,
        job=packed.digest,
        domain=job.domain,
        names=job.names,
        versions=job.versions,
        now=job.now,
        labels=job.labels,
        seed=job.seed,
        created=moment.isoformat(timespec="seconds"),
        llm=limits,
    )
    folder = RunFolder(options.out or bulk_runs() / f"{moment:%Y-%m-%d-%H%M%S}")
    with folder.locked():
        folder.begin(plan, packed)
    return folder, plan, job


def _resume(options: argparse.Namespace) -> tuple[RunFolder, Plan, Job]:
    """With the policies that were kept. Files that have changed since would make other shards."""
    if options.data or options.policy or options.against or options.out:
        raise BulkError("--resume takes all but --on and --workers from the folder")
    folder = RunFolder(options.resume)
    plan = folder.plan()
    if find_files([file.path for file in plan.files]) != plan.files:
        raise BulkError("its files have changed since it began; begin a new run")
    return folder, plan, unpack(folder.packed_job())


def _recipes(options: argparse.Namespace) -> list[Recipe]:
    first, other = _find_policy(options.policy), _find_policy(options.against)
    alone = FILES if options.against else options.decider
    name = options.policy_name or (_name_policy(first) if first else alone)
    recipes = [make_recipe(options.domain, options.decider, name, first)]
    if options.against:
        against = options.against_name or (_name_policy(other) if other else FILES)
        recipes.append(make_recipe(options.domain, "engine", options.against if against == name else against, other))
    return recipes


def _name_policy(path: Path) -> str:
    """Folders are called after their language: the one that they stand in tells them apart."""
    return "/".join(path.absolute().parts[-2:]) if path.is_dir() else path.name


def _find_policy(said: str | None) -> Path | None:
    if said is None or said == "files":
        return None
    path = Path(said)
    if not path.exists():
        raise BulkError(f"there is no policy {said}")
    return path


def _clock(said: str) -> str:
    try:
        return datetime.fromisoformat(said).replace(tzinfo=None).isoformat()
    except ValueError:
        raise BulkError(f"--now must be a time such as {NOW}, not {said!r}") from None


def _run(folder: RunFolder, plan: Plan, options: argparse.Namespace) -> State:
    with ExitStack() as stack:
        runner = _make_runner(options, stack)
        return run_shards(folder, runner, lambda state: _tell_line(progress_line(state, plan.size)))


def _make_runner(options: argparse.Namespace, stack: ExitStack) -> Runner:
    if not options.on:
        return ThisProcess()
    if options.on != "local" and "://" not in options.on:
        raise BulkError(f"--on takes `local` or the address of a scheduler such as tcp://host:8786, not {options.on!r}")
    if not has_dask():
        if options.on != "local":
            raise BulkError(f"a cluster needs Dask here, too: {INSTALL}")
        sys.stderr.write(f"Dask is not installed, so all is done in this process ({INSTALL}).\n")
        return ThisProcess()
    return stack.enter_context(DaskRunner(options.on, options.workers or os.cpu_count() or 1))


def _tell_line(line: str) -> None:
    """One line that changes on a terminal; in a log, one now and then would do no harm, so all are written."""
    sys.stderr.write(f"\r{line}\033[K" if sys.stderr.isatty() else f"{line}\n")
    sys.stderr.flush()


def _print(folder: RunFolder, plan: Plan, figures: dict[str, object], state: State, *, as_json: bool) -> None:
    if sys.stderr.isatty():
        sys.stderr.write("\n")
    if as_json:
        sys.stdout.write(json.dumps(figures, ensure_ascii=False) + "\n")
        return
    lines = [*figure_lines(plan, BulkFigures(figures, plan.domain, plan.names)), "", *time_lines(state)]
    sys.stdout.write("\n".join([*lines, f"kept in {folder.path}"]) + "\n")


def _stop(_signal: int, _frame: object) -> None:
    raise KeyboardInterrupt
