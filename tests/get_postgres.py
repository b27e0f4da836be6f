"""Finds the programs of a PostgreSQL server for the tests of the store, or gets them: Debian's package."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from tests.postgres import find_programs, how_to_install


def main() -> None:
    if not find_programs():
        _install()
        find_programs.cache_clear()
    if not find_programs():
        sys.exit(how_to_install())


def _install() -> None:
    """Where one may, and there is a network. Debian starts a server of its own with the package; it is not ours."""
    asking = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    if not shutil.which("apt-get") or (asking and not shutil.which("sudo")):
        return
    print("Getting PostgreSQL for the tests from the system's packages …", flush=True)
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for what in (["update"], ["install", "--yes", "--no-install-recommends", "postgresql"]):
        subprocess.run([*asking, "apt-get", *what], capture_output=True, env=environment, check=False)


if __name__ == "__main__":
    main()
