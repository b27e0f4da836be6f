"""What is worth hours, one after the other: `make test-long`. CI never needs it.

A million fuzzed messages, the hostile endpoint, what flips every case, all public data, the embedded model over all
cases, a soak of the pages and of MCP. A part that fails does not keep the others from running. The environment
sets the size:

DATA=FOLDER             public utterances, as `python -m evals --data` reads them; without it that part is left out
FUZZ_MESSAGES=1000000   how many messages are fuzzed
FUZZ_PROCESSES=1        on how many cores
SOAK_SECONDS=3600       how long people chat, and then MCP clients work
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path

Commands = dict[str, tuple[str, ...]]


def make_commands(environment: Mapping[str, str]) -> Commands:
    """The parts by name, each with its arguments for Python."""
    seconds = environment.get("SOAK_SECONDS", "3600")
    processes = environment.get("FUZZ_PROCESSES", "1")
    commands: Commands = {"fuzz": ("-m", "benchmarks.fuzz", "--processes", processes)}
    commands["hostile endpoint"] = ("-m", "benchmarks.hostile_endpoint")
    commands["hostile lines"] = ("-m", "benchmarks.fuzz_lines", "--lines", "200000")
    commands["flips"] = ("-m", "benchmarks.flips")
    if folder := environment.get("DATA"):
        for split in find_splits(Path(folder)):
            commands[f"public data, {split}"] = ("-m", "evals", "--data", folder, "--split", split)
    commands["embedded model over all cases"] = ("-m", "evals", "--decider", "llm")
    commands["every test, in every round"] = ("-m", "pytest", "-q")
    commands["soak: people chat"] = ("-m", "benchmarks.sessions", "--seconds", seconds)
    commands["soak: MCP clients"] = ("-m", "benchmarks.mcp_clients", "--seconds", seconds)
    return commands


def find_splits(folder: Path) -> tuple[str, ...]:
    splits = sorted(
        path.name.removeprefix("tasks_").removesuffix(".jsonl.gz") for path in folder.glob("tasks_*.jsonl.gz")
    )
    if not splits:
        raise ValueError(f"DATA={folder} holds no tasks_<split>.jsonl.gz; see docs/evals.md")
    return tuple(splits)


def run_all(commands: Commands) -> list[str]:
    """Runs every part, in the open, and returns the names of those that failed."""
    failed = []
    for name, command in commands.items():
        print(f"== {name}: python {' '.join(command)}", flush=True)
        began = time.monotonic()
        status = subprocess.run([sys.executable, *command], check=False).returncode
        print(
            f"== {name}: {'done' if status == 0 else f'failed with {status}'} after {time.monotonic() - began:,.0f} s"
        )
        if status:
            failed.append(name)
    return failed


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="parts whose name contains this")
    options = parser.parse_args(arguments)
    try:
        commands = make_commands(os.environ)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if not os.environ.get("DATA"):
        print("Public data is left out: name its folder with DATA=FOLDER.")
    os.environ["EVERY_ROUND"] = "1"  # `tests/rounds.py`: a part of them is enough for the ordinary tests
    failed = run_all({name: command for name, command in commands.items() if options.only in name})
    print(f"failed: {', '.join(failed)}" if failed else "all parts passed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
