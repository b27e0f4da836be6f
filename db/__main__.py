"""`python -m db backup FILE` copies the store while it is in use; `python -m db restore FILE` puts a copy back."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from db.backup import CopyRefusedError, back_up, restore
from settings import load_settings, resolve_database_url


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m db", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("backup", help="to a new file, looked through before it gets its name").add_argument(
        "file", type=Path
    )
    commands.add_parser("restore", help="from a backup; what was there before is kept beside it").add_argument(
        "file", type=Path
    )
    options = parser.parse_args(arguments)
    store = Path(resolve_database_url(load_settings().database_url).removeprefix("sqlite:///"))
    patience = load_settings().database_patience_seconds
    try:
        if options.command == "backup":
            contents = back_up(store, options.file, patience_seconds=patience)
            said = f"Backed up to {options.file}, and checked: {contents}."
        else:
            said = _restore(options.file, store, patience)
    except CopyRefusedError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write(f"{said}\n")
    return 0


def _restore(backup: Path, store: Path, patience: float) -> str:
    done = restore(backup, store, patience_seconds=patience)
    kept = f" What was there before is in {done.kept}." if done.kept else ""
    again = " If the server runs, start it again." if done.needs_restart else ""
    return f"Restored {backup}, and checked: {done.contents}.{kept}{again}"


if __name__ == "__main__":
    sys.exit(main())
