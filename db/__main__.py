"""`python -m db backup FILE` copies the store while it is in use; `python -m db restore FILE` puts a copy back;
`python -m db copy FROM TO` moves a store between SQLite and PostgreSQL."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from db.backup import CopyRefusedError, back_up, restore
from db.copying import CopyFailedError, copy_store
from settings import load_settings, resolve_database_url, without_password

_ON_A_SERVER = {
    "backup": "The store is on a PostgreSQL server; copy it with its own program: "
    "pg_dump --format=custom --file={file} URL",
    "restore": "The store is on a PostgreSQL server; put a copy back with its own program, into an empty database: "
    "pg_restore --no-owner --dbname=URL {file}",
}


def main(arguments: list[str] | None = None) -> int:
    options = _make_parser().parse_args(arguments)
    try:
        said = _copy(options.source, options.target) if options.command == "copy" else _keep(options)
    except (CopyRefusedError, CopyFailedError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{said}\n")
    return 0


def _make_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m db", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    backup = commands.add_parser("backup", help="to a new file, looked through before it gets its name")
    backup.add_argument("file", type=Path)
    putting_back = commands.add_parser("restore", help="from a backup; what was there before is kept beside it")
    putting_back.add_argument("file", type=Path)
    copying = commands.add_parser("copy", help="all of one database into another that is empty, counted on both sides")
    copying.add_argument("source", metavar="FROM", help="an address as in DATABASE_URL")
    copying.add_argument("target", metavar="TO", help="likewise; a file that is not there yet is made")
    return parser


def _keep(options: argparse.Namespace) -> str:
    url, patience = resolve_database_url(load_settings().database_url), load_settings().database_patience_seconds
    if not url.startswith("sqlite:///"):
        raise CopyRefusedError(_ON_A_SERVER[options.command].format(file=options.file))
    store = Path(url.removeprefix("sqlite:///"))
    if options.command == "backup":
        contents = back_up(store, options.file, patience_seconds=patience)
        return f"Backed up to {options.file}, and checked: {contents}."
    return _restore(options.file, store, patience)


def _restore(backup: Path, store: Path, patience: float) -> str:
    done = restore(backup, store, patience_seconds=patience)
    kept = f" What was there before is in {done.kept}." if done.kept else ""
    again = " If the server runs, start it again." if done.needs_restart else ""
    return f"Restored {backup}, and checked: {done.contents}.{kept}{again}"


def _copy(source: str, target: str) -> str:
    counts = copy_store(
        resolve_database_url(source),
        resolve_database_url(target),
        tell=lambda line: print(line, flush=True),  # noqa: T201
    )
    people, tasks, rows = counts["users"], counts["tasks"], sum(counts.values())
    return f"Copied to {without_password(target)}, and counted: {people} people, {tasks} tasks, {rows} rows in all."


if __name__ == "__main__":
    sys.exit(main())
