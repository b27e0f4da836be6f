"""`python -m assistant play` holds a conversation from a script: JSON Lines in, one answer a line out."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m assistant", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("play", help="start, say, press, undo, do: one JSON object a line, on a store of its own")
    parser.parse_args(arguments)

    from assistant.play.lines import play_lines  # late: --help needs no store
    from assistant.play.player import Player
    from db.temporary import TemporaryStore

    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    with TemporaryStore() as store:
        play_lines(Player(store), sys.stdin, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
